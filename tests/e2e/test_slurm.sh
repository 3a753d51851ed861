#!/usr/bin/env bash
# `memhelm sweep --slurm` on a real Slurm that the test starts here: eight tasks, one of them killed.
# alone: it sends signals, and a Slurm has both processors
. "$(dirname "$0")/lib.sh" "$1"
if ! command -v slurmctld slurmd munged sbatch > /dev/null; then
    echo "ok 1 - a sweep as a job array # SKIP Slurm is not installed: qemu/get-deps.sh slurm"
    echo 1..1
    exit
fi
build=$PWD/$build memhelm=$PWD/$memhelm
mkdir "$work/a 'b" && cd "$work/a 'b" || exit 1
slurm=$work/slurm node=$(hostname -s)
mkdir -p "$slurm/state" "$slurm/spool"
chmod 755 "$work" "$slurm"
export SLURM_CONF=$slurm/slurm.conf

# Ports of this process's own, so that two tests may run beside each other.
port=$((20000 + $$ % 20000))
head -c 1024 /dev/urandom > "$slurm/munge.key"
chmod 600 "$slurm/munge.key"
cat > "$SLURM_CONF" <<CONF
ClusterName=memhelm
SlurmctldHost=$node(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$slurm/munge.sock
CredType=cred/munge
SlurmctldPort=$port
SlurmdPort=$((port + 1))
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd.pid
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdLogFile=$slurm/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=1
SlurmdParameters=config_overrides
MpiDefault=none
KillWait=1
NodeName=$node NodeAddr=127.0.0.1 CPUs=8 State=UNKNOWN
PartitionName=all Nodes=$node Default=YES State=UP
CONF
stop() {
    scancel --full --signal=KILL --state=RUNNING 2> /dev/null
    for daemon in slurmd slurmctld munge; do
        [ ! -e "$slurm/$daemon.pid" ] || kill -9 "$(cat "$slurm/$daemon.pid")" 2> /dev/null
    done
    rm -rf "$work"
}
trap stop EXIT
start() {
    munged --force --key-file="$slurm/munge.key" --socket="$slurm/munge.sock" --pid-file="$slurm/munge.pid" \
        --log-file="$slurm/munge.log" --seed-file="$slurm/munge.seed" --num-threads=2 && slurmctld && slurmd || return 1
    for _ in $(seq 60); do
        sinfo -h -o %t 2> /dev/null | grep -q idle && return
        sleep 0.5
    done
    tail -n 5 "$slurm"/*.log
    return 1
}
check "a Slurm runs here" start
[ "$bad" -eq 0 ] || { finish; exit; }

# Every start of a simulation is counted.
cat > "$work/qemu" <<SH
#!/bin/sh
echo >> "$work/starts"
exec "$(sed -n 1p "$build/qemu.path" | sed "s|^\([^/]\)|$build/\1|")" "\$@"
SH
chmod +x "$work/qemu"
export MEMHELM_QEMU=$work/qemu
cat > "it's.yaml" <<'YAML'
image: [baseline, mask-tlb]
workload: [BP:4096+SCP, SCP+BP:4096]
seeds: 1-2
cycles: 20000
set: [sm.count=2]
vary: {l2tlb.entries: "64..256*2", walk.walkers: 2..8*2}
metrics: {w s: weighted_speedup}
YAML
fails "--dry-run makes the folder; nothing is submitted" 0 "it's.slurm: scripts.*nothing is submitted" \
    "$memhelm" sweep "it's.yaml" --slurm --array 8 --dry-run
check "its sweep is the file's" "$memhelm" sweep "it's.slurm/it's.yaml" --results "$work/none.sqlite" --dry-run
fails "a folder that is there stays" 2 "a sweep was submitted here: remove the folder" "$memhelm" sweep "it's.yaml" --slurm
rm -r "it's.slurm"
fails "submitted" 0 'submitted: job [0-9]+, 8 tasks; job [0-9]+, the points' \
    "$memhelm" sweep "it's.yaml" --slurm --array 8 --results "$work/all.sqlite" --sbatch '--cpus-per-task=1'

# The third task is killed by the system when it has some of its runs: neither it nor its script can say anything.
kill_third() {
    local pid
    for _ in $(seq 400); do
        pid=$(pgrep -f -- "--shard 3/8" | head -n 1)
        [ -n "$pid" ] && [ "$(kept_runs "it's.slurm/task-3.sqlite")" -gt 0 ] && break
        sleep 0.05
    done
    kill -9 "$pid" "$(ps -o ppid= -p "$pid")"
}
check "a task is killed half-way" kill_third
finished() {
    for _ in $(seq 600); do
        [ -z "$(squeue -h)" ] && [ -e "it's.sqlite" ] && return
        sleep 0.5
    done
    squeue
    tail "it's.slurm"/*.log
    return 1
}
check "all jobs end" finished
check "the killed task was submitted again" grep -q 'round 1: tasks 3 did not finish; they are submitted again' "it's.slurm/merge.log"
runs=$("$memhelm" sweep "it's.yaml" --results "$work/none.sqlite" --dry-run | sed -n 's/^72 points, \([0-9]*\) runs.*/\1/p')
check "nothing is lost: all runs are in the store" [ "$(kept_runs "$work/all.sqlite")" -eq "${runs:-0}" ]
check "nothing twice: no run in two tasks' stores" python3 -c '
import glob, sqlite3
keys = [k for f in glob.glob("*.slurm/task-*.sqlite") for k, in sqlite3.connect(f).execute("select key from kept_runs")]
assert len(keys) == len(set(keys)) == int("'"${runs:-0}"'"), (len(keys), len(set(keys)))'
# --merge runs one of each task's store again, and compares it.
check "none ran again but what the killed task was at, and the samples" [ "$(wc -l < "$work/starts")" -le $((${runs:-0} + 1 + 8)) ]
check "all points have their values" python3 -c '
import sqlite3
n, = sqlite3.connect("it'"'"'s.sqlite").execute("select count(*) from points where \"w s\" > 0").fetchone()
assert n == 72, n'
fails "options of sbatch that it refuses" 2 'sbatch did not take' "$memhelm" sweep -i baseline -w BP --slurm --sbatch '--partition=none'
fails "no sbatch" 2 'sbatch did not take' env PATH=/nowhere "$memhelm" sweep -i baseline,mask -w BP --slurm
finish
