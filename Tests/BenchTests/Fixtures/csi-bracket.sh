#!/usr/bin/env bash
# Pipelined brackets behind a raw sensor, as settings.txt in the results folder says: each line is a run,
#   NAME SENSOR PROFILE PIXELS SIZE RATE GAINS BRACKETS [left|beside]
# PROFILE is one of hardware/cameras; with -exact behind it the same with the latencies that the bench's sensors have
# (exposure 1, gain 0), and with embedded data where the file has them in a comment. BRACKETS are of five frames. `left`:
# the graph is first left as libcamera leaves it; `beside`: the run goes on while the next one does.
source Tests/BenchTests/Fixtures/stage.sh

# exact NAME: makes the profile NAME-exact.
exact() {
    sed -E -e "s/^name: .*/name: $1-exact/" \
        -e '/^exposure:/s/latency: \{[^}]*\}/latency: {frames: 1, from: exact}/' \
        -e '/^gain:/s/latency: \{[^}]*\}/latency: {frames: 0, from: exact}/' \
        "hardware/cameras/$1.yaml" >"$results/cameras/$1-exact.yaml"
    sed -nE -e '/^  # embedded_data:/,/\}/s/^  # ?//p' "hardware/cameras/$1.yaml" >>"$results/cameras/$1-exact.yaml"
}

mkdir "$results/cameras"
"$framelock" devices --json >"$results/devices.json"
begun=()
while read -r name sensor profile pixels size rate gains brackets state; do
    [[ $state != left ]] || hardware/bench/csi/graph after-libcamera >&2
    [[ $profile != *-exact ]] || exact "${profile%-exact}"
    id=$(python3 -c '
import json, sys
cameras = json.load(open(sys.argv[1]))["cameras"]
print(next(camera["id"] for camera in cameras if camera.get("sensor") == sys.argv[2]))' "$results/devices.json" "$sensor")
    sed -e "s|CAMERA|$id|" -e "s|PROFILE|$profile|" -e "s|PIXELS|$pixels|" -e "s|SIZE|$size|" -e "s|RATE|$rate|" \
        -e "s|GAINS|$gains|" "$fixtures/csi-bracket.yaml" >"$results/$name.yaml"
    ((${#begun[@]})) || echo >/sys/kernel/debug/framelock-csi/port0/truth
    begin "$name" "../../../$(realpath --relative-to=. "$results")/$name.yaml" --profiles "$results/cameras" \
        --set "brackets=$brackets"
    begun+=("$name $run")
    [[ $state != beside ]] || continue
    for pair in "${begun[@]}"; do
        read -r name run <<<"$pair"
        finish "$name"
        cat /sys/kernel/debug/framelock-csi/port*/truth >"$results/$name.truth"
    done
    begun=()
done <"$results/settings.txt"
