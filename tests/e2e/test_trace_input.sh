#!/usr/bin/env bash
# quick: one of the scripts of make check
# Accel-Sim's traces as they come from real programs: kernels that do nothing, lists with lines of all kinds, garbage in
# headers, large grids, pipes.
. "$(dirname "$0")/lib.sh" "$1"

# traceg NAME GRID BLOCK..: a kernel of blocks of one warp, which does nothing (-), exits (e), computes (c) or loads (l).
traceg() {
    local block=0 name=$1 grid=$2 kind
    printf -- '-kernel name = %s\n-grid dim = (%s,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 16\n-accelsim tracer version = 5\n' \
        "$name" "$grid"
    shift 2
    for kind; do
        printf '#BEGIN_TB\nthread block = %d,0,0\n' $((block++))
        case $kind in
        e) printf 'warp = 0\ninsts = 1\n0000 ffffffff 0 EXIT 0 0 0\n' ;;
        c) printf 'warp = 0\ninsts = 2\n0000 ffffffff 1 R1 MOV 0 0 0\n0010 ffffffff 0 EXIT 0 0 0\n' ;;
        l) printf 'warp = 0\ninsts = 2\n0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x7f0000000000 4 0\n0010 ffffffff 0 EXIT 0 0 0\n' ;;
        esac
        printf '#END_TB\n'
    done
}

twin() {
    timeout 60 "$memhelm" run --image baseline --twin --cycles 5000 --no-alone --set sm.lanes=32 "$@"
}

# Results of a run without what names the trace.
result() {
    twin --json /dev/stdout "$@" 2> /dev/null | sed -n '/^{/,$p' | sed -E 's/[0-9a-f]{64}/HASH/g'
}

same_result() { # TRACE TRACE
    local a b
    a=$(result -w "trace:$1+GUPS") && b=$(result -w "trace:$2+GUPS") && [ -n "$a" ] && [ "$a" = "$b" ]
}

cd "$work" || exit 1
memhelm=$(cd - > /dev/null && realpath "$memhelm")
traceg noop 1 e > kernel-0.traceg
traceg k 1 l > kernel-1.traceg
traceg mixed 5 - e l c - > kernel-2.traceg
printf 'kernel-0.traceg\nkernel-1.traceg\nkernel-0.traceg\n' > kernelslist.g

# What is written is what was read, whatever is empty in it.
comes_back() { # TRACE
    "$memhelm" trace convert --full "$1" full.gmt && "$memhelm" trace convert "$1" one.gmt.zst 2> /dev/null &&
        "$memhelm" trace info full.gmt && "$memhelm" trace info one.gmt.zst && same_result "$1" full.gmt &&
        [ "$(XDG_CACHE_HOME=/dev/null result -w "trace:$1+GUPS")" = "$(result -w "trace:$1+GUPS")" ]
}
n=0
for blocks in '- l' 'e l' 'c l' 'l - e' '- - - l - c e l -' 'c'; do
    # shellcheck disable=SC2086
    traceg "b$((++n))" 9 $blocks > "blocks-$n.traceg"
    check "blocks '$blocks' come back from GMT1, GMT2 and the cache" comes_back "blocks-$n.traceg"
done
check "so does a kernel that does nothing before others" comes_back kernelslist.g

# A workload without an instruction is refused at once, with its launch; others are not lost.
none='launch 0 .noop.: no instruction in it, so there is nothing to run'
fails "a trace that does nothing" 2 "kernel-0.traceg: $none" timeout 5 "$memhelm" run baseline --twin -s sm.lanes=32 -w trace:kernel-0.traceg+GUPS
fails "in QEMU" 2 "$none" timeout 5 "$memhelm" run baseline -s sm.lanes=32 -w GUPS+trace:kernel-0.traceg
fails "of compare" 2 "$none" timeout 5 "$memhelm" compare baseline mask-tlb --twin -s sm.lanes=32 -w trace:kernel-0.traceg
fails "a launch of a list that does nothing" 2 'launch 2 .noop.: no instruction' twin -w trace:kernelslist.g@launch=2
fails "launches of it" 2 'launches 0 to 1: no instruction in them' bash -c 'printf "kernel-0.traceg\n%.0s" 1 2 3 > noops.g && "$0" run baseline --twin -s sm.lanes=32 -w trace:noops.g@launches=0-1' "$memhelm"
check "info shows it" bash -c '"$0" trace info kernel-0.traceg | grep -q " shared 0  no instruction$"' "$memhelm"
fails "a sweep goes on with the others" 1 '1 point failed. The first: .*no instruction in it' \
    timeout 60 "$memhelm" sweep -i baseline --twin -s sm.lanes=32 --cycles 5000 -w trace:kernel-0.traceg+GUPS -w GUPS -w trace:kernelslist.g --output s.sqlite
