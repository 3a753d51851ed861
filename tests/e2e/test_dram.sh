#!/usr/bin/env bash
# `memhelm dram`: one channel driven by a trace; what it prints, what it writes, what it refuses.
. "$(dirname "$0")/lib.sh" "$1"

dram() {
    timeout 60 "$memhelm" dram "$@"
}

# lines COUNT STEP KIND: requests in sequence, each KIND-th one a write (0 = none).
lines() {
    awk -v n="$1" -v step="$2" -v kind="$3" 'BEGIN {
        for (i = 0; i < n; i++) printf "0x%x %s %d\n", i * step, kind && i % kind == kind - 1 ? "WRITE" : "READ", i }'
}

# prints PATTERN COMMAND..: its output, lines joined, matches the grep -E pattern.
prints() {
    local want=$1
    shift
    "$@" > "$work/prints.out" 2>&1 || { cat "$work/prints.out"; return 1; }
    cat "$work/prints.out"
    tr '\n' ' ' < "$work/prints.out" | grep -Eq -- "$want"
}

lines 20000 128 0 > "$work/seq.txt"
lines 20000 4224 3 > "$work/mix.txt"
gzip -kf "$work/mix.txt"
zstd -qf "$work/mix.txt"
printf '# a comment\n\n0x0 READ 0\n  0x80 READ 1000 \r\n0x4000 read 2000' > "$work/three.txt"

# Idle GDDR5 (tRCD 22, CL 22, tRP 22, a line 4): 48 closed, 26 open, and 0x4000 has another bank (rows permute banks): 48.
check "latencies by hand; comments, blanks, CRLF, no last newline" \
    prints 'requests +3 of 128 bytes: 3 reads, 0 writes.*cycles +2048 .*mean 40.7, min 26, p50 48, p99 48, max 48 .*row hits +33.3 %' dram "$work/three.txt"
check "a conflict, on standard input" \
    prints 'cycles +1070 .*max 70 ' bash -c 'printf "0x0 READ 0\n0x4000 READ 1000\n" | "$0" dram - -s dram.permute=none' "$memhelm"
check "at most one request enters per cycle: the second at 1, served at 52" \
    prints 'cycles +52 .*min 48, p50 48, p99 51, max 51 ' bash -c 'printf "0x0 READ 0\n0x80 READ 0\n" | "$0" dram -' "$memhelm"
for set in gddr5 ddr3-1600 gddr6 hbm2 gddr5-8gb hbm2e hbm3; do
    check "$set: sequential above 94 % of peak" prints '9[4-9]\.[0-9] % of the peak' dram "$work/seq.txt" --preset "$set"
done
check "the channel of a whole preset" prints '^mask: 64 bits at 1674 MHz' dram "$work/seq.txt" --preset mask

dram "$work/mix.txt" --json "$work/plain.json" > "$work/plain.out"
for packed in gz zst; do
    check "mix.txt.$packed: the same result" bash -c '"$0" dram "$1" --json "$2" && cmp "$2" "$3"' "$memhelm" "$work/mix.txt.$packed" "$work/$packed.json" "$work/plain.json"
done
check "--commands changes nothing" bash -c '"$0" dram "$1" --json "$2" --commands "$4" && cmp "$2" "$3"' "$memhelm" "$work/mix.txt" "$work/c.json" "$work/plain.json" "$work/commands.txt"
check "--commands: one a cycle, two column commands a request" awk '
    NR == 1 { if ($0 != "# cycle command rank group bank row") exit bad = 1; next }
    $1 <= last && NR > 2 { exit bad = 1 }
    { last = $1; n[$2]++ }
    END { exit bad || n["RD"] + n["WR"] != 40000 || !n["ACT"] || !n["PRE"] || !n["REF"] }' "$work/commands.txt"
