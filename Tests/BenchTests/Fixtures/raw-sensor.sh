#!/usr/bin/env bash
# A raw sensor with a lens beside it: the lens is locked through its own device file, and somebody else moves it.
source Tests/BenchTests/Fixtures/stage.sh

mkdir "$results/cameras"
cp hardware/cameras/vimc.yaml "$results/cameras"
cat >>"$results/cameras/vimc.yaml" <<'YAML'
focus: {control: focus_absolute, near: 1023, far: 0, latency: 1, settle: 20 ms}
YAML

lens=$(subdev "Lens A")
"$framelock" devices --json >"$results/before.json"
record locked vimc-lens.yaml --profiles "$results/cameras"
"$framelock" devices --json >"$results/after.json"

begin moved vimc-lens.yaml --profiles "$results/cameras"
await running "$results/moved/run.json"
sleep 0.5
python3 "$fixtures/v4l2-control.py" "$lens" focus_absolute=17
finish moved
