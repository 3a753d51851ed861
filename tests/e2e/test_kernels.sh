#!/usr/bin/env bash
# What kernels are: those whose inputs are files, how arrays compress, and the class of each in a paper's preset.
. "$(dirname "$0")/lib.sh" "$1"

# --- Matrices and graphs from files: what a run says of them, what names it, what is refused before anything runs.

data=tests/data/inputs

run_twin() {
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
        run_twin --no-alone -w "BFS:$f" --json "$work/g.json" > /dev/null || return 1
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
    run_twin -w "MIS:$1+GUPS:1024" > /dev/null && kept_runs "$store"
}
first=$(kept "$data/graph.txt")
cp "$data/graph.txt" "$work/copy.txt"
copy=$(kept "$work/copy.txt")
sed -i 's/^# .*$//; s/^3 2 .*$/3 1/' "$work/copy.txt"
check "a kept run is found by content: of a copy" [ "$first $copy" = "2 2" ]
check "not of what has the same name and other edges" [ "$(kept "$work/copy.txt")" = 3 ]
run_twin --no-alone -w "BFS:$data/graph.txt" -s run.completions=1 > "$work/done" && run_twin --no-alone -w "BFS:$data/graph.txt" -s run.completions=200 > "$work/not"
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
    run_twin --no-alone -w "BFS:$1" --json "$work/g.json" > /dev/null && sed -E 's/[0-9a-f]{64}/HASH/g' "$work/g.json" | cmp - "$work/g.first"
}
for f in one.mtx metis.txt mark.txt mac.txt from1.txt out.konect g.gr g.txt.gz; do
    check "the graph as $f" as_graph "$work/$f"
done
shifted() { # SSSP starts where there is work, whatever numbers begin with
    for f in "$data/graph.txt" "$work/from1.txt"; do
        run_twin --no-alone -w "SSSP:$f" -s run.completions=1 --json "$work/s.json" > /dev/null || return 1
        sed -E 's/[0-9a-f]{64}/HASH/g' "$work/s.json" > "$work/s.$(basename "$f")"
    done
    cmp "$work/s.graph.txt" "$work/s.from1.txt"
}
check "SSSP of a list from 1 does the work of one from 0" shifted
echo '0 1000' > "$work/hardly.txt"
says() { # COMMAND..: the line, once
    [ "$("$@" 2>&1 | grep -c '^memhelm: SSSP:hardly.txt: 2 of 1001 vertices are reached from where it starts: hardly any work$')" = 1 ]
}
check "a start that reaches next to nothing: said" says run_twin --no-alone -w "SSSP:$work/hardly.txt+GUPS:1024"
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
fails "cut off: file, line, what should be there" 2 'memhelm: .*cut.mtx:7: the file ends after 3 of the 6 entries that line 3 announces: it is cut off' run_twin -w "SPMV:$work/cut.mtx"
fails "an entry out of range: what is allowed" 2 'memhelm: .*out.mtx:10: the row is .5.; allowed: 1 to 4' run_twin -w "GUPS+SPMV:$work/out.mtx"
fails "too large: what is allowed" 2 'large.mtx:2: the number of rows is .100000000.; allowed: 1 to 16777216' run_twin -w "SPMV:$work/large.mtx"
fails "no graph" 2 'rows.mtx: 4 rows and 5 columns are no graph' run_twin -w "Color:$data/rows.mtx"
fails "a damaged zst" 2 'cut.zst:[0-9]*: the compressed file is truncated' run_twin -w "BFS:$work/cut.zst"
fails "a file that is not there" 2 'nowhere.mtx: cannot open' run_twin -w "SPMV:nowhere.mtx"
fails "a kernel that takes none: file and line" 2 'mvt.yaml:3: tenants.0..kernel: MVT takes no file: leave out' "$memhelm" run baseline --twin --config "$work/mvt.yaml"
fails "a size beside it" 2 'tenants.0..kernel: BFS:.*graph.txt: the file says the size; leave out the size 64' run_twin -w "BFS:$data/graph.txt" -s 'tenants[0].size=64'
# Configurations are kept as UTF-8, and so are names in them.
cp "$data/graph.txt" "$work/"$'\xc3\xbc.txt' && cp "$data/graph.txt" "$work/"$'g\xff\xc3\xbc.txt' && cp tests/data/pb_bicg.w64.gmt.zst "$work/"$'caf\xe9.w64.gmt.zst'
fails "a graph whose name is not UTF-8" 2 'memhelm: .*BFS:.*/g.xffü.txt: byte 0xff is not UTF-8; of a file, give it another name *$' run_twin -w "BFS:$work/"$'g\xff\xc3\xbc.txt'
fails "a trace" 2 'caf.xe9.w64.gmt.zst: byte 0xe9 is not UTF-8' run_twin -w "MVT+trace:$work/"$'caf\xe9.w64.gmt.zst'
fails "of --set" 2 'g.xff: byte 0xff is not UTF-8' run_twin -w MVT -s $'tenants[0].kernel=trace:g\xff'
fails "a metric of a sweep" 2 "memhelm sweep: 'ipc.xff=ipc' is not UTF-8" "$memhelm" sweep --vary l2.ways=8 -w MVT --metric $'ipc\xff=ipc'
cp "$build/firmware/baseline.elf" "$work/"$'b\xff.elf'
fails "an image" 2 'b.xff.elf: the file.s name is not UTF-8 .0xff.; rename it' "$memhelm" run "$work/"$'b\xff.elf' -w GUPS
check "a name of other letters" run_twin --no-alone -w "BFS:$work/"$'\xc3\xbc.txt'
check "the list says who takes one" bash -c '"$0" list kernels | grep -A3 "^SPMV" | grep -q "SPMV:FILE, a matrix"' "$memhelm"

