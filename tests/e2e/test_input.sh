#!/usr/bin/env bash
# Bad input: a clear error that names the file, the place and the remedy; nothing is simulated, nothing is lost.
. "$(dirname "$0")/lib.sh" "$1"
data=tests/data

run() {
    timeout 60 "$memhelm" run --image baseline --cycles 50000 --no-alone "$@"
}

printf 'preset: mask\nl2:\n  bytes: 2097152\n  wayz: 16\n' > "$work/key.yaml"
printf 'preset: mask\nwalk:\n  walkers: 1025\n' > "$work/value.yaml"
printf 'preset: mask\nl2:\n  ways: sixteen\n' > "$work/type.yaml"
head -c 700 "$data/pb_atax_k1.w64.gmt.zst" > "$work/short.w64.gmt.zst"
printf 'GMT1 warp=64\nL\004gemm' > "$work/plain.w64.gmt"
cp "$data"/pb_bicg.w*.gmt.zst "$work"
printf 'not an ELF' > "$work/text.elf"

fails "unknown key: file, line, the nearest key" any 'key.yaml:4:.*wayz.*ways' run --config "$work/key.yaml" --workload GUPS+MVT
printf 'preset: mask\nl2tlb.entries: 256\n' > "$work/dotted.yaml"
fails "a key with its section: how a file has it" any 'dotted.yaml:2: unknown key .l2tlb.entries.; write `l2tlb: [{]entries: [.][.][}]`; allowed: base' run --config "$work/dotted.yaml" --workload GUPS+MVT
python3 -c 'print("# deep\n" + "[" * 200000)' > "$work/deep.yaml"
deep='deep.yaml:2: lists and mappings in each other, more than 64 deep: close some'
fails "a configuration that is nested without end" 2 "memhelm: .*$deep" timeout 10 "$memhelm" run baseline --twin --config "$work/deep.yaml" -w MVT
fails "a sweep's file" 2 "memhelm: .*$deep" timeout 10 "$memhelm" sweep "$work/deep.yaml"
fails "a core" 2 "$deep" timeout 10 "$memhelm" run baseline --core "$work/deep.yaml" -w MVT
fails "a study's rows" 2 "$deep" timeout 10 "$memhelm" reproduce mask --list --rows "$work/deep.yaml"
fails "value out of range: file, line, range" any 'value.yaml:3:.*walkers' run --config "$work/value.yaml" --workload GUPS+MVT
fails "wrong type: file, line" any 'type.yaml:3:' run --config "$work/type.yaml" --workload GUPS+MVT
fails "missing file" any 'nowhere.yaml' run --config "$work/nowhere.yaml" --workload GUPS+MVT
fails "--set of an unknown key" any 'l2.wayz' run --set l2.wayz=3 --workload GUPS+MVT
fails "unknown kernel: lists the kernels" any 'NOSUCH(.|\n)*(MVT|list kernels)' run --workload NOSUCH+MVT
fails "unknown variant: lists the kernel's" 2 'tenants.0..kernel: SSSP has no variant .road.: .*SSSP@mesh' run --workload SSSP@road:1000+MVT
fails "a variant of a kernel that has none" 2 'tenants.1..kernel: MVT has no variants' run --workload GUPS+MVT@mesh
fails "a launch that the program has not: those that it has" 2 'memhelm: COVAR has launches 0 to 2 .0 mean_kernel, .* 2 covar_kernel.: .@launch=3. is not among them' run --workload COVAR@launch=3:256+MVT
fails "launches that are none" 2 "tenants.0..kernel: '@launches=2': write @launch=2 or, for several, @launches=2-5; the first launch is number 0" run --workload COVAR@launches=2:256
check "launches in any words are one workload" bash -c 'r() { "$1" run baseline --twin --no-alone --cycles 20000 -w "$2" --json "$3"; }
    r "$1" covar@Launches=02-2:256+bfs2@MESH@launch=1:1600 "$0/a.json" && r "$1" COVAR@launch=2:256+BFS@mesh@launch=1:1600 "$0/b.json" && cmp "$0/a.json" "$0/b.json" &&
    grep -q "\"kernel\": \"COVAR@launch=2\"" "$0/a.json"' "$work" "$memhelm"
