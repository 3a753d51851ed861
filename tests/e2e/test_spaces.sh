#!/usr/bin/env bash
# A source tree with a space and quotes in its path: a part of each kind is built there again, and is what it is elsewhere.
# shellcheck disable=SC2154,SC1091
. "$(dirname "$0")/lib.sh"
build=$(realpath "$build")
tree="$work/it's a \"tree\""
mkdir "$tree"
tar -c --exclude=./.git --exclude=./build . | tar -x -C "$tree"
mkdir "$tree/build"
tar -c -C "$build" --exclude=./tests --exclude=./asan --exclude=./cppcheck . | tar -x -C "$tree/build"
cd "$tree" || exit 1
unset MAKEFLAGS MAKELEVEL
export XDG_CACHE_HOME=$user_cache
rm -rf build/floors/main build/firmware/mask.elf build/obj/hwmodel/engine/wheel.o build/obj/host/main.o build/qemu-system-riscv32 build/qemu.path \
    build/qemu-objects
check "make builds it" make --no-print-directory DEPS=no everything
export XDG_CACHE_HOME=$work/cache
check "the image is the same" cmp build/firmware/mask.elf "$build/firmware/mask.elf"
check "no path is in objects" bash -c '! grep -q "a .tree" build/obj/hwmodel/engine/wheel.o build/firmware/mask.elf'
check "a policy is built with it" build/memhelm build firmware/policy/template.c -o "$work/template.elf"
check "it runs" build/memhelm run -i mask -w GUPS+MM --cycles 100000 --no-alone --json "$work/there.json"
check "with the same result" bash -c '"$0" run -i mask -w GUPS+MM --cycles 100000 --no-alone --json "$1/here.json" &&
    diff <(grep -v commit "$1/here.json") <(grep -v commit "$1/there.json")' "$build/memhelm" "$work"
finish
