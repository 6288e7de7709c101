#!/usr/bin/env bash
# The bench's USB camera with a host, a control or a rate that does not keep up.
source Tests/BenchTests/Fixtures/stage.sh

# The host does not look for a second: four frames wait for it, the rest is lost.
plug_in
begin starved usb-still.yaml
sleep 3
kill -STOP "$run"
sleep 1
kill -CONT "$run"
finish starved
unplug

# Each write of the exposure takes two seconds, while frames come.
plug_in --hang exposure:2
record hanging usb-hanging.yaml
unplug

# Settings are forgotten when the stream starts, and nobody knows.
plug_in --fault forget
record forgets-unknown usb-still.yaml --set frames=30
unplug

# Every second frame is not sent: that is half the rate, or half the frames.
plug_in --fault drop@1/2
record half-rate usb-still.yaml --set frames=40
unplug
