/* Lines that users paste into a shell, or that we write into a script. */
#ifndef HOST_BASE_SHELL_H
#define HOST_BASE_SHELL_H

#include <stdio.h>

/** One word: as it is, or in single quotes if anything in it means something to a shell. */
void shell_word(FILE *out, const char *word);

#endif
