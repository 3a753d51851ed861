/* What a run is made by: QEMU, its plugin, images and twins; and the proof, a short run of each kind. */
#include <string.h>
#include <unistd.h>

#include "doctor.h"
#include "mcu/image.h"
#include "program.h"
#include "run/child.h"
#include "run/mcu_plugin.h"

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
