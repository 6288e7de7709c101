# Sourced by the shell tests: counts checks and prints one line for each, "ok NAME" or "not ok NAME".
# A test works in $SCRATCH, a folder of its own that is removed at its end, and ends with `finish`.
# shellcheck shell=bash

FAILURES=0
SCRATCH=$(mktemp -d)
trap 'rm -rf "$SCRATCH"' EXIT

# check NAME COMMAND…: the command must succeed; what it printed is shown where it does not.
check() {
    local name=$1 output
    shift
    if output=$("$@" 2>&1); then
        printf 'ok %s\n' "$name"
    else
        printf 'not ok %s\n' "$name"
        # Indented, so that no line of it can pass for a result.
        printf '    %s\n' "command: $*" "${output//$'\n'/$'\n    '}"
        FAILURES=$((FAILURES + 1))
    fi
}

skip() { printf 'skip %s\n' "$1"; }

finish() { exit $((FAILURES > 0)); }

# The commands that checks are made of.
refuses() { ! "$@"; }
contains() { [[ $1 == *"$2"* ]] || { printf 'not found: %s\nin: %s\n' "$2" "$1"; return 1; }; }
lacks() { [[ $1 != *"$2"* ]] || { printf 'found: %s\nin: %s\n' "$2" "$1"; return 1; }; }
equal() { [[ $1 == "$2" ]] || { diff <(printf '%s\n' "$2") <(printf '%s\n' "$1"); return 1; }; }
