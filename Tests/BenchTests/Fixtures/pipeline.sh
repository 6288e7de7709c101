#!/usr/bin/env bash
# A thousand brackets at full rate, with three sets of latencies in turn. Less than a third of the picture is the pattern
# that carries the truth, so that the scene in the rest bears the settings out.
# FRAMELOCK_BRACKETS: how many with each.
source Tests/BenchTests/Fixtures/stage.sh

# with EXPOSURE GAIN NAME: the camera has these latencies, and its profile knows them.
with() {
    local exposure=$1 gain=$2 name=$3
    mkdir "$results/$name-cameras"
    sed -e 's/max_delay: 5 ms/max_delay: 4.2 ms/' \
        -e "/^exposure:/s/frames: 2/frames: $exposure/" -e "/^gain:/s/frames: 1/frames: $gain/" \
        hardware/cameras/bench-usb.yaml >"$results/$name-cameras/bench-usb.yaml"
    plug_in --size 256x240 --format grey --latency "exposure=$exposure,gain=$gain" \
        --truth "$results/$name.truth"
    record "$name" usb-pipeline.yaml --profiles "$results/$name-cameras" --set "brackets=$brackets"
    unplug
}

brackets=${FRAMELOCK_BRACKETS:-334}
with 2 1 usual
with 1 1 quick
with 4 2 slow
