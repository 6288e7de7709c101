#!/usr/bin/env bash
# The bench's USB camera behind a driver that timestamps frames with CLOCK_REALTIME and claims CLOCK_MONOTONIC.
source Tests/BenchTests/Fixtures/stage.sh

cat /sys/module/uvcvideo/parameters/clock >"$results/parameter"
# shellcheck disable=SC2119 # options of its own, or none
plug_in
record own clocks.yaml
unplug
