/*
 * allocation.c with eight kernels, of which ticks have a sum, or a part of it: of a million random instances, climbed
 * from 150 each, those with the longest ticks, the most work and the most sums by a count of basic blocks.
 */
#define ALLOCATION_IMAGE     "selftest/allocation-eight"
#define ALLOCATION_KERNELS   8
#define ALLOCATION_INSTANCES 3
#include "allocation.h"

static const struct allocation_instance allocation_instances[ALLOCATION_INSTANCES] = {
    {"longest",
     14,
     {3, 1},
     {
         {NBI, 1, {2, 2, 0}, {203082804, 488589360}, 1, {7}},
         {NBI, 2, {0, 1, 2}, {187000571, 1}, 1, {0, 5}},
         {NBI, 1, {0, 0, 0}, {482447598, 8}, 1, {3}},
         {NBI, 2, {0, 1, 2}, {187000571, 1}, 1, {0, 5}},
         {NBI, 1, {0, 0, 2}, {247575840, 8039733}, 1, {0}},
         {NBI, 1, {0, 0, 0}, {482447598, 8}, 1, {3}},
         {LS, 32, {1, 2, 1}, {2, 1}, 93, {0}},
         {NBI, 2, {1, 0, 2}, {169920182, 8}, 1, {0, 6}},
     }},
    {"total",
     31,
     {3, 2},
     {
         {NBI, 4, {1, 2, 0}, {370978080, 7}, 1, {6, 0, 5, 7}},
         {LS, 32, {1, 2, 2}, {1, 1}, 237, {0}},
         {LS, 32, {0, 2, 2}, {2, 4}, 25, {0}},
         {NBI, 4, {2, 0, 0}, {8631505, 153631396}, 1, {0, 6, 7, 0}},
         {NBI, 4, {1, 2, 1}, {3024781, 6}, 1, {6, 2, 0, 5}},
         {NBI, 4, {2, 2, 2}, {7775891, 6}, 1, {6, 2, 0, 5}},
         {NBI, 4, {0, 0, 0}, {16741495, 5}, 1, {6, 0, 5, 7}},
         {NBI, 4, {1, 0, 1}, {16451865, 6}, 1, {5, 2, 3, 7}},
     }},
    {"sums",
     7,
     {1, 1},
     {
         {DBI, 1, {0, 0, 0}, {4, 101257512}, 1, {7}},
         {NBI, 2, {1, 2, 1}, {94149590, 5}, 1, {5, 4}},
         {DBI, 3, {0, 0, 1}, {1, 299955414}, 1, {6, 4, 6}},
         {LS, 32, {1, 0, 2}, {2, 4}, 219, {0}},
         {LS, 32, {0, 2, 0}, {1, 3}, 177, {0}},
         {LS, 32, {0, 1, 2}, {1, 4}, 191, {0}},
         {LS, 32, {1, 1, 2}, {1, 1}, 183, {0}},
         {LS, 32, {1, 2, 0}, {1, 4}, 254, {0}},
     }},
};
