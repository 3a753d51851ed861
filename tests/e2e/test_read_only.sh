#!/usr/bin/env bash
# From a source tree that nobody can write, into a folder with spaces and quotes in its name: all that is written is there.
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
if ! inside true 2> /dev/null; then
    echo "1..0 # SKIP no mounts of its own here (unshare --mount --map-root-user)"
    exit 0
fi

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
finish
