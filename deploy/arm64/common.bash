# Sourced by the scripts beside it: where things are, what is said, and how a command runs in the unpacked Debian.
# shellcheck shell=bash

ME=$(basename "$0")
PROJECT=$PWD
DEPENDENCIES=()
CACHE=${FRAMELOCK_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/framelock}/arm64

say() { printf '%s: %s\n' "$ME" "$*" >&2; }
fail() { say "error: $1"; shift; for line in "$@"; do printf '    %s\n' "$line" >&2; done; exit 1; }

# "3 min 7 s" of a number of seconds.
duration() { printf '%d min %d s' $(($1 / 60)) $(($1 % 60)); }

require_amd64() {
    [[ $(uname -m) == x86_64 ]] || fail "this cross-compiles from x86-64, and this is $(uname -m)" \
        "on a board itself \`make release\` builds the program"
}

# Entries of a package list, without their reasons.
entries() { sed -n 's/^\([a-z0-9][^ ]*\).*/\1/p' "$1"; }

# Fetches the Swift packages that Package.swift names with the machine's own toolchain, so that the unpacked Debian needs
# no network. Sets DEPENDENCIES to variables by which git takes these copies for the addresses that they came from.
fetch_dependencies() {
    local copy address number=1
    command -v swift >/dev/null || fail "there is no Swift toolchain on this machine, which fetches the packages" \
        "run deploy/bootstrap build, which says what to do"
    (cd "$PROJECT" && swift package --scratch-path .build/dependencies resolve >&2) || fail "\`swift package resolve\` failed"
    # The copies belong to another user than the one inside.
    DEPENDENCIES=(GIT_CONFIG_KEY_0=safe.directory 'GIT_CONFIG_VALUE_0=*')
    for copy in "$PROJECT"/.build/dependencies/repositories/*; do
        [[ -d $copy/objects ]] || continue
        address=$(sed -n 's/.*"location" : "\(.*\)".*/\1/p' "$PROJECT/Package.resolved" \
            | grep -F "/$(basename "${copy%-*}")" | head -n 1)
        [[ -n $address ]] || continue
        DEPENDENCIES+=("GIT_CONFIG_KEY_$number=url./project/.build/dependencies/repositories/$(basename "$copy").insteadOf"
            "GIT_CONFIG_VALUE_$number=$address")
        number=$((number + 1))
    done
    DEPENDENCIES+=("GIT_CONFIG_COUNT=$number")
}

# enter DEBIAN COMMAND…: runs a command in the folder that `toolchain` prints, with its compiler/ as root, the project at
# /project and the folder itself at /debian. Needs no rights, only a kernel that lets everybody have namespaces.
enter() {
    local debian=$1 as_root=()
    shift
    ((EUID == 0)) || as_root=(--user --map-root-user)
    # shellcheck disable=SC2016 # to be expanded inside
    unshare --mount "${as_root[@]}" -- bash -euc '
        debian=$1 project=$2 root=$1/compiler
        shift 2
        for folder in dev proc sys; do mount --rbind "/$folder" "$root/$folder"; done
        mount --bind "$project" "$root/project"
        mount --bind "$debian" "$root/debian"
        mount -t tmpfs tmpfs "$root/tmp"
        exec chroot "$root" /usr/bin/env --ignore-environment --chdir=/project \
            PATH=/usr/libexec/swift/bin:/usr/bin HOME=/tmp LANG=C.UTF-8 SWIFT_BACKTRACE=enable=no "$@"
    ' enter "$debian" "$PROJECT" "${DEPENDENCIES[@]}" "$@"
}

# "Swift 6.2.3", as the unpacked compiler calls itself.
compiler_version() {
    enter "$1" swiftc --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/Swift \1/p'
}
