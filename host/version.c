#include "version.h"

#include "memhelm/registers.h"

void version_print(FILE *out)
{
    fprintf(out, "memhelm %s, register table version %d\n", MEMHELM_VERSION, MH_REGISTERS_VERSION);
}
