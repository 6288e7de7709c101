#!/usr/bin/env bash
# Brackets on the bench's USB camera: pipelined, at other moments of the frame, with slow answers, and with losses.
source Tests/BenchTests/Fixtures/stage.sh

# What the timestamps were measured to be late by, without the margin of the profile: 4.1 ms at most.
mkdir "$results/cameras"
sed 's/max_delay: 5 ms/max_delay: 4.2 ms/' hardware/cameras/bench-usb.yaml \
    >"$results/cameras/bench-usb.yaml"

plug_in --truth "$results/bracket.truth"
record bracket usb-bracket.yaml --profiles "$results/cameras"
"$framelock" devices --json >"$results/after.json"
record again usb-bracket.yaml
for pause in 1008 1016 1024; do
    record "pause-$pause" usb-bracket.yaml --set "pause=$pause ms"
done
unplug

# Timestamps that are nearly exact.
plug_in --timing burst --truth "$results/burst.truth"
record burst usb-bracket.yaml
unplug

# A gain that is answered late: its write takes half a frame.
plug_in --hang gain:0.015 --truth "$results/slow-gain.truth"
record slow-gain usb-bracket.yaml
unplug

# Frames that the camera never sends, and one that is damaged, in the middle of a group.
plug_in --fault drop@9,err@18 --truth "$results/atomic.truth"
record atomic usb-atomic.yaml
unplug
