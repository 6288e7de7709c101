#!/usr/bin/env bash
# A raw sensor that another program left with its flips on and with a blanking of its own. The sensor is imx219, behind a
# graph or with all of its controls on the capture node.
source Tests/BenchTests/Fixtures/stage.sh

node=$(subdev imx219) || node=/dev/video0
v4l2-ctl -d "$node" -c horizontal_flip=1,vertical_flip=1,vertical_blanking=1999
"$framelock" devices --json >"$results/devices.json"
record flipped csi-first-steps.yaml
v4l2-ctl -d "$node" -C horizontal_flip,vertical_flip >"$results/flips.txt"
v4l2-ctl -d "$node" -C vertical_blanking >"$results/blanking.txt"
