#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Builds what the boot ROM needs of BearSSL for the mcu once into the cache and prints its prefix, which holds
# include/bearssl.h, lib/libbearssl.a, and ci/: the compiler's call graphs with stack frames, one per object.
#
# The archive has SHA-256 and the verification of ECDSA P-256 signatures, by the i31 engine with the field code p256_m31.
# Measured on core ibex, -Os, for one verification:
#   i31, p256_m31  26.5 M mcu cycles, 14.6 KB    i31, any prime field  59.6 M,  9.2 KB
#   i15, p256_m15  42.8 M,            16.5 KB    i15, any prime field 105.6 M,  8.8 KB
# -O2 is 2 KB larger, and with the code of P-256 slower by 3 %.
#
# Needs the Debian packages gcc-riscv64-unknown-elf, binutils-riscv64-unknown-elf, newlib-source, dpkg-dev, xz-utils; apt's
# own network access, but not root.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/cache.sh"
. "$here/source.sh"

target=riscv64-unknown-elf
need "$target-gcc:gcc-riscv64-unknown-elf" "$target-ar:binutils-riscv64-unknown-elf" xz:xz-utils
sources=(ec/{ec_p256_m31,ecdsa_i31_vrfy_raw,ecdsa_i31_bits,ec_secp256r1,ec_secp384r1,ec_secp521r1}.c
    int/i31_{add,bitlen,decmod,decode,encode,fmont,iszero,modpow,montmul,muladd,ninv31,rshift,sub,tmont}.c int/i32_div32.c
    hash/sha2small.c codec/{ccopy,dec32be,enc32be}.c)
flags=(-march=rv32imc -mabi=ilp32 -Os -g -ffunction-sections -fdata-sections -fno-common -fno-asynchronous-unwind-tables
    -fstack-usage -fcallgraph-info=su)

compile() {
    local file
    cd "$root/ci" || return
    for file in "${sources[@]}"; do
        $target-gcc "${flags[@]}" -ffile-prefix-map="$root/src"=bearssl -ffile-prefix-map="$newlib"=newlib \
            -isystem "$newlib/$target/include" -I"$root/src/inc" -I"$root/src/src" -c "$root/src/src/$file" || return
    done
    rm -f "$root/lib/libbearssl.a" ./*.su
    $target-ar rcsD "$root/lib/libbearssl.a" ./*.o && rm ./*.o
}

build() {
    say "building BearSSL's verification for rv32imc in $root"
    rm -rf "$root"/{src,ci,lib,include}
    mkdir -p "$root"/{src,ci,lib}
    tar -xf "$download"/files/bearssl_*.orig.tar.xz -C "$root/src" --strip-components=1
    run_logged "$root/build.log" compile
    cp -R "$root/src/inc" "$root/include"
    rm -rf "$root/src"
    finish "$root" built
}

main() {
    local newlib root
    newlib=$("$here/get-newlib.sh" | tail -n 1)
    fetch_once bearssl 0.6 "Debian 12 has it"
    root=$cache/bearssl-$(cat "$download"/files/bearssl_*.dsc "$here/get-bearssl.sh" <($target-gcc -dumpfullversion) \
        <(basename "$newlib") | sha)
    lock "$root.lock"
    mkdir -p "$root"
    done_with "$root" built || (build)
    [ -e "$root/lib/libbearssl.a" ] || die "$root/lib/libbearssl.a is missing: remove $root and try again"
    # A fresh clone is younger than the cache: without this make would come here again and again.
    [ "$root/lib/libbearssl.a" -nt "$here/get-bearssl.sh" ] || touch "$root/lib/libbearssl.a"
    printf '%s\n' "$root"
}

main; exit
