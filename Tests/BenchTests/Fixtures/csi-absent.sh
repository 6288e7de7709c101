#!/usr/bin/env bash
# A sensor that does not answer when its driver looks for it: what framelock says of it. The board is imx219.
source Tests/BenchTests/Fixtures/stage.sh

# keep NAME WORD…: runs framelock, and keeps what it says and its exit code.
keep() {
    local name=$1 status=0
    shift
    "$framelock" "$@" >"$results/$name.stdout" 2>"$results/$name.stderr" || status=$?
    echo "$status" >"$results/$name.exit"
}

keep devices devices
keep status camera status
keep named camera status --camera csi:imx219:0-0010
keep run run "$fixtures/csi-first-steps.yaml" --output "$results/run"
