#!/usr/bin/env bash
# Images that have every policy once boot in QEMU and as twins and report PASS: marker on the uart, status in the result,
# exit code 0; every former name runs what it is now. And every mechanism works in every preset: short runs of all images
# in all of them as twins, at whose end the knobs are set that firmware/images.def says. (`memhelm budget --all`, in
# test_budget.sh, boots all of them in QEMU.)
. "$(dirname "$0")/lib.sh" "$1"

# Columns of the table: name, steers, needs; former names with the new ones.
table() {
    sed -nE 's/^IMAGE\("([^"]*)", "[^"]*", "[^"]*", "([^"]*)", "([^"]*)".*/\1|\2|\3/p' firmware/images.def
}
former() {
    sed -nE 's/^FORMERLY\("(.*)", "(.*)"\)/\1 \2/p' firmware/images.def
}

# Images that the preset's GPU has all for: `simt` has 40 CTA slots; `h100` has more SMs than images steer singly, and page
# tables of more levels than MASK's know.
works_on() { # preset
    case $1 in
        *ccbp) table ;;
        simt) table | grep -v -e '|.*|.*shared' -e '|.*|.*slots' ;;
        h100) table | grep -v -e '|.*|.*shared' -e '|.*|.*levels' -e '|.*sm_throttle' -e '|.*cta_limit' -e '|.*cta_throttle' ;;
        *) table | grep -v '|.*|.*shared' ;;
    esac | cut -d '|' -f 1 | LC_ALL=C sort
}

passes() { # extra arguments
    "$memhelm" run --preset "$preset" --workload GUPS+HISTO --cycles 150000 --no-alone --seed 1 --console --json "$work/r.json" "$@" > "$work/console" 2>&1 || {
        cat "$work/console"
        return 1
    }
    grep -q '^memhelm: PASS' "$work/console" && grep -q '"end": *"pass"' "$work/r.json"
}

needs_of() { # image: a preset that has it
    works_on mask | grep -qxF "$1" && echo mask || echo mask-ccbp
}
for image in $(representatives); do
    preset=$(needs_of "$image")
    check "$image passes in QEMU" passes --image "$image"
    check "$image passes as a twin" passes --image "$image" --twin
done
check "the table has every image that is built" diff <(table | cut -d '|' -f 1 | sort) <(cd "$build/firmware" && ls *.elf | sed 's/\.elf$//' | sort)
while read -r old now; do
    preset=$(needs_of "${now%%:*}")
    check "$old passes as a twin" passes --image "$old" --twin --cycles 5000
    check "and says that it is $now" grep -qxF "memhelm: image $old is now $now" "$work/console"
done < <(former)
preset=mask
refused() {
    "$memhelm" run --preset mask --workload GUPS "$@"
}
fails "a value out of range" 2 'mask: tokens.step=101: a number from 1 to 100 \(default 10\); % of' refused --image mask --param tokens.step=101
fails "a parameter that the image has not" 2 "mask: no parameter 'token.step'; nearest: tokens.step; there are:" refused --image mask:token.step=5
fails "nor has any" 2 "baseline: no parameter 'a': the image has none" refused --image baseline --param a=1
fails "one that is set twice" 2 'mask: parameter tokens.step is set twice' refused --image mask:tokens.step=5 --param tokens.step=5
fails "page tables of more levels than the image steers" 2 'image mask steers page tables of 4 levels at most, and this GPU.s have 6 \(walk.levels\)' refused --image mask -s walk.format=hopper -s walk.levels=6
agree() { # image: QEMU without time to decide, and the twin
    passes --image "$1" --mcu-hz inf && mv "$work/r.json" "$work/qemu.json" && passes --image "$1" --mcu-hz inf --twin &&
        same_but_core "$work/qemu.json" "$work/r.json"
}
check "with parameters QEMU and the twin agree" agree mask:tokens.initial=10:tokens.step=5
check "results have them" grep -q '"tokens.initial": *10' "$work/r.json"
check "a parameter at its default is the image" eval 'passes --image mask --param tokens.step=10 && grep -q "\"name\": \"mask:tokens.step=10\"" "$work/r.json"'
check "an ELF by its path" passes --image "$build/firmware/baseline.elf"
check "newlib's printf after boot" passes --image "$(faulty console.init)"
check "and where nothing was printed before" passes --image "$(faulty console.late)"
check "what is printed" grep -Fxq 'selftest: late, 2 tenants, -3  |0000beef|x' "$work/console"

