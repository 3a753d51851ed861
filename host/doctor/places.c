/* Where memhelm writes: its cache, the store of finished runs, directories of runs. */
#define _GNU_SOURCE
#include "doctor.h"

#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "mcu/image.h"
#include "run/machine.h"
#include "run/store.h"

/* Ours: a study's kept runs and the logs of its running ones stay below it. */
#define ROOM_LEAST (256.0 * 1024 * 1024)

static double tree_bytes; /* nftw() hands over nothing */

static int add_size(const char *path, const struct stat *st, int kind, struct FTW *where)
{
    (void)path;
    (void)where;
    if (kind == FTW_F)
        tree_bytes += 512.0 * (double)st->st_blocks;
    return 0;
}

static const char *in_words(double bytes, char text[16])
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    unsigned u = 0;
    for (; bytes >= 1024 && u < 4; u++)
        bytes /= 1024;
    snprintf(text, 16, "%.*f %s", u && bytes < 10 ? 1 : 0, bytes, units[u]);
    return text;
}

/* The innermost part of `path` that is there: what has to be writable for the rest to be made. */
static void existing(const char *path, char part[HOST_PATH])
{
    snprintf(part, HOST_PATH, "%s", path);
    while (access(part, F_OK)) {
        char *slash = strrchr(part, '/');
        if (!slash || slash == part) {
            snprintf(part, HOST_PATH, "%s", slash ? "/" : ".");
            return;
        }
        *slash = 0;
    }
}

static void room(struct doctor *d, const char *what, const char *path, const char *remedy)
{
    struct statvfs fs;
    char part[HOST_PATH], text[16];
    existing(path, part);
    if (statvfs(part, &fs)) {
        doctor_problem(d, FINDING_NEEDED, what, remedy, "%s: %s", part, strerror(errno));
        return;
    }
    double bytes = (double)fs.f_bavail * (double)fs.f_frsize;
    in_words(bytes, text);
    if (access(part, W_OK | X_OK))
        doctor_problem(d, FINDING_NEEDED, what, remedy, "%s cannot be written: %s", part, strerror(errno));
    else if (bytes < ROOM_LEAST)
        doctor_problem(d, FINDING_NEEDED, what, remedy, "%s: %s free, a study needs more", part, text);
    else
        doctor_well(d, what, "%s: writable, %s free", path, text);
}

static void cache(struct doctor *d)
{
    char dir[HOST_PATH], text[16];
    struct mh_error err;
    if (store_dir("", dir, &err)) {
        doctor_problem(d, FINDING_NEEDED, "cache", "set HOME or XDG_CACHE_HOME to a directory of yours", "%.400s",
                       err.text);
        return;
    }
    room(d, "cache", dir, "make room there, or set XDG_CACHE_HOME to a directory of yours");
    tree_bytes = 0;
    if (!access(dir, F_OK) && !nftw(dir, add_size, 16, FTW_PHYS))
        doctor_well(d, "", "it has %s", in_words(tree_bytes, text));
}

static void store(struct doctor *d, const char *results)
{
    static const char remedy[] =
        "give another file with --results; kept runs are only ever added, so that this one may also "
        "be moved away";
    struct store_state s;
    struct mh_error err;
    char text[16];
    if (store_look(results, &s, &err))
        doctor_problem(d, FINDING_NEEDED, "kept runs", remedy, "%.400s", err.text);
    else if (!s.present)
        doctor_well(d, "kept runs", "none yet, %s", s.path);
    else if (!s.writable)
        doctor_problem(d, FINDING_NEEDED, "kept runs", remedy, "%s cannot be written", s.path);
    else
        doctor_well(d, "kept runs", "%llu in %s, %s: readable, writable", s.rows, in_words((double)s.bytes, text),
                    s.path);
}

void doctor_places(struct doctor *d, const char *results)
{
    const char *temporary = getenv("TMPDIR");
    cache(d);
    store(d, results);
    room(d, "directories", temporary && *temporary ? temporary : "/tmp",
         "make room there, or set TMPDIR; runs write there");
}

/* What a run is made by: QEMU, its plugin, images and twins; and the proof, a short run of each kind. */

static unsigned images, twins;

#define BUILD_AGAIN "run `make` at the top of the source tree, or install the package again"

static void qemu(struct doctor *d)
{
    char path[HOST_PATH], line[128], more[128];
    struct mh_error err;
    if (sim_qemu(path, &err)) {
        doctor_problem(d, FINDING_NEEDED, "QEMU", BUILD_AGAIN "; or set MEMHELM_QEMU", "%.400s", err.text);
        return;
    }
    const char *const version[] = {path, "--version", NULL}, *const machine[] = {path, "-M", "memhelm,help", NULL};
    if (program_ask(version, line, sizeof line))
        doctor_problem(d, FINDING_NEEDED, "QEMU", "install the library that it names; else " BUILD_AGAIN,
                       "%.200s does not start: %s", path, line);
    else if (program_ask(machine, more, sizeof more))
        doctor_problem(d, FINDING_NEEDED, "QEMU", "unset MEMHELM_QEMU, or " BUILD_AGAIN,
                       "%.200s has no machine memhelm: %s", path, line);
    else
        doctor_well(d, "QEMU", "%s, %s", line, path);
}

static void plugin(struct doctor *d)
{
    char path[HOST_PATH];
    struct mh_error err;
    if (core_plugin_path(path, &err))
        doctor_problem(d, FINDING_NEEDED, "plugin", BUILD_AGAIN "; or set MEMHELM_CORE_PLUGIN", "%.400s", err.text);
    else if (access(path, R_OK))
        doctor_problem(d, FINDING_NEEDED, "plugin", "unset MEMHELM_CORE_PLUGIN, or " BUILD_AGAIN, "%s cannot be read",
                       path);
    else
        doctor_well(d, "plugin", "times the mcu, %s", path);
}

static void count_image(const char *name, bool twin)
{
    (void)name;
    images++;
    twins += twin;
}

static void all_images(struct doctor *d)
{
    struct mh_error err;
    images = twins = 0;
    if (image_list(count_image, &err)) {
        doctor_problem(d, FINDING_NEEDED, "images", BUILD_AGAIN, "%.400s", err.text);
        return;
    }
    doctor_well(d, "images", "%u in %s/firmware", images, exe_dir());
    if (twins == images)
        doctor_well(d, "native twins", "of each image, in %s/twin", exe_dir());
    else
        doctor_problem(d, FINDING_WANTED, "native twins", BUILD_AGAIN, "of %u of %u images; --twin needs them", twins,
                       images);
}

/* Some thousand cycles of a small problem; nothing is kept. */
static void trial(struct doctor *d, const char *what, const char *how)
{
    const char *const run[] = {"/proc/self/exe", "run",      "baseline", "--no-alone", "--workload",
                               "GUPS:4096",      "--cycles", "5000",     how,          NULL};
    char line[256];
    int code = program_ask(run, line, sizeof line);
    if (code)
        doctor_problem(d, FINDING_NEEDED, what, "see the lines above; `memhelm run baseline -w GUPS` says more",
                       "of 5000 cycles ended with code %d: %s", code, line);
    else
        doctor_well(d, what, "of 5000 cycles passed");
}

void doctor_machine(struct doctor *d)
{
    qemu(d);
    plugin(d);
    all_images(d);
    if (!images)
        return;
    trial(d, "a run in QEMU", NULL);
    if (twins)
        trial(d, "a run of a twin", "--twin");
}
