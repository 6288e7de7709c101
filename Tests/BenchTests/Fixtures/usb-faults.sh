#!/usr/bin/env bash
# The bench's USB camera with everything that can go wrong.
source Tests/BenchTests/Fixtures/stage.sh

# faulty NAME OPTION… -- RECIPE [OPTION]…: a run with a camera of these options.
faulty() {
    local name=$1 options=()
    shift
    while [[ $1 != -- ]]; do options+=("$1"); shift; done
    shift
    plug_in --truth "$results/$name.truth" "${options[@]}"
    record "$name" "$@"
    unplug
}

faulty unplug --fault unplug@70 -- usb-still.yaml
faulty losses --fault drop@30,lose@60,short@90,err@120 -- usb-still.yaml
faulty freeze --fault freeze@80 -- usb-still.yaml
faulty refuses --stall gain -- usb-still.yaml
faulty hangs --hang gain -- usb-still.yaml
faulty slow-answers --hang exposure:2 -- usb-pause.yaml

# Settings are forgotten when the stream starts, and the profile knows.
mkdir "$results/cameras"
sed 's/^quirks: \[/&forgets_settings_at_start, /' hardware/cameras/bench-usb.yaml >"$results/cameras/bench-usb.yaml"
faulty forgets --fault forget -- usb-still.yaml --set frames=30 --profiles "$results/cameras"

# Somebody gives the exposure back to its automatic in mid-run: further values are refused.
plug_in --truth "$results/external.truth"
begin external usb-pause.yaml
sleep 2
python3 "$fixtures/v4l2-control.py" /dev/video0 auto_exposure=3
finish external
unplug

# The camera stands still: no frames, and a control that is not answered in mid-run.
plug_in
python3 "$fixtures/notified.py" /run/notify >"$results/stopped.notified" &
notified=$!
await time_ns "$results/stopped.notified"
NOTIFY_SOCKET=/run/notify begin stopped usb-pause.yaml
sleep 2
kill -STOP "$camera"
# The kernel can't take its requests back from a camera that stands still, so the stream can't be closed until then.
sleep 20
kill -CONT "$camera"
finish stopped
kill "$notified"
wait "$notified" || true
unplug

# A frame that is waited for never comes, and somebody loses patience: the first signal still waits for it.
plug_in --fault freeze@60
begin impatient usb-still.yaml
sleep 3
kill -INT "$run"
sleep 0.2
kill -INT "$run"
finish impatient
unplug

# Unplugged and plugged in again: the run that lost its camera ends, the next one has it.
plug_in --fault unplug@60,replug@90
record left usb-still.yaml
sleep 3
record returned usb-still.yaml --set frames=20
unplug
