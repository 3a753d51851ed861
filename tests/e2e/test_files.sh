#!/usr/bin/env bash
# Matrices and graphs from files: what a run says of them, what names it, and what is refused before anything runs.
. "$(dirname "$0")/lib.sh" "$1"
data=tests/data/inputs

twin() {
    timeout 60 "$memhelm" run baseline --twin --cycles 20000 "$@"
}

sum=$(sha256sum < "$data/rows.mtx" | cut -d' ' -f1)
check "a matrix is named by its hash" bash -c '"$0" run baseline --twin --no-alone --cycles 20000 -w "spmv:$1/rows.mtx+GUPS:1024" --json "$2/a.json" > "$2/a" &&
    grep -q "\"SPMV:$3\"" "$2/a.json" && ! grep -q rows.mtx "$2/a.json" && grep -q "SPMV:rows.mtx + GUPS" "$2/a"' "$memhelm" "$data" "$work" "$sum"
mkdir "$work/my files.d" && cp "$data/rows.mtx" "$work/my files.d/a.b c.mtx"
check "not by its name, which may have blanks and dots" bash -c '"$0" run baseline --twin --no-alone --cycles 20000 -w "SPMV:$1/my files.d/a.b c.mtx+GUPS:1024" --json "$1/b.json" &&
    cmp "$1/a.json" "$1/b.json"' "$memhelm" "$work"
check "QEMU reads it, too" timeout 60 "$memhelm" run baseline --no-alone --cycles 20000 -w "SPMV:$work/my files.d/a.b c.mtx+GUPS:1024"
for f in mtx txt graph; do
    sed 's/^#.*$//' "$data/graph.$f" | zstd -q -o "$work/g.$f.zst"
    xz -k -c "$data/graph.$f" > "$work/g.$f.xz"
done
same_graph() { # whatever the file, the run is the same
    for f in "$data/graph.txt" "$work"/g.*; do
        twin --no-alone -w "BFS:$f" --json "$work/g.json" > /dev/null || return 1
        sed -E 's/[0-9a-f]{64}/HASH/g' "$work/g.json" > "$work/g.now"
        [ -e "$work/g.first" ] || cp "$work/g.now" "$work/g.first"
        cmp "$work/g.first" "$work/g.now" || return 1
    done
}
check "a graph is the same in each format, plain or compressed" same_graph
check "launches go before or behind the file" bash -c 'r() { "$0" run baseline --twin --no-alone --cycles 20000 -w "$1" --json "$2"; }
    r "BFS@launch=2:$1/graph.txt" "$2/c.json" && r "bfs:$1/graph.txt@launches=2-2" "$2/d.json" && cmp "$2/c.json" "$2/d.json" && ! cmp -s "$2/c.json" "$2/g.json"' "$memhelm" "$data" "$work"
store=$XDG_CACHE_HOME/memhelm/results.sqlite
kept() { # FILE: alone runs kept after a run with it
    twin -w "MIS:$1+GUPS:1024" > /dev/null && kept_runs "$store"
}
first=$(kept "$data/graph.txt")
cp "$data/graph.txt" "$work/copy.txt"
copy=$(kept "$work/copy.txt")
sed -i 's/^# .*$//; s/^3 2 .*$/3 1/' "$work/copy.txt"
check "a kept run is found by content: of a copy" [ "$first $copy" = "2 2" ]
check "not of what has the same name and other edges" [ "$(kept "$work/copy.txt")" = 3 ]
twin --no-alone -w "BFS:$data/graph.txt" -s run.completions=1 > "$work/done" && twin --no-alone -w "BFS:$data/graph.txt" -s run.completions=200 > "$work/not"
check "the table says when all have finished" grep -q '^all finished by GPU cycle [0-9]*$' "$work/done"
check "or who has not" grep -Eq '^at GPU cycle 20000, where the run ends, have finished: 0 BFS:graph.txt [0-9]+ of 200 times$' "$work/not"

