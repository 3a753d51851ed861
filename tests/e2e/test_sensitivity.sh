#!/usr/bin/env bash
# `memhelm sensitivity`: what else values may be that no source gives, and how far a row moves.
# alone: it sends signals
. "$(dirname "$0")/lib.sh" "$1"

cat > "$work/rows.yaml" << 'END'
title: made up
preset: mask
cycles: 20000
lists: {pairs: [GUPS+MM, RED+BP]}
rows:
  - {id: hits, figure: fig 1, what: a larger L2 TLB, kind: effect, paper: +900 %, metric: l2tlb_hit / l2tlb_access,
     run: {image: baseline, set: [l2tlb.entries=8192]}, against: baseline, workloads: pairs}
  - {id: fair, figure: fig 3, what: speedup, kind: level, paper: "2", metric: weighted_speedup, run: baseline,
     workloads: pairs, over: mean}
  - {id: tiny, figure: fig 3, what: speedup, kind: level, paper: "0.01", metric: weighted_speedup, run: baseline,
     workloads: pairs, over: mean}
  - {id: other, figure: fig 4, what: another GPU, kind: level, paper: "2", metric: ipc, run: baseline, preset: dws,
     workloads: pairs, over: mean}
doubling: [hits, fair]
END

sensitivity() {
    timeout 300 "$memhelm" sensitivity mask --rows "$work/rows.yaml" --results "$work/results.sqlite" --twin "$@"
}
queue=(--key sm.lsu_queue --key noc.latency)

fails "the list names value, others and line; nothing is run" 0 'sm.lsu_queue +4 +1, 2, 8, 16 +presets/mask.yaml:[0-9]+ .*2 rows, [0-9]+ simulations' \
    sensitivity --list
fails "what is said of a value with no others" 0 'run.seed +1 +- ' sensitivity --list
check "two values" sensitivity "${queue[@]}" --json "$work/a.json" --markdown "$work/a.md" --plots "$work/figures"
fails "each row has a table" 0 'hits: fig 1: a larger L2 TLB.*paper \+900 %.*noc.latency.*fair: fig 3: speedup.*noc.latency' \
    sensitivity "${queue[@]}"
fails "first, what each depends on" 0 'hits +\+900 % +[-+0-9. %]+ +0 of 2 +nothing .*fair +2 +[0-9.]+ +[0-2] of 2 .*hits: fig 1' \
    sensitivity "${queue[@]}"
summary() { # each row's line in the Markdown has the keys with a value that is said to hang in the JSON, and why
    python3 - "$work/$1.json" "$work/$1.md" << 'END'
import json, sys
rows, lines = json.load(open(sys.argv[1]))["rows"], open(sys.argv[2]).read().splitlines()
for row in rows:
    line = next(x for x in lines if x.startswith("| %s " % row["id"]))
    on = [s for s in row["keys"] if any(v["depends"] for v in s["values"])]
    assert row["depends_on"] == len(on) and row["varied"] == 2
    assert "| %d of 2 | " % len(on) in " ".join(line.split()), line
    assert all("%s (%s)" % (s["key"], s["why"] or "no source") in line for s in on) and ("nothing" in line) == (not on), line
END
}
check "the same in Markdown and JSON, and what the preset says" summary a
fails "a row that depends on both" 0 'tiny +0.01 +[0-9.]+ +2 of 2 .*sm.lsu_queue' sensitivity "${queue[@]}" --row tiny \
    --json "$work/tiny.json" --markdown "$work/tiny.md"
