#!/usr/bin/env bash
# `memhelm run --timeline`: trace events of the mcu, tenants, walks, DRAM queues and page faults.
. "$(dirname "$0")/lib.sh" "$1"
here=$(dirname "$0")
run() {
    "$memhelm" run mask -w MVT+GUPS --no-alone --cycles 500000 --set sm.count=8 "$@"
}

check "written" run --timeline "$work/t.json" --json "$work/t.result" --counts "$work/t.counts"
check "it is what Perfetto reads, beside the run's counters" bash -c 'python3 "$@" > "$0"' "$work/t.seen" "$here/timeline.py" "$work/t.json" "$work/t.result"
seen() { # FILE EXPRESSION of `s`
    python3 -c 'import json, sys
s = json.load(open(sys.argv[1]))
assert eval(sys.argv[2]), s' "$@"
}
check "the mcu: awake, its interrupt, the decision, the hook in it, COMMIT" seen "$work/t.seen" '
all(s["kinds"].get(k) for k in ("awake", "interrupt", "epoch decision", "SNAPSHOT", "COMMIT")) and any(k.startswith("mask_tokens.") for k in s["kinds"])'
check "decisions and hooks take what the mcu executed, and its stalls" python3 -c '
import json, sys
events, core, run = (json.load(open(f)) for f in sys.argv[1:])
ratio, spans = 1020 / 500, core["spans"]  # GPU cycles to one of the mcu
mean = lambda values: sum(values) / len(values)
def same(kind, chosen):
    took = [e["args"]["cycles"] for e in events["traceEvents"] if e["ph"] == "X" and chosen(e["name"])]
    samples = [s for span in spans if span["kind"] == kind for s in span["samples"]]
    assert 2 < len(took) <= len(samples), (kind, len(took), len(samples))
    for t in took:  # hooks have samples of the boot, too, which is before the timeline
        assert min(abs(t / ratio - c - stalls) for _, c, stalls in samples) < 2, (kind, t)
    assert kind == "hook" or abs(mean(took) / ratio - mean([c + stalls for _, c, stalls in samples])) < 1, kind
same("source", lambda name: name == "epoch decision")
same("hook", lambda name: ".on_" in name)
irq = [e["args"]["cycles"] for e in events["traceEvents"] if e["name"] == "interrupt"]
result = run["run"]["core"]
assert len(irq) == result["irq_latency_count"] and abs(mean(irq) / ratio - result["irq_latency_sum"] / len(irq)) < 1' \
    "$work/t.json" "$work/t.counts" "$work/t.result"
run --timeline "$work/u.json" > /dev/null
check "the same bytes again" cmp "$work/t.json" "$work/u.json"
run --json "$work/none.result" > /dev/null
check "a run with it is the run" cmp "$work/none.result" "$work/t.result"
check "as a twin" run --twin --timeline "$work/twin.json" --json "$work/twin.result"
run --twin --json "$work/twin.none" > /dev/null
check "  which is the run, too" cmp "$work/twin.none" "$work/twin.result"
check "  and has no slices: its mcu takes no time" bash -c 'python3 "$1" "$2" "$3" > "$0"' "$work/twin.seen" "$here/timeline.py" "$work/twin.json" "$work/twin.result"
check "  but COMMITs" seen "$work/twin.seen" 's["kinds"].keys() == {"SNAPSHOT", "COMMIT"}'
"$memhelm" run helm -w MVT+GUPS -p dws --no-alone --cycles 500000 --twin --timeline "$work/helm.json" --registers "$work/helm.log" > /dev/null
check "knobs of the whole GPU, as the register log has them, where they change" python3 -c '
import json, sys
knobs, written, last = {0x1824: "DRAM_QUEUES", 0x1828: "WALK_ORDER", 0x1850: "WALK_QUEUES", 0x1854: "WALK_STEAL"}, [], {}
for line in open(sys.argv[2]):
    cycle, write, offset, value, ok = line.split()
    name = knobs.get(int(offset, 16))
    if write == "W" and name and last.get(name) != value:
        written.append((name, int(value, 16)))
        last[name] = value
seen = [(e["name"], e["args"]["value"]) for e in json.load(open(sys.argv[1]))["traceEvents"] if e["name"] in knobs.values()]
assert len(seen) > 3 and seen == written, (seen, written)' "$work/helm.json" "$work/helm.log"
counters() { # what both have, of an infinitely fast mcu
    run --mcu-hz inf --timeline "$work/inf.json" > /dev/null
    cmp <(grep '"ph":"C"' "$work/inf.json") <(grep '"ph":"C"' "$work/twin.json")
}
check "counters of a twin are those of firmware that takes no time" counters
check "few samples of a long run: merged" run --twin --set run.log_timeline=10 --timeline "$work/fine.json" --json "$work/fine.result"
check "  into periods of twice as long, and so on" bash -c 'python3 "$1" "$2" "$3" > "$0"' "$work/fine.seen" "$here/timeline.py" "$work/fine.json" "$work/fine.result"
check "  of which there are at most 2048" seen "$work/fine.seen" 's["period"] == 320'
check "page faults" "$memhelm" run etc -p etc -w ATAX --no-alone --set uvm.mode=on --set uvm.capacity=75% --cycles 2M --timeline "$work/f.json" --json "$work/f.result"
check "  that begin and end" bash -c 'python3 "$1" "$2" "$3" > "$0"' "$work/f.seen" "$here/timeline.py" "$work/f.json" "$work/f.result"
check "  as many as were resolved" seen "$work/f.seen" 's["faults"] > 5 and s["other"]["page faults"].startswith("%d of " % s["faults"])'
odd=$work/$'a \'"b'
mkdir "$odd"
check "spaces and quotes in a path" run --twin --timeline "$odd/t.json"
fails "a file that cannot be written, before anything runs" 2 'null' run --timeline /dev/null/x
fails "one file for two results" 2 'two results would be written' run --timeline "$work/x" --epochs "$work/x"
fails "a period that is no number" 2 'run.log_timeline' run --twin --set run.log_timeline=often --timeline "$work/x"
check "--timeline is completed and has a line in --help" bash -c '"$0" run --help | grep -q -- --timeline' "$memhelm"
finish
