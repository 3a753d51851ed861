/* Budgets on the terminal. */
#ifndef HOST_BUDGET_BUDGET_REPORT_H
#define HOST_BUDGET_BUDGET_REPORT_H

#include "excess.h"

/**
 * Each image's tables: whose bytes, the stack, decisions. Awake is a share of the time since GPU time began. Interrupt
 * latency is from the line's rise to the first read of IRQ_PENDING, bus stalls included; handlers do not nest, so at
 * worst it is one whole interrupt.
 */
void budget_report_images(const struct budget *b, FILE *out);

/** A row for each image. */
void budget_report_summary(const struct budget *b, FILE *out);

/** What is over, and which exceptions were used. */
void budget_report_excess(const struct budget *b, const struct excess *list, unsigned count, FILE *out);

#endif
