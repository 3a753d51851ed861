#!/usr/bin/env bash
# Firmware built with the user's flags: for the debugger, or smaller. And formats that console_printf does not know, which
# do not compile.
. "$(dirname "$0")/lib.sh" "$1"
root=$PWD tree=$work/tree out=$work/build
mkdir -p "$tree" "$out"
for part in Makefile firmware linker host hwmodel qemu tests; do ln -s "$root/$part" "$tree/$part"; done
cp -P "$build/newlib" "$out/newlib"
touch "$out/.deps"

# built FLAGS TARGET..: in $out, with FIRMWARE_CFLAGS=FLAGS
built() {
    local flags=$1
    shift
    env -u MAKEFLAGS make -C "$tree" "BUILD=$out" DEPS=no V=1 "FIRMWARE_CFLAGS=$flags" "${@/#/$out/firmware/}" > "$work/built" 2>&1 || {
        cat "$work/built"
        return 1
    }
}

compiled() { # how many objects the last call compiled
    [ "$(grep -c -- ' -c .* -o .*\.o' "$work/built")" "$@" ]
}

# A policy that does not keep to a quarter of the stack without -O2, the largest image, and all other policies.
images=(ws+tcm.elf etc+ccbp.elf policies.a)
for level in -Og -Os; do
    check "every policy builds with $level" built $level "${images[@]}"
    check "a frame that is too large is a warning" grep -q 'tcm[a-z_]*[.]c:.*warning: stack usage is' "$work/built"
    check "and the image runs" "$memhelm" run -p mask-ccbp -i "$out/firmware/ws+tcm.elf" -w GUPS+HISTO --no-alone --cycles 250000
done
check "the flags are in effect: it is other code" [ "$(stat -c %s "$out/firmware/obj/policy/tcm.c.o")" -ne \
    "$(stat -c %s "$build/firmware/obj/policy/tcm.c.o")" ]
check "the same flags build nothing anew" built -Os "${images[@]}"
check "nothing" compiled -eq 0
check "flags with quotes and commas" built "-Os -DWORDS='\"a, b\"' -Wa,--no-warn" obj/boot/syscalls.c.o
check "other flags build it anew" compiled -eq 1
check "no flags: again, and the gate is back" built "" ws+tcm.elf
check "all that the image is made of" compiled -gt 40
loaded() {
    riscv64-unknown-elf-objcopy -O binary "$1/firmware/ws+tcm.elf" "$work/loaded.$2"
}
shipped() {
    loaded "$build" a && loaded "$out" b && cmp "$work/loaded.a" "$work/loaded.b"
}
check "its bytes are those of the shipped image" shipped

# --- console_printf, on the mcu and natively.

# line COMPILER FLAGS CALL: compiles a function with that call
line() {
    printf '#include "firmware/platform/console.h"\nvoid f(const char *text, unsigned n);\nvoid f(const char *text, unsigned n)\n{\n    (void)text, (void)n;\n    %s\n}\n' \
        "$3" > "$work/line.c"
    $1 $2 -std=gnu11 -Wall -Wextra -Werror -I. -c "$work/line.c" -o "$work/line.o"
}
rv32='riscv64-unknown-elf-gcc -march=rv32imc -mabi=ilp32'
knows='console_printf knows %s, %u, %x and %% alone'
for level in -O1 -O2 -Os -Og; do
    for compiler in "$rv32" gcc "gcc -fsanitize=address,undefined"; do
        check "$compiler $level: what it knows" line "$compiler" $level \
            'console_printf("memhelm: %s%%%x %u%% of %u\n", text, n, n, n); console_printf("\n"); console_printf("%s", text);'
        check "sixteen conversions" line "$compiler" $level \
            'console_printf("%u%u%u%u%u%u%u%u%u%u%u%u%u%u%u%u", n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n);'
        fails "seventeen" 1 'console_printf checks 16 conversions' line "$compiler" $level \
            'console_printf("%u%u%u%u%u%u%u%u%u%u%u%u%u%u%u%u%u", n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n);'
        fails "a format that is no literal" 1 'console_printf takes a literal' line "$compiler" $level 'console_printf(text, n);'
        for format in '%d", -3' '%i", 1' '%lu", 7ul' '%5u", n' '%05x", n' '%-4s", text' '%c", n' '%p", text' '%X", n' \
            '%.3s", text' '%o", n' '%hu", (unsigned short)n' '%%%d", 3' '%u %s %zu", n, text, sizeof n'; do
            fails "\"$format" 1 "$knows" line "$compiler" $level "console_printf(\"$format);"
        done
    done
done
# printed FORMAT..: with -O0, where nothing is checked before
printed() {
    printf '#include <stdio.h>\n#include "firmware/platform/console.h"\n#include "firmware/platform/mcu.h"\nvoid mcu_uart_write(const char *text, size_t length)\n{\n    fwrite(text, 1, length, stdout);\n}\nint main(void)\n{\n    console_printf(%s);\n    return 0;\n}\n' \
        "$1" > "$work/print.c"
    gcc -O0 -std=gnu11 -I. -Ihwmodel/include "$work/print.c" firmware/platform/console.c -o "$work/print" && "$work/print"
}
fails "-O0: what it knows" 0 'a b 7 ff 100%' printed '"a %s %u %x 100%%\n", "b", 7u, 255u'
for format in '%d of %u", -3, 7u' '%lu", 7ul' '%5u", 7u' '100%"'; do
    fails "-O0: \"$format, when it is printed" 134 "Assertion.*console_printf knows" printed "\"$format"
done
mkdir "$work/console"
cp -a firmware "$work/console" && rm "$tree/firmware" && ln -s "$work/console/firmware" "$tree/firmware"
cat > "$work/console/firmware/policy/loss.c" << 'EOF'
#include "policy.h"
#include "../platform/console.h"
static void loss_on_epoch(const struct gpu_caps *caps)
{
    console_printf("loss=%d of %u\n", -3, (unsigned)caps->tenants);
}
const struct policy policy_loss = {.name = "loss", .on_epoch = loss_on_epoch};
EOF
fails "a policy that does not compile: where, and what is known" 1 \
    "firmware/policy/loss.c:5: $knows, without flags, width or length: cast numbers to unsigned" built "" obj/policy/loss.c.o
finish
