#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Builds qemu-system-riscv32 with the memhelm machine and prints its path.
#
#   qemu/get-qemu.sh                         the patched QEMU alone, into the cache (minutes, once)
#   qemu/get-qemu.sh --model-lib LIB --include DIR [--include DIR..] [--libs "-lA -lB"] [--out FILE]
#                                            compiles qemu/hw against the model library and links (seconds);
#                                            FILE defaults to qemu-system-riscv32 beside LIB; the plugin of
#                                            qemu/plugin goes beside it, as libmemhelm-core.so, and qemu.version,
#                                            which version of QEMU this is
#
# The path of the result is the last line on stdout; --path-file FILE writes it there as well.
#
# QEMU_SRC=DIR  another QEMU tree, with qemu/patches applied; built in the cache, out of that tree.
# JOBS=N        parallel compilers, default: one per processor.
#
# Needs the Debian packages build-essential, ninja-build, meson, pkg-config, python3, flex, bison, patch, xz-utils,
# libglib2.0-dev, libpixman-1-dev, libfdt-dev, zlib1g-dev; apt's own network access, but not root. With libseccomp-dev
# QEMU runs in its sandbox.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/cache.sh"
. "$here/source.sh"

series=7.2 # of QEMU, as Debian 12 has it
# What an instruction is and costs: the plugin has memhelm's own.
costs_at=$(realpath "$here/../host/mcu")
costs=("$costs_at"/{insn,insn_expand,cost}.c)
options=(--target-list=riscv32-softmmu --without-default-features --enable-tcg --enable-plugins --enable-fdt=system
    --with-devices-riscv32=memhelm --without-default-devices --enable-trace-backends=log --disable-install-blobs
    --disable-debug-info --disable-werror)
# The sandbox is not part of any result: QEMU is built without it where its library is missing.
! pkg-config --exists libseccomp 2>/dev/null || options+=(--enable-seccomp)

model_lib='' libs='' out='' path_file='' includes=()
while [ $# -gt 0 ]; do
    case $1 in
        --model-lib) model_lib=$(realpath "$2") ;;
        --include) includes+=("$(realpath "$2")") ;;
        --libs) libs=$2 ;;
        --out) out=$(realpath -m "$2") ;;
        --path-file) path_file=$(realpath -m "$2") ;;
        *) die "unknown argument $1" ;;
    esac
    shift 2
done

need gcc:build-essential g++:build-essential ninja:ninja-build meson:meson pkg-config:pkg-config python3:python3 \
    flex:flex bison:bison patch:patch xz:xz-utils glib-2.0.pc:libglib2.0-dev pixman-1.pc:libpixman-1-dev \
    /usr/include/libfdt.h:libfdt-dev zlib.pc:zlib1g-dev

# --- the patched tree and its build ---

