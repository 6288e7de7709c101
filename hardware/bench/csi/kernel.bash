# shellcheck shell=bash disable=SC2154
# How build-kernel builds the CSI bench's kernel; read by it, with its functions and variables.

drivers=$here/csi/driver

# Changes for the CSI bench: largest blocks of memory, the receiver's driver on this architecture, a kernel argument
# (videodev.streams_api) for what Debian's kernel has switched off, and the place of our own drivers.
adapt_csi() {
    local um=$1/arch/um/Kconfig media=$1/drivers/media switch=v4l2_subdev_enable_streams_api file
    sed -i '/^config HZ$/i config ARCH_FORCE_MAX_ORDER\n\tint\n\tdefault 13\n' "$um"
    sed -i 's/depends on ARCH_BCM2835 || COMPILE_TEST/depends on UML || COMPILE_TEST/' "$media/platform/broadcom/Kconfig"
    sed -i "s/^static bool $switch;\$/&\nmodule_param_named(streams_api, $switch, bool, 0444);/" \
        "$media/v4l2-core/v4l2-subdev.c"
    sed -i 's|^source "drivers/media/platform/intel/Kconfig"$|source "drivers/media/platform/framelock-csi/Kconfig"\n&|' \
        "$media/platform/Kconfig"
    sed -i 's/^obj-y += imagination\/$/obj-y += framelock-csi\/\n&/' "$media/platform/Makefile"
    for file in "$um" "$media/platform/broadcom/Kconfig" "$media/v4l2-core/v4l2-subdev.c" "$media/platform/Kconfig" \
        "$media/platform/Makefile"; do
        grep -qE 'ARCH_FORCE_MAX_ORDER|UML \|\| COMPILE_TEST|streams_api, v4l2|framelock-csi' "$file" \
            || fail "$file does not read as expected"
    done
}

# The same files, and only those, without touching what has not changed: make looks at the time.
copy_drivers() {
    local to=$1 file
    mkdir -p "$to"
    for file in "$to"/*.[ch]; do
        [[ ! -e $file || -e $drivers/${file##*/} ]] || rm -f "$file" "${file%.c}.o"
    done
    for file in "$drivers"/*; do
        cmp -s "$file" "$to/${file##*/}" || cp "$file" "$to/"
    done
}

# The CSI bench's kernel, in a tree that stays for the next change of its drivers.
build_csi() {
    local source=$1 tree=$2 target=$3 log=$cache/build-csi.log
    : >"$log"
    if [[ ! -e $tree/configured ]]; then
        # Those that nobody has built in for a fortnight.
        find "$cache" -maxdepth 1 -name 'csi-tree-*' -mtime +14 -exec rm -rf {} +
        unpack "$source" "$tree"
        adapt "$tree"
        adapt_csi "$tree"
        copy_drivers "$tree/drivers/media/platform/framelock-csi"
        configure "$tree" "$log" "$here/kernel.config" "$here/csi/kernel.config"
        touch "$tree/configured"
    fi
    copy_drivers "$tree/drivers/media/platform/framelock-csi"
    touch "$tree"
    compile "$tree" "$log" "$target.linked"
    cp "$tree/scripts/dtc/dtc" "$target.dtc"
    mv "$target.linked" "$target"
}

# The same for the tree of the CSI bench, whose drivers may change without it.
tree_identity() {
    {
        echo "$1"
        grep -h '^CONFIG_' "$here/kernel.config" "$here/csi/kernel.config"
        declare -f adapt adapt_csi configure
    } | sha256sum | cut -c 1-16
}

# Prints where linux-source-6.12 lies: installed, or in our cache, or nothing.
find_source() {
    if [[ $(dpkg-query -W -f '${db:Status-Status}' linux-source-6.12 2>/dev/null) == installed ]]; then
        echo /usr/src/linux-source-6.12.tar.xz
    else
        find "$cache" -maxdepth 1 -name 'linux-source-6.12_*.tar.xz' 2>/dev/null | sort -V | tail -n 1
    fi
}

# Brings it: installs the package, or, where apt knows none (Debian 12), takes Debian 13's into our cache, with an apt
# state of its own: the machine's package sources stay as they are.
fetch_source() {
    if [[ -n $(package_version linux-source-6.12) ]]; then
        install_missing linux-source-6.12
        return
    fi
    say "fetching linux-source-6.12 of Debian 13 (153 MB)"
    local apt=$cache/apt keys=/usr/share/keyrings/debian-archive-keyring.gpg suite package
    rm -rf "$apt"
    mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$apt/parts"
    for suite in "debian trixie" "debian-security trixie-security"; do
        echo "deb [signed-by=$keys] http://deb.debian.org/$suite main"
    done >"$apt/sources.list"
    local options=(-o Dir::State="$apt" -o Dir::State::lists="$apt/lists" -o Dir::State::status=/dev/null
        -o Dir::Cache="$apt" -o Dir::Etc::sourcelist="$apt/sources.list" -o Dir::Etc::sourceparts="$apt/parts"
        -o Acquire::Languages=none)
    [[ $EUID -ne 0 ]] || options+=(-o APT::Sandbox::User=root)
    (cd "$apt" && apt-get "${options[@]}" update && apt-get "${options[@]}" download linux-source-6.12) >&2 \
        || fail "could not fetch linux-source-6.12 from deb.debian.org"
    package=$(find "$apt" -maxdepth 1 -name 'linux-source-6.12_*.deb')
    dpkg -x "$package" "$apt/unpacked"
    mv "$apt/unpacked/usr/src/linux-source-6.12.tar.xz" "$cache/$(basename "$package" _all.deb).tar.xz"
    rm -rf "$apt"
}

# What names a source: the version of an installed package, or our file.
source_name() {
    case $1 in
        /usr/src/*) package_version linux-source-6.12 ;;
        *) basename "$1" ;;
    esac
}

# The path of the finished kernel that a tree makes with the drivers as they are.
kernel_of() {
    local sum
    sum=$({ echo "${1##*/}"; cat "$drivers"/*; declare -f build_csi compile; } | sha256sum)
    echo "$cache/linux-csi-${sum:0:16}"
}

csi_kernel() {
    local source tree kernel
    source=$(find_source)
    if [[ -z $source ]]; then
        lock lock-csi
        source=$(find_source)
        [[ -n $source ]] || fetch_source
        source=$(find_source)
    fi
    tree=$cache/csi-tree-$(tree_identity "$(source_name "$source")")
    kernel=$(kernel_of "$tree")
    [[ -x $kernel ]] || lock lock-csi
    # Somebody else may have built it while we waited for the lock.
    if [[ ! -x $kernel ]]; then
        install_tools
        build_csi "$source" "$tree" "$kernel"
        say "built $kernel from $(source_name "$source") in $((SECONDS / 60)) min $((SECONDS % 60)) s"
    fi
    printf '%s\n' "$kernel"
}
