#!/usr/bin/env bash
# Latencies of a raw sensor, measured from its pixels and its timestamps, as settings.txt in the results folder says:
#   SENSOR PIXELS SIZE RATE
# and then a line for each way in which the sensor is built:
#   NAME EXPOSURE GAIN VBLANK
# The profile is the shipped one with all latencies wrong.
source Tests/BenchTests/Fixtures/stage.sh

options=/sys/kernel/debug/framelock-csi/port0/options
exec {settings}<"$results/settings.txt"
read -r sensor pixels size rate <&"$settings"
while read -r name exposure gain vblank <&"$settings"; do
    echo "exposure=$exposure,gain=$gain,vblank=$vblank,pattern=0" >$options
    sed -E 's/latency: \{[^}]*\}/latency: 9/' "hardware/cameras/$sensor.yaml" >"$results/$name.yaml"
    status=0
    "$framelock" calibrate latency --profile "$results/$name.yaml" --write --pixels "$pixels" --size "$size" \
        --rate "$rate fps" --trials 2 --json >"$results/$name.json" 2>"$results/$name.stderr" || status=$?
    echo "$status" >"$results/$name.exit"
done
