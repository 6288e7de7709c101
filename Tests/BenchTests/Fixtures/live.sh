#!/usr/bin/env bash
# The bench's USB camera by hand: `framelock camera` and `framelock meter`.
source Tests/BenchTests/Fixtures/stage.sh

by_hand=("--camera" usb:framelock-bench-0001 "--profile" hardware/cameras/bench-usb.yaml)

plug_in --truth "$results/set.truth"
"$framelock" camera status "${by_hand[@]}" --json >"$results/before.json"
"$framelock" camera set "${by_hand[@]}" --exposure 3ms --gain 2.0x --lens 0.52 --temperature 5200K \
    --json >"$results/set.json"
"$framelock" camera status "${by_hand[@]}" --json >"$results/after.json"
"$framelock" camera status "${by_hand[@]}" >"$results/block.yaml"
status=0
"$framelock" camera set "${by_hand[@]}" --exposure 40ms 2>"$results/too-long.stderr" || status=$?
echo "$status" >"$results/too-long.exit"
"$framelock" camera unlock "${by_hand[@]}" --json >"$results/unlocked.json"
"$framelock" camera lock "${by_hand[@]}" --exposure --focus --json >"$results/locked.json"
"$framelock" camera status "${by_hand[@]}" --json >"$results/end.json"
unplug

# A recipe takes the printed block as it is.
{
    printf '%s\n' 'framelock: 1' 'name: printed' 'camera:' '  use: "usb:framelock-bench-0001"' \
        '  format: {pixels: YUYV, size: 320x240, rate: 30 fps}'
    cat "$results/block.yaml"
    printf '%s\n' 'sequence:' '  - capture: 1'
} >"$results/recipe.yaml"
"$framelock" check "$results/recipe.yaml" --profile hardware/cameras/bench-usb.yaml \
    >"$results/check.stdout"

# A lens that is looked for, and light that is metered.
plug_in --truth "$results/meter.truth"
"$framelock" meter "${by_hand[@]}" --camera-aperture f/2 --json >"$results/meter.json"
unplug
