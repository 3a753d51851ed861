#include "colour.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum colour_when when = COLOUR_AUTO;

void colour_set(enum colour_when said)
{
    when = said;
}

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value && *value;
}

bool colour_on(FILE *out)
{
    const char *terminal = getenv("TERM");
    if (when != COLOUR_AUTO)
        return when == COLOUR_ALWAYS;
    return isatty(fileno(out)) && !is_set("NO_COLOR") && terminal && strcmp(terminal, "dumb") != 0;
}

/* Of the terminal's own eight, so that they suit its background. */
void colour_begin(enum colour colour, FILE *out)
{
    static const char *const codes[] = {
        [COLOUR_NONE] = "", [COLOUR_GOOD] = "\033[32m", [COLOUR_BAD] = "\033[1;31m", [COLOUR_DOUBT] = "\033[33m"};
    if (colour_on(out))
        fputs(codes[colour], out);
}

void colour_end(enum colour colour, FILE *out)
{
    if (colour != COLOUR_NONE && colour_on(out))
        fputs("\033[0m", out);
}

void colour_word(enum colour colour, const char *word, FILE *out)
{
    colour_begin(colour, out);
    fputs(word, out);
    colour_end(colour, out);
}