fails "unknown image: lists the images" any 'baseline' "$memhelm" run --image nosuch --workload GUPS+MVT
fails "unknown preset: lists the presets" any 'mask' run --preset nosuch --workload GUPS+MVT
fails "truncated trace: file and offset" any 'short.w64.gmt.zst.*(offset|byte)' run --workload "trace:$work/short.w64.gmt.zst+GUPS"
fails "truncated plain trace: offset" any 'plain.w64.gmt.*(offset|byte)' run --workload "trace:$work/plain.w64.gmt+GUPS"
fails "wrong warp width: names the right file" any 'pb_bicg.w64.gmt.zst' run --workload "trace:$work/pb_bicg.w32.gmt.zst+GUPS"
fails "image that is no ELF" any 'text.elf.*ELF' "$memhelm" run --image "$work/text.elf" --workload GUPS+MVT
# patched NAME ADDRESS|phdr.INDEX.WORD VALUE: mask.elf with a word changed, where it is loaded or in a program header.
patched() {
    python3 - "$build/firmware/mask.elf" "$work/$1.elf" "$2" "$3" <<'PY'
import struct, sys
source, to, where, value = sys.argv[1:]
b = bytearray(open(source, "rb").read())
headers = struct.unpack_from("<I", b, 28)[0]
if where.startswith("phdr"):
    at = headers + 32 * int(where.split(".")[1]) + 4 * int(where.split(".")[2])
else:
    _, offset, address = struct.unpack_from("<3I", b, headers + 32)
    at = int(where, 16) - address + offset
struct.pack_into("<I", b, at, int(value, 0))
open(to, "wb").write(b)
PY
    "$memhelm" run --image "$work/$1.elf" --workload GUPS --cycles 20000 --no-alone
}
policy=$(riscv64-unknown-elf-nm "$build/firmware/mask.elf" | sed -n 's/ R policy_mask_tokens$//p')
fails "a segment with bytes in the file alone, beyond its end" 2 'filesz.elf: segment 2 ends at offset [0-9]+, but the file has [0-9]+ bytes: it is cut .its header is at offset 0x74' patched filesz phdr.2.4 0x7fffffff
fails "and inside of it" 2 'inside.elf: segment 2 is larger in the file than in memory' patched inside phdr.2.4 4
fails "a hook that is no code" 2 "hook.elf: on_epoch of policy mask_tokens .the word at 0x0*$(printf %x $((0x$policy + 8))). is 0xfd00, where no code is" patched hook "$(printf %x $((0x$policy + 8)))" 0xfd00
fails "a directory" 2 'dir.elf: a directory, not a file' eval 'mkdir "$work/dir.elf" && "$memhelm" run -i "$work/dir.elf" -w GUPS'
fails "a pipe, which QEMU could not read again" 2 'pipe.elf: a pipe or device, not a file' eval 'mkfifo "$work/pipe.elf" && timeout 20 "$memhelm" run -i "$work/pipe.elf" -w GUPS'
cp "$build/firmware/baseline.elf" "$work/"$'a\x1b[31m\nb.elf'
fails "image whose name would move a terminal" 2 'a.x1b.31m b.elf: the file.s name has a control character .0x1b. in it; rename it' "$memhelm" run --image "$work/"$'a\x1b[31m\nb.elf' --workload GUPS
little() { # no more memory and time than a wrong file may take
    bash -c 'ulimit -v 1500000 -t 20; "$@"' - "$@"
}
endless='memhelm: /dev/zero: more than 256 MiB: not a file of this kind'
fails "image without an end" 2 '/dev/zero: a pipe or device, not a file' little "$memhelm" run --image /dev/zero --workload GUPS
fails "twin without an end" 2 '/dev/zero: is a device; give a file' little "$memhelm" run --image /dev/zero --twin --workload GUPS
fails "a sweep's file" 2 "$endless" little "$memhelm" sweep /dev/zero
fails "what plot draws" 2 "$endless" little "$memhelm" plot --epochs /dev/zero --output "$work/zero.svg"
fails "a configuration" 2 'memhelm: /dev/zero: more than 1048576 bytes: not a configuration' little "$memhelm" run baseline -c /dev/zero --workload GUPS
fails "image for another machine" any 'RV32|RISC-V|riscv' "$memhelm" run --image "$memhelm" --workload GUPS+MVT
printf 'preset: mask\nsm:\n  lanes: 48\n' > "$work/late.yaml"
printf 'preset: mask\ntenants:\n  - kernel: MVT\n  - kernel: NOPE\n' > "$work/tenant.yaml"
fails "a rule between values: file and line" 2 'late.yaml:3: sm.lanes' run --config "$work/late.yaml" --workload GUPS+MVT
fails "unknown kernel in a file: file and line" 2 'tenant.yaml:4: .*NOPE' run --config "$work/tenant.yaml"
fails "a problem that does not fit the memory: before anything runs" 2 'memory.bytes' run --workload GUPS:268435456
fails "tenants of which one does not fit: before the graphs of the others are made" 2 'memhelm: --set memory.bytes=268435456: MIS: its buffers .at least 48 MiB. and their page table do not fit its share of physical memory .32 MiB' \
    bash -c 'ulimit -v 300000 -t 2; "$@"' - "$memhelm" run --image baseline --twin --no-alone --cycles 50000 -s memory.bytes=268435456 --workload SSSP:1048576+SSSP:1048576+MIS:2097152
