#!/usr/bin/env bash
# quick: one of the scripts of make check
# A policy outside of the tree: `memhelm init --here` and `memhelm build`, of the build tree and of an installed one, in a
# folder of any name. The sentences of its errors are those of make; an image that is not built leaves nothing behind.
. "$(dirname "$0")/lib.sh" "$1"
root=$PWD build=$(realpath "$build") memhelm=$(realpath "$memhelm")
prefix="$work/it's a \"prefix\", with \$signs" here="$work/a folder's \"name\""
mkdir "$here"
small=(--no-alone -w MVT:256+GUPS:4096 --cycles 100000 -s run.epoch=20000)

# The example of firmware/README.md, with the line that prints in its loop over tenants.
example() {
    line=$(sed -n 's/^    \(console_printf.*\)/\1/p' firmware/README.md) awk '
        /^```c$/ {inside = 1; next} /^```$/ {inside = 0} !inside {next}
        /^static/ && !once++ {print "#include \"platform/console.h\""}
        /gpu_set_knob/ {print "        {"; print ENVIRON["line"]; print; print "        }"; next} {print}' firmware/README.md
}
# policy NAME OWNS C..: what the hook at the end of an epoch does
policy() {
    echo '#include "policy.h"'
    [ -z "$2" ] || echo "POLICY_OWNS($2);"
    echo "static void on_epoch(const struct gpu_caps *caps) { (void)caps; ${*:3} }"
    echo "const struct policy policy_$1 = {.name = \"$1\", .on_epoch = on_epoch};"
}
example > "$here/walk share's.c"
cd "$here" || exit 1
builds() { # PROGRAM ARGUMENTS..: one line, the size
    "$1" build "${@:2}" > "$work/said" 2>&1 && [ "$(wc -l < "$work/said")" = 1 ] && grep -q 'code + constants .* of 24576 B' "$work/said" ||
        { cat "$work/said"; return 1; }
}
refused() { # WHAT TEXT ARGUMENTS..: nothing is left, and make says nothing of its own
    fails "$1" 2 "$2" "$memhelm" build "${@:3}"
    check "$1: nothing is left, nothing is said of make" eval '! ls ./*.elf ./*.map 2> /dev/null && ! grep -q "make: " "$work/fails.out"'
}

# --- from nothing to a table, by the commands that it says
check "init --here" eval '"$memhelm" init walk_mine --here > "$work/said"'
check "one file, without a word of the template" eval '[ -s walk_mine.c ] && ! ls walk_mine.h 2> /dev/null && ! grep -i template walk_mine.c'
command -v clang-format > /dev/null && check "as the formatter has it" clang-format --dry-run -Werror "--style=file:$root/.clang-format" walk_mine.c
command_number() {
    grep '^  ' "$work/said" | sed -n "$1p"
}
check "two commands follow" [ "$(grep -c '^  ' "$work/said")" = 2 ]
check "the first builds it" eval "$(command_number 1)"
check "the second compares it" eval "$(command_number 2 | sed 's/--cycles 1M/--cycles 50K/') | grep -q '^walk_mine'"
fails "init --here, a file that is there" 2 'there is a walk_mine.c already' "$memhelm" init walk_mine --here
fails "init where no tree is, without --here" 2 'source tree; or, .*memhelm init mine --here' "$memhelm" init mine
rm walk_mine.*

# --- a file with a blank and a quote in its name; what an image has, this one has
check "a file" builds "$memhelm" "walk share's.c"
image="./walk share's.elf"
runs() { # PROGRAM ARGUMENTS..
    "$1" run "$image" "${small[@]}" "${@:2}" --console > "$work/console" 2>&1 || { cat "$work/console"; return 1; }
}
check "it runs" runs "$memhelm"
check "and prints the README's line" grep -Eq '^tenant 1: [0-9]+ walks$' "$work/console"
check "its parameters" eval '"$memhelm" list images "$image" | grep -q "share.divisor *2  1..64"'
check "are set" runs "$memhelm" --param share.divisor=4
check "compare" eval '"$memhelm" compare baseline "$image" "${small[@]}" | grep -q "^walk share"'
check "budget: the policy's bytes" eval '"$memhelm" budget "$image" --static | grep -Eq "^  walk_share_s +[0-9]+ "'
mkdir firmware && cp walk*.elf walk*.map firmware
check "also in a folder that is called firmware" eval '"$memhelm" budget "firmware/${image#./}" --static | grep -q "walk_share_s"'
fails "a source in an image's place" 2 "is a source: memhelm build ./walk share's.c" "$memhelm" run "./walk share's.c" "${small[@]}"
fails "an image of this folder without its suffix" 2 "there is one here: $image" "$memhelm" compare baseline "walk share's" "${small[@]}"
fails "--twin" 2 'firmware and has no native twin: leave out --twin .*memhelm init NAME' "$memhelm" run "$image" --twin "${small[@]}"
fails "--twin, a name without a folder" 2 'has no native twin' "$memhelm" run "${image#./}" --twin "${small[@]}"
if command -v gdb-multiarch > /dev/null; then
    check "gdb finds the source from here" eval "gdb-multiarch -nx -batch '${image//\'/\'\\\'\'}' -ex 'list walk_share_on_epoch' | grep -q 'gpu_caps'"
