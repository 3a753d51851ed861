#include "version.h"

#include "memhelm/registers.h"
#include "base/provenance.h"

void version_print(FILE *out)
{
    fprintf(out, "memhelm %s, register table version %d, commit %s\nmodel %s\nmachine %s\n", MEMHELM_VERSION,
            MH_REGISTERS_VERSION, provenance_commit(), provenance_model(), provenance_machine());
}
