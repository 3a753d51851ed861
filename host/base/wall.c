#include "wall.h"

#include <time.h>

double wall_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void wall_say(double seconds, unsigned jobs, FILE *out)
{
    if (seconds < 60)
        fprintf(out, "less than a minute");
    else if (seconds < 2 * 3600)
        fprintf(out, "about %.0f minutes", seconds / 60);
    else
        fprintf(out, "about %.1f hours", seconds / 3600);
    fprintf(out, " if %u processor%s free\n", jobs, jobs > 1 ? "s are" : " is");
}
