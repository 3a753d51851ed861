/*
 * Pages of mutated JSON: values of other types, lists that are shorter, keys that are gone, texts that would be markup.
 *   fuzz_page [ITERATIONS [SEED]]
 * Deterministic. Nothing may crash; a page has no tag that a text brought; what is refused has a reason.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "fuzz/dice.h"
#include "page/page.h"

static const char run[] =
    "{\"schema\":\"memhelm-result-1\",\"made_by\":{\"commit\":\"c\",\"model\":\"m\",\"machine\":\"q\"},"
    "\"image\":{\"name\":\"mask\",\"machine\":\"qemu\",\"sha256\":\"ab\",\"code\":1,\"rodata\":2,\"data\":3,\"bss\":4},"
    "\"core\":{\"name\":\"ibex\"},\"workload\":[\"MVT\",\"GUPS\"],\"seed\":1,\"config_sha256\":\"cd\","
    "\"config\":{\"preset\":\"mask\",\"design\":\"\",\"sm\":{\"count\":4,\"share\":0},\"run\":{\"cycles\":5,\"seed\":1}"
    ","
    "\"tenants\":[{\"kernel\":\"MVT\",\"sm_count\":2},{\"kernel\":\"GUPS\",\"sm_count\":2}]},\"alone\":null,"
    "\"metrics\":{\"weighted_speedup\":1.5,\"maximum_slowdown\":1.1,\"ipc\":3,\"walks\":7,"
    "\"tenants\":[{\"ipc\":1.0},{\"ipc\":2.0}]},"
    "\"run\":{\"end\":\"pass\",\"control\":{\"latency_count\":2,\"missed\":0},\"core\":{\"decisions\":1}}}";

static const char study[] =
    "{\"schema\":\"memhelm-reproduce-1\",\"title\":\"T\",\"agree\":1,\"quarter\":1,\"rows\":[{\"figure\":\"fig 1\","
    "\"what\":\"w\",\"paper\":\"+3 %\",\"ours\":0.02,\"interval\":null,\"relation\":\"gain\",\"verdict\":\"miss\","
    "\"note\":\"n\",\"reason\":null}],\"grids\":[{\"title\":\"g\",\"columns\":[{\"name\":\"c\",\"relation\":\"gain\","
    "\"workloads\":[\"A\",\"B\"],\"cells\":[[1.0,null]]}]}]}";

static const char latency[] =
    "{\"schema\":\"memhelm-latency-2\",\"images\":[{\"name\":\"dws\",\"preset\":\"dws\",\"core\":\"ibex\",\"cycles\":5,"
    "\"workloads\":[{\"workload\":\"A+B\",\"gain\":0.5,\"gain_half\":0.1,\"verdict\":\"gain\",\"knee_hz\":25000000,"
    "\"kept_hz\":null}],\"points\":[{\"name\":\"no time\",\"losses\":[0.0],\"questions\":9,\"missed\":0}]}]}";

static const char other[] = "{\"schema\":\"memhelm-classes-1\",\"n\":1,\"list\":[{\"a\":1,\"b\":\"x\"},{\"c\":2.5}],"
                            "\"deep\":{\"one\":{\"two\":{\"three\":{\"four\":1}}}},\"numbers\":[1,2,null]}";

static const char events[] =
    "{\"schema\":\"memhelm-timeline-1\",\"otherData\":{\"gpu_hz\":1000000000,\"sample_cycles\":1000},\"traceEvents\":["
    "{\"ph\":\"M\",\"pid\":5,\"name\":\"process_name\",\"args\":{\"name\":\"tenant 0 MVT\"}},"
    "{\"ph\":\"C\",\"pid\":5,\"ts\":1.0,\"name\":\"IPC\",\"args\":{\"value\":3}},"
    "{\"ph\":\"X\",\"pid\":5,\"ts\":2.0,\"name\":\"awake\",\"args\":{\"cycle\":2000,\"cycles\":500}},"
    "{\"ph\":\"b\",\"pid\":5,\"ts\":1.0,\"name\":\"t\"},{\"ph\":\"e\",\"pid\":5,\"ts\":2.0,\"name\":\"t\"}]}";

/* Any value: of another type, and with texts that mean something to a browser. */
static json_t *anything(struct dice *d)
{
    switch (roll(d, 8)) {
    case 0:
        return json_integer((json_int_t)roll(d, UINT64_MAX));
    case 1:
        return json_real(1e300 * (double)roll(d, 3));
    case 2:
        return json_string("<script>alert('&')</script>\"");
    case 3:
        return json_string("%s%n\n\x1b[2J");
    case 4:
        return json_array();
    case 5:
        return json_object();
    case 6:
        return json_pack("[{s:i},[n],s]", "x", 1, "<b>");
    default:
        return json_null();
    }
}

