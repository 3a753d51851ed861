#!/usr/bin/env bash
# Each command's --help has three examples or more, and they are right: run as they stand, on files of these names.
. "$(dirname "$0")/lib.sh" "$1"
here=$PWD/$(dirname "$0") memhelm=$PWD/$memhelm build=$PWD/$build
files=$work/files
mkdir -p "$work/bin" "$work/run" "$files/tests" "$files/traces"
ln -s "$memhelm" "$work/bin/memhelm"
ln -s "$PWD/tests/data" "$files/tests/data"
ln -s "$PWD/firmware" "$files/firmware"
cp tests/data/traceg/* "$files/traces"
for image in mine my; do
    cp "$build/firmware/mask-tlb.elf" "$files/$image.elf"
done
cp tests/data/pb_gemm.w64.gmt.zst "$files/k.w64.gmt.zst"
cp tests/data/pb_gemm.w64.gmt.zst "$files/mine.gmt.zst"
for name in bfs lud; do
    cp tests/data/pb_gemm.w32.gmt.zst "$files/$name.gmt.zst"
done
"$memhelm" sign --new-key "$files/mine.pem"
(cd "$files" && "$memhelm" init mine --here && mkdir policies && cp mine.c policies) > "$work/made.init"
seq 0 64 640 | while read -r n; do printf '0x%x READ %d\n' "$n" "$n"; done > "$files/trace.txt"
zstd -q "$files/trace.txt" -o "$files/trace.zst"
gzip -k -c "$files/trace.txt" > "$files/trace.gz"
printf 'image: [baseline, mask]\nworkload: MVT:64+GUPS:1024\ncycles: 5K\nvary: {l2tlb.entries: [128, 512]}\n' > "$files/tlb.yaml"
cd "$files" || exit 1
small=(-w MVT:64+GUPS:1024 --twin --cycles 20000 --set run.epoch=5000)
{
    "$memhelm" sweep --image baseline,mask --workload MVT:64+GUPS:1024 --vary l2tlb.entries=128,512 --twin --cycles 20000 --output sweep.sqlite
    for store in one two study; do
        "$memhelm" sweep --image baseline --workload GUPS:1024 --twin --cycles 5000 --results $store.sqlite --output rest.sqlite
    done
    "$memhelm" explain baseline mask "${small[@]}" --json runs.json
    "$memhelm" run baseline "${small[@]}" --epochs baseline.csv
    "$memhelm" run mask-tlb "${small[@]}" --epochs mask-tlb.csv
    "$memhelm" reproduce dws --row fig5-sad-mm --cycles 5000 --twin --json dws.json
    "$memhelm" search --pairs LS+BI --cycles 2000 --json search.json
} > "$work/made.out" 2>&1
zstd -dqc "$here/../../host/reproduce/results/dws.json.zst" > dws.json
python3 "$here/examples.py" "$memhelm" "$here/../../host/cmd/commands.def" "$work"