check "and has their results" bash -c '[ "$("$0" table s.sqlite | grep -c "  1.000  ")" = 2 ]' "$memhelm"

# Lists, as Accel-Sim's own reader reads them.
for first in '' '# a comment' '#kernel-0.traceg' 'cudaMalloc,0x7fb50a800000,8000000' 'cudaMemcpyAsyncHtoD,0x7f227a000000' \
    'MemcpyDtoH,0x10,16' 'MemcpyHtoD,0x10,16' '--' 'anything at all'; do
    printf '%s\nkernel-1.traceg\n%s\n' "$first" "$first" > list
    check "a list with lines '$first'" same_result list kernel-1.traceg
done
mkdir folder && cp kernel-1.traceg folder
printf './kernel-1.traceg\nkernel-1.traceg\nfolder/kernel-1.traceg\n' > list
check "paths are skipped like all other lines" same_result list kernel-1.traceg
for i in 1 2; do
    fails "which is said, at each run ($i)" 0 'memhelm: list:1: ./kernel-1.traceg: skipped, as Accel-Sim does with all lines that do not begin with `kernel`' twin -w trace:list
done
printf '\xef\xbb\xbfkernel-1.traceg\n' > list
check "a list with UTF-8's mark" same_result list kernel-1.traceg
(printf '\xef\xbb\xbf' && cat kernel-1.traceg) > marked.traceg
check "a kernel with it" same_result marked.traceg kernel-1.traceg
printf 'cudaMalloc,0x10,16\n#kernel-1.traceg\n' > list
fails "a list without a kernel" 2 "list:2: expected a file 'kernel-N.traceg', found none in the list" "$memhelm" trace info list
printf 'kernel-7.traceg\n' > list
fails "a kernel that is not there" 2 'kernel-7.traceg: cannot open: No such file' "$memhelm" trace info list

# Garbage where the driver told the tracer nothing.
sed 's/nregs = 16/nregs = 21955/; s/shmem = 0/shmem = -4/' kernel-1.traceg > kernel-593.traceg
sed 's/nregs = 16/nregs = 32/' kernel-1.traceg > kernel-32.traceg
said='kernel-593.traceg:4: -shmem = -4: assumed no shared memory, and 1 more such in its headers'
fails "is refused with the way round" 2 "kernel-593.traceg:4: expected a number .*found '-4'; --trace-lenient assumes no shared memory" twin -w trace:kernel-593.traceg
for command in "trace info" "trace convert --full"; do
    # shellcheck disable=SC2086
    fails "$command --trace-lenient takes it, and says what it assumes" 0 "$said" "$memhelm" $command --trace-lenient kernel-593.traceg $([ "$command" = "trace info" ] || echo 593.gmt)
done
fails "run --trace-lenient" 0 "memhelm: $said" twin --trace-lenient -w trace:kernel-593.traceg
fails "compare --trace-lenient" 0 "memhelm: $said" "$memhelm" compare baseline mask-tlb --twin --cycles 5000 -s sm.lanes=32 --trace-lenient -w trace:kernel-593.traceg
check "which is the run of what it assumes" bash -c '[ "$0" = "$1" ] && [ -n "$0" ]' \
    "$(result --trace-lenient -w trace:kernel-593.traceg)" "$(result --trace-lenient -w trace:kernel-32.traceg)"
check "JSON has it, too" bash -c '"$0" trace info --json --trace-lenient kernel-593.traceg | grep -q "\"assumed\": \"kernel-593.traceg:4: "' "$memhelm"

