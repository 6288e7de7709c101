#!/usr/bin/env bash
# Brackets on a camera that does what it says, and on cameras that don't: they lose writes from any frame on, ignore a
# control, or are later than their profile says. Each acknowledges every write and reads it back. At the end the camera is
# sound, and its profile promises that timestamps come earlier than they do.
source Tests/BenchTests/Fixtures/stage.sh

# with NAME [OPTION]…: a run on a camera with these options.
with() {
    local name=$1
    shift
    plug_in --size 320x240 --format yuyv --noise 1 "$@"
    record "$name" usb-evidence.yaml
    unplug
}

with sound
for seed in 11 12 13 14; do with "lossy-$seed" --lose exposure:50 --seed "$seed"; done
with ignored --ignore exposure
with late --latency exposure=4

mkdir "$results/profiles"
sed 's/max_delay: 5 ms, readout: 0 s, camera_clock: {.*}}/max_delay: 500 us, readout: 0 s}/' \
    hardware/cameras/bench-usb.yaml >"$results/profiles/bench-usb.yaml"
plug_in --size 320x240 --format yuyv --noise 1
record prompt usb-evidence.yaml --profiles "$results/profiles"
unplug
