#!/usr/bin/env bash
# Every mode that a raw sensor's driver has and framelock offers, with exposures from the shortest to far beyond a frame.
# settings.txt in the results folder has the sensor's name and the longest exposure in lines that is asked for. Leaves
#   modes.txt                  BITS SIZE of each mode that the driver itself names
#   devices.json               what framelock offers
#   PIXELS-SIZE-{short,long}   runs; .plan is what was planned before, .truth what the sensor did
#   PIXELS-SIZE.refused        why there is no run
source Tests/BenchTests/Fixtures/stage.sh
source Tests/BenchTests/Fixtures/exact.sh

# driver_modes SENSOR: the modes that the sensor's driver has.
driver_modes() {
    local node code size
    node=$(subdev "$1")
    v4l2-ctl -d "$node" --list-subdev-mbus-codes pad=0 | sed -nE 's/^[[:space:]]*(0x[0-9a-f]+): .*[A-Z]([0-9]+)_1X([0-9]+)$/\1 \2/p' |
        while read -r code bits; do
            v4l2-ctl -d "$node" --list-subdev-framesizes "pad=0,code=$code" |
                sed -nE "s/.*[^0-9]([0-9]+)x([0-9]+)[^0-9]*$/$bits \1x\2/p"
        done
}

# figure NAME: the first number of this name in the plan.
figure() { grep -m 1 -oE "\"$1\": *[0-9]+" "$plan" | grep -oE "[0-9]+$"; }

# lines N: N tenths of a line as a duration; what the sensor always adds is added.
lines() { echo "$((($1 * unit / divisor + 5000) / 10000 + offset)) ns"; }

# fill EXPOSURES…: the recipe of a mode; gains come from both ends in turn.
fill() {
    local exposures='' gains='' gain=$least
    for exposure in "$@"; do
        exposures+="${exposures:+, }$exposure" gains+="${gains:+, }${gain}x"
        [[ $gain == "$least" ]] && gain=$most || gain=$least
    done
    sed -e "s|CAMERA|$id|" -e "s|PROFILE|$sensor-exact|" -e "s|PIXELS|$pixels|" -e "s|SIZE|$size|" \
        -e "s|EXPOSURES|$exposures|" -e "s|LOCKED|$1|" -e "s|GAINS|$gains|" "$fixtures/csi-modes.yaml" >"$results/$name.yaml"
}

# planned: plans the recipe with the attached camera.
planned() {
    plan=$results/$name.plan
    "$framelock" plan --camera --json --profiles "$results/cameras" "$results/$name.yaml" >"$plan" 2>"$results/$name.refusal"
}

# shoot EXPOSURES…: plans and runs them.
shoot() {
    fill "$@"
    planned || { cat "$results/$name.refusal" >&2; return 1; }
    echo >/sys/kernel/debug/framelock-csi/port0/truth
    record "$name" "$(realpath --relative-to="$fixtures" "$results")/$name.yaml" --profiles "$results/cameras"
    cat /sys/kernel/debug/framelock-csi/port0/truth >"$results/$name.truth"
}

read -r sensor longest <"$results/settings.txt"
margin=$(sed -nE 's/^  margin: ([0-9]+).*/\1/p' "hardware/cameras/$sensor.yaml")
mkdir "$results/cameras"
exact "$sensor"
driver_modes "$sensor" | sort -u >"$results/modes.txt"
"$framelock" devices --json >"$results/devices.json"
id=$(camera_of "$sensor")
gain() { grep -m 1 -o "\"gain_$1_millionths\": *[0-9]*" "$results/devices.json" | grep -o '[0-9]*$'; }
least=$(gain minimum) most=$(gain maximum)
least=${least%??????}.${least: -6} most=${most%??????}.${most: -6}

# What is offered, in packed formats where there are any: they are on every receiver.
sed -n "\|\"id\": *\"$id\"|,/\"controls\"/p" "$results/devices.json" |
    sed -nE 's/.*"(pixels|width|height)": *"?([^",]*)"?,?$/\1 \2/p' |
    paste - - - | sed -E 's/pixels (\S+)\twidth (\S+)\theight (\S+)/\1 \2x\3/' |
    grep -E '^(S[A-Z]{4}|Y)(10P|12P|8) |^GREY ' | sort -u >"$results/offered.txt"

while read -r pixels size; do
    name=$pixels-$size-short
    fill "1 ms"
    if ! planned; then
        mv "$results/$name.refusal" "$results/$pixels-$size.refused"
        continue
    fi
    unit=$(figure unit_ps) divisor=$(figure unit_divisor) offset=$(figure offset_ns) frame=$(figure frame_lines)
    shortest=$(grep -m 1 -A 4 '"codes"' "$plan" | grep -m 1 -o '"minimum": *[0-9]*' | grep -o '[0-9]*$')
    count=$(figure lines_per_count || echo 1)
    fits=$((frame - margin * count))
    # The third and fourth lie between two lines, by 0.4.
    shoot "$(lines $((shortest * 10)))" "$(lines $((shortest * 10 + 20)))" "$(lines 314)" "$(lines 1004)" "$(lines 2046)" \
        "$(lines $((frame * 5)))" "$(lines $((fits * 10)))"
    name=$pixels-$size-long
    shoot "$(lines 3204)" "$(lines $((frame * 13 + 3)))" "$(lines $((longest * 10 + 4)))"
done <"$results/offered.txt"