fails "a CTA that does not fit an SM: before anything runs" 2 'sm.registers' run --workload MM -s sm.registers=1024
fails "CTAs that do not fit the SM that they share: the same, with the numbers" 2 'memhelm: --set sm.warps=12: BP\+SCP: one CTA of each does not fit an SM that they share: they need 16 warps, an SM has 12: raise sm.warps, or set sm.share to 0' \
    run --twin --preset ccbp --workload BP+SCP -s sm.warps=12
check "but on SMs of their own" run --twin --preset ccbp --workload BP+SCP -s sm.warps=12 -s sm.share=0
check "and one that comes when the other has left" run --twin --preset ccbp --workload BP+SCP -s sm.warps=12 -s tenants[0].leave=20000 -s tenants[1].arrive=20000
fails "--json to a directory: before anything runs" 2 'is a directory' run --workload GUPS --json "$work" --cycles 1000000000
fails "--epochs where nothing can be written" 2 'nowhere' run --workload GUPS --epochs "$work/nowhere/x" --cycles 1000000000
fails "two results in one file" 2 "$work/same: two results would be written to it" \
    run --workload GUPS --json "$work/same" --epochs "$work/same" --cycles 1000000000
fails "the same by two names" 2 "$work/two: two results would be written to it" bash -c 'touch "$0/one" && ln -s one "$0/two" && shift &&
    "$@" --json "$0/one" --epochs "$0/two"' "$work" - "$memhelm" run baseline --twin -w GUPS --cycles 1000000000
# No result is written over what it is made of, by whatever name.
cp "$data/pb_bicg.w64.gmt.zst" "$work/k.w64.gmt.zst" && cp tests/data/inputs/rows.mtx "$work/rows.mtx" && cp "$build/firmware/baseline.elf" "$work/own.elf"
printf 'preset: mask\n' > "$work/gpu.yaml" && ln "$work/gpu.yaml" "$work/hard.yaml" && ln -s gpu.yaml "$work/soft.yaml"
sha256sum "$work"/{gpu.yaml,k.w64.gmt.zst,rows.mtx,own.elf} > "$work/sums"
over='would be written over, but it is read: choose another name for the result *$'
fails "a configuration" 2 "memhelm: .*gpu.yaml: $over" run -c "$work/gpu.yaml" -w GUPS --json "$work/gpu.yaml" --cycles 1000000000
fails "through a hard link" 2 "memhelm: .*hard.yaml: $over" run -c "$work/gpu.yaml" -w GUPS --epochs "$work/hard.yaml" --cycles 1000000000
fails "through a symbolic link" 2 "memhelm: .*soft.yaml: $over" "$memhelm" compare baseline mask -c "$work/gpu.yaml" -w GUPS --json "$work/soft.yaml" --cycles 1000000000
fails "a trace" 2 "memhelm: .*k.w64.gmt.zst: $over" run --twin -w "GUPS+trace:$work/k.w64.gmt.zst@launch=0" --json "$work/k.w64.gmt.zst" --cycles 1000000000
fails "a matrix, of a configuration" 2 "memhelm: .*rows.mtx: $over" bash -c 'printf "preset: mask\ntenants: [{kernel: \"SPMV:%s/rows.mtx\"}]\n" "$0" > "$0/m.yaml" &&
    "$1" run baseline --twin -c "$0/m.yaml" --cycles 1000000000 --timeline "$0/rows.mtx"' "$work" "$memhelm"
