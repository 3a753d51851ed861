/* Tornado figures: a row's range under each assumption, those that move it most on top. */
#ifndef HOST_ASSUMPTIONS_TORNADO_H
#define HOST_ASSUMPTIONS_TORNADO_H

#include "assumptions.h"

/** Writes DIR/NAME-ROW.svg and so on for each row that was run, NAME being the study's with "-assumptions" behind it.
 */
int tornado_write(const struct assumptions *a, const char *dir, struct mh_error *err);

#endif
