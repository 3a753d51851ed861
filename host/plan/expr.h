/*
 * Metrics of rows files: sums, differences, products and quotients of named values, such as
 * `dram_walk / (dram_read + dram_walk)` or `max(walks[0], walks[1])`. The caller resolves names. A
 * division by 0 gives NaN, and so does whatever is made from it.
 */
#ifndef HOST_PLAN_EXPR_H
#define HOST_PLAN_EXPR_H

#include <stdbool.h>

#include "memhelm/error.h"

enum { EXPR_NAME = 64, EXPR_ALL = -1 /**< no tenant given */ };

struct expr;

/** NULL and `err` (column and what was expected) when it cannot be read. */
struct expr *expr_parse(const char *text, struct mh_error *err);
void expr_free(struct expr *e);

/** The value of `name`, of one tenant (`name[1]`) or of all together (EXPR_ALL). */
typedef double expr_lookup(void *ctx, const char *name, int tenant);

double expr_value(const struct expr *e, expr_lookup *lookup, void *ctx);

/** Calls `name` for every name in it. */
void expr_names(const struct expr *e, void (*name)(void *ctx, const char *name, int tenant), void *ctx);

#endif