# The content decides; a reading that is sure is taken.
sed '1s/^%//' "$data/graph.mtx" > "$work/one.mtx"
cp "$data/graph.graph" "$work/metis.txt"
(printf '\xef\xbb\xbf'; cat "$data/graph.txt") > "$work/mark.txt"
tr '\n' '\r' < "$data/graph.txt" > "$work/mac.txt"
awk '!/^[#%]/ && NF { print $1 + 1, $2 + 1 }' "$data/graph.txt" > "$work/from1.txt"
(echo '% asym unweighted' && sed 's/$/ 1 1082040961/' "$work/from1.txt") > "$work/out.konect"
(printf 'c x\np sp 6 6\n' && sed 's/.*/a & 9/' "$work/from1.txt") > "$work/g.gr"
gzip -c "$data/graph.txt" > "$work/g.txt.gz"
as_graph() { # FILE: the run is that of the graph
    twin --no-alone -w "BFS:$1" --json "$work/g.json" > /dev/null && sed -E 's/[0-9a-f]{64}/HASH/g' "$work/g.json" | cmp - "$work/g.first"
}
for f in one.mtx metis.txt mark.txt mac.txt from1.txt out.konect g.gr g.txt.gz; do
    check "the graph as $f" as_graph "$work/$f"
done
shifted() { # SSSP starts where there is work, whatever numbers begin with
    for f in "$data/graph.txt" "$work/from1.txt"; do
        twin --no-alone -w "SSSP:$f" -s run.completions=1 --json "$work/s.json" > /dev/null || return 1
        sed -E 's/[0-9a-f]{64}/HASH/g' "$work/s.json" > "$work/s.$(basename "$f")"
    done
    cmp "$work/s.graph.txt" "$work/s.from1.txt"
}
check "SSSP of a list from 1 does the work of one from 0" shifted
echo '0 1000' > "$work/hardly.txt"
says() { # COMMAND..: the line, once
    [ "$("$@" 2>&1 | grep -c '^memhelm: SSSP:hardly.txt: 2 of 1001 vertices are reached from where it starts: hardly any work$')" = 1 ]
}
check "a start that reaches next to nothing: said" says twin --no-alone -w "SSSP:$work/hardly.txt+GUPS:1024"
check "by compare, once" says timeout 60 "$memhelm" compare baseline mask --twin --cycles 5000 -w "SSSP:$work/hardly.txt+GUPS:1024"
check "by a sweep" says timeout 60 "$memhelm" sweep -i baseline,mask --twin -w "SSSP:$work/hardly.txt+GUPS:1024" --vary l2.ways=8,16 --dry-run --output "$work/h.sqlite"
check "by a study" says timeout 60 "$memhelm" reproduce mask --row fig11-mask -w "SSSP:$work/hardly.txt+GUPS:1024" --list
python3 -c 'print("200\n0 1\n1 1\n" + "2 0\n" * 198 + "\n199\n\n2\n1 1\n0 1")' > "$work/rodinia.txt"
check "of the source that a file of Rodinia's names" bash -c '"$0" run baseline --twin --no-alone --cycles 5000 -w "BFS:$1/rodinia.txt" 2>&1 | grep -q "BFS:rodinia.txt: 1 of 200 vertices are reached"' "$memhelm" "$work"
check "of what has no start: rows" bash -c '"$0" run baseline --twin --no-alone --cycles 5000 -w "SPMV:$1/hardly.txt" 2>&1 | grep -q "SPMV:hardly.txt: 1 of 1001 rows have an entry: hardly any work"' "$memhelm" "$work"
check "of a graph without a search, vertices" bash -c '"$0" run baseline --twin --no-alone --cycles 5000 -w "MIS:$1/hardly.txt" 2>&1 | grep -q "MIS:hardly.txt: 2 of 1001 vertices have an edge: hardly any work"' "$memhelm" "$work"
check "not of a whole graph" bash -c '! "$0" run baseline --twin --no-alone --cycles 5000 -w "SSSP:$1/graph.txt" 2>&1 | grep hardly' "$memhelm" "$data"

