#!/usr/bin/env bash
# A file's name is a name: whatever stands in it, commands read and write that file, and nothing of it is run by a shell,
# by gnuplot or by SQLite.
# shellcheck disable=SC2016
. "$(dirname "$0")/lib.sh" "$1"
here=$PWD/$(dirname "$0") memhelm=$PWD/$memhelm root=$PWD
cd "$work" || exit 1

names=('|touch pwn' '<touch pwn' '<x' "a'b\"c" '-x' '[1-9]' '*' '?' 'a b' $'a\nb' $'a\n!touch pwn\n' $'a\tb' $'a\x01svg\x01b'
    '$(touch pwn)' '`touch pwn`' '%s%n%d' ';touch pwn' '&x' '{a,b}' '@a' '~' '~root' '#x' '$data' '+' '++' '-' 'a\b' 'x,y' 'file:x?mode=memory'
    ':memory:' 'é' $'\xff' 'CON' ']]>' 'a_b^c' '!touch pwn' '=1')
tiny=(--twin --cycles 4000 --set sm.count=2 --no-alone)
python3 "$here/points.py" points.sqlite
"$memhelm" run baseline -w RED+MVT "${tiny[@]}" --set run.epoch=1000 --epochs epochs.csv --json run.json > /dev/null || exit 1

# only NAME..: the folder `in` has these files and no others; nothing has been run.
only() {
    printf '%s\n' "$@" | sort > want && (cd in && printf '%s\n' * | sort) > have && cmp want have &&
        [ -z "$(find "$work" "$root" -maxdepth 2 -name 'pwn*' -print -quit)" ]
}
fresh() {
    cd "$work" && rm -rf in && mkdir in && cd in || return 1
}

