#!/usr/bin/env bash
# `memhelm trace`, and Accel-Sim's traces as tenants: the same numbers whichever format a trace is in.
. "$(dirname "$0")/lib.sh" "$1"
data=tests/data
list=$data/traceg/kernelslist.g

twin() {
    timeout 60 "$memhelm" run --image baseline --twin --cycles 50000 --no-alone --set sm.lanes=32 "$@"
}

# Numbers of `info --json` without what only one format has.
common() {
    "$memhelm" trace info --json "$1" | grep -Ev '"(format|registers|shared_bytes|nonmem_instr_last)"'
}

# same_info A B
same_info() {
    diff <(common "$1") <(common "$2")
}

# published TRACE JSON: every number published with a recorded trace; averages are rounded there.
published() {
    python3 - "$2" <("$memhelm" trace info --json "$1") << 'END'
import json, sys
want, got = (json.load(open(f)) for f in sys.argv[1:])
exact = ('ctas warps records loads stores atomics barriers nonmem_instr max_pages4k footprint_lines_bytes '
         'footprint_pages_bytes').split()
wrong = [k for k in exact if want[k] != got[k]]
wrong += [k for k in want if k.startswith('avg_') and abs(want[k] - got[k]) > 0.000501]
wrong += [k for k in ['frac_ge8_pages'] if abs(want[k] - got[k]) > 0.0000501]
if 'pcs' in want and want['pcs'] != got['pcs']:
    wrong.append('pcs')
if len(want['launches']) != len(got['launches']):
    wrong.append('launches')
for a, b in zip(want['launches'], got['launches']):
    wrong += [k for k in ('kernel', 'grid', 'block', 'ctas_total') if a[k] != b[k]]
for k in wrong:
    print(k, want.get(k), got.get(k))
sys.exit(bool(wrong) or not got['loads'])
END
}

# same_run A B: equal results but for what names the trace.
same_run() {
    twin --workload "trace:$1+GUPS" --json "$work/a.json" && twin --workload "trace:$2+GUPS" --json "$work/b.json" &&
        diff <(sed -E 's/[0-9a-f]{64}/HASH/g' "$work/a.json") <(sed -E 's/[0-9a-f]{64}/HASH/g' "$work/b.json")
}

