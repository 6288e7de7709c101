#!/usr/bin/env bash
# Pipelined brackets behind a raw sensor, as settings.txt in the results folder says: each line is a run,
#   NAME SENSOR PROFILE PIXELS SIZE RATE GAINS BRACKETS [left]
# PROFILE is one of hardware/cameras; with -exact behind it the same with the latencies that the bench's sensors have
# (exposure 1, gain 0), and with embedded data where the file has them in a comment. `left`: the graph is first left as
# libcamera leaves it. FRAMELOCK_BRACKETS: how many brackets of five, in place of BRACKETS.
source Tests/BenchTests/Fixtures/stage.sh
source Tests/BenchTests/Fixtures/exact.sh

mkdir "$results/cameras"
"$framelock" devices --json >"$results/devices.json"
while read -r name sensor profile pixels size rate gains brackets state; do
    [[ $state != left ]] || hardware/bench/csi/graph after-libcamera >&2
    [[ $profile != *-exact ]] || exact "${profile%-exact}"
    id=$(python3 -c '
import json, sys
cameras = json.load(open(sys.argv[1]))["cameras"]
print(next(camera["id"] for camera in cameras if camera.get("sensor") == sys.argv[2]))' "$results/devices.json" "$sensor")
    sed -e "s|CAMERA|$id|" -e "s|PROFILE|$profile|" -e "s|PIXELS|$pixels|" -e "s|SIZE|$size|" -e "s|RATE|$rate|" \
        -e "s|GAINS|$gains|" "$fixtures/csi-bracket.yaml" >"$results/$name.yaml"
    echo >/sys/kernel/debug/framelock-csi/port0/truth
    record "$name" "../../../$(realpath --relative-to=. "$results")/$name.yaml" --profiles "$results/cameras" \
        --set "brackets=${FRAMELOCK_BRACKETS:-$brackets}"
    cat /sys/kernel/debug/framelock-csi/port*/truth >"$results/$name.truth"
done <"$results/settings.txt"