# --- Every mechanism in every preset.

cat > "$work/knobs.py" <<'EOF'
"""knobs.py PRESET TABLE RESULTS..: the knobs that an image is for are not at reset at its end, as image baseline has them.
Prints the names of all images that it has seen."""
import json
import sys

# Of an image the knobs that it steers: one row each, name|knobs|needs.
WANTED = dict(line.rstrip("\n").split("|")[:2] for line in open(sys.argv[2]))

# What may well decide for the values of the reset: both without walks, or with few (`ccbp` and those made of it; pages of 2 MiB); L2_BYPASS in `simt`, whose walks go past
# the L2 anyway, and in the longer epochs in QEMU, in which the L2 has the walks' lines. Nor do these runs fill memory, or last as long as the profiles of some
# co-runs. Results have no sm_cta_limit.
LATER = set("evict_ahead compress sm_throttle cta_throttle uvm_quota issue_rate issue_first warp_quota dram_rank l1d_ways sm_cta_limit".split())

# helm chooses, and may choose nothing: tests/unit/firmware/test_policy_helm.c.
def may_stay(preset, image, machine):
    if image.startswith("helm"):
        return set(WANTED[image].split())
    few_walks = preset.endswith("ccbp") or preset in ("a100", "h100")
    stay = {"walk_order"} if few_walks and image == "simt-adaptive" else set()
    return stay | LATER | ({"l2_bypass"} if few_walks or preset == "simt" or machine != "twin" else set())

preset, seen, bad = sys.argv[1], set(), []
for path in sys.argv[3:]:
    results = json.load(open(path))["results"]
    reset = results[0]["run"]["knobs"]  # image baseline
    for result in results:
        image, machine, knobs = result["image"]["name"], result["image"]["machine"], result["run"]["knobs"]
        seen.add(image)
        for knob in set(WANTED.get(image, "").split()) - may_stay(preset, image, machine):
            if knobs[knob] == reset[knob]:
                bad.append(f"{image}: {knob} is {knobs[knob]} at the end, as after reset")
print("\n".join(sorted(bad) or sorted(seen)))
sys.exit(bool(bad))
EOF

table > "$work/table"
part() { # preset, name of the results, cycles of an epoch, workload, arguments and images beside baseline
    local preset=$1 name=$2 epoch=$3 workload=$4
    shift 4
    "$memhelm" compare baseline "$@" --preset "$preset" --workload "$workload" --cycles $((5 * epoch)) --set run.epoch="$epoch" \
        --set l1tlb.mshrs=64 --seed 1 --no-alone --json "$work/$preset.$name.json"
}

# RAY+HS with 64 missing pages per SM: walks that the L2 seldom has beside data that it often has. GUPS: warps enough for simt-adaptive. A comparison
# has at most 16 images.
works_in() { # preset
    local first
    mapfile -t images < <(works_on "$1" | grep -vx -e baseline -e simt-adaptive)
    for ((first = 0; first < ${#images[@]}; first += 15)); do
        part "$1" "twins$first" 5000 RAY+HS --twin "${images[@]:first:15}" || return 1
    done
    part "$1" gups 5000 GUPS+HISTO --twin simt-adaptive && python3 "$work/knobs.py" "$1" "$work/table" "$work/$1".*.json > "$work/seen" || {
        cat "$work/seen"
        return 1
    }
    diff "$work/seen" <(works_on "$1" | LC_ALL=C sort) # all of them
}

# Longer epochs: the mcu needs up to 15 000 GPU cycles to decide. Half of such an epoch is too short to tell a slow
# decision from a hang.
works_in_qemu() { # preset, images
    local preset=$1
    shift
    part "$preset" qemu 30000 RAY+HS --set mcu.watchdog=0 "$@" && python3 "$work/knobs.py" "$preset" "$work/table" "$work/$preset.qemu.json"
}

presets=$("$memhelm" list presets | cut -d ' ' -f 1)
check "there are presets" test -n "$presets"
for preset in $presets; do
    check "every image works in preset $preset" works_in "$preset"
done
for preset in $presets; do
    chosen=(mask)
    [ "$preset" = dws ] && chosen+=(mask+dws translation)
    [ "$preset" = h100 ] && chosen=(dws)
    check "${chosen[*]} in preset $preset, in QEMU" works_in_qemu "$preset" "${chosen[@]}"
done
finish
