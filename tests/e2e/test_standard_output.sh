#!/usr/bin/env bash
# quick: one of the scripts of make check
# `-` for a file that is written: standard output has the bytes of the file and nothing else, whatever the command.
. "$(dirname "$0")/lib.sh" "$1"
memhelm=$(realpath "$memhelm") data=$PWD/tests/data
cd "$work" || exit

same() { # OPTION COMMAND..: standard output has what the file would
    local option=$1
    shift
    "$@" "$option" file > table 2> /dev/null && "$@" "$option" - > stdout 2> stderr && cmp file stdout && [ -s file ] && [ ! -e - ] && [ ! -e -.timing ]
}
run=("$memhelm" run baseline --no-alone -w GUPS:4096 --cycles 20000)
for option in --json -o --epochs --registers --counts --dram-trace --series; do
    check "run $option -" same "$option" "${run[@]}"
done
for option in --timeline --faults; do
    check "run $option -, of a twin" same "$option" "${run[@]}" --twin -s uvm.mode=on
done
check "the table goes to standard error" grep -q '^0 GUPS' stderr
check "--timing -" bash -c '"$@" --timing - 2> /dev/null | python3 -c "import json, sys; json.load(sys.stdin)"' - "${run[@]}"
check "--json=-" bash -c '"$@" --json=- 2> /dev/null | cmp - "$0"' <("${run[@]}" --json - 2> /dev/null) "${run[@]}"
check "compare" same --json "$memhelm" compare baseline mask --twin --no-alone -w GUPS:4096 --cycles 20000
check "explain" same --markdown "$memhelm" explain baseline mask --twin -w GUPS:4096 --cycles 20000
check "classes, whatever they are" bash -c 'c() { "$0" classes --paper mask --kernel GUP --cycles 20000 "$@"; }; c -o file > /dev/null 2>&1; c -o - 2> /dev/null | cmp - file && [ -s file ]' "$memhelm"
check "search" same --json "$memhelm" search -w BP:1024+GUPS:4096 --cycles 2000 -p mask --spatial -s sm.count=2
check "budget" same --json "$memhelm" budget baseline --static
"$memhelm" sweep -i baseline,mask --twin -w GUPS:4096 --vary l2.ways=8,16 --cycles 5000 --output s.sqlite > /dev/null 2>&1
check "table" same --output "$memhelm" table s.sqlite --format csv
printf '0x1f80 READ 120\n0x3f80 WRITE 180\n' > requests
check "dram --commands" same --commands "$memhelm" dram requests
check "dram --json, its trace on standard input" bash -c '"$0" dram requests -o file > /dev/null && "$0" dram - -o - < requests 2> /dev/null | cmp - file' "$memhelm"
check "appended, nothing is lost" bash -c 'echo before > log && "$@" --json - >> log 2> /dev/null && head -n 1 log | grep -q before && tail -n +2 log | python3 -c "import json, sys; json.load(sys.stdin)"' - "${run[@]}"
check "a reader that has seen enough is no failure" bash -o pipefail -c '"$@" --registers - 2> /dev/null | true' - "${run[@]}"
fails "a disk that is full is one" 2 'memhelm: standard output: cannot write all of it' bash -c '"$@" --json - > /dev/full' - "${run[@]}"
fails "two results in one" 2 'memhelm: -: two results would go to standard output: give one a file of its own' "${run[@]}" --json - --epochs -
own='- is standard output, and .* needs a name of its own'
figure() { # OPTION COMMAND..: of a figure, the SVG
    "${@:2}" "$1" figure.svg > /dev/null 2>&1 && "${@:2}" "$1" - 2> stderr | cmp - figure.svg && [ -s figure.svg ] && [ ! -e -.svg ]
}
check "a figure" figure --series-plot "${run[@]}"
check "a figure of points" figure --output "$memhelm" plot s.sqlite --rows l2.ways --value weighted_speedup
fails "points" 2 "sweep: --output: $own" "$memhelm" sweep -i baseline -w GUPS --vary l2.ways=8 --output -
fails "a store" 2 "reproduce: --results: $own" "$memhelm" reproduce mask --list --results -
fails "a recording" 2 "record: --output: $own" "$memhelm" record -o - -- true
fails "a converted trace" 2 "memhelm: OUT: $own" "$memhelm" trace convert "$data/pb_bicg.w64.gmt.zst" -
fails "figures" 2 "reproduce: --plots: $own" "$memhelm" reproduce mask --list --plots -
fails "logs" 2 "run: --keep: $own" "${run[@]}" --keep -
fails "a page" 2 "report: --output: $own" "$memhelm" report file -o -
fails "baselines" 2 "budget: --baselines: $own" "$memhelm" budget baseline --check --baselines -
check "pipes have no .timing of their own" bash -c 'mkfifo pipe && { cat pipe > piped & } && "$@" --json pipe && "$@" --json >(cat > piped) && [ ! -e pipe.timing ]' - "${run[@]}"
check "./- is a file" bash -c '"$@" --json ./- > /dev/null && python3 -c "import json; json.load(open(\"-\"))"' - "${run[@]}"
finish
