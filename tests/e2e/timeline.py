"""timeline.py FILE [RESULT.json]: what FILE, trace events, has to be for Perfetto, and beside the run's counters."""
import json, sys

data = json.load(open(sys.argv[1]))
events, other = data["traceEvents"], data["otherData"]
hz, period = other["gpu_hz"], other["sample_cycles"]
named = {e["pid"]: e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "process_name"}
assert all(e["pid"] in named for e in events)

# Slices of a track lie within one another or apart; what holds others comes first.
open_until, last = {}, {}
for e in (e for e in events if e["ph"] == "X"):
    begin, end = e["args"]["cycle"], e["args"]["cycle"] + e["args"]["cycles"]
    assert abs(e["ts"] - begin / hz * 1e6) < 0.002 and abs(e["dur"] - e["args"]["cycles"] / hz * 1e6) < 0.002, e
    place = e["pid"], e["tid"]
    track = open_until.setdefault(place, [])
    assert begin >= last.get(place, 0), e
    last[place] = begin
    while track and track[-1] <= begin:
        track.pop()
    assert not track or end <= track[-1], (e, track)
    track.append(end)

# Counters: each track has a value every so often, but knobs, which are with the mcu; faults begin and end.
tracks = {}
for e in (e for e in events if e["ph"] == "C" and not named[e["pid"]].startswith("mcu")):
    tracks.setdefault((named[e["pid"]], e["name"]), []).append((e["ts"], e["args"]["value"]))
for name, values in tracks.items():
    for i, (ts, _) in enumerate(values):
        assert abs(ts - i * period / hz * 1e6) < 0.002, (name, i, ts)
begun = {e["id"]: e["ts"] for e in events if e["ph"] == "b"}
ended = {e["id"]: e["ts"] for e in events if e["ph"] == "e"}
assert begun.keys() == ended.keys() and all(begun[i] <= ended[i] for i in begun)

if len(sys.argv) > 2:
    run = json.load(open(sys.argv[2]))["run"]
    count = len(next(iter(tracks.values())))
    assert count * period <= run["cycles"] < (count + 1) * period, (count, period, run["cycles"])
    for t, tenant in enumerate(run["tenants"]):
        name = next(n for n in named.values() if n.startswith(f"tenant {t} "))
        covered = count * period / run["cycles"]
        for track, counter in ("IPC", "lane_instr"), ("SMs stalled", "sm_stalls"):
            sum_of = sum(v for _, v in tracks[name, track]) * period
            assert abs(sum_of - tenant[counter]) <= (1 - covered + 0.001) * tenant[counter] + 1, (track, sum_of, tenant[counter])
        launches = [e["args"] for e in events if e.get("args", {}).get("tenant") == t and "launch" in e["args"]]
        assert [l["launch"] for l in launches] == list(range(len(launches))) and sum(l["finished"] for l in launches) == tenant["launches"]
        assert sum(l["lane_instr"] for l in launches) == tenant["lane_instr"]
kinds = {}
for e in events:
    if e["ph"] in "Xi" and "launch" not in e["args"]:
        kinds[e["name"]] = kinds.get(e["name"], 0) + 1
print(json.dumps({"period": period, "tracks": len(tracks), "faults": len(begun), "kinds": kinds, "other": other}))
