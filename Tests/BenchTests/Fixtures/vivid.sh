#!/usr/bin/env bash
# vivid as a webcam, as a grabber, and as a camera that loses buffers.
source Tests/BenchTests/Fixtures/stage.sh

gpio-sim create bench-gpio line17=GPIO17 line27=GPIO27 >/dev/null
"$framelock" devices --json >"$results/devices.json" 2>"$results/devices.stderr"
"$framelock" devices >"$results/devices.txt"

record webcam vivid-webcam.yaml

"$framelock" devices --json >"$results/devices-hdmi.json"
# Each input of vivid counts brightness from another number on: what is neutral for the webcam is too little here.
mkdir "$results/cameras"
sed 's/brightness: 512/brightness: 128/' hardware/cameras/vivid.yaml >"$results/cameras/vivid.yaml"
status=0
"$framelock" run "$fixtures/vivid-hdmi.yaml" --profiles "$results/cameras" --output "$results/dark" \
    2>"$results/dark.stderr" || status=$?
echo "$status" >"$results/dark.exit"
"$framelock" devices --json >"$results/devices-dark.json"
record hdmi vivid-hdmi.yaml
"$framelock" devices --json >"$results/devices-after-hdmi.json"
# More than a gigabyte that has been verified above.
rm -r "$results/hdmi/frames.zarr"

python3 "$fixtures/v4l2-control.py" /dev/video0 percentage_of_dropped_buffers=20
record lossy vivid-webcam.yaml
