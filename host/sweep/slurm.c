#define _GNU_SOURCE

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/escape.h"
#include "run/setup.h"
#include "sweep.h"

static void script_open(struct draft *d, const char *folder)
{
    draft_open(d);
    fputs("#!/bin/sh\ncd ", d->out);
    shell_word(d->out, folder);
    fputs(" || exit 1\n", d->out);
}

static int script_write(struct draft *d, const char *folder, const char *name, struct mh_error *err)
{
    char path[HOST_PATH];

    if (path_join(path, folder, name, err)) {
        free(draft_text(d));
        return -1;
    }
    if (draft_write(d, path, err))
        return -1;
    return chmod(path, 0755) ? mh_fail(err, "%s: %s", path, strerror(errno)) : 0;
}

static void say_command(FILE *out, const struct slurm_request *r)
{
    shell_word(out, exe_dir());
    fprintf(out, "/memhelm sweep %s", *r->sweep->spec.name == '-' ? "./" : "");
    shell_word(out, r->sweep->spec.name);
    fputs(".yaml", out);
}

/* 0 and 1 are ends: all runs were tried. */
static int write_task(const struct slurm_request *r, const char *folder, struct mh_error *err)
{
    struct draft s;
    script_open(&s, folder);
    say_command(s.out, r);
    fprintf(s.out,
            " --shard \"$SLURM_ARRAY_TASK_ID/%u\" \\\n    --results \"task-$SLURM_ARRAY_TASK_ID.sqlite\""
            " --jobs \"${SLURM_CPUS_PER_TASK:-1}\"\nstatus=$?\n"
            "[ $status -gt 1 ] || touch \"task-$SLURM_ARRAY_TASK_ID.done\"\nexit $status\n",
            r->tasks);
    return script_write(&s, folder, "task.sh", err);
}

/* Paths as the user gave them start at the user's folder. */
static int absolute(const char *path, char out[HOST_PATH], struct mh_error *err)
{
    char here[HOST_PATH];
    if (*path == '/')
        return path_join(out, path, "", err);
    return getcwd(here, sizeof here) ? path_join(out, here, path, err) : mh_fail(err, "%s", strerror(errno));
}

static int say_paths(FILE *out, const struct slurm_request *r, struct mh_error *err)
{
    char path[HOST_PATH], name[HOST_PATH];
    snprintf(name, sizeof name, "%.500s.sqlite", r->sweep->spec.name);
    if (absolute(r->sweep->output ? r->sweep->output : name, path, err))
        return -1;
    fputs(" \\\n    --output ", out);
    shell_word(out, path);
    if (!r->sweep->results)
        return 0;
    if (absolute(r->sweep->results, path, err))
        return -1;
    fputs(" --results ", out);
    shell_word(out, path);
    return 0;
}

static int write_merge(const struct slurm_request *r, const char *folder, struct mh_error *err)
{
    static const char again[] =
        "ROUND=${ROUND:-1}\nmissing=\n"
        "for i in $(seq %u); do\n    [ -e \"task-$i.done\" ] || missing=$missing,$i\ndone\n"
        "if [ -n \"$missing\" ] && [ \"$ROUND\" -lt 3 ]; then\n"
        "    echo \"round $ROUND: tasks ${missing#,} did not finish; they are submitted again\"\n"
        "    tasks=$(sbatch --parsable --requeue --output='task-%%a.log' --open-mode=append --array=\"${missing#,}\" "
        "%s task.sh) &&\n"
        "        sbatch --output=merge.log --open-mode=append --dependency=\"afterany:${tasks%%%%;*}\" \\\n"
        "            --export=\"ALL,ROUND=$((ROUND + 1))\" %s merge.sh && exit\nfi\n"
        "set --\nfor store in task-*.sqlite; do\n    [ ! -e \"$store\" ] || set -- \"$@\" --merge \"$store\"\ndone\n";
    const char *options = r->options ? r->options : "";
    struct draft s;
    script_open(&s, folder);
    fprintf(s.out, again, r->tasks, options, options);
    say_command(s.out, r);
    fputs(" \"$@\" --jobs \"${SLURM_CPUS_PER_TASK:-1}\"", s.out);
    int status = say_paths(s.out, r, err);
    fputc('\n', s.out);
    return script_write(&s, folder, "merge.sh", err) || status ? -1 : 0;
}

