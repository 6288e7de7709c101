#!/usr/bin/env bash
# One strobed frame for each edge: 200 of them, then a burst, an edge too many, and one that does not come.
source Tests/BenchTests/Fixtures/stage.sh

gpio-sim create bench-gpio line17=GPIO17 line27=GPIO27 line22=GPIO22 line23=GPIO23 line24=GPIO24 \
    >/dev/null

# inspect_parts NAME PARTS PATIENCE DELAY_MS…|--file FILE: runs the recipe while pulses are played on the light barrier.
inspect_parts() {
    local name=$1 parts=$2 patience=$3 watching playing
    shift 3
    plug_in --truth "$results/$name.truth"
    gpio-sim watch bench-gpio GPIO27 --output "$results/$name.strobe" &
    watching=$!
    await initial "$results/$name.strobe"
    begin "$name" ../../../recipes/triggered-inspection.yaml --rig hardware/rigs/bench.yaml \
        --set parts="$parts" --set patience="$patience"
    # Edges count from when the lines are open, and they are before there is a record.
    await running "$results/$name/run.json"
    gpio-sim play bench-gpio GPIO17 --log "$results/$name.played" "$@" &
    playing=$!
    wait "$playing"
    finish "$name"
    kill "$watching"
    wait "$watching" || true
    unplug
}

inspect_parts many 200 5s --file "$results/edges"
# Two parts within 10 ms, less than a frame: the second has to wait for the next.
inspect_parts burst 5 5s 300 5 300 5 300 5 5 5 300 5
# The second of two is one too many.
inspect_parts excess 3 5s 300 5 300 5 300 5 5 5
# The third part is late by more than is waited for it.
inspect_parts missing 5 1s 300 5 300 5 1500 5 300 5
