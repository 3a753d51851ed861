/* Manual pages of the commands, out of the tables and texts that --help shows. */
#ifndef HOST_CMD_MAN_H
#define HOST_CMD_MAN_H

#include <stdio.h>

#include "commands.h"

/** A page of section 1 as troff with the macros of man(7): of `command`, or of memhelm itself if that is NULL. */
void man_page(const struct command *command, FILE *out);

#endif