fails "an image" 2 "memhelm: .*own.elf: $over" "$memhelm" run "$work/own.elf" -w GUPS --json "$work/own.elf" --cycles 1000000000
fails "the wall times beside --json" 2 "memhelm: .*x.timing: $over" bash -c 'cp "$0/gpu.yaml" "$0/x.timing" && "$1" run baseline --twin -c "$0/x.timing" -w GUPS --json "$0/x" --cycles 1000000000' "$work" "$memhelm"
fails "a trace of dram" 2 "memhelm: .*dram.trace: $over" bash -c 'echo "0x1f80 READ 120" > "$0/dram.trace" && "$1" dram "$0/dram.trace" --commands "$0/dram.trace"' "$work" "$memhelm"
fails "a recording that search runs" 2 "memhelm: .*k.w64.gmt.zst: $over" "$memhelm" search -w "GUPS+trace:$work/k.w64.gmt.zst" --json "$work/k.w64.gmt.zst"
fails "a recording of a sweep" 2 "memhelm: .*k.w64.gmt.zst: $over" "$memhelm" sweep -i baseline --twin -w "trace:$work/k.w64.gmt.zst" --output "$work/k.w64.gmt.zst"
fails "a recording of rows" 2 "memhelm: .*k.w64.gmt.zst: $over" "$memhelm" reproduce mask --traces -w "trace:$work/k.w64.gmt.zst+GUPS" --json "$work/k.w64.gmt.zst"
fails "a sweep's file" 2 "memhelm: .*soft.yaml: $over" "$memhelm" sweep "$work/gpu.yaml" --output "$work/soft.yaml"
check "all are as they were" sha256sum -c --quiet "$work/sums"
# An empty name is what a variable of the shell leaves that is not set.
empty="needs a (file|folder)'s name; it is empty: is a variable of the shell not set.*"
for option in config json timing keep epochs registers counts dram-trace faults series series-plot timeline; do
    fails "an empty --$option" 2 "memhelm run: --$option $empty" "$memhelm" run baseline --twin -w GUPS "--$option" ''
done
for option in output results merge; do
    fails "of sweep: an empty --$option" 2 "memhelm sweep: --$option $empty" "$memhelm" sweep --vary l2.ways=8 -w GUPS "--$option" ''
done
fails "of report" 2 "memhelm report: --output $empty" "$memhelm" report -o '' "$work/t.json"
fails "of table" 2 "memhelm table: --output $empty" "$memhelm" table x.sqlite --output ''
fails "of plot" 2 "memhelm plot: --output $empty" "$memhelm" plot x.sqlite --rows seed --output ''
for option in plots markdown results rows; do
    fails "of a study: an empty --$option" 2 "memhelm reproduce: --$option $empty" "$memhelm" reproduce mask --list "--$option" ''
done
full() { # arguments
    "$memhelm" "$@" > /dev/full
}
fails "a table that cannot be written" 2 'standard output: cannot write' full run baseline --twin --no-alone -w GUPS --cycles 5000
check "but a reader that has seen enough is none" bash -o pipefail -c '"$0" run baseline --twin --no-alone -w GUPS --cycles 5000 | true' "$memhelm"
fails "nor a list" 2 'standard output: cannot write' full list kernels
: > "$work/real" && ln -s real "$work/link"
check "--json follows a symbolic link" bash -c '"$1" run --image baseline --cycles 20000 --no-alone --workload GUPS --json "$0/link" &&
    [ -L "$0/link" ] && [ -s "$0/real" ]' "$work" "$memhelm"
cp "$data/pb_bicg.w64.gmt.zst" "$work/other.gmt.zst"
check "the name of a trace is not part of the results" bash -c '
    for t in "$0/pb_bicg.w64.gmt.zst" "$0/other.gmt.zst"; do
        "$1" run --image baseline --cycles 20000 --no-alone --workload "trace:$t+GUPS" --json "$0/$(basename "$t").json" || exit
    done; cmp "$0/pb_bicg.w64.gmt.zst.json" "$0/other.gmt.zst.json"' "$work" "$memhelm"
# Whoever gave the value is named: not the file's line when an assignment takes its place, or does not go with it.
printf 'preset: mask\nl2tlb:\n  entries: 512\n' > "$work/tlb.yaml"
printf 'preset: simt\ndram:\n  cl: 20\n' > "$work/simt.yaml"
printf 'preset: simt\ndesign: Static\n' > "$work/static.yaml"
fails "--set in the place of the file's value" 2 'memhelm: --set l2tlb.entries=500: l2tlb.entries: 500 entries' \
    run --config "$work/tlb.yaml" --set l2tlb.entries=500 -w MVT