static void mutate(struct dice *d, json_t *v, unsigned depth);

static void mutate_object(struct dice *d, json_t *o, unsigned depth)
{
    size_t at = json_object_size(o) ? roll(d, json_object_size(o)) : 0;
    void *i = json_object_iter(o);
    for (; i && at; at--)
        i = json_object_iter_next(o, i);
    if (!i)
        return;
    const char *key = json_object_iter_key(i);
    if (depth && roll(d, 4))
        mutate(d, json_object_iter_value(i), depth - 1);
    else if (!strcmp(key, "schema"))
        return;
    else if (roll(d, 2))
        json_object_set_new(o, key, anything(d));
    else
        json_object_del(o, key);
}

static void mutate(struct dice *d, json_t *v, unsigned depth)
{
    const size_t n = json_array_size(v);
    if (json_is_object(v))
        mutate_object(d, v, depth);
    else if (n && depth && roll(d, 3))
        mutate(d, json_array_get(v, roll(d, n)), depth - 1);
    else if (n)
        json_array_set_new(v, roll(d, n), anything(d));
}

static void write_mutant(struct dice *d, const char *text, const char *path)
{
    struct mh_error err;
    json_t *o = json_loads(text, 0, NULL);
    require(o != NULL, "its own text is no JSON");
    for (uint64_t i = roll(d, 4); i; i--)
        mutate(d, o, 5);
    char *mutant = json_dumps(o, 0);
    require(mutant && !write_file(path, mutant, strlen(mutant), &err), "no room for a file");
    free(mutant);
    json_decref(o);
}

static char dir[] = P_tmpdir "/memhelm-fuzz-XXXXXX";

/*
 * Figures take gnuplot, whose start is nearly all of a round's time: in seven of eight rounds a script of that name
 * draws an empty one.
 */
static char with_gnuplot[4096], without[sizeof with_gnuplot + HOST_PATH];

static void make_stand_in(void)
{
    static const char script[] = "#!/bin/sh\ncase $1 in *.gp) echo '<svg></svg>' > \"${1%.gp}.svg\" ;; esac\n";
    char bin[HOST_PATH], path[HOST_PATH];
    struct mh_error err;
    const char *found = getenv("PATH");
    require(!path_join(bin, dir, "bin", &err) && !make_dirs(bin, &err) && !path_join(path, bin, "gnuplot", &err) &&
                !write_file(path, script, sizeof script - 1, &err) && !chmod(path, 0755),
            "no script");
    require(found && strlen(found) < sizeof with_gnuplot, "a PATH");
    strcpy(with_gnuplot, found);
    snprintf(without, sizeof without, "%s:%s", bin, found);
}

static void look_at(void)
{
    char path[HOST_PATH];
    struct mh_error err;
    size_t length;
    require(!path_join(path, dir, "page/index.html", &err), "a path");
    char *page = read_file(path, &length, &err);
    require(page != NULL, "no page, and no error");
    require(strlen(page) == length, "a page with a zero in it");
    require(!strstr(page, "<script>alert") && !strstr(page, "<b>") && !strchr(page, '\x1b'), "a text became markup");
    require(strstr(page, "</html>\n") != NULL, "a page without an end");
    free(page);
}

static bool one_round(uint64_t seed, uint64_t n)
{
    static const char *const texts[] = {run, study, latency, other, events};
    static const char *const names[] = {"a.json", "b.json"};
    struct dice d = {seed + n, 0};
    char paths[2][HOST_PATH], page[HOST_PATH];
    struct mh_error err = {""};
    struct page_request q = {.count = 2};
    for (unsigned i = 0; i < 2; i++) {
        require(!path_join(paths[i], dir, names[i], &err), "a path");
        write_mutant(&d, texts[roll(&d, sizeof texts / sizeof *texts)], paths[i]);
        q.files[i] = paths[i];
    }
    require(!path_join(page, dir, "page", &err), "a path");
    q.dir = page;
    setenv("PATH", n % 8 ? without : with_gnuplot, 1);
    if (page_write(&q, &err)) {
        require(*err.text != 0, "refused without a reason");
        return false;
    }
    look_at();
    return true;
}

int main(int argc, char **argv)
{
    require(mkdtemp(dir) != NULL, "no directory");
    make_stand_in();
    const int status = dice_rounds(argc, argv, "fuzz_page", 300, one_round);
    remove_tree(dir);
    return status;
}
