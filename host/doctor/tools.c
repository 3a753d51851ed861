/* External programs, and the libraries that memhelm is linked with. */
#include <elfutils/libdwfl.h>
#include <jansson.h>
#include <lzma.h>
#include <openssl/crypto.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>
#include <yaml.h>
#include <zlib.h>
#include <zstd.h>

#include "doctor.h"
#include "program.h"

/* What each is for: without it the rest works. */
static const struct tool {
    const char *name, *option, *remedy, *use;
} tools[] = {
    {"riscv64-unknown-elf-gcc", "--version", "apt-get install gcc-riscv64-unknown-elf", "compiles firmware"},
    {"cc", "--version", "apt-get install build-essential", "compiles the model and twins"},
    {"make", "--version", "apt-get install build-essential", "builds policies"},
    {"gnuplot", "--version", "apt-get install gnuplot-nox", "draws what --plots and --series-plot ask for"},
    {"gdb-multiarch", "--version", "apt-get install gdb-multiarch", "debugs firmware (run --gdb)"},
    {"oclgrind", "--version", "apt-get install oclgrind", "runs the programs that `memhelm record` records"},
};

static void ask(struct doctor *d, const struct tool *t)
{
    const char *const arguments[] = {t->name, t->option, NULL};
    char line[200];
    if (program_ask(arguments, line, sizeof line))
        doctor_problem(d, FINDING_WANTED, t->name, t->remedy, "not to be started; it %s", t->use);
    else
        doctor_well(d, t->name, "%s", line);
}

static void recorder(struct doctor *d)
{
    char path[HOST_PATH];
    if (built_file(path, "the recorder", "record-plugin.path", "MEMHELM_RECORD_PLUGIN", NULL) || access(path, R_OK))
        doctor_problem(d, FINDING_WANTED, "recorder", "install what host/record/get-deps.sh names, then `make`",
                       "Oclgrind's plugin is not built; `memhelm record` needs it");
    else
        doctor_well(d, "recorder", "Oclgrind's plugin, %s", path);
}

void doctor_tools(struct doctor *d)
{
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
        ask(d, &tools[i]);
    recorder(d);
    doctor_well(d, "libraries", "libyaml %s, jansson %s, zstd %s, liblzma %s, zlib %s, SQLite %s",
                yaml_get_version_string(), jansson_version_str(), ZSTD_versionString(), lzma_version_string(),
                zlibVersion(), sqlite3_libversion());
    doctor_well(d, "", "libdw %s, %s", dwfl_version(NULL), OpenSSL_version(OPENSSL_VERSION));
}
