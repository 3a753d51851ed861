/* Calls and returns among decoded instructions; what the decoder makes of every encoding: test_core_objdump.c. */
#include "unit/test.h"

#include "mcu/insn.h"

/* jalr rd, rs1: calls, returns and neither, as compilers use them. */
TEST(test_calls)
{
    static const struct {
        uint32_t word;
        bool calls, returns;
    } rows[] = {
        {0x000080e7, true, false},  /* jalr ra, 0(ra) */
        {0x0007a2e7, false, false}, /* funct3 2: illegal */
        {0x000782e7, true, false},  /* jalr t0, 0(a5) */
        {0x00008067, false, true},  /* ret */
        {0x00028067, false, true},  /* jalr x0, 0(t0) */
        {0x00408067, false, false}, /* jalr x0, 4(ra) */
        {0x00078067, false, false}, /* jr a5 */
        {0x008000ef, true, false},  /* jal ra */
        {0x008002ef, true, false},  /* jal t0 */
        {0x0080006f, false, false}, /* j */
        {0x008007ef, false, false}, /* jal a5 */
        {0x8082, false, true},      /* c.jr ra */
        {0x9782, true, false},      /* c.jalr a5 */
        {0x2001, true, false},      /* c.jal */
        {0xa001, false, false},     /* c.j */
        {0x00000013, false, false}, /* nop */
    };

    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct insn i;
        insn_decode(rows[n].word, &i);
        if (insn_calls(&i) != rows[n].calls || insn_returns(&i) != rows[n].returns)
            fail_msg("0x%x: calls %d returns %d", rows[n].word, insn_calls(&i), insn_returns(&i));
    }
}