check "results name no file and no time" bash -c '! grep -Eq "mix|wall|/" "$0" && grep -q memhelm-dram-1 "$0"' "$work/plain.json"
check "closed rows, mapping and request size from YAML" bash -c '
    printf "dram:\n  rows: closed\n  mapping: row column bank\n  request_bytes: 64\n" > "$2"
    "$0" dram "$1" --config "$2" | tr "\n" " " | grep -Eq "closed rows, address = row column bank.*of 64 bytes"' "$memhelm" "$work/seq.txt" "$work/c.yaml"
check "no reads: no latencies" bash -c 'echo "0x0 WRITE 0" | "$0" dram - --json "$1" && grep -q "\"read_latency\": null" "$1"' "$memhelm" "$work/w.json"

bad() {
    printf '%s\n' '0x0 READ 0' '' "$1" > "$work/bad.txt"
    fails "refused, with file and line: ${1:0:30}" 2 "bad\.txt:3: .*$2.*0x1f80 READ 120" dram "$work/bad.txt"
}
bad '80 READ 1' 'address'
bad '0x READ 1' 'address'
bad '0x12345678901234567 READ 1' 'address'
bad '0x80 REED 1' 'neither READ nor WRITE'
bad '0x80 READ' 'neither|cycle'
bad '0x80 READ -1' 'cycle'
bad '0x80 READ 99999999999999999999' 'cycle'
bad '0x80 READ 1 2' 'something follows'
head -c 300 /dev/zero | tr '\0' x > "$work/long.txt"
fails "a line without end" 2 'long\.txt:1: more than 256 bytes' dram "$work/long.txt"
: > "$work/empty.txt"
gzip -kf "$work/empty.txt"
fails "a scheduler of tenants" 2 'dram.scheduler: mpki orders tenants, of whom a trace says nothing' dram "$work/seq.txt" -s dram.scheduler=mpki
fails "an empty file" 2 'empty\.txt: no request' dram "$work/empty.txt"
fails "an empty file, packed" 2 'empty\.txt\.gz: no request' dram "$work/empty.txt.gz"
fails "a file that is not there" 2 'nowhere\.txt: cannot open' dram "$work/nowhere.txt"
fails "a directory" 2 'cannot' dram "$work"
head -c 20000 "$work/mix.txt.gz" > "$work/cut.gz"
head -c 20000 "$work/mix.txt.zst" > "$work/cut.zst"
fails "gzip that is cut off" 2 'cut\.gz:[0-9]+: .*cut off' dram "$work/cut.gz"
fails "zstd that is cut off" 2 'cut\.zst:[0-9]+: .*cut off' dram "$work/cut.zst"
{ head -c 10000 "$work/mix.txt.gz"; head -c 500 /dev/zero; tail -c +10501 "$work/mix.txt.gz"; } > "$work/torn.gz"
{ head -c 10000 "$work/mix.txt.zst"; head -c 500 /dev/zero; tail -c +10501 "$work/mix.txt.zst"; } > "$work/torn.zst"
fails "gzip that is damaged" 2 'torn\.gz:[0-9]+: ' dram "$work/torn.gz"
fails "zstd that is damaged" 2 'torn\.zst:[0-9]+: ' dram "$work/torn.zst"
fails "no such parameters: lists them" 2 'gddr5 ddr3-1600 .*mask' dram "$work/seq.txt" --preset ddr9
fails "a mapping that does not fit" 2 'dram.mapping.*column' dram "$work/seq.txt" --set 'dram.mapping=row bank column:2'
fails "a timing that cannot be" 2 'dram.ccd_l' dram "$work/seq.txt" --preset gddr6 --set dram.ccd_l=1
fails "watermarks out of order, with file and line" 2 'wrong\.yaml:4: dram.write_low 30, dram.write_high 26, dram.write_queue 32: must be' \
    bash -c 'printf "dram:\n  write_queue: 32\n  write_high: 26\n  write_low: 30\n" > "$2" && timeout 60 "$0" dram "$1" -c "$2"' "$memhelm" "$work/seq.txt" "$work/wrong.yaml"
