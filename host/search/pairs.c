#include "pairs.h"

#include <stdbool.h>
#include <stddef.h>

const char *const pair_names[PAIR_CLASSES] = {"LS+LS", "LS+BI", "NBI+DBI"};

enum { LS, NBI, DBI };

static const struct {
    int class;
    const char *workload;
} kernels[] = {
#define MH_SEARCH_KERNEL(class, workload) {class, workload},
#include "pairs.def"
#undef MH_SEARCH_KERNEL
};
enum { KERNELS = sizeof kernels / sizeof *kernels };

/* Is kernel `a` with kernel `b` behind it a pair of the class? */
static bool is_pair(enum pair_class class, unsigned a, unsigned b)
{
    int first = kernels[a].class, second = kernels[b].class;
    if (class == PAIR_NBI_DBI)
        return first == NBI && second == DBI;
    return first == LS && (second != LS) == (class == PAIR_LS_BI);
}

unsigned pairs_all(struct pair out[PAIRS_MOST])
{
    unsigned count = 0;
    for (unsigned class = 0; class < PAIR_CLASSES; class ++)
        for (unsigned a = 0; a < KERNELS; a++)
            for (unsigned b = a + 1; b < KERNELS; b++)
                if (is_pair((enum pair_class) class, a, b) && count < PAIRS_MOST)
                    out[count++] = (struct pair){(enum pair_class) class, kernels[a].workload, kernels[b].workload};
    return count;
}
