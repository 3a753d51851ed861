#include "sim.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "boot.h"
#include "child.h"
#include "mcu_plugin.h"
#include "memhelm/config_file.h"
#include "run_dir.h"
#include "trace_kept.h"
#include "base/wall.h"

static int write_config(const struct sim *s, struct mh_error *err)
{
    char path[HOST_PATH];
    if (path_join(path, s->dir, "config.yaml", err))
        return -1;
    FILE *f = fopen(path, "w");
    if (!f)
        return mh_fail(err, "%s: cannot write: %s", path, strerror(errno));
    struct mh_config kept;
    trace_kept_config(&s->cfg, &kept);
    int status = mh_config_write(&kept, f, err);
    if (fclose(f) && !status)
        status = mh_fail(err, "%s: cannot write: %s", path, strerror(errno));
    return status;
}

/* A disk that is full shows in many ways; this one names the remedy. */
static void blame_disk(const struct sim *s, struct mh_error *err)
{
    char dir[HOST_PATH];
    struct mh_error full;
    snprintf(dir, sizeof dir, "%s", s->dir);
    if (access(dir, F_OK) && strrchr(dir, '/'))
        *strrchr(dir, '/') = 0;
    if (run_dir_full(dir, &full))
        (void)mh_fail(err, "%s: %.900s", s->image->name, full.text);
}

int sim_prepare(struct sim *s, struct mh_error *err)
{
    if (s->prepared)
        return 0;
    if (make_dirs(s->dir, err) || write_config(s, err) || (core_plugin_needed(s) && core_plugin_prepare(s, err)) ||
        (s->boot && boot_prepare(s, err))) {
        blame_disk(s, err);
        return -1;
    }
    s->prepared = true;
    return 0;
}

int sim_start(struct sim *s, struct mh_error *err)
{
    if (sim_prepare(s, err))
        return -1;
    s->started = wall_seconds();
    s->pid = child_start(s, err);
    if (s->pid < 0) {
        blame_disk(s, err);
        return -1;
    }
    s->state = SIM_RUNNING;
    return 0;
}

const struct image *sim_image_at(const struct sim *s, uint64_t cycle)
{
    const struct mh_swaps *done = &s->result.mcu.swaps;
    const struct image *image = sim_boots(s);
    for (uint32_t i = 0; i < done->count && i < s->swap_count && done->list[i].began <= cycle; i++)
        if (done->list[i].began && (!done->list[i].rolled_back || done->list[i].rolled_back >= cycle))
            image = s->swaps[i].image;
    return image;
}

/* The exit code must say the same as the file: neither alone makes a PASS. */
static int agree(const struct sim *s, int status, struct mh_error *err)
{
    char log[HOST_PATH], line[400];
    if (WIFEXITED(status) && WEXITSTATUS(status) == (int)s->result.end)
        return 0;
    bool said = !path_join(log, s->dir, "stderr.log", NULL) && last_line(log, "", line, sizeof line);
    return mh_fail(err, "%s: the result says %s, but the simulation ended with %s %d%s%s", s->image->name,
                   mh_end_names[s->result.end], WIFEXITED(status) ? "exit code" : "signal",
                   WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status), said ? "; its last line: " : "",
                   said ? line : "");
}

static void explain_loss(struct sim *s, int status)
{
    char log[HOST_PATH], line[400];
    bool said = !path_join(log, s->dir, "stderr.log", NULL) && last_line(log, "", line, sizeof line);
    (void)mh_fail(&s->error, "%s: the simulation %s %d without a result; its last line: %s", s->image->name,
                  WIFSIGNALED(status) ? "was killed by signal" : "ended with exit code",
                  WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status),
                  said            ? line
                  : s->view.trace ? "(on the terminal)"
                                  : "(it said nothing)");
    trace_kept_names(s->error.text, sizeof s->error.text);
}

static int read_result(struct sim *s, int status)
{
    char path[HOST_PATH];
    if (path_join(path, s->dir, "result.json", &s->error))
        return -1;
    if (!access(path, R_OK))
        return mh_record_read(path, &s->result, &s->error) || agree(s, status, &s->error) ? -1 : 0;
    explain_loss(s, status);
    return -1;
}

void sim_finish(struct sim *s, int status)
{
    s->seconds = wall_seconds() - s->started;
    s->pid = 0;
    s->state = SIM_LOST;
    console_close(s);
    if (s->given_up)
        return;
    if (!read_result(s, status) && !(bursts_asked(&s->cfg) && bursts_read(s->dir, &s->cfg, &s->bursts, &s->error)))
        s->state = SIM_DONE;
    else
        blame_disk(s, &s->error);
}
