#!/usr/bin/env bash
# Trees that are not as usual: one that nobody can write, from which all that is written goes into a folder with spaces and
# quotes in its name; and one with a space and quotes in its path, where a part of each kind is built again.
# shellcheck disable=SC2154,SC1091,SC2016
. "$(dirname "$0")/lib.sh"
tree=$(pwd -P)
build=$(realpath "$build")
memhelm=$build/memhelm
out="$work/it's a \"folder\""
mkdir -p "$out"
export XDG_CACHE_HOME="$out/cache"

# A mount of its own makes the tree read-only, also for root.
inside() {
    unshare --mount --map-root-user bash -c 'for d in "$1" "$2"; do mount --bind "$d" "$d" && mount -o remount,ro,bind "$d"; done &&
        cd "$3" && shift 3 && "$@"' - "$tree" "$build" "$out" "$@"
}
if inside true 2> /dev/null; then
    check "the tree cannot be written" inside bash -c '! touch "$0/x" "$1/x" 2> /dev/null' "$tree" "$build"
    check "run, with all that it can write" inside "$memhelm" run -i mask-tlb -w GUPS+MM --cycles 200000 --json r.json \
        --epochs e.csv --timeline t.json --dram-trace d.trace
    check "compare" inside "$memhelm" compare baseline dws -w GUPS+MM --cycles 200000 --json "it's c.json"
    check "explain" inside "$memhelm" explain baseline dws -w GUPS+MM --cycles 200000 --json x.json
    check "sweep" inside "$memhelm" sweep -i baseline --vary l2tlb.entries=128,512 -w GUPS+MM --cycles 100000 --output s.sqlite
    check "table" inside "$memhelm" table s.sqlite
    check "plot" inside "$memhelm" plot s.sqlite --rows=l2tlb.entries -o p.svg
    check "reproduce" inside "$memhelm" reproduce mask --quick --cycles 50000 --row fig11-mask --plots plots --json m.json --markdown m.md
    check "budget" inside "$memhelm" budget dws
    check "latency" inside "$memhelm" latency dws -w GUPS+MM --cycles 100000 --seeds 1 --json l.json
    check "search" inside "$memhelm" search -w BP+CFD --cycles 20000 --json q.json
    check "report" inside "$memhelm" report r.json "it's c.json" x.json m.json q.json e.csv -o page
    check "dram" inside "$memhelm" dram d.trace
    check "init --here, and build" inside bash -c '"$0" init another --here && "$0" build another.c' "$memhelm"
    fails "init, where no tree is" 2 "start at the top" inside "$memhelm" init another
    fails "init, where it cannot be written" 2 "Read-only" inside bash -c 'cd "$1" && "$0" init another' "$memhelm" "$tree"
    check "doctor" inside "$memhelm" doctor
else
    tests=$((tests + 1))
    echo "ok $tests - a tree that cannot be written # SKIP no mounts of its own here (unshare --mount --map-root-user)"
fi

# --- A space and quotes in the path: what is built there is what it is elsewhere.

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
