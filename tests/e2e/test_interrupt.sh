#!/usr/bin/env bash
# Ctrl-C half-way: the command ends at once with 130, leaves no child and no temporary directory, and keeps what is
# finished.
# alone: it sends signals
. "$(dirname "$0")/lib.sh" "$1"
export TMPDIR=$work/tmp
mkdir -p "$TMPDIR"

# interrupted ARGUMENTS..: SIGINT to the process group, as a terminal sends it, after a second; with `after`, a second after
# there is a file of that pattern.
interrupted() {
    python3 - "$memhelm" "$@" <<'PY'
import glob, os, signal, subprocess, sys, time
p = subprocess.Popen(sys.argv[1:], start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
while "after" in os.environ and p.poll() is None and not glob.glob(os.environ["after"], recursive=True):
    time.sleep(0.1)
time.sleep(1.0)
assert p.poll() is None, "ended before it could be interrupted: " + p.stdout.read()
os.killpg(p.pid, signal.SIGINT)
start = time.time()
out = p.communicate(timeout=20)[0]
print(out)
assert p.returncode == 130, p.returncode
assert time.time() - start < 10
try:
    os.killpg(p.pid, 0)
    sys.exit("children are left")
except ProcessLookupError:
    pass
PY
}

long=(--workload 3DS+RED --preset mask --cycles 400000000 --no-alone)
check "run in QEMU" interrupted run --image baseline "${long[@]}"
check "run of the twin" interrupted run --image baseline --twin "${long[@]}"
check "compare, two jobs" interrupted compare baseline mask-tlb "${long[@]}"
check "budget" interrupted budget mask
check "while configurations are checked, before anything runs" interrupted budget --all
check "latency" interrupted latency mask -p mask -w MVT+GUPS --results "$work/latency.sqlite"
check "reproduce" interrupted reproduce mask --twin --results "$work/reproduce.sqlite"
check "classes" interrupted classes
check "no temporary directory is left" bash -c '[ -z "$(ls -A "$0")" ]' "$TMPDIR"

# One image ends (as a fault) long before the other is interrupted: its result is in the file.
kept() {
    after="$work/keep/**/result.json" interrupted compare --image "$(faulty fault.divide)" --image baseline \
        --jobs 2 --keep "$work/keep" --json "$work/kept.json" "${long[@]}" && python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$work/kept.json"
}
check "what is finished is written" kept
check "nothing to do for a second make" env -u MAKEFLAGS make -q everything BUILD="$build"
finish
