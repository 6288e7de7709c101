#!/usr/bin/env bash
# Timestamps of the bench's USB camera against its strobe output, and how its lens moves.
source Tests/BenchTests/Fixtures/stage.sh

gpio-sim create bench-gpio line5=GPIO5 >/dev/null
strobe=$(echo /sys/devices/platform/gpio-sim.*/gpiochip*/sim_gpio5/pull)
cat >"$results/rig.yaml" <<RIG
framelock_rig: 1
name: bench
lines:
  camera_strobe: {chip: bench-gpio, line: GPIO5, direction: in, edge: both}
RIG

# calibrate NAME COMMAND OPTION…: a calibration that writes into a profile of its own.
calibrate() {
    local name=$1 status=0
    shift
    cp hardware/cameras/bench-usb.yaml "$results/$name.yaml"
    "$framelock" calibrate "$@" --profile "$results/$name.yaml" --write --json \
        >"$results/$name.json" 2>"$results/$name.stderr" || status=$?
    echo "$status" >"$results/$name.exit"
}

plug_in --strobe "$strobe"
# Edges lie on the simulated kernel's grid of 1 ms.
calibrate timing timing --rig "$results/rig.yaml" --strobe camera_strobe --edge-delay 1200us
"$framelock" plan --profile "$results/timing.yaml" "$fixtures/usb-lock.yaml" \
    >/dev/null 2>"$results/plan.stderr" || true
unplug

plug_in --size 256x96 --no-pattern --noise 1
calibrate lens lens --rest 200ms --trials 3
unplug
