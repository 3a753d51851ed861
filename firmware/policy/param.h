/*
 * A parameter of a policy: a word of the image that the host may set before boot (`memhelm run etc --param
 * throttle.degree=4`). It costs 4 bytes and a load.
 *
 *     POLICY_PARAM(throttle_degree, 1, 1, 128, "SMs: throttled at a time (ETC sec. 6.4)");
 *
 * at file scope of the policy's .c defines the word `throttle_degree`, which code reads like any constant, and a row
 * that the host reads from the file: `throttle.degree`, the default, the least and the most value, and a text "UNIT:
 * MEANING (SOURCE)". The default and the bounds are literals. The first `_` of the name is a dot to the host.
 *
 * The compiler cannot fold the word: each use is a load. Code of every epoch that uses one more than once copies it at
 * init.
 */
#ifndef FIRMWARE_PARAM_H
#define FIRMWARE_PARAM_H

#include <stdint.h>

/* Words of the mcu are in locked code memory; those of a twin are written before its init. */
#ifdef __riscv
#define PARAM_WORDS(name) ".pushsection .params." #name ",\"a\",@progbits"
#else
#define PARAM_WORDS(name) ".pushsection .params." #name ",\"aw\",@progbits"
#endif

/** Defines a parameter and its row. */
#define POLICY_PARAM(name, standard, least, most, text)                                                                \
    extern const volatile uint32_t name;                                                                               \
    _Static_assert((least) <= (standard) && (standard) <= (most), #name ": the default is out of range");              \
    __asm__(".pushsection .memhelm.params,\"\",@progbits\n\t"                                                          \
            ".ascii \"memhelm-param " #name " " #standard " " #least " " #most " \"\n\t.asciz " #text "\n\t"           \
            ".popsection\n\t"                                                                                          \
            "" PARAM_WORDS(name) "\n\t"                                                                                \
                                 ".balign 4\n\t"                                                                       \
                                 ".globl " #name "\n\t"                                                                \
                                 ".type " #name ", @object\n\t"                                                        \
                                 ".size " #name ", 4\n" #name ":\n\t"                                                  \
                                 ".4byte " #standard "\n\t"                                                            \
                                 ".popsection")

#endif
