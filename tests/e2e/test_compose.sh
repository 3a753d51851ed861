#!/usr/bin/env bash
# Policies compose by being listed, in a tree of its own: the README's example builds and runs as it stands, so does an
# image of a group and a policy with a '+' in its name, and two policies that set one knob, or one that sets another's, do not build.
. "$(dirname "$0")/lib.sh" "$1"
root=$PWD tree=$work/tree out=$work/build
mkdir -p "$tree" "$out"
for part in Makefile host hwmodel linker qemu tests; do ln -s "$root/$part" "$tree/$part"; done
cp -R firmware "$tree/firmware"
cp -P "$build/newlib" "$out/newlib"
touch "$out/.deps"
cp "$memhelm" "$out/memhelm"
for part in qemu core-plugin; do realpath "$build/$(cat "$build/$part.path")" > "$out/$part.path"; done

make_in_tree() { # targets, below the build directory
    env -u MAKEFLAGS make -s -C "$tree" "BUILD=$out" DEPS=no "${@/#/$out/}"
}

image() { # name, its policies
    local name=$1
    shift
    sed -i "/^IMAGE(\"$name\"/d; /^IMAGE(\"baseline\"/i IMAGE(\"$name\", \"\", \"mask\", \"\", \"\", \"\", $*)" "$tree/firmware/images.def"
}

policy() { # name, what it owns, what it sets
    {
        echo '#include "policy.h"'
        echo "POLICY_OWNS($2);"
        echo "static void on_epoch(const struct gpu_caps *caps) { gpu_set_knob($3, 0, caps->cta_slots); }"
        echo "const struct policy policy_$1 = {.name = \"$1\", .on_epoch = on_epoch};"
    } > "$tree/firmware/policy/$1.c"
}

# The README's block of C, into the file that the text before it names, and its row.
example() {
    awk -v tree="$tree/" '/^```c$/ {inside = 1; next} /^```$/ {inside = 0} inside {print > (tree file)}
        !inside && match($0, /firmware\/policy\/[a-z_-]+\.c/) {file = substr($0, RSTART, RLENGTH)}' firmware/README.md
    sed -i "/^IMAGE(\"baseline\"/i $(sed -n 's/^    \(IMAGE("walk-share".*\)/\1/p' firmware/README.md)" "$tree/firmware/images.def"
    [ -s "$tree/firmware/policy/walk_share.c" ] && make_in_tree twin/walk-share.so firmware/walk-share.elf
}

runs() { # image, arguments
    local name=$1
    shift
    "$out/memhelm" run --preset mask --workload GUPS+HISTO --cycles 250000 --seed 1 --no-alone --image "$name" --console \
        --json "$work/$name.json" "$@" > "$work/console" 2>&1 && grep -qF "memhelm: PASS image=$name " "$work/console" &&
        grep -qF "\"$name\"" "$work/$name.json"
}

unlisted_is_absent() {
    make_in_tree firmware/baseline.elf &&
        diff <(riscv64-unknown-elf-nm "$out/firmware/baseline.elf") <(riscv64-unknown-elf-nm "$build/firmware/baseline.elf")
}

check "the README's example builds" example
check "and runs as a twin" runs walk-share --twin
check "and in QEMU" runs walk-share
image mask+template 'GROUP_MASK(POLICY)' 'POLICY(template)'
check "an image named with a '+' builds" make_in_tree twin/mask+template.so firmware/mask+template.elf
check "and runs as a twin" runs mask+template --twin
check "and in QEMU" runs mask+template
check "and is listed" grep -q '^mask+template' <("$out/memhelm" list images)

policy rival TOKENS TOKENS
image two-owners 'POLICY(mask_tokens)' 'POLICY(template)' 'POLICY(rival)'
says='image two-owners: policies (mask_tokens and rival|rival and mask_tokens) both set knob TOKENS; an image takes one of them'
fails "two policies that set one knob: refused for the mcu" 2 "$says.*multiple definition" make_in_tree firmware/two-owners.elf
fails "and for the twin" 2 "$says.*multiple definition" make_in_tree twin/two-owners.so
check "nothing is left of it" test ! -e "$out/firmware/two-owners.elf" -a ! -e "$out/twin/two-owners.so"
check "policies that are not listed are not linked" unlisted_is_absent

links_its_own() { # a change of a policy links the images that hold it
    touch "$tree/firmware/policy/template.c" && make_in_tree firmware/baseline.elf firmware/mask+template.elf twin/mask+template.so &&
        [ "$out/firmware/mask+template.elf" -nt "$out/firmware/baseline.elf" ] && [ "$out/twin/mask+template.so" -nt "$out/firmware/baseline.elf" ] &&
        [ "$tree/firmware/policy/template.c" -nt "$out/firmware/baseline.elf" ]
}
check "a policy that changes links its own images anew, and no other" links_its_own

image twice 'GROUP_MASK(POLICY)' 'POLICY(mask_tokens)'
fails "a policy listed twice" 2 'image twice: policy mask_tokens is in it twice; list it once.*redeclaration of enumerator .image_lists_mask_tokens' make_in_tree firmware/twice.elf
policy thief TOKENS CTA_LIMIT
image theft 'POLICY(thief)'
fails "a knob that the policy does not own" 2 'thief.c: it sets knob CTA_LIMIT, and does not say so: add POLICY_OWNS.CTA_LIMIT.; above.*undeclared' make_in_tree firmware/theft.elf
fails "the same for the twin" 2 'thief.c.*policy_owns_CTA_LIMIT. undeclared' make_in_tree twin/theft.so
policy thief TOKEN TOKENS
fails "a knob that does not exist" 2 'MH_REG_TOKEN. undeclared' make_in_tree twin/theft.so
code() { # what the policy thief does with its argument
    policy thief TOKENS TOKENS
    sed -i "s|{ gpu_set_knob.*}|{ $1 }|" "$tree/firmware/policy/thief.c"
}
code 'volatile float x = caps->sms; x = x * 2;'
fails "floating point" 2 'policy/thief.c: floating point; the core has no FPU: policies have integers only' make_in_tree firmware/theft.elf
code 'volatile char x[900]; x[caps->sms] = 1;'
fails "a frame that is too large" 2 'policy/thief.c:[0-9]+: the frame is larger than the [0-9]+ bytes that a function may have' make_in_tree firmware/theft.elf
code '__asm__ volatile(".zero 30000" : : "r"(caps));'
fails "code that is too large" 2 'image theft: code and constants are [0-9]+ bytes too large; console_printf' make_in_tree firmware/theft.elf
finish