fails "--set of another key that does not go with it" 2 'memhelm: --set l2tlb.ways=17: l2tlb.entries: 512 entries' \
    run --config "$work/tlb.yaml" --set l2tlb.latency=12 --set l2tlb.ways=17 --set l2.latency=9 -w MVT
fails "--set out of range" 2 'memhelm: --set l2tlb.entries=70000: l2tlb.entries: 70000 is out of range' run --set l2tlb.entries=70000 -w MVT
fails "--set of an unknown key, said once" 2 "memhelm: --set l2tlb.entriez=5: unknown key 'entriez'" run --set l2tlb.entriez=5 -w MVT
fails "the last of two that are wrong alike" 2 'memhelm: --set l2tlb.ways=19: l2tlb.entries' run --set l2tlb.ways=17 --set l2tlb.ways=19 -w MVT
fails "--cycles by its own name" 2 'memhelm: --cycles 99: tenants.0..leave: cycle 100' \
    "$memhelm" run baseline --set 'tenants[0].leave=100' --cycles 99 -w MVT
fails "a kernel of --workload, though the file has tenants" 2 'memhelm: --workload NOPE: tenants.0..kernel' run --config "$work/tenant.yaml" -w NOPE
fails "--design" 2 'memhelm: --design Static: dram.partition: 3 tenants' run --config "$work/simt.yaml" --design Static -w MVT+MM+BP
fails "the file's line of the design" 2 'static.yaml:2: dram.partition: 3 tenants' run --config "$work/static.yaml" -w MVT+MM+BP
fails "an assignment beside a file that is wrong: the file" 2 'late.yaml:3: sm.lanes' run --config "$work/late.yaml" --set l2.latency=9 -w MVT
fails "dram: --set" 2 'memhelm: --set dram.cl=0: dram.cl: 0 is out of range' "$memhelm" dram --set dram.cl=0 "$work/text.elf"
fails "unknown core: lists the cores" 2 "unknown core 'ibx'; nearest: ibex; there are: ipc1 ibex" "$memhelm" list cores ibx
core="mcu.core: unknown core 'arm'; there are: ipc1 ibex"
fails "of a run" 2 "memhelm: --core arm: $core" run --core arm -w MVT
fails "of a twin" 2 "memhelm: --set mcu.core=arm: $core" run --twin -s mcu.core=arm -w MVT
printf 'preset: mask\nmcu:\n  core: arm\n' > "$work/arm.yaml"
fails "of a file" 2 "memhelm: .*arm.yaml:3: $core" run --twin -c "$work/arm.yaml" -w MVT
fails "of a sweep" any "$core" "$memhelm" sweep -i baseline --vary l2.ways=8 --set mcu.core=arm -w MVT --cycles 5000 --output "$work/arm.sqlite"
fails "of a sweep of twins" any "$core" "$memhelm" sweep -i baseline --vary mcu.core=arm --twin -w MVT --cycles 5000 --output "$work/arm.sqlite"
printf 'core: mine\ntitle: t\nisa: rv32imc\nassumes: nothing\nclasses:\n- {name: alu, cycles: 0, kind: assumed, note: n}\n' > "$work/core.yaml"
fails "a core's table that is wrong: file and line" 2 'core.yaml:6: an instruction takes at least 1 cycle' "$memhelm" list cores "$work/core.yaml"
check "a core's table is shown with its sources" bash -c '"$0" list cores ibex | grep -q "^div  *37  2..38 *doc *IBX-IDEX"' "$memhelm"
# A file that does not agree with an option: neither loses in silence.
printf '# mine\npreset: mask\n' > "$work/g2.yaml"
printf 'preset: mask\ndesign: PWCache\n' > "$work/g4.yaml"
fails "--preset that is not the file's" 2 "memhelm: .*g2.yaml:2: preset 'mask', but --preset dws: leave out one of them *$" run -p dws -c "$work/g2.yaml" -w MVT
fails "--design that is not the file's, which has a preset" 2 "memhelm: .*g4.yaml:2: design 'PWCache', but --design Ideal: leave out one of them *$" \
    run -d Ideal -c "$work/g4.yaml" -w MVT
