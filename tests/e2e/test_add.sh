#!/usr/bin/env bash
# What READMEs say under "To add", done in a tree of its own: a configuration key, a knob, a counter, an event, a hardware
# block that uses the four, a preset, a kernel and a policy. Each takes the lines and files that its README promises, and
# no others: then all is built and run, in QEMU and as a twin.
. "$(dirname "$0")/lib.sh" "$1"
tree=$work/tree out=$work/build rows=$work/rows
mkdir -p "$tree" "$out"
cp -Rp Makefile firmware host hwmodel linker qemu tests "$tree" && cp -P "$build/newlib" "$out/newlib"
touch "$out/.deps"
: > "$rows"

# row FILE AFTER LINE: puts LINE behind the last line of FILE that begins with AFTER.
row() {
    python3 - "$tree/$1" "$2" "$3" <<'PY' || echo "row: $1 has no line that begins with '$2'" >&2
import sys
path, after, line = sys.argv[1:]
lines = open(path).read().split("\n")
at = max(i for i, have in enumerate(lines) if have.startswith(after))
lines.insert(at + 1, line)
open(path, "w").write("\n".join(lines))
PY
    echo "$1" >> "$rows"
}

# promise WHAT README: as many rows in as many files since the promise before as the README's item `- **WHAT** ..` says
# with `N lines in M files`, or `1 line`.
promise() {
    local said rows_now files_now
    said=$(awk -v what="- **$1" 'index($0, what) == 1 {inside = 1; print; next} inside && /^(- |$|#)/ {exit} inside' "$2" |
        tr '\n' ' ' | grep -oE '[0-9]+ lines? in [0-9]+ files?|1 line\b' | head -n 1)
    rows_now=$(wc -l < "$rows") files_now=$(sort -u "$rows" | wc -l)
    case $said in
        '1 line') said='1 1' ;;
        *) said=$(echo "$said" | tr -dc '0-9 ' | tr -s ' ' | sed 's/ $//') ;;
    esac
    : > "$rows"
    check "$1: the lines and files that $2 promises" test "$said" = "$rows_now $files_now"
}

registers=hwmodel/include/memhelm/registers.def
row hwmodel/include/memhelm/config.def 'MH_FIELD(memory, latency' \
    'MH_FIELD(memory, toy_every, uint32_t, 1, 1000000, "GPU cycles", "between two ticks of the toy")'
row hwmodel/config/presets/mask.yaml '  line_bytes:' '  toy_every: 1000         # [ours]'
promise "A key" hwmodel/config/README.md
row $registers 'MH_KNOB(' 'MH_KNOB(TOY_STEP, toy_step, GPU, 0x18f0, 32, 0, 0, 1000, "ticks", "that the toy counts at a time; 0 = it is off")'
promise "A knob" hwmodel/README.md
row $registers 'MH_TENANT_COUNTER(' 'MH_TENANT_COUNTER(TOY_TICKS, toy_ticks, "ticks", "of the toy")'
promise "A counter" hwmodel/README.md
row hwmodel/engine/events.def 'MH_EVENT_ROW(' 'MH_EVENT_ROW(EV_TOY, mh_toy_tick, "-: the toy ticks")'
promise "An event" hwmodel/README.md

mkdir "$tree/hwmodel/toy"
cat > "$tree/hwmodel/toy/toy.h" <<'C'
#include <stdint.h>

struct mh_toy {
    uint32_t step;
};
C
cat > "$tree/hwmodel/toy/toy.c" <<'C'
#include "toy/toy.h"

#include "engine/block.h"
#include "engine/gpu.h"

static void again(struct mh_gpu *g)
{
    mh_wheel_add(&g->wheel, g->wheel.now + g->cfg.memory.toy_every, MH_EVENT(EV_TOY, 0));
}

void mh_toy_tick(struct mh_gpu *g, uint32_t none)
{
    (void)none;
    g->tenant[0].count.toy_ticks += g->toy->step;
    if (g->toy->step)
        again(g);
}

static void apply(struct mh_gpu *g, const struct mh_knobs *before)
{
    if (g->knobs.toy_step && !before->toy_step)
        again(g);
    g->toy->step = g->knobs.toy_step;
}

const struct mh_block mh_block_toy = {MH_BLOCK_STATE(toy, 1), .apply = apply};
C
row hwmodel/gpu/blocks.def 'MH_BLOCK(' 'MH_BLOCK(toy)'
row hwmodel/engine/gpu.h '    struct mh_noc *' '    struct mh_toy *toy;'
promise "A block" hwmodel/README.md