unpack() {
    local patch dir=$root/src.tmp
    rm -rf "$dir" "$root/src"
    mkdir "$dir"
    tar -xf "$download"/files/qemu_*.orig.tar.xz -C "$dir" --strip-components=1
    tar -xf "$download"/files/qemu_*.debian.tar.xz -C "$dir"
    while read -r patch _; do
        patch -d "$dir" -p1 -s -N --no-backup-if-mismatch -i "$dir/debian/patches/$patch"
    done < <(grep -v -e '^#' -e '^$' "$dir/debian/patches/series")
    for patch in "$here"/patches/*.patch; do
        patch -d "$dir" -p1 -s -N --no-backup-if-mismatch -i "$patch"
    done
    mv "$dir" "$root/src"
}

# The patches are undone, last first, in a copy of the files that they touch: that works only where all are applied.
check_foreign() {
    local patch file copy i patches=("$here"/patches/*.patch)
    [ -e "$source/softmmu/icount.c" ] || die "QEMU_SRC=$source is not a QEMU source tree"
    copy=$(mktemp -d)
    while read -r file; do
        (cd "$source" && cp --parents "$file" "$copy" 2>/dev/null) || true
    done < <(sed -n 's|^+++ b/||p' "${patches[@]}" | sort -u)
    for ((i = ${#patches[@]} - 1; i >= 0; i--)); do
        patch=${patches[i]}
        if ! patch -d "$copy" -p1 -s -R -f -i "$patch" >/dev/null 2>&1; then
            rm -rf "$copy"
            die "QEMU_SRC=$source does not have all of our patches (undoing $(basename "$patch") failed): without" \
                "them runs would not be deterministic. Apply them: for p in $here/patches/*.patch; do patch -d $source -p1 -i \$p; done"
        fi
    done
    rm -rf "$copy"
}

configure_qemu() {
    cd "$root/build" && "$source/configure" "${options[@]}"
}

# The commands for one object of the target and for the program, to be used again for our own objects.
save_commands() {
    cd "$root/build"
    ninja -t commands libqemu-riscv32-softmmu.fa.p/hw_riscv_riscv_hart.c.o | tail -n 1 |
        sed 's| -MD -MQ .*||' >"$root/compile.tmp"
    ninja -t commands qemu-system-riscv32 | tail -n 1 >"$root/link.tmp"
    { grep -q -- '-DNEED_CPU_H' "$root/compile.tmp" && grep -q -- ' -o qemu-system-riscv32 ' "$root/link.tmp"; } ||
        die "Ninja's commands are not as expected, see $root/compile.tmp and link.tmp"
    mv "$root/compile.tmp" "$root/compile"
    mv "$root/link.tmp" "$root/link"
}

build_qemu() {
    local log=$root/build.log
    ninja -C "$root/build" -j"$jobs" qemu-system-riscv32 2>&1 | tee "$log" | progress "compiling QEMU" || {
        grep -v '^\[' "$log" | tail -n 25 >&2 || true
        die "the build of QEMU failed, the whole log is $log"
    }
}

stage_qemu() {
    lock "$root.lock"
    mkdir -p "$root"
    if [ -z "${QEMU_SRC:-}" ] && done_with "$root" built; then
        return
    fi
    if ! [ -d "$source" ]; then
        say "unpacking and patching in $root"
        unpack
    fi
    if ! done_with "$root" configured; then
        rm -rf "$root/build"
        mkdir "$root/build"
        say "configuring (${SECONDS}s)"
        run_logged "$root/configure.log" configure_qemu
        finish "$root" configured
    fi
    build_qemu
    (save_commands)
    if ! done_with "$root" built; then
        finish "$root" built
        say "QEMU is built (${SECONDS}s)"
    fi
}

# --- the machine: our sources and the model library, linked with the objects of that build ---

link_key() {
    {
        printf '%s\n' "$root" "$libs" "${includes[@]}"
        stat -c '%Y %s' "$root/build/qemu-system-riscv32"
        cat "$model_lib" "$here"/hw/* "$here"/plugin/* "$costs_at"/{insn,cost,values}.h \
            "$costs_at/values.def" "${costs[@]}" "$here/get-qemu.sh"
        find "${includes[@]}" -path '*memhelm/*' -type f -print0 | sort -z | xargs -0 cat
    } | sha
}

# `|| return`: errexit is off in a function whose status is looked at.
compile_machine() {
    local file objects=$1 flags=''
    # It writes the names that it is given between quotes, as they are: a folder's may have some.
    cp "$here/hw/trace-events" "$objects" || return
    for file in c h; do
        (cd "$objects" && python3 "$source/scripts/tracetool.py" --backend=log --group=memhelm "--format=$file" \
            trace-events "trace-memhelm.$file") || return
    done
    for file in "$here/hw" "$objects" "${includes[@]}"; do
        flags+=" -I$(printf %q "$file")"
    done
    for file in "$here"/hw/*.c "$objects/trace-memhelm.c"; do
        # Warnings about the headers of QEMU are QEMU's; ours must have none.
        (cd "$root/build" && eval "$(cat "$root/compile") $flags -Werror -Wall -Wextra -Wno-unused-parameter \
            -Wno-sign-compare -Wno-missing-field-initializers -o $(printf %q "$objects/$(basename "$file" .c).o") \
            -c $(printf %q "$file")") || return
    done
}

# FILE..: as the shell reads them back, in what sed puts in.
quoted() {
    printf '%q ' "$@" | sed 's/[&|\\]/\\&/g'
}

link_machine() {
    local objects=$1
    (cd "$root/build" && eval "$(sed -e "s| -o qemu-system-riscv32 | -o $(quoted "$out.tmp" "$objects"/*.o "$model_lib")|" \
        -e "s|-Wl,--end-group|$libs -Wl,--end-group|" "$root/link")")
}

link_plugin() {
    gcc -std=gnu11 -O2 -shared -fPIC -fvisibility=hidden -Wall -Wextra -Wno-unused-parameter -Wno-sign-compare -Werror \
        -I"$source/include/qemu" -I"$costs_at" "$here"/plugin/*.c "${costs[@]}" -o "$1"
}

stage_machine() {
    local key objects plugin
    : "${out:=$(dirname "$model_lib")/qemu-system-riscv32}"
    plugin=$(dirname "$out")/libmemhelm-core.so
    objects=$(dirname "$out")/qemu-objects
    mkdir -p "$objects"
    lock "$objects/lock"
    key=$(link_key)
    if [ -x "$out" ] && [ -e "$plugin" ] && [ "$(cat "$objects/key" 2>/dev/null)" = "$key" ]; then
        return
    fi
    rm -f "$objects/key" "$objects"/*.o
    run_logged "$objects/compile.log" compile_machine "$objects"
    run_logged "$objects/link.log" link_machine "$objects"
    run_logged "$objects/plugin.log" link_plugin "$plugin.tmp"
    mv "$plugin.tmp" "$plugin"
    mv "$out.tmp" "$out"
    printf '%s\n' "$key" >"$objects/key"
    say "linked the machine (${SECONDS}s)"
}

# What of QEMU itself can change results: Debian's source, our patches, options. Of a tree of the user's the program is.
say_version() {
    if [ -n "${QEMU_SRC:-}" ]; then
        echo "given $(sha <"$root/build/qemu-system-riscv32")"
    else
        basename "$root"
    fi
}

main() {
    local result
    if [ -n "${QEMU_SRC:-}" ]; then
        source=$(realpath "$QEMU_SRC")
        check_foreign
        root=$cache/qemu-src-$(printf '%s\n' "$source" "${options[@]}" | sha)
    else
        fetch_once qemu "1:$series" "Debian 12 has it; or set QEMU_SRC to a tree with qemu/patches applied"
        root=$cache/qemu-$(cat "$here"/patches/*.patch "$download"/files/qemu_*.dsc \
            <(printf '%s\n' "${options[@]}") | sha)
        source=$root/src
    fi
    stage_qemu
    result=$root
    if [ -n "$model_lib" ]; then
        stage_machine
        result=$out
        say_version > "$(dirname "$out")/qemu.version"
    fi
    [ -z "$path_file" ] || printf '%s\n' "$result" >"$path_file"
    printf '%s\n' "$result"
}

# One command, so that a change of this file while it runs does no harm.
main; exit
