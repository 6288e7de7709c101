#!/usr/bin/env bash
# The bench's USB camera, timed by when its frames arrive and by its own clock, which also runs wrong.
source Tests/BenchTests/Fixtures/stage.sh

# The same profile without the camera's own clock.
mkdir "$results/profiles"
sed 's/, camera_clock: {[^}]*}//' hardware/cameras/bench-usb.yaml >"$results/profiles/bench-usb.yaml"

plug_in
record arrival clocks.yaml --profiles "$results/profiles"
record own clocks.yaml
record no-ptp clocks-ptp.yaml
"$framelock" show "$results/own" --slot 100 --rows 0,479 --json >"$results/slot.json"
unplug

for error in -300 300; do
    plug_in --clock-error="$error" --jitter 3000
    record "fast$error" clocks.yaml
    unplug
done

plug_in --timing burst
record burst clocks.yaml
unplug
