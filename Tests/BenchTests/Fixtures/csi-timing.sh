#!/usr/bin/env bash
# Rows and exposures of a raw sensor, timed with the rig's light on a GPIO's output, as settings.txt in the results folder
# says: SENSOR PIXELS SIZE RATE
source Tests/BenchTests/Fixtures/stage.sh

read -r sensor pixels size rate <"$results/settings.txt"
port=/sys/kernel/debug/framelock-csi/port0
gpio-sim create bench-light line3=LIGHT >/dev/null
echo bench-light:3 >$port/light
# A dark room, and a light of which a flash of 10 us can be seen.
echo scene=0,light=50000000,pattern=0 >$port/options
cat >"$results/rig.yaml" <<RIG
framelock_rig: 1
name: bench
lines:
  light: {chip: bench-light, line: LIGHT, direction: out}
RIG
cp "hardware/cameras/$sensor.yaml" "$results/timing.yaml"
status=0
"$framelock" calibrate timing --profile "$results/timing.yaml" --write --pixels "$pixels" --size "$size" \
    --rate "$rate fps" --rig "$results/rig.yaml" --light light --pulse 10us --json \
    >"$results/timing.json" 2>"$results/timing.stderr" || status=$?
echo "$status" >"$results/timing.exit"
cat $port/light >"$results/light"
cat $port/truth >"$results/truth"
# By hand it is the same camera: on some receivers no frame comes while a linked node is not read.
status=0
"$framelock" camera set --profile "$sensor" --pixels "$pixels" --size "$size" --exposure 2ms \
    >"$results/set.stdout" 2>"$results/set.stderr" || status=$?
echo "$status" >"$results/set.exit"
