#!/usr/bin/env bash
# Memory limits of the mcu: an image that breaks one does not link, and the build says why and what to do. Each ASSERT of
# linker/memhelm.ld is broken once: by a policy where one can, by a changed memory map where only that can.
. "$(dirname "$0")/lib.sh" "$1"
root=$PWD tree=$work/tree out=$work/build
mkdir -p "$tree" "$out/firmware"
for part in Makefile host hwmodel qemu tests; do ln -s "$root/$part" "$tree/$part"; done
cp -a firmware linker "$tree"
cp -a "$build/firmware/obj" "$build/firmware/policies.a" "$out/firmware" # as they are: what is tested is the link
cp -P "$build/newlib" "$out/newlib"
touch "$out/.deps"

make_in_tree() { # image
    env -u MAKEFLAGS make -s -C "$tree" "BUILD=$out" DEPS=no "$out/firmware/$1.elf"
}

image() { # name, lines of C: with a hook `on_epoch`
    local name=$1
    shift
    {
        echo '#include "policy.h"'
        printf '%s\n' "$@"
        echo "const struct policy policy_$name = {.name = \"$name\", .on_epoch = on_epoch};"
    } > "$tree/firmware/policy/$name.c"
    sed -i "/^IMAGE(\"$name\"/d; /^IMAGE(\"baseline\"/i IMAGE(\"$name\", \"\", \"mask\", \"\", \"\", \"\", POLICY($name))" "$tree/firmware/images.def"
}

# of NAME CONSTANTS DATA BSS: an image with so many words of each, all of which are read.
of() {
    image "$1" "static const uint32_t constants[$2] = {1};" "static volatile uint32_t data[$3] = {1}, bss[$4];" \
        'static void on_epoch(const struct gpu_caps *caps)' \
        '{ bss[caps->epoch & 1] = ((volatile const uint32_t *)constants)[caps->epoch & 1] + data[caps->epoch & 1]; }'
}

bytes() { # name, text (code, constants, image of .data) or data
    echo $((0x$(riscv64-unknown-elf-nm "$out/firmware/$1.elf" | awk -v of="__$2_size" '$3 == of {print $1}')))
}

refused() { # what, image, what is said
    fails "$1" 2 "$3" make_in_tree "$2"
    check "$1: no image is left" test ! -e "$out/firmware/$2.elf"
}

# --- By a policy: at the limit it links, a word above it does not.

of plain 8 2 2
check "an image with little in it links" make_in_tree plain
code_left=$(((24576 - $(bytes plain text)) / 4)) data_left=$(((8192 - $(bytes plain data)) / 4))
over_code='code \+ constants \+ image of \.data over 24 KiB: .*find the largest functions with .nm --size-sort'
over_data='\.data \+ \.bss over 8 KiB: the guard page below the stack starts there; shrink the per-tenant state'

of full $((8 + code_left)) 2 2
check "code and constants: 24 KiB link" make_in_tree full
check "and are that" [ "$(bytes full text)" = 24576 ]
of constants $((8 + code_left + 1)) 2 2
refused "a word of constants more" constants "$over_code"
of initial $((8 + code_left)) 3 2
refused "a word of .data more: its image" initial "$over_code"
of huge 9000 2 2
refused "more than the ITCM has" huge "$over_code"

of state 8 2 $((2 + data_left))
check "data and bss: 8 KiB link" make_in_tree state
check "and are that" [ "$(bytes state data)" = 8192 ]
of bss 8 2 $((2 + data_left + 2))
refused "two words of .bss more" bss "$over_data"
of data 8 $((2 + data_left + 2)) 2
refused "two words of .data more" data "$over_data"

image constructor 'static uint32_t once;' 'static void __attribute__((constructor)) early(void) { once = 1; }' \
    'static void on_epoch(const struct gpu_caps *caps) { once += caps->sms; }'
refused "a constructor" constructor "constructors: boot runs none; use a policy's init"
image frame 'static void on_epoch(const struct gpu_caps *caps)' \
    '{ volatile uint32_t here[80]; here[caps->epoch & 63] = 1; (void)here[0]; }'
refused "a frame of more than a quarter of the stack" frame 'stack usage is [0-9]+ bytes .-Werror=stack-usage'
rm "$tree/firmware/policy/frame.c" # all images need what is in the archive

# --- By a changed memory map, which only whoever changes it can break.

cp "$tree/linker/memhelm.ld" "$work/memhelm.ld"
guard='the guard is not one whole 4 KiB page: .*ten times slower to emulate; let data end, and the stack begin, on a page'
changed() { # what, sed's expression, what is said
    sed -E "$2" "$work/memhelm.ld" > "$tree/linker/memhelm.ld"
    cmp -s "$work/memhelm.ld" "$tree/linker/memhelm.ld" && echo "nothing changed" > "$tree/linker/memhelm.ld"
    refused "$1" plain "$3"
}
changed "code ahead of the reset vector" 's/KEEP\(\*\(\.text\.start\)\)/*(.text.trap) &/' '_start is not at the reset vector: \.text\.start must stay first'
changed "a stack that does not end on 16 bytes" 's/(__stack_limit = )1K/\11000/' 'wants the stack on 16 bytes: make __stack_limit a multiple of 16'
changed "a guard of half a page" 's/MH_DTCM_BASE \+ 0x3000/MH_DTCM_BASE + 0x2800/' "$guard"
changed "a guard that is not on a page" 's/LENGTH = 0x2000/LENGTH = 0x2800/; s/MH_DTCM_BASE \+ 0x3000/MH_DTCM_BASE + 0x3800/' "$guard"
changed "a stack behind the DTCM" 's/LENGTH = 0x2000/LENGTH = 0x3000/; s/MH_DTCM_BASE \+ 0x3000/MH_DTCM_BASE + 0x4000/' \
    "the stack's page is outside of the DTCM: move it, the guard and the data down"
changed "a stack larger than its page" 's/(__stack_limit = )1K/\15K/' "__stack_limit is more than the stack's page: .*lower it"
changed "data that do not begin on a word" 's/__data_start = \.;/. += 2; &/' 'boot copies \.data in words: keep its start and its image on 4 bytes'
cp "$work/memhelm.ld" "$tree/linker/memhelm.ld"
check "as it was, it links" make_in_tree plain

# Each ASSERT of the script was broken above.
asserts=$(grep -c '^ASSERT' "$work/memhelm.ld")
check "there are no others" [ "$asserts" = 9 ]
finish
