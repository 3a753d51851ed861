#!/usr/bin/env bash
# The timeline on a page of `memhelm report`: what a log has, what a browser shows of it, zoomed and not.
. "$(dirname "$0")/lib.sh" "$1"
memhelm=$PWD/$memhelm
cd "$work" || exit 1
python3 - <<'PY'
import json
def log(name, epochs, length, latency, row):
    with open(name, "w") as f:
        f.write("epoch,cycle,latency,tenant,lane_instr,l2tlb_access,l2tlb_hit,tokens,dram_queues\n")
        for e in range(epochs):
            for t in range(2):
                f.write(f"{e},{length * (e + 1)},{0 if e + 1 == epochs else latency(e)},{t},{','.join(map(str, row(e, t)))}\n")
log("log.csv", 8, 1000, lambda e: "" if e in (2, 5) else 100 + e, lambda e, t: (1234 * (e + 1) + t, 50 + e, 7 * t, 10 * e + t, e // 4))
# Of 100000 epochs one is the fastest, one the slowest.
log("many.csv", 100000, 5000, lambda e: 40 + e % 7, lambda e, t: (99999 if e == 54321 else 1 if e == 76543 else 20000 + e * 7919 % 100, 9, 0, e % 5, 0))
name = "tenant 0 </script><script>document.title='PWNED'</script>\"'&"
samples = [{"ph": "C", "pid": 5, "tid": 1, "ts": 1.0 * i, "name": "IPC", "args": {"value": i}} for i in range(8)]
group = {"ph": "M", "pid": 5, "tid": 1, "name": "process_name", "args": {"name": name}}
slice = {"ph": "X", "pid": 5, "tid": 1, "ts": 2.5, "dur": 0.5, "name": name, "args": {"cycle": 2500, "cycles": 500}}
fault = [{"ph": ph, "pid": 5, "tid": 1, "ts": ts, "cat": "fault", "id": 3, "name": "tenant 1"} for ph, ts in (("b", 4.0), ("e", 6.0))]
json.dump({"schema": "memhelm-timeline-1", "otherData": {"gpu_hz": 1000000000, "sample_cycles": 1000},
           "traceEvents": [group, *samples, slice, *fault]}, open("evil.json", "w"))
PY
fails "a log and events" 0 '^page/index.html' "$memhelm" report log.csv evil.json -o page
fails "a log of 100000 epochs" 0 '^many/index.html' timeout 60 "$memhelm" report many.csv -o many
thinned() {
    python3 - <<'PY'
import os, re
page = open("many/index.html").read()
assert "a line of more than 4000 values, here up to 100000, is cut into 2000 parts" in page
assert os.path.getsize("many/index.html") < 1 << 20, os.path.getsize("many/index.html")
ipc = re.search(r'aria-label="IPC, tenant 0">.*? d="([^"]*)"', page)[1]
values = re.findall("[MV]([^MHV]+)", ipc)
assert 2000 < len(values) <= 4000 and {"19.9998", "0.0002"} < set(values), len(values)
assert "V19.9998H" in ipc and f"H{5000 * 54321}V19.9998H" in ipc, "at its own cycle"
PY
}
check "  is thinned, says so, and keeps the extremes where they are" thinned
check "the same bytes again" bash -c 'cp many/index.html first && "$0" report many.csv -o many > /dev/null && cmp first many/index.html' "$memhelm"
fails "events of which nothing is known" 0 '^none/index.html' "$memhelm" report <(echo '{"schema": "memhelm-timeline-1", "traceEvents": [{"ph": "C"}, {"ph": "e"}, 7]}') -o none
check "a name is text" bash -c '! grep -q "<script>document" page/index.html && grep -q "tenant 0 &lt;/script&gt;&lt;script&gt;" page/index.html'

if ! command -v chromium > /dev/null; then
    tests=$((tests + 1))
    echo "ok $tests - a browser zooms it # SKIP Chromium is not installed: qemu/get-deps.sh browser"
    finish
fi
timeout 120 python3 "$e2e/zoom.py" page/index.html > seen.json
see() { # NAME EXPRESSION of `s`
    check "$1" python3 -c 'import json, sys
s = json.load(open("seen.json"))
assert eval(sys.argv[1]), s' "$2"
}
see "a browser shows the whole run, without an error" 's["errors"] == [] and s["whole"]["views"] == ["0,8000"] and s["whole"]["ticks"][1:] == ["2000", "4000", "6000", "8000 GPU cycles"]'
see "  and each line's range" 's["whole"]["values"][:2] == ["1.234 to 9.872", "1.235 to 9.873"] and s["whole"]["title"] == "memhelm: log"'
see "  and nothing less without a script" 's["no script"]["drawn"] == s["whole"]["drawn"] == 12 and s["no script"]["values"] == s["whole"]["values"] and s["whole"]["tools"] and not s["no script"]["tools"]'
# Values under the pointer are those of the log: of the epoch, of the last decision, of the last COMMIT.
readout() {
    python3 - <<'PY'
import csv, json, re
shown = json.load(open("seen.json"))["at"]
rows = list(csv.DictReader(open("log.csv")))
for place, s in shown.items():
    cycle = int(re.search(r"pointer: (\d+)", s["range"])[1])
    assert abs(cycle - 8000 * float(place)) < 20, (cycle, place)
    epoch = [r for r in rows if int(r["epoch"]) == cycle // 1000]
    decided = [r for r in rows if int(r["cycle"]) <= cycle]
    done = [r for r in decided if int(r["cycle"]) + int(r["latency"] or 0) <= cycle]
    last = lambda of, key: of[-2][key] if of else "-"
    want = ["%g" % (int(r["lane_instr"]) / 1000) for r in epoch] + [last(decided, "latency") or "missed"]
    want += [last(done, "tokens"), done[-1]["tokens"] if done else "-", last(done, "dram_queues")]
    want += [str(int(r["l2tlb_access"]) - int(r["l2tlb_hit"])) for r in epoch]
    assert s["values"][:8] == want, (place, s["values"], want)
PY
}
check "values at the pointer are those of the log" readout
see "  and of the events" 's["at"]["0.3"]["values"][8:] == ["2", "-", "-"] and s["at"]["0.55"]["values"][8:] == ["4", "500", "2000"] and s["at"]["0.9"]["values"][8:] == ["7", "500", "2000"]'
see "the wheel scrolls the page before a click" 's["wheel before a click"]["views"] == ["0,8000"]'
see "keys: zoom at the pointer, move, back" '[k["views"] for k in s["keys"]] == [["2000,4000"], ["2500,4000"], ["2000,4000"], ["0,8000"], ["2000,4000"]]'
see "  and the axis follows" 's["keys"][0]["ticks"] == ["2000", "3000", "4000", "5000", "6000 GPU cycles"] and s["keys"][0]["range"].startswith("GPU cycles 2000 to 6000")'
see "drag: what is under the pointer stays there" 'abs(float(s["dragged"]["views"][0].split(",")[0]) - 1000) < 20'
see "wheel after a click" 'abs(float(s["wheel"]["views"][0].split(",")[1]) - 3200) < 1'
see "0: the whole run" 's["0"]["views"] == ["0,8000"]'
see "buttons" 's["button"]["views"][0].endswith(",4000")'
see "two fingers" 'abs(float(s["pinched"]["views"][0].split(",")[1]) - 8000 / 3) < 60 and abs(float(s["pinched"]["views"][0].split(",")[0]) - 8000 / 3) < 60'
finish
