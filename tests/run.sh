#!/usr/bin/env bash
# Runs every test of a build directory and ends with one line: `N passed, N failed`. Tests that skipped themselves (TAP:
# `ok 1 - NAME # SKIP WHY`) are in neither; how many and why is said before it.
#   run.sh BUILD quick|all [PATTERN]   PATTERN: only programs whose name matches (shell pattern)
# quick: what takes under a second, short fuzzing, scripts with a line `# quick: WHY`; no sanitizers. all: everything.
# Programs print TAP (`ok`/`not ok` lines); what they print is kept in BUILD/tests/NAME.log and shown when they fail.
# Lines `# note: TEXT` are shown also when all passes: what one should know, and is no failure.
# One per processor at a time; an end-to-end test with a line `# alone: WHY` by itself, when all others have ended.
set -uo pipefail

build=$1
tier=$2
pattern=${3:-*}
export MEMHELM_BUILD=$build
export CMOCKA_MESSAGE_OUTPUT=TAP ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1
counts=$(mktemp -d) || exit 1
trap 'rm -rf "$counts"' EXIT

run() { # name command...
    local name=$1 log=$build/tests/$1.log start=$SECONDS ok bad skip status
    shift
    # shellcheck disable=SC2254
    case $name in $pattern) ;; *) return ;; esac
    timeout 1200 "$@" > "$log" 2>&1 < /dev/null
    status=$?
    if [ $status -eq 77 ]; then return; fi # a program without groups of that kind
    skip=$(grep -c '^ok .*# SKIP' "$log")
    ok=$(($(grep -c '^ok ' "$log") - skip))
    bad=$(grep -c '^not ok ' "$log")
    # A program that dies, or says nothing, is a failure whatever it counted before.
    if [ $status -ne 0 ] && [ "$bad" -eq 0 ]; then bad=1; fi
    if [ $((ok + bad + skip)) -eq 0 ]; then bad=1; fi
    echo "$ok $bad $skip" > "$counts/$name"
    if [ "$bad" -eq 0 ]; then
        printf '%-34s %4d passed  %3d s%s\n' "$name" "$ok" $((SECONDS - start)) \
            "$(sed -n 's/^ok .*# SKIP */, skipped: /p' "$log" | sort -u | tr -d '\n')"
        sed -n 's/^# note: /    /p' "$log"
    else
        printf '%-34s %4d passed, %d FAILED (exit %d), log: %s\n%s\n' "$name" "$ok" "$bad" "$status" "$log" \
            "$(grep -v '^ok ' "$log" | tail -n 40 | sed 's/^/    /')"
    fi
}

# As run, when a processor is free.
beside() {
    while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n; done
    run "$@" &
}

# passed failed skipped
total() {
    cat "$counts"/* 2> /dev/null | awk '{p += $1; f += $2; s += $3} END {print p + 0, f + 0, s + 0}'
}

interrupted() {
    for job in $(jobs -p); do pkill -P "$job"; done # background jobs do not hear of Ctrl-C
    read -r passed failed skipped < <(total)
    echo "interrupted: $passed passed, $failed failed so far"
    exit 130
}
trap interrupted INT TERM
mkdir -p "$build/tests"

units() { # FLAVOUR WORD: its programs, the groups of WORD
    local t
    for t in "$build/$1"/unit/* "$build/$1"/unit/firmware/*; do
        [ -d "$t" ] || beside "unit_$(basename "${t#*test_}")${2#-}" "$t" "$2"
    done
}
fuzz() { # FLAVOUR ITERATIONS
    for t in "$build/$1"/fuzz/fuzz_*; do
        beside "$(basename "$t")" tests/tap.sh "$t" "${FUZZ_ITERATIONS:-$2}" "${FUZZ_SEED:-1}"
    done
}
scripts() { # OPTION PATTERN: scripts with such a line, with -L those without
    for t in $(grep "$1" "$2" tests/e2e/test_*.sh); do
        beside "e2e_$(basename "${t#*test_}" .sh)" "$t" "$build"
    done
}
if [ "$tier" = quick ]; then
    units obj --quick
    fuzz obj 200
    scripts -l '^# quick: '
else
    units asan --quick
    units obj --slow
    fuzz asan 3000
    scripts -L '^# alone: '
fi
wait
for t in $([ "$tier" = quick ] || grep -l '^# alone: ' tests/e2e/test_*.sh); do
    run "e2e_$(basename "${t#*test_}" .sh)" "$t" "$build"
done

read -r passed failed skipped < <(total)
if [ "$skipped" -gt 0 ]; then echo "$skipped skipped, not counted:$(grep -l ' [1-9][0-9]*$' "$counts"/* | sed 's|.*/| |' | tr -d '\n')"; fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
