#!/usr/bin/env bash
# Pipelined brackets behind a raw sensor, as settings.txt in the results folder says: each line is a run,
#   NAME SENSOR PROFILE PIXELS SIZE RATE GAINS BRACKETS [left|beside]
# PROFILE is one of hardware/cameras; with -exact behind it the same with the latencies that the bench's sensors have
# (exposure 1, gain 0), and with embedded data where the file has them in a comment. BRACKETS are of five frames. `left`:
# the graph is first left as libcamera leaves it; `beside`: the run goes on while the next one does. NAME.before is a
# script to run before, with `port` the folder of the first port: what goes wrong, what the sensor is like, who holds a node.
source Tests/BenchTests/Fixtures/stage.sh
source Tests/BenchTests/Fixtures/exact.sh

port=/sys/kernel/debug/framelock-csi/port0
mkdir "$results/cameras"
"$framelock" devices --json >"$results/devices.json"
begun=()
declare -A ids
while read -r name sensor profile pixels size rate gains brackets state; do
    [[ $state != left ]] || hardware/bench/csi/graph after-libcamera >&2
    [[ $profile != *-exact || -e $results/cameras/$profile.yaml ]] || exact "${profile%-exact}"
    [[ -v ids[$sensor] ]] || ids[$sensor]=$(camera_of "$sensor")
    sed -e "s|CAMERA|${ids[$sensor]}|" -e "s|PROFILE|$profile|" -e "s|PIXELS|$pixels|" -e "s|SIZE|$size|" -e "s|RATE|$rate|" \
        -e "s|GAINS|$gains|" "$fixtures/csi-bracket.yaml" >"$results/$name.yaml"
    # shellcheck source=/dev/null
    [[ ! -e $results/$name.before ]] || source "$results/$name.before"
    ((${#begun[@]})) || echo >"$port/truth"
    begin "$name" "../../../$(realpath --relative-to=. "$results")/$name.yaml" --profiles "$results/cameras" \
        --set "brackets=$brackets"
    begun+=("$name $run")
    [[ $state != beside ]] || continue
    for pair in "${begun[@]}"; do
        read -r name run <<<"$pair"
        finish "$name"
        cat "${port%0}"*/truth >"$results/$name.truth"
    done
    begun=()
    echo >"$port/faults"
    echo pattern=1,speed-ppm=1000000 >"$port/options"
done <"$results/settings.txt"
