/* The 66 pairs of kernels of CCBP section 7.1, by class. */
#ifndef HOST_SEARCH_PAIRS_H
#define HOST_SEARCH_PAIRS_H

enum pair_class { PAIR_LS_LS, PAIR_LS_BI, PAIR_NBI_DBI, PAIR_CLASSES };

/** "LS+LS" and so on. */
extern const char *const pair_names[PAIR_CLASSES];

struct pair {
    enum pair_class class;
    const char *first, *second; /**< workloads: joined with + they are one */
};

/** Names of the classes, and of all together. */
#define SEARCH_PAIRS "LS+LS LS+BI NBI+DBI all"

enum { PAIRS_MOST = 128 };

/** All of them, class by class; their number. */
unsigned pairs_all(struct pair out[PAIRS_MOST]);

#endif
