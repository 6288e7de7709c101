#!/usr/bin/env bash
# The same in real time, on a host that may stall it: what the driver drops then must be holes.
source Tests/BenchTests/Fixtures/stage.sh

record webcam vivid-webcam.yaml --set frames=60
plug_in --truth "$results/usb.truth"
record usb usb-still.yaml --set frames=45
unplug
