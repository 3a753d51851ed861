/*
 * Texts that quote recorded results. A comment says what the number behind it is; a reader of the page does not see it:
 *
 *     <!--=mask:agree-->36 rows agree; MASK gains <!--=mask:rows/fig11-mask/ours-->-3.4 %
 *
 * The number keeps its form: digits after the point, a sign if it has one, a fraction as % and Hz as MHz or GHz. Above
 * a table, <!--=table latency.md--> says that its cells are those of the recorded table with these columns and rows. A
 * comment right behind a ` is code, which says nothing.
 */
#ifndef TESTS_RECORDED_QUOTE_H
#define TESTS_RECORDED_QUOTE_H

#include <stdio.h>

struct quote_count {
    unsigned quoted; /**< numbers and cells that were looked up */
    unsigned wrong;  /**< of those: another than recorded, or not found */
};

/** Writes `text` to `out` with what is recorded; says on `say` what was otherwise, with file and line. */
struct quote_count quote(const char *file, const char *text, FILE *out, FILE *say);

#endif
