#!/usr/bin/env bash
# The bench's USB camera, every automatic on at first, through several temperaments of it.
source Tests/BenchTests/Fixtures/stage.sh

plug_in --truth "$results/locked.truth"
"$framelock" devices --json >"$results/before.json"
"$framelock" plan "$fixtures/usb-lock.yaml" --json >"$results/plan.json"
record locked usb-lock.yaml
"$framelock" devices --json >"$results/after.json"
unplug

# A camera that answers as if it had taken a value while its automatic was on, and one that takes it.
for mode in ignore accept; do
    plug_in --while-automatic "$mode" --truth "$results/$mode.truth"
    record "$mode" usb-lock.yaml
    unplug
done

# A slower one, with a profile that knows.
mkdir "$results/cameras"
sed '/^exposure:/s/{frames: 2/{frames: 4/; /^gain:/s/{frames: 1/{frames: 2/' \
    hardware/cameras/bench-usb.yaml >"$results/cameras/bench-usb.yaml"
plug_in --latency exposure=4,gain=2 --truth "$results/slow.truth"
record slow usb-lock.yaml --profiles "$results/cameras"
unplug

# One whose gain ends early.
plug_in --range gain=16..32/1
record weak usb-lock.yaml
unplug
