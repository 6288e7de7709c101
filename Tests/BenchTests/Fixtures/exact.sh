# shellcheck shell=bash
# Profiles with what only the bench knows; sourced after stage.sh.

# exact NAME: makes the profile NAME-exact.
exact() {
    sed -E -e "s/^name: .*/name: $1-exact/" \
        -e '/^exposure:/s/latency: \{[^}]*\}/latency: {frames: 1, from: exact}/' \
        -e '/^gain:/s/latency: \{[^}]*\}/latency: {frames: 0, from: exact}/' \
        "hardware/cameras/$1.yaml" >"$results/cameras/$1-exact.yaml"
    # The bench's imx219 counts its frames where SMIA has the counter.
    sed -nE -e '/^  # embedded_data:/,/\}/{s/^  # ?//;s/frame_count: 0x0018/frame_count: 0x0005/;p}' \
        "hardware/cameras/$1.yaml" >>"$results/cameras/$1-exact.yaml"
}
