#!/usr/bin/env bash
# A sensor that does not answer when its driver looks for it: what framelock says of it. The board is imx219.
source Tests/BenchTests/Fixtures/stage.sh

keep devices devices
keep status camera status
keep named camera status --camera csi:imx219:0-0010
keep run run "$fixtures/csi-first-steps.yaml" --output "$results/run"
