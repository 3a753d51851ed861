/* What may stand where a command line ends: the candidates of shells' completion. */
#ifndef HOST_CMD_COMPLETE_H
#define HOST_CMD_COMPLETE_H

#include <stdio.h>

/**
 * `words` are those behind `memhelm`, the last one being what is typed so far, perhaps "". Prints each candidate in a
 * line, a tab and a line about it behind it; where a file or a directory may stand, a line `:files` or `:directories`.
 * Shells may have parted `--option=value` at the =, as bash does.
 */
void complete_words(const char *const *words, unsigned count, FILE *out);

#endif
