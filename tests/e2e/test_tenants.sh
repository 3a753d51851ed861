#!/usr/bin/env bash
# Tenants that arrive and leave during the run: the firmware hears of it, the walkers are divided anew, and no request is
# lost; in QEMU and as a twin. Scenarios that cannot be are refused, with file, line and remedy.
. "$(dirname "$0")/lib.sh" "$1"

scenario() { # name, a line for each tenant
    local name=$1
    shift
    printf 'preset: dws\nrun: {cycles: 70000, epoch: 20000}\ntenants:\n' > "$work/$name.yaml"
    printf -- '- {%s}\n' "$@" >> "$work/$name.yaml"
}

run() { # scenario, image, name of what comes out, arguments
    local of=$1 image=$2 name=$3 status
    shift 3
    "${program:-$memhelm}" run --config "$work/$of.yaml" --image "$image" --no-alone --json "$work/$name.json" \
        --registers "$work/$name.log" --epochs "$work/$name.csv" "$@" > "$work/$name.out" 2>&1
    status=$?
    [ $status -eq 0 ] || cat "$work/$name.out"
    return $status
}

# heard NAME LATE PARTS EVENT..: the register log of a run has these events, in this order and none else, each CYCLE+T (T
# arrives) or CYCLE-T (T leaves) and read at most LATE cycles later; the owners of the walkers that COMMITs brought into
# force are equal parts for PARTS: the tenants that were there, a digit each, one word for each time that they changed.
heard() {
    python3 - "$work/$1.log" "${@:2}" <<'PY'
import re, sys
COMMIT, COMMIT_STATUS, EVENT_POP, WALKER_OWNER, WALKERS = 0x110, 0x114, 0x1a0, 0x1a00, 16
log, late, parts, *events = sys.argv[1:]
heard, owner, owners = [], {}, []
for line in open(log):
    cycle, access, offset, value, status = line.split()
    cycle, offset, value = int(cycle), int(offset, 16), int(value, 16)
    assert status == "ok", line
    if (access, offset) == ("R", EVENT_POP) and value & 0xff in (4, 5):
        heard.append((cycle, "+-"[(value & 0xff) - 4], value >> 8 & 0xff))
    elif access == "W" and 0 <= offset - WALKER_OWNER < 4 * WALKERS:
        owner[(offset - WALKER_OWNER) // 4] = value
    elif (access, offset) == ("R", COMMIT_STATUS):
        assert value == 0, line
    elif (access, offset) == ("W", COMMIT):
        now = [owner[w] for w in range(WALKERS)]
        if not owners or owners[-1] != now:
            owners.append(now)
assert len(heard) == len(events), heard
for (cycle, sign, tenant), event in zip(heard, events):
    at, want, who = re.fullmatch(r"(\d+)([+-])(\d)", event).groups()
    assert (sign, tenant) == (want, int(who)) and 0 <= cycle - int(at) <= int(late), (cycle, sign, tenant, event)
want = [[int(there[w * len(there) // WALKERS]) for w in range(WALKERS)] for there in parts.split()]
assert owners == want, owners
PY
}

# complete NAME TENANT..: what each tenant asked is answered or under way, to the last request; nothing is under way for
# these, which have left. Tenants do something while they are there, and nothing else.
complete() {
    python3 - "$work/$1.json" "$work/$1.csv" "${@:2}" <<'PY'
import csv, json, sys
result = json.load(open(sys.argv[1]))
cycles, rows = result["run"]["cycles"], list(csv.DictReader(open(sys.argv[2])))
assert result["run"]["end"] == "pass"
for n, (c, about) in enumerate(zip(result["run"]["tenants"], result["config"]["tenants"])):
    left = about["leave"] or cycles
    begun = c["l2tlb_access"] - c["l2tlb_hit"] - c["l2tlb_merge"] - c["bypass_hit"]
    print(n, begun, c["walks"], c["walks_live"], c["mem_instr"])
    assert c["walks"] and begun == c["walks"] + c["walks_live"], "walks are lost"
    assert c["l2tlb_fill"] + c["bypass_fill"] == c["walks"], "translations are lost"
    if str(n) in sys.argv[3:]:
        assert c["walks_live"] == 0, "its walks do not end"
        assert c["l1tlb_access"] == c["l1tlb_hit"] + c["l1tlb_merge"] + c["l2tlb_access"], "look-ups are lost"
    at = done = 0
    for row in (r for r in rows if int(r["tenant"]) == n):
        start, at = at, int(row["cycle"])
        assert start < left and at > about["arrive"] or row["warp_instr"] == "0", (n, start, at, row["warp_instr"])
        done += int(row["warp_instr"])
    assert done > 0
PY
}

same_again() { # scenario, image
    run "$1" "$2" again && cmp "$work/$1.json" "$work/again.json" && cmp "$work/$1.log" "$work/again.log" &&
        cmp "$work/$1.csv" "$work/again.csv"
}

# Without time for decisions, events are heard in their cycle.
agree() { # scenario, image, as heard takes them: parts, events
    local of=$1 image=$2
    shift 2
    run "$of" "$image" qemu --mcu-hz inf && run "$of" "$image" twin --mcu-hz inf --twin && heard qemu 0 "$@" &&
        cmp "$work/qemu.log" "$work/twin.log" && cmp "$work/qemu.csv" "$work/twin.csv" &&
        same_but_core "$work/qemu.json" "$work/twin.json" && complete qemu
}

# A tenant that has left and owns no walkers has a place for one walk at a time: what it had asked takes long, and ends.
drains() {
    run change dws long --twin --cycles 1000000 && complete long 0
}

# Epochs end at 20 000, 40 000, 60 000, and the slowest decision takes half of one: nothing else happens then.
scenario guest 'kernel: GUPS' 'kernel: MM, arrive: 32000, leave: 52000'
scenario change 'kernel: GUPS, leave: 30000' 'kernel: MM, arrive: 30000'
scenario three 'kernel: GUPS, leave: 55000' 'kernel: MM, arrive: 15000' 'kernel: MVT, arrive: 25000, leave: 45000'

guest=('0 01 0' 32000+1 52000-1)
for image in dws dwspp translation; do
    check "$image: a guest runs" run guest "$image" guest
    check "$image: the mcu hears of both, and divides the walkers each time" heard guest 3000 "${guest[@]}"
    check "$image: nothing is lost" complete guest 1
    check "$image: a second run gives the same bytes" same_again guest "$image"
    check "$image: twin and QEMU with an infinitely fast mcu agree" agree guest "$image" "${guest[@]}"
done
check "the table says when it was there" grep -q '^tenant 1 MM is there from cycle 32000 to 52000;' "$work/guest.out"
check "its rates are of that time" python3 -c '
import json, sys
assert [t["cycles"] for t in json.load(open(sys.argv[1]))["metrics"]["tenants"]] == [70000, 20000]' "$work/guest.json"

# A COMMIT follows each event: between the two nobody is there, and all have equal parts.
check "one goes as another comes" agree change dws '0 01 1' 30000-0 30000+1
check "what it leaves behind drains" drains
check "three, in thirds" agree three dwspp '0 01 012 01 1' 15000+1 25000+2 45000-2 55000-0

# An image that cares for no event answers it all the same.
answered() {
    run guest baseline answered && python3 -c '
import json, sys
tenant = json.load(open(sys.argv[1]))["run"]["sources"]["tenant"]
assert (tenant["raised"], tenant["answered"], tenant["missed"]) == (2, 2, 0), tenant' "$work/answered.json"
}
check "nobody listens: not missed" answered

# Eight tenants' line takes five times as long as the time between two questions: who waits gets the next one.
eight_are_asked() {
    "$memhelm" run --image mask+dws -w GUPS+MM+HISTO+3DS+NW+LPS+MVT+BP --cycles 900000 --no-alone --console \
        --status 20000 > "$work/asked" 2>&1 && [ "$(grep -c '^memhelm: status .* t7:' "$work/asked")" -ge 4 ]
}
check "status lines of eight tenants keep no epoch waiting" eight_are_asked
check "nor those of a policy with a timer of its own" timeout 120 "$memhelm" run -i ccbp -p ccbp -w BP+FDTD --no-alone --cycles 2200000 --status 500000

# Nothing lost, nothing left behind: the debug build checks it at every step.
invariants() { # scenario, image
    program=$build/memhelm-debug run "$1" "$2" debug --twin && run "$1" "$2" release --twin &&
        cmp "$work/debug.json" "$work/release.json"
}
for of in guest change three; do
    check "$of: invariants hold, same bytes as the release build" invariants "$of" translation
done

refused() { # what, text, lines of the tenants
    scenario bad "${@:3}"
    fails "$1" 2 "$2" run bad dws bad
}
refused "leaves before it arrives" 'bad.yaml:5: tenants.1..leave: cycle 20000, but it arrives at 60000: later, or 0 to stay' \
    'kernel: GUPS' 'kernel: MM, arrive: 60000, leave: 20000'
refused "leaves in the cycle in which it arrives" 'bad.yaml:5: tenants.1..leave: cycle 20000, but it arrives at 20000: later, or 0' \
    'kernel: GUPS' 'kernel: MM, arrive: 20000, leave: 20000'
refused "arrives as the run ends" 'bad.yaml:5: tenants.1..arrive: cycle 70000, but the run ends at 70000 .run.cycles.' \
    'kernel: GUPS' 'kernel: MM, arrive: 70000'
refused "arrives after the end" 'bad.yaml:4: tenants.0..arrive: cycle 90000, but the run ends at 70000 .run.cycles.' \
    'kernel: GUPS, arrive: 90000' 'kernel: MM'
refused "no cycle" 'bad.yaml:5: tenants.1..arrive: soon is not a whole number.*allowed: 0' \
    'kernel: GUPS' 'kernel: MM, arrive: soon'
refused "no such key" "bad.yaml:5: unknown key 'arives'; nearest: arrive" 'kernel: GUPS' 'kernel: MM, arives: 20000'
fails "a run that ends before: the option, and the line of the arrival" 2 \
    'memhelm: --cycles 10000, [^ ]*guest.yaml:5: tenants.1..arrive: cycle 32000, but the run ends at 10000' run guest dws bad --cycles 10000
refused "would leave after the end" 'memhelm: [^ ]*bad.yaml:5: tenants.1..leave: cycle 70001, but the run ends at 70000 .run.cycles.: it would never leave' \
    'kernel: GUPS' 'kernel: MM, leave: 70001'
fails "a run that ends before it leaves: the option, and the line" 2 \
    'memhelm: --cycles 51999, [^ ]*guest.yaml:5: tenants.1..leave: cycle 52000, but the run ends at 51999' run guest dws bad --cycles 51999
check "leaves as the run ends" run guest dws edge --cycles 52000 --twin

# Completions, launches and status requests of the host are events: an image that decides for each gets no warning.
unaccused() { # decisions of events at least, arguments
    "$memhelm" run --no-alone --json "$work/events.json" "${@:2}" > "$work/events.out" 2>&1 && ! grep "decided .* times" "$work/events.out" &&
        python3 -c 'import json, sys; d = json.load(open(sys.argv[1]))["run"]["core"]["event_decisions"]; assert d >= int(sys.argv[2]), d' \
            "$work/events.json" "$1"
}
check "a program that finishes 327 times is no interrupt left pending" unaccused 300 -i baseline -w MM:64 --cycles 2000000
check "nor are launches that the firmware is told" unaccused 200 -i even -p ccbp -w BFS+MM:64 --cycles 1000000
finish