check "the file's own preset and design" run --twin -p mask -d PWCache -c "$work/g4.yaml" -w MVT --cycles 1000
fails "the same of dram" 2 "g2.yaml:2: preset 'mask', but --preset hbm2: leave out" "$memhelm" dram -p hbm2 -c "$work/g2.yaml" "$work/text.elf"
fails "-c of a number: that is --config, and --cycles is said" 2 'memhelm: --config 2M: cannot open: No such file or directory; --cycles 2M is the length of a run *' \
    "$memhelm" run baseline --twin -w MVT -c 2M
fails "a configuration that is not there" 2 'memhelm: --config none.yaml: cannot open: No such file or directory *' "$memhelm" run baseline --twin -w MVT -c none.yaml
same_cycles() { # whatever the command: the same bytes for 20K, 20k and 20000
    for n in 20K 20k 20000; do
        "$memhelm" run baseline --twin --no-alone -w GUPS --cycles $n --json "$work/run-$n.json" &&
            "$memhelm" search -w BP+CFD --cycles $n --list > "$work/search-$n" &&
            "$memhelm" reproduce mask --cycles $n --row fig11-mask --list > "$work/reproduce-$n" || return 1
    done
    for f in run-20k.json run-20K.json; do cmp "$work/$f" "$work/run-20000.json" || return 1; done
    cmp "$work/search-20K" "$work/search-20000" && cmp "$work/reproduce-20K" "$work/reproduce-20000" &&
        grep -q '"cycles": 20000' "$work/run-20K.json"
}
check "--cycles takes K, M and G" same_cycles
fails "--cycles of many letters" 2 'run.cycles: 2MM is not a whole number' "$memhelm" run baseline --twin -w MVT --cycles 2MM
fails "of a study, too" 2 "cycles: '2T'; allowed: 1..2000000000, such as 500000, 500K or 2M" "$memhelm" reproduce mask --cycles 2T
fails "zero cycles" any 'cycles' "$memhelm" run --image baseline --workload GUPS+MVT --cycles 0
fails "a twin has no mcu" 2 'twin has no mcu: --core does not go with it' run --twin --core ibex --workload GUPS
fails "nor faults to recover from" 2 'twin has no mcu: --on-fault does not' "$memhelm" compare baseline mask --on-fault recover --twin --workload GUPS
check "--help has every list" bash -c '"$0" --help | grep -q "list .*images | presets | designs | kernels | sharing | traces | cores | values | config | metrics" && for l in images presets designs kernels sharing traces cores "values ATAX:256" config metrics; do "$0" list $l > /dev/null || exit; done' "$memhelm"
# A base is as if its keys stood in the file; the list says which file gave a value, and why.
printf '# mine\nbase: hbm9\n' > "$work/base.yaml"
printf 'preset: mask\nbase: [hbm2]\nrun: {cycles: 20000}\n' > "$work/hbm.yaml"
fails "unknown base: file, line, the names" 2 "memhelm: .*base.yaml:2: unknown base 'hbm9'; there are: mask .* gddr5 .* hbm2" run --config "$work/base.yaml" -w MVT
fails "a base that is none" 2 'base.yaml:1: base takes a name, or a list of names' bash -c 'echo "base: {a: b}" > "$0/base.yaml"; "$1" run baseline --config "$0/base.yaml" -w MVT' "$work" "$memhelm"
check "a base in a file is the DRAM set as a file" bash -c 'r() { "$1" run baseline --twin --no-alone -w GUPS --cycles 20000 --json "$2" --config "$3"; }
    r "$1" "$0/a.json" "$0/hbm.yaml" && r "$1" "$0/b.json" hwmodel/config/presets/dram/hbm2.yaml && cmp "$0/a.json" "$0/b.json"' "$work" "$memhelm"
check "every value has its file, line and source" bash -c '"$0" list config --preset dws --design Static > "$1" &&
    grep -q "^mcu.hz  *500000000  *Hz  *presets/mask.yaml:[0-9]*: .ours. a small core" "$1" &&
    grep -q "^dram.partition  *1  *-  *designs/Static.yaml:[0-9]*: .sec 7.$" "$1" &&
    grep -q "^dram.rank_hits  *64  *row hits  *presets/dram/gddr5.yaml:[0-9]*: .ours. as hit_cap" "$1" &&
    [ "$(grep -c "^[a-z0-9]*\.[a-z0-9_]* .*\.yaml:[0-9]" "$1")" = "$(grep -c "^[a-z0-9]*\.[a-z0-9_]* " <("$0" list config))" ]' "$memhelm" "$work/sources"