/* The sweep as it is now: a file that is changed later changes nothing. */
static int write_spec(const struct slurm_request *r, const char *folder, struct mh_error *err)
{
    char path[HOST_PATH], name[HOST_PATH];
    json_t *spec = spec_json(&r->sweep->spec);
    char *text = json_dumps(spec, JSON_INDENT(2));
    snprintf(name, sizeof name, "%.500s.yaml", r->sweep->spec.name);
    int status = text && !path_join(path, folder, name, err) ? write_file(path, text, strlen(text), err) : -1;
    free(text);
    json_decref(spec);
    return status;
}

/* Tasks run elsewhere and later, when the file may be another or not there. */
static int check_presets(const struct sweep_spec *spec, struct mh_error *err)
{
    for (unsigned i = 0; i < spec->presets.count; i++)
        if (preset_is_file(spec->presets.text[i]))
            return mh_fail(err,
                           "--slurm: preset %.400s is a file, which jobs do not take along; say its keys with --set",
                           spec->presets.text[i]);
    return 0;
}

static int make_folder(const struct slurm_request *r, char folder[HOST_PATH], struct mh_error *err)
{
    char name[HOST_PATH];
    snprintf(name, sizeof name, "%.500s.slurm", r->sweep->spec.name);
    if (check_presets(&r->sweep->spec, err) || absolute(name, folder, err))
        return -1;
    if (mkdir(folder, 0777))
        return mh_fail(err, "%s: %s%s", folder, strerror(errno),
                       errno == EEXIST ? "; a sweep was submitted here: remove the folder when its jobs have ended"
                                       : "");
    return write_spec(r, folder, err) || write_task(r, folder, err) || write_merge(r, folder, err) ? -1 : 0;
}

/* The number that sbatch says with --parsable: NUMBER or NUMBER;CLUSTER. */
static int sbatch(const char *folder, const char *words, const char *script, unsigned long *number,
                  struct mh_error *err)
{
    char line[256] = "", *end;
    struct draft d;
    draft_open(&d);
    fputs("cd ", d.out);
    shell_word(d.out, folder);
    fprintf(d.out, " && sbatch --parsable %s %s", words, script);
    char *command = draft_text(&d);
    FILE *from = popen(command, "r");
    free(command);
    if (!from)
        return mh_fail(err, "sbatch: %s", strerror(errno));
    if (!fgets(line, sizeof line, from))
        *line = 0;
    *number = strtoul(line, &end, 10);
    return pclose(from) || end == line ? mh_fail(err, "sbatch did not take %s/%s", folder, script) : 0;
}

int slurm_submit(const struct slurm_request *r, struct slurm_jobs *jobs, struct mh_error *err)
{
    char words[2048];
    const char *options = r->options ? r->options : "";
    *jobs = (struct slurm_jobs){0};
    if (make_folder(r, jobs->folder, err))
        return -1;
    if (!r->submit)
        return 0;
    snprintf(words, sizeof words, "--requeue --output='task-%%a.log' --open-mode=append --array=1-%u %.1000s", r->tasks,
             options);
    if (sbatch(jobs->folder, words, "task.sh", &jobs->tasks, err)) {
        remove_tree(jobs->folder);
        return -1;
    }
    snprintf(words, sizeof words, "--output=merge.log --dependency=afterany:%lu %.1000s", jobs->tasks, options);
    return sbatch(jobs->folder, words, "merge.sh", &jobs->merge, err);
}
