# Shared by the end-to-end tests: sourced, with the build directory as the first argument of the test.
set -uo pipefail
build=$1
memhelm=$build/memhelm
e2e=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
user_cache=${XDG_CACHE_HOME:-$HOME/.cache} # of QEMU and newlib
export XDG_CACHE_HOME=${MEMHELM_TEST_CACHE:-$work/cache} # alone runs of tests do not meet those of users
tests=0 bad=0

# check NAME COMMAND..: one TAP line; the command's output is shown when it fails.
check() {
    local name=$1
    shift
    tests=$((tests + 1))
    if "$@" > "$work/check.out" 2>&1; then
        echo "ok $tests - $name"
    else
        bad=$((bad + 1))
        echo "not ok $tests - $name"
        sed 's/^/# /' "$work/check.out" | tail -n 20
    fi
}

# fails NAME STATUS TEXT COMMAND..: the command must exit with STATUS (`any` = not 0) and print TEXT (a grep -E
# pattern; lines are joined, so it may span them).
fails() {
    local name=$1 want=$2 text=$3 got
    shift 3
    tests=$((tests + 1))
    "$@" > "$work/fails.out" 2>&1
    got=$?
    if { [ "$want" = any ] && [ $got -ne 0 ] || [ "$want" = "$got" ]; } && tr '\n' ' ' < "$work/fails.out" | grep -Eq -- "$text"; then
        echo "ok $tests - $name"
    else
        bad=$((bad + 1))
        echo "not ok $tests - $name: exit $got (want $want), text /$text/"
        sed 's/^/# /' "$work/fails.out" | tail -n 20
    fi
}

# same_but_core A.json B.json: results of a twin and of QEMU, without what only one of them has: the measures of the mcu
# itself, and the program that ran.
same_but_core() {
    python3 - "$@" <<'PY'
import json, sys
a, b = (json.load(open(f)) for f in sys.argv[1:])
for r in (a, b):
    r["image"] = r["image"]["name"]
    r["swapped"] = [image["name"] for image in r.get("swapped", [])]
    r.pop("core")
    r["run"].pop("core")
sys.exit("results differ" if a != b else 0)
PY
}

# faulty FAULT: an image of firmware/selftest with that switch on, as fault.hang; behind a colon with others, as
# fault.hang:fault.once.
faulty() {
    echo "$build/firmware/selftest/${1%%.*}.elf:${1//:/=1:}=1"
}

# representatives: images that have every policy, those with the most of them first. At the top of the tree.
representatives() {
    python3 - firmware/images.def firmware/image/common/groups.h <<'PY'
import re, sys
images, groups = (open(f).read() for f in sys.argv[1:])
members = {name: re.findall(r"POLICY\((\w+)\)", body) for name, body in re.findall(r"#define (GROUP_\w+)\(POLICY\)((?:.*\\\n)*.*)", groups)}
rows = {name: {p for word, one in re.findall(r"(GROUP_\w+|POLICY\((\w+)\))", rest) for p in members.get(word, [one])}
        for name, rest in re.findall(r'^IMAGE\("([^"]*)",(.*)', images, re.M)}
seen = set()
for name, policies in sorted(rows.items(), key=lambda row: -len(row[1])):
    if policies - seen or name == "baseline":
        print(name)
    seen |= policies
PY
}

# own_tree DIR: a copy of the source tree with what is built, but for tests. Newer than the sources: nothing of it is built again.
own_tree() {
    local unused=(tests qemu-objects asan validate cppcheck bench memhelm-debug libhwmodel-asan.a docs docs-pages docs-theme docs-work
        obj/unit obj/fuzz obj/tests/unit obj/tests/fuzz obj/tests/validate)
    mkdir -p "$1/build"
    cp -Rp Makefile README.md .clang-format firmware host hwmodel linker qemu tests "$1"
    tar -C "$build" "${unused[@]/#/--exclude=./}" -cf - . | tar -C "$1/build" -xf -
    find "$1/build" -type f -exec touch {} +
}

# kept_runs FILE: how many runs a store keeps; 0 when there is none yet.
kept_runs() {
    python3 -c 'import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute("select count(*) from kept_runs").fetchone()[0])' "$1" \
        2> /dev/null || echo 0
}

# ended_once_kept SIGNAL STORE COMMAND..: the exit status of the command, ended by SIGNAL when the store keeps a run.
ended_once_kept() {
    local signal=$1 store=$2
    shift 2
    "$@" &
    for _ in $(seq 1000); do
        [ "$(kept_runs "$store")" -gt 0 ] && break
        sleep 0.2
    done
    kill -"$signal" $!
    wait $!
}

# drawn NAME FIGURE.svg..: a reader of SVG that is not a browser draws each whole; so is its PNG.
drawn() {
    local name=$1
    shift
    if command -v rsvg-convert > /dev/null; then
        check "$name" python3 "$e2e/drawn.py" "$@"
    else
        tests=$((tests + 1))
        echo "ok $tests - $name # SKIP librsvg2-bin is not installed"
    fi
}

# damage FROM TO: a copy that is wrong in the middle, where no header is.
damage() {
    python3 -c 'import sys; d = bytearray(open(sys.argv[1], "rb").read()); d[len(d) // 2] ^= 0xff; open(sys.argv[2], "wb").write(d)' "$@"
}

finish() {
    echo "1..$tests"
    exit $((bad > 0))
}
