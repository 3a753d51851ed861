/* Invariants, compiled in with -DMH_DEBUG: a model that has lost a request must stop, not go on. */
#ifndef MEMHELM_ENGINE_CHECK_H
#define MEMHELM_ENGINE_CHECK_H

#ifdef MH_DEBUG
#include <stdio.h>
#include <stdlib.h>
#define MH_CHECK(condition)                                                                                            \
    ((condition)                                                                                                       \
         ? (void)0                                                                                                     \
         : (fprintf(stderr, "memhelm: invariant broken at %s:%d: %s\n", __FILE__, __LINE__, #condition), abort()))
#else
#define MH_CHECK(condition) ((void)0)
#endif

#endif
