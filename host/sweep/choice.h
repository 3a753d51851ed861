/* Which combinations of the varied keys a sweep has. */
#ifndef HOST_SWEEP_CHOICE_H
#define HOST_SWEEP_CHOICE_H

#include "spec.h"

enum { CHOICE_MOST = 10000000 /**< combinations */ };

struct choices {
    uint64_t count;
    unsigned *table; /**< [combination][axis]; NULL: computed */
    const struct sweep_spec *spec;
};

/** -1 and `err`: there are too many, or fewer than are to be drawn. The same for the same spec, everywhere. */
int choices_make(struct choices *c, const struct sweep_spec *s, struct mh_error *err);
void choices_free(struct choices *c);

/** Index of the value that axis `axis` has in combination `i`; the last axis changes fastest. */
unsigned choices_value(const struct choices *c, uint64_t i, unsigned axis);

#endif
