#!/usr/bin/env bash
# Latencies of the bench's USB camera, measured from its pixels; the profile knows them wrong.
source Tests/BenchTests/Fixtures/stage.sh

# calibrate NAME LATENCIES RATE [CAMERA OPTION]…: measures a camera that is built to these latencies.
calibrate() {
    local name=$1 latencies=$2 rate=$3 status=0
    shift 3
    plug_in --size 256x96 --rate "$rate" --no-pattern --noise 1 --latency "$latencies" "$@"
    sed 's/latency: {frames: ., from: exact}/latency: 9/' hardware/cameras/bench-usb.yaml \
        >"$results/$name.yaml"
    "$framelock" calibrate latency --profile "$results/$name.yaml" --write --trials 4 --json \
        >"$results/$name.json" 2>"$results/$name.stderr" || status=$?
    echo "$status" >"$results/$name.exit"
    "$framelock" camera status --profile "$results/$name.yaml" --json >"$results/$name.after.json"
    unplug
}

calibrate bus exposure=2,gain=1,focus=1,red=1,blue=1,temperature=1 30
calibrate burst exposure=3,gain=0,focus=4,red=2,blue=2,temperature=5 30 --timing burst
calibrate quick exposure=1,gain=5,focus=2,red=6,blue=6,temperature=0 60 --jitter 300

# What can't be measured is said, and no figure is given.
plug_in --size 256x96 --no-pattern --ignore gain --stall focus
status=0
"$framelock" calibrate latency --profile bench-usb --controls gain,focus --trials 2 --json \
    >"$results/broken.json" 2>"$results/broken.stderr" || status=$?
echo "$status" >"$results/broken.exit"
unplug
plug_in --size 256x96 --no-pattern --scene 0.0005
status=0
"$framelock" calibrate latency --profile bench-usb --trials 2 \
    >"$results/dark.stdout" 2>"$results/dark.stderr" || status=$?
echo "$status" >"$results/dark.exit"
unplug
