#!/usr/bin/env bash
# quick: one of the scripts of make check
# What is here and what is missing: all is well with the build; of each problem its line, its remedy and the exit code.
. "$(dirname "$0")/lib.sh" "$1"
doctor() {
    timeout 120 "$memhelm" doctor "$@"
}
row() { # WORD WHAT TEXT: such a line is in what it said
    grep -Eq "^$1 +$2 +.*$3" "$work/said"
}

check "all is well" bash -c '"$0" doctor > "$1/said"' "$memhelm" "$work"
check "QEMU and its version" row ok QEMU 'QEMU emulator version [0-9.]+, .*/qemu-system-riscv32'
check "the plugin" row ok plugin '/libmemhelm-core.so'
images=$("$memhelm" list images | wc -l)
check "as many images as are listed" row ok images "$images in "
check "twins of all" row ok 'native twins' 'of each image'
check "a run in QEMU" row ok 'a run in QEMU' passed
check "a run of a twin" row ok 'a run of a twin' passed
check "the compiler of the mcu" row ok riscv64-unknown-elf-gcc '[0-9]+\.[0-9]+'
check "libraries with versions" row ok libraries 'libyaml [0-9.]+, jansson [0-9.]+, zstd [0-9.]+'
check "room on the disk" row ok cache "$XDG_CACHE_HOME/memhelm: writable, .* free"
check "no run is kept yet" row ok 'kept runs' 'none yet'
check "nothing was written" [ ! -e "$XDG_CACHE_HOME/memhelm" ]

"$memhelm" run baseline --twin -w GUPS:4096+MVT:256 --cycles 20000 > /dev/null
doctor > "$work/said"
kept=$(kept_runs "$XDG_CACHE_HOME/memhelm/results.sqlite")
check "runs are kept now" [ "$kept" = 2 ]
check "and counted" row ok 'kept runs' "$kept in .*iB, .*results.sqlite: readable, writable"

fails "another QEMU that is not there: its remedy" 1 "NEEDED +QEMU .*nowhere/qemu.*MEMHELM_QEMU.*NEEDED +a run in QEMU .*ended with code" \
    env MEMHELM_QEMU="$work/nowhere/qemu" "$memhelm" doctor
fails "a QEMU that is none" 1 'NEEDED +a run in QEMU ' env MEMHELM_QEMU=/bin/true "$memhelm" doctor
fails "no plugin" 1 'NEEDED +plugin .*MEMHELM_CORE_PLUGIN' env MEMHELM_CORE_PLUGIN="$work/nowhere.so" "$memhelm" doctor
fails "no tools: wanted, not needed" 0 'wanted +gnuplot .* apt-get install gnuplot-nox .*all that a run needs is here: .* [67] wanted, 0 needed' \
    env PATH=/nowhere "$memhelm" doctor
fails "a cache that cannot be made" 1 'NEEDED +cache .*/dev/null cannot be written.* XDG_CACHE_HOME' env XDG_CACHE_HOME=/dev/null/x "$memhelm" doctor
fails "no room for runs' directories" 1 'NEEDED +directories .*/dev/null cannot.* TMPDIR' env TMPDIR=/dev/null/x "$memhelm" doctor
echo 'no store' > "$work/text.sqlite"
fails "kept runs that are none" 1 'NEEDED +kept runs .*text.sqlite: cannot be read as kept runs.* --results' doctor --results "$work/text.sqlite"
mkdir "$work/bare" && cp "$memhelm" "$work/bare/memhelm"
fails "a program alone: what it needs" 1 'NEEDED +QEMU .*NEEDED +plugin .*NEEDED +images .*not all that a run needs is here: .* 3 needed' "$work/bare/memhelm" doctor
cp -R "$build/firmware" "$work/bare/firmware"
for part in qemu core-plugin; do realpath "$build/$(cat "$build/$part.path")" > "$work/bare/$part.path"; done
fails "without twins: the rest works" 0 'wanted +native twins +of 0 of [0-9]+ images' "$work/bare/memhelm" doctor
fails "a word too many" 2 'one word more than needed: please' doctor please
finish