check "the same in Markdown and JSON, of that row" summary tiny
fails "the second call runs nothing" 0 '([0-9]+) runs, \1 of them kept' sensitivity "${queue[@]}"
sensitivity "${queue[@]}" --json "$work/b.json" > /dev/null 2>&1
check "the same bytes" cmp "$work/a.json" "$work/b.json"
check "the Markdown shows them" grep -qxF '![a larger L2 TLB](figures/mask-sensitivity-hits.svg)' "$work/a.md"
check "where they are below it" bash -c '! grep -q "^!" "$0"' "$work/tiny.md"
check "tornados" test -s "$work/figures/mask-sensitivity-hits.svg" -a -s "$work/figures/mask-sensitivity-fair.png"
drawn "  which any reader draws" "$work/figures"/*.svg

# The numbers are those of reproduce with the same assignment.
same_as_reproduce() { # JSON, key, value, [further key=value]..
    "$memhelm" reproduce mask --rows "$work/rows.yaml" --results "$work/results.sqlite" --twin --row hits --row fair \
        --set "$2=$3" ${4:+--set=$4} ${5:+--set=$5} --json "$work/set.json" > /dev/null 2>&1
    python3 - "$work/$1" "$work/set.json" "${@:2}" << 'END'
import json, sys
a, r = (json.load(open(f)) for f in sys.argv[1:3])
key, value = sys.argv[3], " with ".join(filter(None, [sys.argv[4], " and ".join(sys.argv[5:])]))
found = 0
for row in a["rows"]:
    want = next(x["ours"] for x in r["rows"] if x["id"] == row["id"])
    for s in row["keys"]:
        for v in s["values"]:
            if s["key"] == key and v["value"] == value:
                assert v["ours"] == want, (v["ours"], want)
                assert abs(v["shift"] - (want - row["ours"])) < 1e-5 * max(1, abs(want))
                found += 1
assert found == 2
END
}
check "a value is what reproduce has with --set" same_as_reproduce a.json sm.lsu_queue 1
check "another, too" same_as_reproduce a.json noc.latency 32
sensitivity --key dram.queue --json "$work/queue.json" > /dev/null 2>&1
fails "keys that go with a value are counted" 0 'fair: .* dram.queue +256 .* (64|128) [+] 2 keys' sensitivity --key dram.queue
check "a value with others that go with it" same_as_reproduce queue.json dram.queue 64 dram.write_high=16 dram.write_low=4

# What a comment should not have is refused before anything runs: no preset has such a one.
of_preset() {
    sed "s/PRESET/$1/" << 'END' > "$work/of.yaml"
title: made up
preset: PRESET
cycles: 20000
lists: {pairs: [MM+BP]}
rows: [{id: ipc, figure: fig 1, what: speed, kind: level, paper: "2", metric: ipc, run: baseline, workloads: pairs, over: mean}]
doubling: [ipc]
END
    "$memhelm" sensitivity mask --rows "$work/of.yaml" --list
}
for preset in $("$memhelm" list presets | cut -d ' ' -f 1); do
    fails "other values of preset $preset could be run" 0 '1 rows, [0-9]+ simulations' of_preset "$preset"
done
fails "a key with a source" 2 'l1d.bytes: no value of preset mask that is in doubt; .*sensitivity mask --list' \
    sensitivity --key l1d.bytes
fails "rows of several presets" 2 'row other is of preset dws, others of mask; --row chooses' \
    sensitivity --row hits --row other
fails "no such row" 2 'mask has no such row' sensitivity --row nothing
fails "its former name" 2 "the command .assumptions. is now .memhelm sensitivity.*which paper" "$memhelm" assumptions
fails "which paper" 2 'which paper' "$memhelm" sensitivity

interrupted() {
    "$memhelm" sensitivity mask --quick --twin --results "$work/other.sqlite" --json "$work/c.json" \
        > "$work/out" 2> "$work/err" &
    local pid=$!
    for _ in {1..200}; do
        grep -q ' runs, ' "$work/err" && break
        sleep 0.1
    done
    sleep 1
    kill -INT $pid
    wait $pid
    [ $? -eq 130 ] && grep -q interrupted "$work/out" && python3 -m json.tool "$work/c.json" > /dev/null
}
check "Ctrl-C: 130, and what is finished is shown and written" interrupted
finish
