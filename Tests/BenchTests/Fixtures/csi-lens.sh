#!/usr/bin/env bash
# A raw sensor with a lens in the same graph: the lens is locked, moved by the recipe, and moved by somebody else.
source Tests/BenchTests/Fixtures/stage.sh
source Tests/BenchTests/Fixtures/exact.sh

mkdir "$results/cameras"
exact imx219
sed -e 's/^name: .*/name: imx219-lens/' "$results/cameras/imx219-exact.yaml" >"$results/cameras/imx219-lens.yaml"
cat >>"$results/cameras/imx219-lens.yaml" <<'YAML'
focus: {control: focus_absolute, near: 1023, far: 0, latency: {frames: 1, from: exact}, settle: 20 ms}
YAML

lens=$(subdev dw9807)
"$framelock" devices --json >"$results/devices.json"
record locked csi-lens.yaml --profiles "$results/cameras"

begin moved csi-lens.yaml --profiles "$results/cameras"
await running "$results/moved/run.json"
sleep 0.5
python3 "$fixtures/v4l2-control.py" "$lens" focus_absolute=17
finish moved
