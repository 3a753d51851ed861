#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Builds newlib (nano) for the mcu once into the cache and prints its prefix, which holds
# riscv64-unknown-elf/include, riscv64-unknown-elf/lib/libc.a, and ci/: the compiler's call graphs with stack frames
# (-fcallgraph-info=su), one per object, from which `memhelm budget` adds up stacks.
#
# Needs the Debian packages newlib-source (3.3.0 in Debian 12), gcc-riscv64-unknown-elf,
# binutils-riscv64-unknown-elf, make, gcc, xz-utils. 45 s on two cores.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/cache.sh"

target=riscv64-unknown-elf
need "$target-gcc:gcc-riscv64-unknown-elf" "$target-ar:binutils-riscv64-unknown-elf" make:make gcc:gcc \
    xz:xz-utils /usr/src/newlib:newlib-source
tarball=$(ls /usr/src/newlib/newlib-*.tar.xz)
# -Os is what target-optspace means; a function per section lets the linker drop what an image does not call.
arch="-march=rv32imc -mabi=ilp32"
flags="$arch -Os -ffunction-sections -fdata-sections -fno-common -fstack-usage -fcallgraph-info=su"

key=$(cat "$tarball" "$here/get-newlib.sh" <($target-gcc -dumpfullversion) | sha)
root=$cache/newlib-$key
lock "$cache/newlib-$key.lock"
mkdir -p "$root"

configure_newlib() {
    cd "$root/build" || return
    # The reproducible path keeps debug information and __FILE__ the same wherever the cache lies.
    "$root/src/configure" --target=$target --prefix="$root" --disable-multilib --disable-newlib-supplied-syscalls \
        --enable-newlib-nano-malloc --enable-newlib-nano-formatted-io --enable-lite-exit --enable-target-optspace \
        --enable-newlib-reent-small --disable-newlib-fvwrite-in-streamio --disable-newlib-fseek-optimization \
        --disable-newlib-wide-orient --disable-newlib-unbuf-stream-opt --enable-newlib-global-atexit --enable-newlib-global-stdio-streams \
        --disable-libgloss --disable-nls \
        CFLAGS_FOR_TARGET="$flags -ffile-prefix-map=$root/src=newlib -ffile-prefix-map=$root/build=newlib"
}

# As ci/libc-string-lib_a-memcpy.ci: members of libc.a have their names from these.
keep_callgraphs() {
    local ci
    rm -rf "$root/ci"
    mkdir "$root/ci"
    while IFS= read -r ci; do
        cp "$root/build/$target/newlib/$ci" "$root/ci/${ci//\//-}"
    done < <(cd "$root/build/$target/newlib" && find . -name '*.ci' -printf '%P\n')
    [ -n "$(ls "$root/ci")" ]
}

if ! done_with "$root" installed; then
    say "building newlib for rv32imc in $root"
    if ! done_with "$root" unpacked; then
        rm -rf "$root/src"
        mkdir "$root/src"
        tar -xf "$tarball" -C "$root/src" --strip-components=1
        finish "$root" unpacked
    fi
    if ! done_with "$root" configured; then
        rm -rf "$root/build"
        mkdir "$root/build"
        run_logged "$root/configure.log" configure_newlib
        finish "$root" configured
    fi
    say "configured, compiling (${SECONDS}s)"
    run_logged "$root/build.log" make -C "$root/build" -j"$jobs" all-target-newlib
    run_logged "$root/install.log" make -C "$root/build" install-target-newlib
    keep_callgraphs || die "the compiler wrote no call graphs (.ci): -fcallgraph-info needs gcc 10 or later"
    finish "$root" installed
    rm -rf "$root/src" "$root/build"
    say "newlib done in ${SECONDS}s"
fi
[ -e "$root/$target/lib/libc.a" ] || die "$root/$target/lib/libc.a is missing: remove $root and try again"
# A fresh clone is younger than the cache: without this make would come here again and again.
[ "$root/$target/lib/libc.a" -nt "$here/get-newlib.sh" ] || touch "$root/$target/lib/libc.a"
printf '%s\n' "$root"