# --- `list values`.

row() { "$memhelm" list values "$1" | awk -v array="$2" -v when="$3" '$1 == array && $2 == when {print $3, $4, $5, $6, $7, $8}'; }

# Floats 0 1 0 1 ..: words of 8 bytes repeat: 64 x 8 + 64 bytes a page, in 1 KB.
check "SCAN's input is a repeated word" [ "$(row SCAN:65536 idata end)" = "256 0.0 64.0 0.0 0.0 4.00" ]
check "what nobody has written is zero" [ "$(row SCAN:65536 odata start)" = "256 32.0 0.0 0.0 0.0 8.00" ]
# Prefix sums 0, 1, 1, 2, ..: a block's 16 differ by 8. From 2^20 on that is 64 units: 64 x 20 + 64 bytes, in 2 KB.
check "SCAN's sums compress where they are large" [ "$(row SCAN:4194304 odata end)" = "16384 0.0 0.0 4096.0 8192.0 1.33" ]
check "no row of ATAX's matrix compresses but the first" [ "$(row ATAX:1024 A start)" = "4096 0.5 0.0 0.0 4092.0 1.00" ]
check "the sum of all arrays" [ "$(row BICG:1024 all end)" = "$(row BICG:1024 all start | cut -d ' ' -f 1) 0.5 0.0 0.0 4108.0 1.00" ]
fails "a kernel without values" 2 'RED: its values are not known; known are those of MVT, ' "$memhelm" list values RED
fails "no kernel" 2 'values of what\? KERNEL' "$memhelm" list values
fails "two kernels" 2 'values of one kernel at a time' "$memhelm" list values MVT+ATAX
fails "a size that is none" 2 'LUD: size 33 is not a multiple of 16' "$memhelm" list values LUD:33

paged=(run --twin --image baseline --preset mask --cycles 20000 --no-alone --set uvm.mode=on --set uvm.compression=lcp)
unknown() { "$memhelm" "${paged[@]}" "$@" 2>&1 | grep -c 'what the arrays of .* hold is not known: they do not compress'; }
check "a kernel whose values are not known: said once" [ "$(unknown --workload RED+MVT+RED)" = 1 ]
check "not with a ratio that is given" [ "$(unknown --workload RED --set uvm.compression_ratio=150)" = 0 ]
check "nor where all are known" [ "$(unknown --workload SCAN+MVT)" = 0 ]
fails "a ratio below 1" 2 'uvm.compression_ratio: 99 hundredths would make memory smaller' "$memhelm" "${paged[@]}" --workload MVT \
    --set uvm.compression_ratio=99
fails "a compression that is none" 2 "uvm.compression: there is no 'lz4'; allowed: none, lcp" "$memhelm" "${paged[@]}" --workload MVT \
    --set uvm.compression=lz4

# --- `memhelm classes`: what it writes, what it refuses.

classes() {
    timeout 120 "$memhelm" classes "$@"
}

# ATAX: 22 lines for an instruction, as recorded (tests/data/published.json: 22.332); a column of 64 rows is 64 lines, its neighbours in the loop are 2 and 1.
check "an irregular kernel is irregular" bash -c '"$0" classes -p etc -k ATAX --cycles 50000 --json "$1" > "$2" && grep -Eq "^ATAX .* irregular +irregular$" "$2" && [ "$(tail -n 1 "$2")" = "1 of 1 classes as in the papers" ]' "$memhelm" "$work/a.json" "$work/a.out"
check "lines per instruction as recorded" python3 -c '
import json, sys
row, = json.load(open(sys.argv[1]))["classes"]
assert abs(row["values"]["lines"] / 22.33 - 1) < 0.01, row # the window ends in the loop' "$work/a.json"
check "the same bytes again" bash -c '"$0" classes -p etc -k ATAX --cycles 50000 --json "$1" > "$3" && cmp "$1" "$2" && cmp "$3" "$4"' "$memhelm" "$work/b.json" "$work/a.json" "$work/b.out" "$work/a.out"
check "an execution that ends in the window ends the run" bash -c '"$0" classes -p dws -k RAY --cycles 300000 --keep "$1" && grep -q "\"completions\": 1\\b" "$1/dws-RAY/result.json"' "$memhelm" "$work/keep"
check "CCBP runs with half of the CTAs, too" bash -c '"$0" classes -p ccbp -k BFS --cycles 20000 --keep "$1" > /dev/null; grep -q "warps: 64" "$1/ccbp-BFS@uniform/config.yaml" && grep -q "warps: 32" "$1/ccbp-BFS@uniform-half/config.yaml"' "$memhelm" "$work/half"
# With pages of 2 MiB the table of 16 MiB has 8.
fails "fewer than 9 of 10: exit 1, and the kernel is named" 1 'GUPS@15 .* (light|medium) +heavy +MISS.*  GUPS@15: .*0 of 1 classes' \
    classes -p dws -k GUPS@15 --cycles 50000 --set memory.page_bytes=2097152 --set walk.levels=3
# LUD takes an instant, all of them minutes; the table has what there is.
fails "Ctrl-C: what is finished is shown" 130 'LUD +256 +1[0-9]{5} .* TRD .* no result.* of 27 classes' \
    timeout --preserve-status -s INT 10 "$memhelm" classes -p mask --cycles 1000000000 -j 2
fails "a kernel that no table has" 2 'LIB has no class in etc' classes -p etc -k LIB
fails "an unknown paper" 2 'there are: mask dws ccbp etc simt' classes -p mosaic
fails "a bad key" 2 'unknown key' classes -p mask -k NN --set l1tlb.entrys=3
fails "a window of nothing" 2 'run.cycles: 0 is out of range' classes -p mask -k NN --cycles 0
finish
