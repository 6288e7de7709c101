#!/usr/bin/env bash
# Cameras that framelock has locked and that somebody else wants to change.
source Tests/BenchTests/Fixtures/stage.sh

# meddle NAME CONTROL=VALUE RECIPE [OPTION]…: a run in the middle of which another program sets a control of $device.
meddle() {
    local name=$1 setting=$2 status=0
    shift 2
    begin "$name" "$@"
    await running "$results/$name/run.json"
    sleep 1
    python3 "$fixtures/v4l2-control.py" "$device" "$setting" \
        >"$results/$name.set" 2>&1 || status=$?
    echo "$status" >"$results/$name.refused"
}

# On the USB camera: a locked control, one that is pinned, an automatic, which then moves the exposure frame by frame.
plug_in --truth "$results/exposure.truth"
device=$(sed -n 's/^ready //p' /run/camera.txt)
meddle exposure exposure_time_absolute=40 usb-still.yaml --set frames=60
# A second framelock has to wait for the first.
status=0
"$framelock" run "$fixtures/usb-still.yaml" --output "$results/second" \
    2>"$results/second.stderr" || status=$?
echo "$status" >"$results/second.exit"
finish exposure
echo "$run" >"$results/exposure.process"
meddle pinned sharpness=6 usb-still.yaml --set frames=60
finish pinned
meddle automatic auto_exposure=3 usb-still.yaml --set frames=60
finish automatic
# The same value once more changes nothing.
meddle same exposure_time_absolute=80 usb-still.yaml --set frames=60
finish same
# Nobody else can write while the run has the camera to itself.
meddle exclusive exposure_time_absolute=40 usb-still.yaml --set frames=60 --exclusive
finish exclusive
# Everything that framelock itself writes, and nothing by anybody else.
record own usb-lock.yaml
unplug

# On the kernel's test camera, whose brightness is pinned.
device=/dev/video0
meddle vivid brightness=200 vivid-webcam.yaml --set frames=60
finish vivid