figure() { # NAME: a figure is drawn, the script that is left draws it again
    fresh || return 1
    "$memhelm" plot ../points.sqlite --rows l2tlb.entries --columns image --value weighted_speedup --output="$1.svg" > /dev/null 2>&1 &&
        cp -- "./$1.svg" ../first.svg && grep -q '<svg' ../first.svg && rm -- "./$1.svg" && gnuplot ./*.gp && cmp "./$1.svg" ../first.svg
    local status=$?
    cd .. && only "$1".{svg,png,pdf,eps,dat,gp} && return $status
}
of_points() { # NAME of the file of points, which names the figure
    fresh || return 1
    cp ../points.sqlite "./$1" && "$memhelm" plot "./$1" --rows image --value weighted_speedup > /dev/null 2>&1 &&
        "$memhelm" table "./$1" --rows image --output="$1.md" && grep -q weighted_speedup "./$1.md" &&
        "$memhelm" report "./$1" -o "./$1.page" > /dev/null && grep -q '<img' "./$1.page/index.html"
    local status=$? figure=$1
    [[ $1 == ?*.* ]] && figure=${1%.*}
    cd .. && only "$1" "$1.md" "$1.page" "$figure".{svg,png,pdf,eps,dat,gp} && return $status
}
of_logs() {
    fresh || return 1
    cp ../epochs.csv "./$1.csv" && "$memhelm" plot --epochs "./$1.csv" --title "$1" -o ./e.svg > /dev/null && python3 -c '
import sys, xml.dom.minidom
xml.dom.minidom.parse("e.svg")'
    local status=$?
    cd .. && only "$1.csv" e.{svg,png,pdf,eps,dat,gp} && return $status
}
of_run() {
    fresh || return 1
    printf 'preset: mask\n' > "./$1.yaml" &&
        "$memhelm" run mask --config="$1.yaml" -w RED+MVT "${tiny[@]}" --json="$1.json" --timing="$1.time" --epochs="$1.csv" --faults="$1.faults" \
            --registers="$1.log" --series="$1.series" --series-cycles 100 --series-plot="$1.svg" --timeline="$1.timeline" --dram-trace="$1.dram" --keep="$1.d" > /dev/null &&
        python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "./$1.svg" &&
        "$memhelm" dram --json="$1.dram.json" --commands="$1.commands" "./$1.dram" > /dev/null
    local status=$?
    cd .. && only "$1".{yaml,json,time,csv,faults,log,series,svg,png,pdf,eps,dat,gp,timeline,dram,d,dram.json,commands} && return $status
}
of_store() {
    local store=$1
    [ "$store" != - ] || store=./- # - alone is standard output
    fresh || return 1
    printf 'image: [baseline]\nworkload: [RED]\ncycles: 3K\nset: [sm.count=2]\nvary: {l2tlb.entries: [128, 512]}\nmetrics: {w: walks}\n' > "./$1.yaml"
    "$memhelm" sweep "./$1.yaml" --twin --results="$store" --output="$1.sqlite" > ../said 2>&1 && "$memhelm" sweep "./$1.yaml" --twin --results="$store" --output="$1.again" 2>&1 |
        grep -a '2 runs, 2 of them kept' > /dev/null &&
        "$memhelm" sweep "./$1.yaml" --twin --merge="$store" --results="$1.merged" --output="$1.again" 2>&1 | grep -a '2 runs, 2 of them kept' > /dev/null && [ "$(head -c 6 "./$1.sqlite")" = SQLite ]
    local status=$?
    cd .. && only "$1" "$1.yaml" "$1.sqlite" "$1.again" "$1.merged" && return $status
}
each() { # NAME FUNCTION [SUFFIX]: for each name
    local name
    for name in "${names[@]}"; do
        "$2" "$name${3:-}" || { printf 'name: %q\n' "$name"; ls -la in; cat said; return 1; }
    done
}
: > said
check "a figure by --output, and its script" each "" figure
check "points whose name names a table, a figure, a page" each "" of_points
check "  with a suffix" each "" of_points .sqlite
check "logs and titles" each "" of_logs
check "files that a run reads and writes" each "" of_run
check "a sweep, its store and its points" each "" of_store

# Studies take long: one name of everything.
all=$'|touch pwn;$(touch pwn)`touch pwn`\'"<x>&*[1-9]?{a,b}%s%n\né'
study() {
    fresh || return 1
    printf 'title: made up\npreset: mask\ncycles: 3000\nlists: {pairs: [RED+MVT]}\nrows:\n  - {id: fair, figure: f, what: w, kind: level, paper: "2", metric: weighted_speedup, run: baseline, workloads: pairs, over: mean}\ndoubling: [fair]\n' > "./$all.yaml"
    "$memhelm" reproduce mask --rows="$all.yaml" --twin --results="$all.store" --json="$all.json" --markdown="$all.md" --plots="$all.d" > ../said 2>&1
    [ $? -le 1 ] && [ -s "./$all.json" ] && [ -s "./$all.md" ] || return 1
    "$memhelm" sensitivity mask --rows="$all.yaml" --twin --results="$all.store" --key noc.latency --json="$all.a" --markdown="$all.b" --plots="$all.e" > ../said 2>&1
    [ $? -le 1 ] && [ -s "./$all.a" ] && [ -s "./$all.b" ] || return 1
    "$memhelm" report "./$all.json" --output="$all.f" > /dev/null && "$memhelm" explain baseline mask --twin -w RED+MVT --cycles 4000 --json="$all.g" --markdown="$all.h" --plots="$all.i" > /dev/null || return 1
    "$memhelm" search -w BP:4096+SCP --cycles 3000 --set sm.cta_slots=3 --set sm.count=2 --results="$all.store" --json="$all.j" --markdown="$all.k" --plots="$all.l" > /dev/null || return 1
    "$memhelm" budget mask --json="$all.m" --flame="$all.n" --callgrind="$all.o" > ../said 2>&1
    "$memhelm" doctor --results="$all.store" | grep -c pwn > ../said || return 1
    cd .. && only "$all".{yaml,store,json,md,d,a,b,e,f,g,g.timing,h,i,j,k,l,m,n,o}
}
check "studies, pages" study
traces() {
    fresh || return 1
    mkdir '[1-9]{a,b}' && cp "$root/tests/data/pb_bicg.w64.gmt.zst" "./[1-9]{a,b}/$all.w64.gmt.zst" && "$memhelm" list traces '[1-9]{a,b}' | grep gmt > /dev/null &&
        "$memhelm" trace info "./[1-9]{a,b}/$all.w64.gmt.zst" > /dev/null && rm -r '[1-9]{a,b}'
    local status=$?
    cd .. && only '*' && return $status
}
check "traces in a folder of brackets" traces

# Words of others in a figure are words.
words() {
    fresh || return 1
    python3 - <<'PY'
import sqlite3
sql = sqlite3.connect("p.sqlite")
sqlite3.connect("file:../points.sqlite?mode=ro", uri=True).backup(sql)
odd = "`touch pwn`'\"\n!touch pwn\n# $(touch pwn) a_b^{c} ]]><script> \\n \x01svg\x01 \t@x"
sql.execute("update points set image = image || ?", (odd,))
sql.execute("update sweep set name = ?", (odd,))
sql.commit()
PY
    for kind in lines bars heat; do
        "$memhelm" plot p.sqlite --kind $kind --rows image --columns l2tlb.entries --value weighted_speedup -o ./$kind.svg > /dev/null 2>&1 || return 1
        "$memhelm" plot p.sqlite --kind $kind --rows l2tlb.entries --columns image --value weighted_speedup -o ./$kind-2.svg > /dev/null 2>&1 || return 1
    done
    "$memhelm" table p.sqlite --rows image --columns l2tlb.entries --value weighted_speedup -o p.md || return 1
    python3 - <<'PY'
import glob, re
cells = [re.split(r"(?<!\\)\|", line) for line in open("p.md").read().splitlines() if line.startswith("|")]
assert len(cells) == 5 and {len(row) for row in cells} == {7} and cells[2][1].strip() == r'''baseline\`touch pwn\`'" !touch pwn # \$(touch pwn) a_b^{c} ]]>\<script> \n \x01svg\x01  @x''', cells
import xml.dom.minidom
for path in glob.glob("*.svg"):
    texts = "".join(t.toxml() for t in xml.dom.minidom.parse(path).getElementsByTagName("text"))
    assert "a_b^{c}" in texts and "`touch pwn`" in texts and "tspan" not in texts.split("baseline")[1][:200], path
PY
    local status=$?
    cd .. && only p.sqlite p.md {lines,bars,heat}{,-2}.{svg,png,pdf,eps,dat,gp} && return $status
}
check "labels and titles are text, in data and script, too" words
finish