for f in "$data"/*.json; do
    [ -e "${f%.json}.gmt.zst" ] || continue
    check "info gives the published numbers of $(basename "$f" .json)" published "${f%.json}.gmt.zst" "$f"
done

"$memhelm" trace info --pcs "$list" > "$work/info.txt" 2>&1
check "info names the format, its version and the launches" \
    grep -q 'Accel-Sim traceg, 32 lanes, tracer version 5' "$work/info.txt"
check "info --pcs shows instructions" grep -q 'LDGSTS.E.BYPASS.LTC128B.128 at 0060 of _Z5mixedPv' "$work/info.txt"
check "a launch alone, in either format" bash -c '"$0" trace convert --full "$1" "$2/l.gmt.zst"' "$memhelm" "$list" "$work"
check "is the same run" same_run "$list@launch=1" "$work/l.gmt.zst@launches=1-1"
check "and another than the first" bash -c '! diff <(sed -E "s/[0-9a-f]{64}/HASH/g" "$0/a.json") <("$1" run --image baseline --twin --cycles 50000 --no-alone     --set sm.lanes=32 -w "trace:$2@launch=0+GUPS" --json /dev/stdout | sed -E "s/[0-9a-f]{64}/HASH/g")' "$work" "$memhelm" "$list"
check "an Accel-Sim trace is kept in the cache as what it means" bash -c '[ "$(ls "$0/memhelm/traces" | wc -l)" = 1 ]' "$XDG_CACHE_HOME"
kept() { # the same run with a cache that is full, damaged, or cannot be used
    twin --workload "trace:$list" --json "$work/full.json" && damage "$XDG_CACHE_HOME"/memhelm/traces/* "$work/damaged" &&
        cp "$work/damaged" "$XDG_CACHE_HOME"/memhelm/traces/* && twin --workload "trace:$list" --json "$work/mended.json" &&
        ! cmp -s "$work/damaged" "$XDG_CACHE_HOME"/memhelm/traces/* &&
        XDG_CACHE_HOME=/dev/null twin --workload "trace:$list" --json "$work/none.json" &&
        cmp "$work/full.json" "$work/mended.json" && cmp "$work/full.json" "$work/none.json"
}
check "whatever is in the cache, the run is the same" kept
fails "a launch that is not in it" 2 'kernelslist.g has launches 0 to 2 .0 .*.: .@launch=3. is not among them' twin --workload "trace:$list@launch=3"
check "info of an xz file" "$memhelm" trace info "$data/traceg/kernel-3.traceg.xz"
fails "convert to GMT1 says what it has no place for" 0 'every access after a load waits.*--full' \
    "$memhelm" trace convert "$list" "$work/k.w32.gmt.zst"
check "convert to GMT2, not compressed" "$memhelm" trace convert --full "$list" "$work/full.gmt"
check "it is not compressed" grep -aq '^GMT2.2 warp=32 check=crc32$' "$work/full.gmt"
sed '1s/GMT2.2/GMT2/' "$work/full.gmt" > "$work/old.gmt"
fails "a GMT2 of before versions says how to make it again" 2 'old.gmt: .*version 2 .*found none.*convert --full' \
    "$memhelm" trace info "$work/old.gmt"
check "GMT1 has the numbers of the traceg" same_info "$list" "$work/k.w32.gmt.zst"
check "GMT2 has the numbers of the traceg" same_info "$list" "$work/full.gmt"
check "GMT1 to GMT1" "$memhelm" trace convert "$data/rod_lud.w64.gmt.zst" "$work/lud.w64.gmt.zst"
check "the numbers stay" same_info "$data/rod_lud.w64.gmt.zst" "$work/lud.w64.gmt.zst"

check "a run of a traceg and of its GMT2 are the same" same_run "$list" "$work/full.gmt"
check "it ran several times, launch after launch" grep -Eq '"completions": [1-9]' "$work/a.json"
xz -kc "$data/traceg/kernel-1.traceg" > "$work/kernel-1.traceg.xz"
for way in gzip xz zstd; do # a list and its kernels, as archives of traces have them
    mkdir "$work/$way"
    cp "$data"/traceg/* "$work/$way"
    xz -d "$work/$way"/*.xz
    sed -i '1i ncclCommInitAll' "$work/$way/kernelslist.g"
    end=$([ $way = gzip ] && echo gz || { [ $way = xz ] && echo xz || echo zst; })
    sed -i "s/\.traceg.*/.traceg.$end/" "$work/$way/kernelslist.g"
    $way -q "$work/$way"/kernel-*.traceg "$work/$way/kernelslist.g"
    [ $way = zstd ] && rm "$work/$way"/*.traceg "$work/$way/kernelslist.g"
    check "a list of $way files, itself one: the same run" same_run "$list" "$work/$way/kernelslist.g.$end"
done
cat <(gzip -c < "$data/traceg/kernel-1.traceg" | head -c 0) <(head -n 9 "$data/traceg/kernel-1.traceg" | gzip -c) <(tail -n +10 "$data/traceg/kernel-1.traceg" | gzip -c) > "$work/two.traceg.gz"
check "two files of gzip, one behind the other" same_run "$data/traceg/kernel-1.traceg" "$work/two.traceg.gz"
gzip -c "$data/traceg/kernel-1.traceg" | head -c 300 > "$work/cut.traceg.gz"
fails "a gzip file that was cut off" 2 'cut.traceg.gz:.*truncated' "$memhelm" trace info "$work/cut.traceg.gz"
check "a run of a traceg and of its xz are the same" same_run "$data/traceg/kernel-1.traceg" "$work/kernel-1.traceg.xz"
check "a traceg in QEMU" timeout 120 "$memhelm" run --image baseline --cycles 50000 --no-alone --set sm.lanes=32 \
    --workload "trace:$list+GUPS"

# What a list's files hold is part of what a result names: alone runs are kept by it.
mkdir "$work/list"
cp "$data/traceg/"* "$work/list"
config_of() {
    twin --workload "trace:$work/list/kernelslist.g" --json "$work/c.json" && grep -o '"trace:[0-9a-f]*"' "$work/c.json" | sort -u
}
config_of > "$work/before"
sed -i 's/insts = 4/insts = 3/; /^0110 ffffffff 1 R30/d' "$work/list/kernel-2.traceg"
config_of > "$work/after"
check "a list's digest covers its files" bash -c 'grep -q trace: "$0" && ! cmp -s "$0" "$1"' "$work/before" "$work/after"
check "list traces shows them" bash -c '"$0" list traces "$1" | grep -q "kernelslist.g  32 lanes"' "$memhelm" "$work/list"

sed 's/LDG.E.SYS 1 R2 4 1/LDG.E.SYS 1 R2 4 7/' "$data/traceg/kernel-1.traceg" > "$work/mode.traceg"
head -n 30 "$data/traceg/kernel-1.traceg" > "$work/cut.traceg"
printf 'MemcpyHtoD,0x10,16\nkernel-9.traceg\n' > "$work/kernelslist.g"
printf 'no trace at all\n' > "$work/text.traceg"
fails "a wrong address mode: file, line, what was expected" 2 'mode.traceg:26: expected an address mode .*found .7' \
    twin --workload "trace:$work/mode.traceg+GUPS"
fails "a truncated traceg" 2 'cut.traceg:31: expected .*the trace is incomplete' "$memhelm" trace info "$work/cut.traceg"
fails "a list with a file that is not there" 2 'kernel-9.traceg: cannot open' \
    "$memhelm" trace info "$work/kernelslist.g"
fails "neither GMT nor traceg" 2 'text.traceg: offset 0: expected .*not a GMT trace' "$memhelm" trace info "$work/text.traceg"
fails "a traceg on 64 lanes: what to do" 2 'has 32-lane warps, this configuration has 64: use a configuration with sm.lanes = 32' \
    twin --set sm.lanes=64 --workload "trace:$list+GUPS"
# One warp with two loads of 4 bytes a lane, the first from 4 bytes before its buffer of 1 KiB on.
printf 'GMT1 warp=32\nL\1a\1\1\1\40\1\1\1\1\200\40\200\10C\0\1W\0\2\40\1\1\370\77\10\40\4\2\200\100\10E' > "$work/out.gmt"
fails "an address outside: what helps" 2 'found 0xffc .*--trace-lenient' "$memhelm" trace info "$work/out.gmt"
check "info --trace-lenient counts them" bash -c '"$0" trace info --trace-lenient "$1" | grep -q "^moved  *1 "' "$memhelm" \
    "$work/out.gmt"
fails "a run of it" 2 'found 0xffc .*--trace-lenient moves such' twin --workload "trace:$work/out.gmt"
check "run --trace-lenient counts them, too" bash -c '"$0" run baseline --twin --cycles 20000 -s sm.lanes=32 -w "trace:$1/out.gmt" --trace-lenient --json "$1/lenient.json" > "$1/lenient" &&
    grep -q "^tenant 0 out.gmt: 1 addresses of lanes were outside the recording.s buffers: moved into them" "$1/lenient" &&
    python3 -c "import json, sys; sys.exit(json.load(open(sys.argv[1]))[\"run\"][\"trace_addresses_moved\"] != [1])" "$1/lenient.json" &&
    "$0" compare baseline mask-tlb --twin --cycles 20000 -s sm.lanes=32 -w "trace:$1/out.gmt" -s workload.trace_lenient=1 | grep -q "^tenant 0 out.gmt: 1 addresses"' \
    "$memhelm" "$work"
fails "convert --trace-lenient says so" 0 '1 addresses of lanes were outside' "$memhelm" trace convert --trace-lenient \
    "$work/out.gmt" "$work/in.gmt"
check "what it writes needs it no more" "$memhelm" trace info "$work/in.gmt"
LC_ALL=C sed -i 's/ \x04\x02/ \x05\x02/' "$work/in.gmt" # five instructions before the second load, not four
fails "a damaged byte is found" 2 'in.gmt: offset .*expected checksum .*damaged' "$memhelm" trace info "$work/in.gmt"
fails "convert without a target" 2 'memhelm trace convert' "$memhelm" trace convert "$list"
fails "convert to where nothing can be written" 2 'cannot write' "$memhelm" trace convert "$list" "$work/no/such/x.gmt"
fails "an unknown word" 2 'info convert' "$memhelm" trace frobnicate "$list"
check "--help teaches" bash -c '"$0" trace --help | grep -q kernelslist.g && "$0" --help | grep -q "memhelm trace"' "$memhelm"
finish
