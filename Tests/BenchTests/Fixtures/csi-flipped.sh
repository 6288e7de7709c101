#!/usr/bin/env bash
# A raw sensor that another program left with its flips on. The sensor is imx219, behind a graph or with all of its controls
# on the capture node.
source Tests/BenchTests/Fixtures/stage.sh

node=$(subdev imx219) || node=/dev/video0
v4l2-ctl -d "$node" -c horizontal_flip=1,vertical_flip=1
"$framelock" devices --json >"$results/devices.json"
record flipped csi-first-steps.yaml
v4l2-ctl -d "$node" -C horizontal_flip,vertical_flip >"$results/flips.txt"
