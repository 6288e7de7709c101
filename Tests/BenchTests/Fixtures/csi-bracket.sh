#!/usr/bin/env bash
# Pipelined brackets behind a raw sensor, as settings.txt in the results folder says: each line is a run,
#   NAME CAMERA PROFILE PIXELS SIZE RATE GAINS BRACKETS [left]
# CAMERA is the sensor's name in `framelock devices`; `left`: the graph is first left as libcamera leaves it.
# FRAMELOCK_BRACKETS: how many brackets of five, in place of BRACKETS.
source Tests/BenchTests/Fixtures/stage.sh

"$framelock" devices --json >"$results/devices.json"
while read -r name camera profile pixels size rate gains brackets state; do
    [[ $state != left ]] || hardware/bench/csi/graph after-libcamera >&2
    id=$(python3 -c '
import json, sys
ids = [camera["id"] for camera in json.load(open(sys.argv[1]))["cameras"]]
print(next((id for id in ids if f":{sys.argv[2]}:" in id), "/dev/video0"))' "$results/devices.json" "$camera")
    sed -e "s|CAMERA|$id|" -e "s|PROFILE|$profile|" -e "s|PIXELS|$pixels|" -e "s|SIZE|$size|" -e "s|RATE|$rate|" \
        -e "s|GAINS|$gains|" "$fixtures/csi-bracket.yaml" >"$results/$name.yaml"
    echo >/sys/kernel/debug/framelock-csi/port0/truth
    record "$name" "../../../$(realpath --relative-to=. "$results")/$name.yaml" \
        --set "brackets=${FRAMELOCK_BRACKETS:-$brackets}"
    cat /sys/kernel/debug/framelock-csi/port*/truth >"$results/$name.truth"
done <"$results/settings.txt"
