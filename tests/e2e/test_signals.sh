#!/usr/bin/env bash
# Ctrl-C and SIGTERM. Half-way: the command ends at once, leaves no child and no temporary directory, and keeps what is
# finished. So while it waits for its input, here a pipe that nobody fills.
# alone: it sends signals
. "$(dirname "$0")/lib.sh" "$1"

# --- Half-way.

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

# --- While it waits.

mkfifo "$work/fifo"
printf 'preset: mask\n' > "$work/good.yaml"

# ends ARGUMENTS..: with 128 + signal, at once, by each of the two signals, and with nothing left in TMPDIR
ends() {
    python3 - "$memhelm" "$@" <<'PY'
import os, signal, subprocess, sys, time

def waits(pid):
    """In a system call, not computing: opening the pipe, or reading it."""
    return open(f"/proc/{pid}/wchan").read() not in ("0", "") or open(f"/proc/{pid}/stat").read().rsplit(")")[1].split()[0] == "S"

for number in signal.SIGINT, signal.SIGTERM:
    p = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    asleep = 0
    while asleep < 5 and p.poll() is None:
        time.sleep(0.1)
        asleep = asleep + 1 if waits(p.pid) else 0
    assert p.poll() is None, "ended by itself: " + p.stdout.read()
    p.send_signal(number)
    try:
        out = p.communicate(timeout=5)[0]
    except subprocess.TimeoutExpired:
        p.kill()
        sys.exit(f"{number.name} was not heard")
    assert p.returncode == 128 + number, (p.returncode, out)
    assert not os.listdir(os.environ["TMPDIR"]), os.listdir(os.environ["TMPDIR"])
PY
}

pipe=$work/fifo
short=(-w GUPS --no-alone --cycles 5000)
check "run: --config" ends run baseline "${short[@]}" --config "$pipe"
check "run: a trace" ends run baseline -w "trace:$pipe+GUPS"
check "run: an image of a twin" ends run "$pipe" --twin "${short[@]}"
check "run: a core" ends run baseline --core "$pipe" "${short[@]}"
check "run: a reader of --json that does not come" ends run baseline "${short[@]}" --json "$pipe"
check "budget: --reference" ends budget mask --reference "$pipe"
check "budget: --limits" ends budget mask --limits "$pipe"
check "latency: --reference" ends latency mask --reference "$pipe" --results "$work/latency.sqlite"
check "reproduce: --rows" ends reproduce mask --rows "$pipe" --results "$work/reproduce.sqlite"
check "reproduce: a trace" ends reproduce mask --workload "trace:$pipe+GUPS" --results "$work/reproduce.sqlite"
check "dram: the trace" ends dram "$pipe"
check "dram: --config" ends dram --config "$pipe" "$work/good.yaml"
check "trace info" ends trace info "$pipe"
check "trace convert" ends trace convert "$pipe" "$work/out.gmt"
check "list cores" ends list cores "$pipe"

# An image is not waited for.
once_more='fifo: a pipe or device, not a file; QEMU reads an image once more'
fails "run: an image" 2 "$once_more" timeout 5 "$memhelm" run "$pipe" "${short[@]}"
fails "compare: the second image" 2 "$once_more" timeout 5 "$memhelm" compare baseline "$pipe" "${short[@]}"
fails "budget: an image" 2 "$once_more" timeout 5 "$memhelm" budget "$pipe"
fails "latency: an image" 2 "$once_more" timeout 5 "$memhelm" latency "$pipe" -p mask -w GUPS --results "$work/latency.sqlite"

# A core's file that can be read once: it is needed again when the run starts, which must not be too late for a signal.
once() {
    cat host/mcu/cores/ibex.yaml > "$pipe" &
    ends_once run baseline "${short[@]}" --core "$pipe"
}
ends_once() {
    python3 - "$memhelm" "$@" <<'PY'
import signal, subprocess, sys, time
p = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
time.sleep(2)
assert p.poll() is None, "ended by itself"
p.send_signal(signal.SIGTERM)
try:
    sys.exit(p.wait(timeout=5) != 143)
except subprocess.TimeoutExpired:
    p.kill()
    sys.exit("SIGTERM was not heard")
PY
}
check "run: a core that can be read once" once
# A signal while simulations run: what is finished is written, but not into a pipe without a reader.
ends_running() { # ARGUMENTS..
    python3 - "$memhelm" "$@" <<'PY'
import os, signal, subprocess, sys, time
p = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
for _ in range(100):
    time.sleep(0.1)
    if open(f"/proc/{p.pid}/task/{p.pid}/children").read() or p.poll() is not None:
        break
assert p.poll() is None, "ended by itself: " + p.stderr.read()
p.send_signal(signal.SIGTERM)
try:
    text = p.communicate(timeout=8)[1]
except subprocess.TimeoutExpired:
    p.kill()
    sys.exit("waits for a reader")
assert p.returncode in (2, 143) and "nobody reads from it" in text, (p.returncode, text)
PY
}
check "budget: a pipe without a reader, while it runs" ends_running budget dws --json "$pipe"
check "latency: the same" ends_running latency mask -p mask -w GUPS+MM --seeds 1 --results "$work/latency.sqlite" --json "$pipe"
check "reproduce: the same" ends_running reproduce mask --row fig11-mask -w GUPS+MM --results "$work/reproduce.sqlite" --json "$pipe"

check "a pipe that somebody fills is read" bash -c '"$0" run baseline --twin -w GUPS --no-alone --cycles 5000 --config <(cat "$1")' "$memhelm" "$work/good.yaml"
check "nohup keeps a run alive" python3 - "$memhelm" <<'PY'
import signal, subprocess, sys, time
p = subprocess.Popen(["nohup", sys.argv[1]] + "run baseline --twin -w GUPS --no-alone --cycles 2000000".split(),
                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
time.sleep(1)
p.send_signal(signal.SIGHUP)
sys.exit(p.wait(timeout=120))
PY
check "nothing is left" bash -c '[ -z "$(ls -A "$0")" ]' "$TMPDIR"
finish