cat > "$tree/hwmodel/config/presets/toy.yaml" <<'Y'
# Preset `toy`: mask with a fast toy.
base: mask
memory:
  toy_every: 500          # [ours]
Y
row hwmodel/config/presets.def 'MH_PRESET(' 'MH_PRESET(toy, "toy", "mask with a fast toy")'
promise "A preset" hwmodel/config/README.md

# The body is the README's.
{
    echo '#include "workload/gen.h"'
    awk '/^```c$/ {inside = 1; next} /^```$/ {inside = 0} inside' hwmodel/workload/README.md
    cat <<'C'
static void build(struct mh_gen *g)
{
    for (int i = 0; i < 3; i++)
        mh_gen_buffer(g, g->n * 4);
    mh_gen_launch(g,
                  (struct mh_launch){.name = "vadd", .ctas = (uint32_t)((g->n + 255) / 256), .threads = 256, .registers = 10},
                  body);
}

const struct mh_kernel mh_kernel_vadd = {.name = "VADD",
                                         .suite = "toys",
                                         .summary = "c = a + b",
                                         .size_meaning = "elements",
                                         .size_default = 1 << 20,
                                         .size_min = 1,
                                         .size_max = 1 << 24,
                                         .build = build};
C
} > "$tree/hwmodel/workload/kernels/vadd.c"
row hwmodel/workload/kernels/kernels.def 'MH_KERNEL(' 'MH_KERNEL(vadd)'
row tests/unit/workload/test_workload_kernels.c '    {"3DS8"' '    {"VADD", 1000, false},'
promise "A kernel" hwmodel/workload/README.md

cat > "$tree/firmware/policy/toy.c" <<'C'
#include "policy.h"

POLICY_OWNS(TOY_STEP);

static enum policy_status toy_init(const struct gpu_caps *caps)
{
    (void)caps;
    gpu_set_knob(TOY_STEP, 0, 3);
    return POLICY_OK;
}

const struct policy policy_toy = {.name = "toy", .init = toy_init};
C
row firmware/images.def 'IMAGE(' 'IMAGE("toy", "", "toy", "toy_step", "", "What the block needs", POLICY(toy))'
promise "A policy" firmware/README.md

# Unoptimised: it is built to be run once.
make_in_tree() { # targets, below the build directory
    env -u MAKEFLAGS XDG_CACHE_HOME="$user_cache" make -s -C "$tree" "BUILD=$out" DEPS=no \
        CFLAGS="-std=gnu11 -O0 -fPIE -Wall -Wextra -Werror" "${@/#/$out/}"
}
toy=$out/memhelm
runs() { # FILE ARGUMENTS..
    "$toy" run -i toy -p toy -w VADD:100000+GUPS --cycles 20000 --mcu-hz inf --no-alone --json "$@"
}
# Of cycles 500, 1000 .. 20000 each counts the policy's step.
counted() {
    python3 -c 'import json, sys
run = json.load(open(sys.argv[1]))["run"]
have = [t["toy_ticks"] for t in run["tenants"]]
sys.exit(have != [3 * 40, 0] and f"toy_ticks {have}")' "$work/twin.json"
}

check "all is built" make_in_tree memhelm twin/toy.so firmware/toy.elf qemu.path core-plugin.path regs-manual
check "a run of the image's twin" runs "$work/twin.json" --twin --epochs "$work/epochs.csv"
check "the block counts what the policy's knob says, as often as the preset's key says" counted
check "the knob and the counter are columns of epochs.csv" eval "head -n 1 '$work/epochs.csv' | grep -q 'toy_ticks.*toy_step'"
check "a run of the image in QEMU" runs "$work/qemu.json"
check "which agrees with the twin" same_but_core "$work/twin.json" "$work/qemu.json"
check "the key has a source" eval "'$toy' list config --preset toy | grep -Eq 'toy_every +500 .*toy.yaml:4'"
check "a preset without it has mask's" eval "'$toy' list config --preset dws | grep -Eq 'toy_every +1000 .*mask.yaml'"
check "the kernel is listed" eval "'$toy' list kernels | grep -q '^VADD '"
check "the manual has knob and counter" eval "'$out/regs-manual' | grep -c 'TOY_' | grep -qx 2"
check "the image is listed" eval "'$toy' list images | grep -q '^toy'"
finish
