#!/usr/bin/env bash
# Every fault that the kernel's test camera can inject, one run each; disconnection and a broken stream are in vivid-ends.
source Tests/BenchTests/Fixtures/stage.sh

control() { python3 "$fixtures/v4l2-control.py" /dev/video0 "$@" >/dev/null; }

# with NAME CONTROL -- RECIPE [OPTION]…: a run with a control set to 1 before it, and to 0 again.
with() {
    local name=$1 set=$2
    shift 3
    control "$set=1"
    record "$name" "$@"
    control "$set=0" 2>/dev/null || true
}

# during NAME CONTROL RECIPE [OPTION]…: a run in whose middle a button is pressed.
during() {
    local name=$1 button=$2
    shift 2
    begin "$name" "$@"
    sleep 2
    control "$button=1"
    finish "$name"
}

# The sequence begins 128 before its end, the timestamps 16 s before theirs.
control percentage_of_dropped_buffers=10
with wrapped-sequence wrap_sequence_number -- vivid-webcam.yaml --set frames=200
control percentage_of_dropped_buffers=0
with wrapped-timestamp wrap_timestamp -- vivid-webcam.yaml --set frames=520
with start-timestamps timestamp_source -- vivid-webcam.yaml --set frames=60

during damaged inject_v4l2_buf_flag_error vivid-webcam.yaml --set frames=90
during refused-buffer inject_vidioc_qbuf_error vivid-webcam.yaml --set frames=90

# Calls that fail before the first frame.
control inject_vidioc_reqbufs_error=1
record no-buffers vivid-webcam.yaml --set frames=10
control inject_vidioc_streamon_error=1
record no-start vivid-webcam.yaml --set frames=10 --json

record signal vivid-hdmi.yaml
rm -rf "$results/signal/frames.zarr"
# The signal is that of the input that is selected.
control input=3
with no-signal dv_timings_signal_mode -- vivid-hdmi.yaml
control input=0

record after vivid-webcam.yaml --set frames=10
