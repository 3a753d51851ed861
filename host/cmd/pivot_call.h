/* The options of commands that look at a file of points: which points, and what of them. */
#ifndef HOST_CMD_PIVOT_CALL_H
#define HOST_CMD_PIVOT_CALL_H

#include <argp.h>

#include "pivot/pivot.h"

/** For such a command's argp: FILE, --rows and so on; its input is a struct pivot_request, all 0 at first. */
extern const struct argp pivot_call_argp;

#endif
