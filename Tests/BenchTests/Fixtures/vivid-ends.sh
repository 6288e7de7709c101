#!/usr/bin/env bash
# Runs that do not reach their end: the camera leaves, somebody stops them, or they can't even begin.
source Tests/BenchTests/Fixtures/stage.sh

begin disconnect vivid-webcam.yaml
sleep 4
python3 "$fixtures/v4l2-control.py" /dev/video0 disconnect=1
finish disconnect

# Its stream breaks: from then on every buffer is refused.
begin broken vivid-webcam.yaml
sleep 4
python3 "$fixtures/v4l2-control.py" /dev/video0 inject_fatal_streaming_error=1
finish broken

# The device is back once nobody has it open any more.
begin interrupted vivid-webcam.yaml
sleep 3
# Meanwhile somebody else wants the camera.
status=0
"$framelock" run "$fixtures/vivid-webcam.yaml" --output "$results/second" \
    2>"$results/second.stderr" || status=$?
echo "$status" >"$results/second.exit"
kill -INT "$run"
finish interrupted

begin terminated vivid-webcam.yaml
sleep 3
kill -TERM "$run"
finish terminated

# The folder is taken.
mkdir "$results/taken"
echo mine >"$results/taken/note"
status=0
"$framelock" run "$fixtures/vivid-webcam.yaml" --output "$results/taken" \
    2>"$results/taken.stderr" || status=$?
echo "$status" >"$results/taken.exit"
ls -A "$results/taken" >"$results/taken.list"

# Somebody else takes every byte of the disk that a run records to, as soon as there is one; all that the run has left is
# what it has reserved.
mkdir /run/small
mount -t tmpfs -o size=32m tmpfs /run/small
"$framelock" run "$fixtures/vivid-webcam.yaml" --force --output /run/small/run \
    >"$results/full.stdout" 2>"$results/full.stderr" &
run=$!
sleep 2
while kill -0 "$run" 2>/dev/null; do cat /dev/zero >>/run/small/somebody-elses 2>/dev/null || sleep 0.01; done
status=0
wait "$run" || status=$?
echo "$status" >"$results/full.exit"
rm /run/small/somebody-elses
cp -r /run/small/run "$results/full"
inspect full

# No camera of that name was ever there.
record absent usb-still.yaml

# And after all that the camera works.
record again vivid-webcam.yaml --set frames=10