fi
FIRMWARE_CFLAGS=-Og check "with flags for the debugger" builds "$memhelm" "walk share's.c" -o debugged.elf
check "which are in effect" eval '! cmp -s "$image" debugged.elf'
check "--with: policies of an image decide first" builds "$memhelm" "walk share's.c" --with dws,walk-static -o with.elf
check "each once" eval '"$memhelm" run ./with.elf -p dws "${small[@]}" --console | grep -q "policies=defaults,walk_partition,walk_dws,walk_share$"'
cp "walk share's.c" ./-o.c
check "a name that looks like an option" builds "$memhelm" -- -o.c
mkdir both && policy one CTA_LIMIT 'gpu_set_knob(CTA_LIMIT, 0, two());' | sed '1a #include "two.h"' > both/one.c
echo 'unsigned two(void);' > both/two.h && printf '#include "two.h"\nunsigned two(void)\n{\n    return 2;\n}\n' > both/two.c
check "a folder: all of its files" builds "$memhelm" both
check "is an image" "$memhelm" run ./both.elf "${small[@]}"

# --- installed
installed() {
    env -u MAKEFLAGS -C "$root" make -s "BUILD=$build" DEPS=no install "PREFIX=$prefix"
}
export XDG_CACHE_HOME=$user_cache
check "make install" installed
export XDG_CACHE_HOME=$work/cache
mkdir installed && cp "walk share's.c" both/two.[ch] installed && cd installed || exit 1
check "installed: init --here" eval '"$prefix/bin/memhelm" init mine --here'
check "build" builds "$prefix/bin/memhelm" mine.c
check "what the tree builds, the installed one builds" builds "$prefix/bin/memhelm" "walk share's.c" --with mask-cache
check "it runs" runs "$prefix/bin/memhelm"
loaded() {
    "$memhelm" build "walk share's.c" --with mask-cache -o tree.elf && mv "$image" there.elf && mv tree.elf "$image" &&
        cp "$image" tree.elf && "$memhelm" build "walk share's.c" --with mask-cache && mv "$image" tree.elf &&
        for f in there tree; do riscv64-unknown-elf-objcopy -O binary $f.elf $f.bin; done && cmp there.bin tree.bin
}
check "and is the same in the mcu's memory" loaded
TMPDIR="$here" check "a TMPDIR that make cannot take" builds "$prefix/bin/memhelm" mine.c
cd "$here" && rm -rf installed both firmware ./-o.c ./*.elf ./*.map

# --- what is refused
policy mine TOKENS 'gpu_set_knob(CTA_LIMIT, 0, 1);' > mine.c
refused "a knob that is not owned" 'mine.c: it sets knob CTA_LIMIT, and does not say so: add POLICY_OWNS.CTA_LIMIT.; above.*undeclared' mine.c
policy mine TOKENS 'volatile char x[900]; x[caps->sms] = 1;' > mine.c
refused "a frame that is too large" 'mine.c:3: the frame is larger than the 256 bytes that a function may have' mine.c
policy mine '' 'volatile float x = caps->sms; x = x * 2;' > "my mine.c"
refused "floating point" 'my mine.c: floating point; the core has no FPU: policies have integers only' "my mine.c"
policy mine '' 'console_printf("%d", -1);' | sed '1a #include "platform/console.h"' > mine.c
refused "a format that is none" 'mine.c:3: console_printf knows %s, %u, %x and %% alone' mine.c
policy mine TOKENS 'gpu_set_knob(TOKENS, 0, 1);' > mine.c
policy other TOKENS 'gpu_set_knob(TOKENS, 0, 2);' > other.c
refused "two policies with one knob" 'image mine: policies (mine and other|other and mine) both set knob TOKENS; an image takes one' mine.c other.c
refused "one of them of an image" 'policies (mine and mask_tokens|mask_tokens and mine) both set knob TOKENS' mine.c --with mask
policy mask_cache '' '' > other.c
refused "a policy that is in it twice" 'image other: policy mask_cache is in it twice; list it once' other.c --with mask
echo 'int f(void) { return }' > other.c
refused "no C: the compiler's words" 'other.c:1:22: error: expected expression' other.c
echo 'unsigned f(void);' > other.c
refused "no policy" 'no policy is defined: a file needs `const struct policy policy_NAME' other.c
refused "no file" 'nope.c: No such file.*memhelm init NAME --here' nope.c
refused "no name" 'which policy. a C file or a folder'
mkdir empty same
refused "a folder without" 'empty: a folder without .c files' empty
refused "something else" "not the name of a C source" "$memhelm"
cp mine.c same
refused "two files of one name" 'mine.c and same/mine.c: both are called mine; rename one' mine.c same/mine.c
refused "another suffix" '.-output mine.c: the name of an image ends in .elf|is read' mine.c -o mine.c
refused "no such suffix" '--output mine: the name of an image ends in .elf' mine.c -o mine
refused "an unknown image" "--with: no image 'mask-tbl'; nearest: mask-tlb" mine.c --with mask-tbl
refused "a folder that is not there" 'nowhere' mine.c -o nowhere/mine.elf
mkdir tools && ln -s "$(command -v ls)" tools
without() { # WHAT TEXT
    fails "$1" 2 "$2" env "PATH=$here/tools" "$memhelm" build mine.c
}
without "no compiler" 'install the Debian package gcc-riscv64-unknown-elf $'
ln -s /bin/true tools/riscv64-unknown-elf-gcc
without "no make" 'install the Debian package make $'
policy mine '' '__asm__ volatile(".zero 30000");' > mine.c
fails "code that is too large" 2 'image mine: code and constants are [0-9]+ bytes too large; console_printf .*the map beside the image' "$memhelm" build mine.c
check "the map is there, the image is not" test -s mine.map -a ! -e mine.elf
finish
