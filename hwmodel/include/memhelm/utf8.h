/* UTF-8, in which configurations and results are kept. */
#ifndef MEMHELM_UTF8_H
#define MEMHELM_UTF8_H

#include <stddef.h>

/** Bytes of the whole character that `text` begins with, 0 when it begins with none; 1 for the 0 at its end. */
size_t mh_utf8_length(const char *text);

/** The first byte of `text` that is of no whole character; NULL when there is none. */
const char *mh_utf8_broken(const char *text);

#endif
