# shellcheck shell=bash
# What the scenarios share; each sources it. A scenario runs in the bench, in the root of the repository, and leaves
# everything that a test wants to know in the results folder.
set -euo pipefail

results=$FRAMELOCK_BENCH_OUTPUT
fixtures=Tests/BenchTests/Fixtures
programs=${FRAMELOCK_PROGRAMS:?is the folder of the programs that are tried}
framelock=$programs/framelock
# A crash says so and ends, instead of waiting for a key.
export SWIFT_BACKTRACE=enable=no

# record NAME RECIPE [OPTION]…: runs a recipe into NAME, and notes exit code, messages, verification and summary.
record() {
    begin "$@"
    finish "$1"
}

# begin NAME RECIPE [OPTION]…: the same in the background; `run` is its process number.
begin() {
    local name=$1 recipe=$2
    shift 2
    "$framelock" run "$fixtures/$recipe" --output "$results/$name" "$@" \
        >"$results/$name.stdout" 2>"$results/$name.stderr" &
    run=$!
}

# finish NAME: waits for the run that was begun last.
finish() {
    local name=$1 status=0
    wait "$run" || status=$?
    echo "$status" >"$results/$name.exit"
    inspect "$name"
}

# keep NAME WORD…: runs framelock, and keeps what it says and its exit code.
keep() {
    local name=$1 status=0
    shift
    "$framelock" "$@" >"$results/$name.stdout" 2>"$results/$name.stderr" || status=$?
    echo "$status" >"$results/$name.exit"
}

# inspect NAME: verification and summary of a run, if it left a folder.
inspect() {
    local name=$1 status=0
    [[ -d $results/$name ]] || return 0
    "$framelock" verify "$results/$name" >"$results/$name.verify" 2>&1 || status=$?
    echo "$status" >"$results/$name.verified"
    "$framelock" show "$results/$name" --json >"$results/$name.json"
}

# camera_of SENSOR: the id of the camera with this sensor, in the scenario's devices.json.
camera_of() {
    python3 -c '
import json, sys
cameras = json.load(open(sys.argv[1]))["cameras"]
print(next(camera["id"] for camera in cameras if camera.get("sensor") == sys.argv[2]))' "$results/devices.json" "$1"
}

# subdev NAME: the node of the sub-device whose name begins so; fails where there is none.
subdev() {
    local name
    name=$(grep -ls "^$1" /sys/class/video4linux/v4l-subdev*/name) || return
    echo "/dev/$(basename "${name%/name}")"
}

# await WORD FILE: waits until the word is in the file.
await() {
    local turn
    for turn in {1..600}; do
        [[ ! -e $2 || $(<"$2") != *"$1"* ]] || return 0
        sleep 0.05
    done
    echo "'$1' did not come in $2, looked ${turn} times" >&2
    exit 1
}

# plug_in [OPTION]…: starts the bench's USB camera; `camera` is its process number.
plug_in() {
    "$programs/framelock-bench-camera" --serial framelock-bench-0001 "$@" >/run/camera.txt &
    camera=$!
    await ready /run/camera.txt
}

# unplug: ends the camera.
unplug() {
    kill "$camera" 2>/dev/null || true
    wait "$camera" || true
    rm -f /run/camera.txt
}