head -n 6 "$data/rows.mtx" > "$work/cut.mtx"
sed 's/^4 4 .*/5 4 1/' "$data/rows.mtx" > "$work/out.mtx"
printf '%%%%MatrixMarket matrix coordinate real general\n100000000 4 1\n1 1 1\n' > "$work/large.mtx"
zstd -q "$data/graph.txt" -o "$work/whole.zst" && head -c 60 "$work/whole.zst" > "$work/cut.zst"
printf 'preset: mask\ntenants:\n  - kernel: MVT:%s\n' "$data/rows.mtx" > "$work/mvt.yaml"
fails "cut off: file, line, what should be there" 2 'memhelm: .*cut.mtx:7: the file ends after 3 of the 6 entries that line 3 announces: it is cut off' twin -w "SPMV:$work/cut.mtx"
fails "an entry out of range: what is allowed" 2 'memhelm: .*out.mtx:10: the row is .5.; allowed: 1 to 4' twin -w "GUPS+SPMV:$work/out.mtx"
fails "too large: what is allowed" 2 'large.mtx:2: the number of rows is .100000000.; allowed: 1 to 16777216' twin -w "SPMV:$work/large.mtx"
fails "no graph" 2 'rows.mtx: 4 rows and 5 columns are no graph' twin -w "Color:$data/rows.mtx"
fails "a damaged zst" 2 'cut.zst:[0-9]*: the compressed file is truncated' twin -w "BFS:$work/cut.zst"
fails "a file that is not there" 2 'nowhere.mtx: cannot open' twin -w "SPMV:nowhere.mtx"
fails "a kernel that takes none: file and line" 2 'mvt.yaml:3: tenants.0..kernel: MVT takes no file: leave out' "$memhelm" run baseline --twin --config "$work/mvt.yaml"
fails "a size beside it" 2 'tenants.0..kernel: BFS:.*graph.txt: the file says the size; leave out the size 64' twin -w "BFS:$data/graph.txt" -s 'tenants[0].size=64'
# Configurations are kept as UTF-8, and so are names in them.
cp "$data/graph.txt" "$work/"$'\xc3\xbc.txt' && cp "$data/graph.txt" "$work/"$'g\xff\xc3\xbc.txt' && cp tests/data/pb_bicg.w64.gmt.zst "$work/"$'caf\xe9.w64.gmt.zst'
fails "a graph whose name is not UTF-8" 2 'memhelm: .*BFS:.*/g.xffü.txt: byte 0xff is not UTF-8; of a file, give it another name *$' twin -w "BFS:$work/"$'g\xff\xc3\xbc.txt'
fails "a trace" 2 'caf.xe9.w64.gmt.zst: byte 0xe9 is not UTF-8' twin -w "MVT+trace:$work/"$'caf\xe9.w64.gmt.zst'
fails "of --set" 2 'g.xff: byte 0xff is not UTF-8' twin -w MVT -s $'tenants[0].kernel=trace:g\xff'
fails "a metric of a sweep" 2 "memhelm sweep: 'ipc.xff=ipc' is not UTF-8" "$memhelm" sweep --vary l2.ways=8 -w MVT --metric $'ipc\xff=ipc'
cp "$build/firmware/baseline.elf" "$work/"$'b\xff.elf'
fails "an image" 2 'b.xff.elf: the file.s name is not UTF-8 .0xff.; rename it' "$memhelm" run "$work/"$'b\xff.elf' -w GUPS
check "a name of other letters" twin --no-alone -w "BFS:$work/"$'\xc3\xbc.txt'
check "the list says who takes one" bash -c '"$0" list kernels | grep -A3 "^SPMV" | grep -q "SPMV:FILE, a matrix"' "$memhelm"
finish