# Grids up to CUDA's limits.
traceg large 2147483647 l > large.traceg
check "the largest grid" same_result large.traceg kernel-1.traceg
check "in JSON" bash -c '"$0" trace info --json large.traceg | tr -d "\n " | grep -q "\"grid\":\[2147483647,1,1\]"' "$memhelm"
sed 's/(2147483647,1,1)/(2147483647,65535,65535)/' large.traceg > larger.traceg
fails "a larger one: refused for its size" 2 'larger.traceg:2: expected dimensions with a product of at most 4294967295' "$memhelm" trace info larger.traceg

# Pipes are copied first.
for way in cat 'xz -c' 'gzip -c' 'zstd -c'; do
    check "a pipe ($way)" bash -c '. /dev/stdin; same_result <($0 < kernel-1.traceg) kernel-1.traceg' "$way" < <(declare -f result twin same_result; declare -p memhelm)
done
check "in QEMU" bash -c 'timeout 60 "$0" run baseline --no-alone --cycles 5000 -s sm.lanes=32 -w "trace:"<(cat kernel-1.traceg)+GUPS | grep -q "^0 "' "$memhelm"
check "standard input, a list: its files are here" bash -c 'cat kernelslist.g | "$0" trace info /dev/stdin | grep -q "^launches  *3$"' "$memhelm"
check "standard input from a file" bash -c '"$0" run baseline --twin --no-alone --cycles 5000 -s sm.lanes=32 -w trace:/dev/stdin < kernel-1.traceg | grep -q "^0 stdin"' "$memhelm"
mkfifo fifo
check "a named pipe, for several images and runs alone" bash -c 'cat kernel-1.traceg > fifo & timeout 60 "$0" compare baseline mask-tlb --twin --cycles 5000 -s sm.lanes=32 -w trace:fifo@launch=0+GUPS' "$memhelm"
check "convert" bash -c '"$0" trace convert --full <(xz -c kernel-2.traceg) piped.gmt' "$memhelm"
check "is the file's" same_result piped.gmt kernel-2.traceg
fails "an error names what was given" 2 'memhelm: /dev/fd/[0-9]+:7: expected' bash -c '"$0" run baseline --twin -s sm.lanes=32 -w "trace:"<(sed 7d kernel-1.traceg)' "$memhelm"
check "a matrix" bash -c 'printf "%%%%MatrixMarket matrix coordinate pattern general\n32 32 2\n1 1\n2 2\n" > m.mtx; "$0" run baseline --twin --no-alone --cycles 5000 -w "SPMV:"<(cat m.mtx)' "$memhelm"
check "a graph through a named pipe" bash -c 'printf "1 2\n2 3\n" > fifo & timeout 20 "$0" run baseline --twin --no-alone --cycles 5000 -w BFS:fifo' "$memhelm"
fails "whose search ends where it starts: said, too" 0 '2 of 301 vertices are reached' bash -c '"$0" run baseline --twin --no-alone --cycles 5000 -w BFS:<(printf "0 300\n")' "$memhelm"
check "nothing is left of the copies" bash -c 'mkdir tmp; TMPDIR=$PWD/tmp "$0" run baseline --twin --no-alone --cycles 5000 -s sm.lanes=32 -w "trace:"<(cat kernel-1.traceg); rmdir tmp' "$memhelm"
fails "no room for the copy" 2 'cannot be copied: .*TMPDIR' bash -c 'TMPDIR=/nowhere "$0" trace info <(cat kernel-1.traceg)' "$memhelm"
fails "convert onto what is read" 2 'would be written over, but it is read' "$memhelm" trace convert full.gmt full.gmt
printf 'kernel-1.traceg\nkernel-2.traceg\n' > list
fails "nor onto a kernel of a list" 2 '/kernel-2.traceg: would be written over, but it is read' "$memhelm" trace convert "$PWD/list" "$PWD/kernel-2.traceg"
fails "nor a result" 2 'kernel-2.traceg: would be written over, but it is read' twin -w trace:list -o kernel-2.traceg
fails "of a study" 2 'kernel-1.traceg: would be written over, but it is read' "$memhelm" search -w trace:list+GUPS -o kernel-1.traceg
finish
