#!/usr/bin/env bash
# A name that is nearly right: wherever one is looked up, the error says which one was meant.
. "$(dirname "$0")/lib.sh" "$1"

near() { # WHAT NAME ARGUMENTS..: refused as bad input, and NAME is said to be the nearest
    local what=$1 name=$2
    shift 2
    fails "$what" 2 "; nearest: $name[;) ]" timeout 60 "$memhelm" "$@"
}
run() {
    near "$1" "$2" run baseline --no-alone --cycles 5000 "${@:3}"
}

near "a command" compare comapre baseline mask
near "a command that goes on" reproduce reprodu mask
near "an image" mask-tlb run mask-tbl -w GUPS
near "an image of a comparison" simt compare baseline simd -w GUPS
near "an image's twin" mask-tlb run masktlb --twin -w GUPS
run "a preset" integrated -p intergrated -w GUPS
run "a design" PWCache -d pwcach -w GUPS
run "a kernel" GUPS -w GUPPS:4096
run "a kernel with a variant" SSSP -w SSSPP@mesh+MVT
run "a core" picorv32 --core picorv23 -w GUPS
run "a key" l2.ways -w GUPS -s l2.wayz=3
near "a preset of list config" simt list config simtt
near "a preset's sources" ccbp list config --preset ccpb
near "a design's sources" Ideal list config --design ideel
near "a list" kernels list kernals
near "a DRAM set" gddr5 dram /dev/null -p gdr5
near "a study" partition reproduce partitions
near "a study of sensitivity" simt sensitivity simtt
near "a row" fig11-mask reproduce mask --row fig11-msk
near "a table" map-dws-mshrs reproduce map --row map-dws-mshr
near "an assumption" sm.lsu_queue sensitivity mask --list --key sm.lsu_queues
near "what to do with a trace" info trace infos x
near "a paper of classes" etc classes --paper etcc
near "a kernel of classes" HISTO256 classes --kernel HISTO265
near "a metric of a search" weighted search -w BP+CFD --metric weigted
near "a class of pairs" 'LS\+BI' search --pairs LS+BJ
sed 's/^images:/imagess:/' host/latency/set.yaml > "$work/set.yaml"
near "a key of a rows file" images latency --reference "$work/set.yaml"
sed 's/{name: alu,/{name: allu,/' host/mcu/cores/picorv32.yaml > "$work/core.yaml"
near "a class of a core's instructions" alu list cores "$work/core.yaml"
near "a format" markdown table /nowhere --format mrkdown
near "a mean" geometric table /nowhere --mean geometrc
near "a relation" difference table /nowhere --as diference
# Long options are never abbreviated, at no level; the error has what is meant, and the key of that name.
near "a part of an option" --epochs run baseline --twin -w GUPS --epo 10000
near "an option of a group of several commands" --workload reproduce mask --workl MVT
near "an option that every command has" --color list --colo never images
near "argp's own" --version run --vers
near "letters changed places" --cycles run baseline -w GUPS --cylces=10000
near "behind the value of an option, which may look like one" --twin run -c --epoch --twi baseline
near "a flag behind letters" --twin run -ibaseline --twi
near "with what it takes" '--epochs FILE, or -s run.epoch=10000 Try' run baseline --twin -w GUPS --epoch 10000
near "with =" '--epochs FILE, or -s run.epoch=10000 Try' run baseline --twin -w GUPS --epoch=10000
fails "an option in the place of a file's name" 2 "run: --json needs a file's name, and '--twin' looks like an option; ./--twin is a file of that name" "$memhelm" run baseline -w GUPS --cycles 5000 --json --twin
check "a name that begins so is none, nor is what stands behind =" bash -c 'cd "$1" && "$0" run baseline --twin --no-alone -w GUPS --cycles 5000 --json -x.json --timing=-w --epochs=--twin && ls ./-x.json ./-w ./--twin' "$(realpath "$memhelm")" "$work"
fails "of a folder's" 2 "run: --keep needs a folder's name, and '-w' looks like an option" "$memhelm" run baseline --keep -w GUPS
fails "a key that no option is near to" 2 'memhelm run: --write-high: no such option; -s dram.write_high=3 Try' "$memhelm" run baseline --write-high 3 -w GUPS
fails "a whole key" 2 'memhelm compare: --l2.ways: no such option; -s l2.ways=8 Try' "$memhelm" compare baseline mask -w GUPS --l2.ways=8
fails "neither" 2 'memhelm trace: --zzz: no such option Try' "$memhelm" trace info --zzz x
fails "a part of an option of memhelm itself" 2 "unknown command '--hel'; nearest: --help;" "$memhelm" --hel
check "what is behind -- is no option" bash -c '[ "$("$0" completion words -- run --epo | cut -f 1)" = --epochs ]' "$memhelm"
fails "nor what a recorded program is given" any 'no such program' "$memhelm" record -o "$work/x.gmt" "$work/none" --laun
check "nothing was written by any of these" bash -c '! ls "$0" 10000 2>/dev/null | grep 10000' "$work"
# A word in another's place: what it is, and the option that takes it.
is() { # WHAT TEXT ARGUMENTS..
    fails "$1" 2 "$2 *(Try|$)" timeout 60 "$memhelm" "${@:3}"
}
cp tests/data/inputs/graph.mtx "$work/g.mtx" && cp tests/data/pb_bicg.w64.gmt.zst "$work/k.gmt.zst" && echo 'preset: mask' > "$work/gpu.yaml" && cp "$build/firmware/mask.elf" "$work/own"
is "a workload as an image" 'run: MVT\+GUPS is a workload: -w MVT\+GUPS' run MVT+GUPS
is "behind one" 'run: mvt:1024\+trace:x.gmt is a workload: -w mvt:1024\+trace:x.gmt' run mask mvt:1024+trace:x.gmt
is "of compare" 'compare: GUPS is a workload: -w GUPS' compare baseline GUPS
is "an image as a workload, which is a preset, too" 'run: mask is an image: -i mask; mask is a preset: -p mask' run -w mask
is "an image as a tenant" 'run: mask-tlb is an image: -i mask-tlb' run -i baseline -w MVT+mask-tlb
is "a preset as an image" 'run: fermi is a preset: -p fermi' run -i fermi -w MVT
is "tenants behind a comma" 'run: [+] joins tenants: -w GUPS\+3DS' run dws -w GUPS,3DS
is "a workload as a preset" 'run: GUPS is a workload: -w GUPS' run -p GUPS
is "a design as a preset" 'run: PWCache is a design: -d PWCache' run baseline -p PWCache -w GUPS
is "a preset as a design" 'compare: dws is an image: -i dws; dws is a preset: -p dws' compare baseline mask -d dws -w GUPS
is "a preset as a configuration" 'run: fermi is a preset: -p fermi' run baseline -c fermi -w GUPS
is "a core as an image" 'explain: ibex is a core: --core ibex' explain baseline ibex -w GUPS
is "an image as a core" "unknown core 'mask-tlb'; mask-tlb is an image: -i mask-tlb" run baseline --core mask-tlb -w GUPS
is "a graph as an image" "run: .*/g.mtx is no ELF file; a kernel may take it: -w SPMV:.*/g.mtx" run "$work/g.mtx"
is "as a workload" "run: .*/g.mtx is a file, which a kernel may take: -w SPMV:.*/g.mtx" run baseline -w "$work/g.mtx"
is "a recording as a workload" 'run: .*/k.gmt.zst is a recorded trace: -w trace:.*/k.gmt.zst' run baseline -w "$work/k.gmt.zst"
is "a configuration as an image" 'run: .*/gpu.yaml is a configuration: -c .*/gpu.yaml' run "$work/gpu.yaml" -w GUPS
is "a file of an image as a workload" 'run: .*/own is an image: -i .*/own' run -w "$work/own"
is "images and workloads of a sweep" "unknown image 'GUPS'; GUPS is a workload: -w GUPS" sweep -i GUPS -w mask --vary l2.ways=8
is "a sweep's file" 'sweep: MVT\+GUPS is a workload: -w MVT\+GUPS' sweep MVT+GUPS
is "a design of a sweep: by the option that it has" "unknown preset 'PWCache'; PWCache is a design: --design PWCache" sweep -i baseline -w GUPS -p PWCache --vary l2.ways=8
is "where there is no place for a word" 'search: BP\+CFD is a workload: -w BP\+CFD' search BP+CFD
is "where no option takes it" "unknown image 'GUPS'; GUPS is a workload" budget GUPS
is "of latency" "unknown image 'fermi'; fermi is a preset: -p fermi" latency fermi
fails "of a study" 2 "'MVT\+GUPS' is no paper here; MVT\+GUPS is a workload: -w MVT\+GUPS; there are: mask" "$memhelm" reproduce MVT+GUPS
is "a workload as a trace" 'trace: GUPS is a workload' trace info GUPS
is "an image as a page's file" 'report: mask-tlb is an image' report mask-tlb
is "as an epoch log" 'plot: mask-tlb is an image' plot --epochs mask-tlb
is "a core as a kernel with a class" 'classes: ibex is a core' classes --kernel ibex
is "a design of a sweep, as that of a run" "unknown design 'fermi'; fermi is a preset: -p fermi" sweep -i baseline -w GUPS --design fermi
fails "as a paper of theirs" 2 "'GUPS'; GUPS is a workload; there are: mask" "$memhelm" classes --paper GUPS
fails "a trace as what is done with it" 2 "trace: '.*/k.gmt.zst'; .*/k.gmt.zst is a recorded trace; there are: info convert" "$memhelm" trace "$work/k.gmt.zst"
fails "a workload as a command" 2 "unknown command 'MVT\+GUPS'; MVT\+GUPS is a workload; there are: demo run" "$memhelm" MVT+GUPS
check "a preset's file is one" timeout 60 "$memhelm" run baseline --twin --no-alone -p "$work/gpu.yaml" -w GUPS --cycles 5000
check "an image's path is one" timeout 60 "$memhelm" run "$work/own" --no-alone -w GUPS --cycles 5000
fails "far from all: no guess" 2 "unknown image 'xyzzy' \(no file [^;]*\); there are:" "$memhelm" run xyzzy -w GUPS
finish
