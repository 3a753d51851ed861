#!/usr/bin/env bash
# quick: one of the scripts of make check
# `memhelm explain`: stacks that add up, sentences, what is written; and `waits` of a run.
. "$(dirname "$0")/lib.sh" "$1"
small=(-w RED+MVT --cycles 30000 --set sm.count=4 --twin)

fails "two stacks and three sentences for each tenant" 0 \
    'SM cycles per warp instruction, 30000 GPU cycles, seed 1 +RED +baseline +mask +change +of all +instructions .* all .*RED runs .* under mask (as|than) .* SM cycles per warp instruction for .*Now the largest part is .* % of all.*MVT runs ' \
    "$memhelm" explain baseline mask "${small[@]}" --json "$work/x.json" --markdown "$work/x.md" --plots "$work/plots"
check "each run's waits add up to its stalls, and its SMs' cycles" python3 -c '
import json, sys
for r in json.load(open(sys.argv[1]))["results"]:
    run, cfg = r["run"], r["config"]
    assert len(run["waits"]) == 2
    for waits, tenant, t in zip(run["waits"], run["tenants"], cfg["tenants"]):
        causes = {k: v for k, v in waits.items() if not k.startswith("of_")}
        stalls = sum(v for k, v in causes.items() if k != "empty")
        assert stalls == tenant["sm_stalls"] > 0, (stalls, tenant["sm_stalls"])
        cycles = t["sm_count"] * run["cycles"]  # instructions that issue at the end count whole
        assert stalls + causes["empty"] + tenant["warp_instr"] / cfg["sm"]["schedulers"] <= cycles + 64 + 64
        assert waits["of_tlb_mshr"] + waits["of_mshr"] <= stalls' "$work/x.json"
check "the table says what the run has" python3 -c '
import json, re, sys
r = json.load(open(sys.argv[1]))["results"][1]
waits, tenant = r["run"]["waits"][0], r["run"]["tenants"][0]
text = open(sys.argv[2]).read().split("| MVT")[0]
row = re.search(r"\| walk \|([^|]*)\|([^|]*)\|", text)
assert abs(float(row[2]) - waits["walk"] / tenant["warp_instr"]) < 0.006, (row[2], waits["walk"] / tenant["warp_instr"])
parts = [float(m) for m in re.findall(r"\| (?:instructions|[a-zA-Z0-9 ]+) \| [^|]* \| ([0-9.]+) \|", text)]
assert len(parts) > 5' "$work/x.json" "$work/x.md"
check "figures" [ -s "$work/plots/waits.svg" -a -s "$work/plots/waits.png" ]
drawn "  which any reader draws" "$work/plots"/*.svg
long=$work/an-image-of-a-name-that-is-longer-than-any-figure-has-room-for-$(printf '%040d' 0).elf
cp "$build/firmware/mask.elf" "$long"
check "of an image with a long name" "$memhelm" explain baseline "$long" -w BP:4096+SCP+MVT+GUPS --cycles 5000 --set sm.count=4 --plots "$work/long"
drawn "  which is not cut off" "$work/long"/*.svg
fails "shared SMs: it says how cycles are divided" 0 'SMs are shared: cycles with an issue are divided by instructions' \
    "$memhelm" explain baseline ccbp -p ccbp -w BP:4096+SCP --cycles 20000 --set sm.count=2 --twin
fails "pages that are not there: the wait for them is a part of its own" 0 'page fault +[1-9]' \
    timeout 60 "$memhelm" explain baseline etc -p etc -w ATAX --set uvm.mode=on --set uvm.capacity=75% --cycles 2M --twin
fails "firmware in QEMU" 0 'runs .* under mask' "$memhelm" explain baseline mask -w BP:4096+SCP --cycles 20000 --set sm.count=2
"$memhelm" explain baseline mask "${small[@]}" > "$work/a" 2> /dev/null
"$memhelm" explain baseline mask "${small[@]}" > "$work/b" 2> /dev/null
check "the same words again" cmp <(grep -v cycles/s "$work/a") <(grep -v cycles/s "$work/b")
"$memhelm" run baseline "${small[@]}" -o "$work/off.json" > /dev/null 2>&1
check "without the key there are no waits" python3 -c '
import json, sys
assert "waits" not in json.load(open(sys.argv[1]))["run"]' "$work/off.json"
fails "one image" 2 'two images, such as: baseline mask' "$memhelm" explain baseline "${small[@]}"
fails "three" 2 'two images' "$memhelm" explain baseline mask dws "${small[@]}"
fails "an unknown image" 2 "unknown image 'nope'" "$memhelm" explain baseline nope "${small[@]}"
fails "a figure's folder that cannot be made, before anything runs" 2 'null' "$memhelm" explain baseline mask "${small[@]}" --plots /dev/null/x
finish