fails "sources of an unknown preset: lists the presets" 2 "unknown preset 'dsw'; nearest: dws; there are: mask fermi" "$memhelm" list config --preset dsw
fails "--preset of another list" any '--preset and --design go with .config. alone' "$memhelm" list images --preset mask
fails "a second --preset of a list" any "list: --preset given twice: 'mask', then 'dws'" "$memhelm" list config -p mask -p dws
check "list --help teaches it" bash -c '"$0" list --help | grep -q "list config --preset dws --design PWCache"' "$memhelm"
# What can be given once does not silently replace what was given before.
fails "a second --workload: tenants are joined" 2 "workload given twice: join tenants with \+, as in --workload 'MVT\+GUPS'" run -w MVT -w GUPS
fails "of compare, too" 2 'workload given twice' "$memhelm" compare baseline mask -w MVT --workload GUPS
for option in preset design config json timing keep epochs registers counts dram-trace faults trace; do
    fails "a second --$option" 2 "memhelm run: --$option given twice: 'a', then 'b'" "$memhelm" run baseline "--$option" a "--$option" b -w GUPS
done
for pattern in 'memhelm_*,file=/tmp/x' help '?' '' -memhelm_x events=/etc/passwd 'memhelm_*
x'; do
    fails "--trace '$pattern'" 2 "trace: '.*' is no pattern of trace events: .*such as 'memhelm_[*]'" run -w GUPS "--trace=$pattern"
done
check "--trace of one event" bash -c '"$0" run baseline -w GUPS --no-alone --cycles 5000 --trace memhelm_gpu_latched 2>&1 | grep -q "^memhelm_gpu_latched t "' "$memhelm"
check "--mcu-hz 500M is 500000000" bash -c 'for hz in 500M 500000000; do
    "$1" run baseline -w GUPS --no-alone --cycles 5000 --mcu-hz $hz --json "$0/$hz.json" || exit; done; cmp "$0/500M.json" "$0/500000000.json"' "$work" "$memhelm"
fails "--mcu-hz that is none" 2 "memhelm: --mcu-hz 500X: mcu.hz: 500X is no clock in Hz, such as 25000000, 25M or 2G" run --mcu-hz 500X -w GUPS
fails "the same of budget" 2 "mcu-hz: '500X' is no clock in Hz; such as 25000000, 25M or 2G" "$memhelm" budget mask --mcu-hz 25M,500X
check "--version, of every command" bash -c 'for c in "" run compare classes reproduce budget latency dram trace list; do
    "$0" $c --version | grep -q "^memhelm [0-9.]*, .*register table version [0-9]" || exit; done' "$memhelm"
fails "no such option" any '[Tt]ry|usage|--help' "$memhelm" run --nosuch
silly=(--twin -w GUPS --cycles 5000 -s dram.queue=64)
fails "writes may fill the DRAM queue: said" 0 'dram.write_high 64 of dram.queue 64: writes fill the queue' run "${silly[@]}" --no-alone
fails "of compare, too" 0 'dram.write_high 64 of dram.queue 64: writes fill' "$memhelm" compare baseline mask "${silly[@]}"
once() { # COMMAND...: says it once, however many runs have it
    [ "$("$@" 2>&1 | grep -c '^memhelm: dram.write_high 64 of dram.queue 64: writes fill')" = 1 ]
}
check "of a sweep, once" once "$memhelm" sweep -i baseline,mask "${silly[@]}" --vary l2.ways=8,16 --dry-run --output "$work/silly.points"
check "of a study, too" once "$memhelm" reproduce mask --row fig11-mask --set dram.queue=64 --list
check "not where a part is theirs" bash -c '! "$@" 2>&1 | grep "writes fill"' - "$memhelm" run baseline "${silly[@]}" --no-alone -s dram.write_high=16
check "a recorded trace runs as a tenant" run --workload "trace:$data/pb_atax_k1.w64.gmt.zst+GUPS" --json "$work/t.json"
check "--help teaches" bash -c '"$0" --help | grep -q compare && "$0" run --help | grep -q -- --workload' "$memhelm"
fails "a matrix that has no end and is no text" 2 '/dev/zero:1: a NUL byte, which no text has' timeout 30 "$memhelm" run baseline --twin -w SPMV:/dev/zero --cycles 1000
finish