fails "a window shorter than its parts, with the --set" 2 '^memhelm: --set dram.faw=10: dram.faw: 10 .*at least 11' dram "$work/seq.txt" -s dram.faw=10
check "queue_latency delays the idle reads" prints 'cycles +2053 .*mean 45.7, min 31, ' dram "$work/three.txt" -s dram.queue_latency=5
check "a queue for writes" prints '13334 reads, 6666 writes' dram "$work/mix.txt" -s dram.write_queue=32 -s dram.write_high=26 -s dram.write_low=6
fails "no trace" any 'which trace' dram
fails "commands that cannot be written" 2 'nowhere/c: cannot write' dram "$work/seq.txt" --commands "$work/nowhere/c"
fails "commands on a full disk" 2 '/dev/full: cannot write' dram "$work/seq.txt" --commands /dev/full
fails "results that cannot be written" 2 'nowhere/r' dram "$work/seq.txt" --json "$work/nowhere/r"
check "--help teaches" bash -c '"$0" dram --help | grep -q "0xADDR READ|WRITE CYCLE" && "$0" --help | grep -q "memhelm dram"' "$memhelm"

# A channel's request stream out of the whole model, through a channel on its own.
traced() { # FILE ARGUMENTS..
    timeout 120 "$memhelm" run --image baseline --workload GUPS+2DCONV --no-alone --dram-trace "$@"
}
check "--dram-trace of a twin, and of QEMU with an infinitely fast mcu, are the same" bash -c '
    "$0" run -i baseline -w GUPS+2DCONV --set l1tlb.mshrs=32 --cycles 100000 --no-alone --dram-trace "$1/t.txt" --twin &&
        "$0" run -i baseline -w GUPS+2DCONV --set l1tlb.mshrs=32 --cycles 100000 --no-alone --dram-trace "$1/q.txt" --mcu-hz inf &&
        cmp "$1/t.txt" "$1/q.txt" && [ "$(wc -l < "$1/t.txt")" -gt 10000 ]' "$memhelm" "$work"
check "the channel on its own agrees with the one in the model within 5 %" python3 - "$memhelm" "$work" <<'EOF2'
import json, re, subprocess, sys
memhelm, work = sys.argv[1:]
subprocess.run([memhelm, "dram", work + "/t.txt", "--preset", "mask", "--json", work + "/t.json"], check=True)
alone = json.load(open(work + "/t.json"))
inside = re.match(r"# channel 0 served (\d+) reads, (\d+) writes in (\d+) cycles: read latency (\S+), row hits (\S+)$",
                  open(work + "/t.txt").readlines()[-1])
reads, writes, cycles, latency, hits = map(float, inside.groups())
print(inside.group(0), alone)
assert abs(alone["requests"] - reads - writes) < 200
assert abs(alone["cycles"] / cycles - 1) < 0.05
assert abs(alone["read_latency"]["mean"] / latency - 1) < 0.05
assert abs(alone["row_hit_rate"] - hits) < 0.05 * max(hits, 0.1)
EOF2
check "another channel is another stream" bash -c '
    "$0" run -i baseline -w GUPS+2DCONV --cycles 100000 --no-alone --twin --dram-trace "$1/5.txt" --dram-trace-channel 5 &&
        grep -q "^# channel 5 served" "$1/5.txt" && ! cmp -s "$1/5.txt" "$1/t.txt"' "$memhelm" "$work"
check "the result is the same with and without" bash -c '
    for d in "" "--dram-trace $1/x.txt"; do
        "$0" run -i baseline -w GUPS+2DCONV --cycles 100000 --no-alone --twin --json "$1/r.json" $d || exit
        mv "$1/r.json" "$1/r${#d}.json"
    done; cmp "$1"/r0.json "$1"/r[1-9]*.json' "$memhelm" "$work"
fails "a channel that is not there" 2 'run.log_dram_channel: 8, but there are 8 channels' traced "$work/y.txt" --twin --dram-trace-channel 8
finish
