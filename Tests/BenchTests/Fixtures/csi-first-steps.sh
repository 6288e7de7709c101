#!/usr/bin/env bash
# What a person does first behind a raw sensor: looks what there is, reads and sets the camera, and records a few frames.
# The board is imx219.
source Tests/BenchTests/Fixtures/stage.sh

sensor=$(subdev imx219)
keep devices devices --json
keep status-before camera status --camera csi:imx219:0-0010
keep set camera set --camera csi:imx219:0-0010 --exposure 5ms --gain 2x
keep status-after camera status --camera csi:imx219:0-0010
keep set-size camera set --camera csi:imx219:0-0010 --size 640x480 --exposure 5ms --json
keep set-back camera set --camera csi:imx219:0-0010 --pixels SRGGB10P --size 1640x1232 --exposure 5ms --gain 2x
v4l2-ctl -d "$sensor" -C exposure,analogue_gain >"$results/codes.txt"
keep preview camera preview --camera csi:imx219:0-0010 --pixels SRGGB10P --size 640x480 --frames 2 \
    --zoom 0.5,0.5 --output "$results/pictures"
for profile in imx290 generic-uvc; do
    keep "profile-$profile" run "$fixtures/csi-first-steps.yaml" --profile "$profile" \
        --output "$results/profile-$profile"
    keep "profile-$profile-status" camera status --camera csi:imx219:0-0010 --profile "$profile"
done

# From a folder without profiles, with a recipe that names none and locks nothing.
sed -e '/^  profile:/d' -e '/^lock:/,/^  exposure:/d' "$fixtures/csi-first-steps.yaml" >"$results/unknown.yaml"
framelock=$(realpath "$framelock")
(cd / && "$framelock" run "$results/unknown.yaml" --output "$results/unknown" 2>"$results/unknown.stderr")
(cd / && keep measured calibrate latency --camera csi:imx219:0-0010)

# The sensor goes away while nobody looks.
echo absent=1 >/sys/kernel/debug/framelock-csi/port0/options
keep gone run "$fixtures/csi-first-steps.yaml" --output "$results/gone"
