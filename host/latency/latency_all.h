/* All images: which gains firmware cannot afford, in words, and a row per image, the worst first. */
#ifndef HOST_LATENCY_LATENCY_ALL_H
#define HOST_LATENCY_LATENCY_ALL_H

#include "latency_words.h"

void latency_all(const struct latency *l, const struct output *o);

#endif
