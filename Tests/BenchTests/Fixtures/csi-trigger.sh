#!/usr/bin/env bash
# Pulses on a line that expose a raw sensor: framelock hears them on a simulated line, the sensor at its trigger.
# settings.txt in the results folder: SENSOR PIXELS SIZE PULSE_MS falling|rising.
source Tests/BenchTests/Fixtures/stage.sh

read -r sensor pixels size pulse edge <"$results/settings.txt"
gpio-sim create bench-gpio line17=GPIO17 >/dev/null
folder=$(echo /sys/devices/platform/gpio-sim.*/gpiochip*/sim_gpio17)
port=/sys/kernel/debug/framelock-csi/port0
"$framelock" devices --json >"$results/devices.json"
id=$(camera_of "$sensor")
if [[ $edge == falling ]]; then
    rest=1 trigger="{line: part_present, pulse: $pulse ms}" lock='gain: 2.0x'
    echo pull-up >"$folder/pull"
else
    rest=0 trigger=part_present lock='duration: 4 ms, gain: 2.0x'
fi
echo "$rest" >"$port/trigger"
sed -e "s|PIXELS|$pixels|" -e "s|SIZE|$size|" -e "s|TRIGGER|$trigger|" -e "s|EDGE|$edge|" -e "s|LOCK|$lock|" \
    "$fixtures/csi-trigger.yaml" >"$results/recipe.yaml"
cat >"$results/rig.yaml" <<Y
framelock_rig: 1
name: bench
cameras:
  inspection: {id: "$id", profile: $sensor}
lines:
  part_present: {chip: bench-gpio, line: GPIO17, direction: in, edge: $edge, bias: disabled, max_delay: 1.2 ms}
Y

# expose NAME FAULTS: a run, with what goes wrong in it.
expose() {
    echo "$2" >"$port/faults"
    begin "$1" "$(realpath --relative-to="$fixtures" "$results")/recipe.yaml" --rig "$results/rig.yaml"
    await running "$results/$1/run.json"
    python3 -SEsB "$fixtures/csi-pulses.py" "$folder/pull" "$port/trigger" "$rest" "$pulse" "$run"
    finish "$1"
}

expose triggered ''
expose lost-end lose-end@20
