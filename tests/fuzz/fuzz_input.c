/*
 * Feeds the readers of matrices and graphs files, whole ones and damaged ones: fuzz_input [ITERATIONS [SEED]]. A whole
 * one is taken, and has the entries that it was written with; a damaged one is refused with file and line, or what is
 * taken lies inside of it. Every round is a function of seed and round number.
 */
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "fuzz/dice.h"
#include "workload/input/input.h"

enum { ROOM = 1 << 16, VERTICES = 40 };
enum format { MARKET, EDGES, METIS, DIMACS, RODINIA, KONECT, FORMATS };

static const char *const names[FORMATS] = {"f.mtx", "f.txt", "f.graph", "f.gr", "f.bfs", "f.out"};

struct text {
    char s[ROOM];
    size_t size;
};

static void add(struct text *t, const char *format, uint64_t a, uint64_t b)
{
    t->size +=
        (size_t)snprintf(t->s + t->size, sizeof t->s - t->size, format, (unsigned long long)a, (unsigned long long)b);
}

/* What people put between lines, and at their ends. */
static void end_line(struct dice *d, struct text *t, const char *comment)
{
    static const char *const ends[] = {"\n", "\r\n", " \n", "\t\n"};

    add(t, ends[roll(d, 4)], 0, 0);
    if (*comment && roll(d, 6) == 0)
        add(t, comment, 0, 0);
}

/* Returns the entries that the reader should find. */
static uint32_t write_market(struct dice *d, struct text *t, bool adjacent[VERTICES][VERTICES], uint32_t n)
{
    const bool symmetric = roll(d, 2), values = roll(d, 2);
    uint32_t lines = 0, entries = 0;

    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < (symmetric ? i + 1 : n); k++)
            lines += adjacent[i][k];
    add(t, values ? "%%%%MatrixMarket matrix coordinate real " : "%%%%MatrixMarket matrix coordinate pattern ", 0, 0);
    add(t, symmetric ? "symmetric\n%% c\n" : "general\n", 0, 0);
    add(t, "%llu %llu ", n, n);
    add(t, "%llu", lines, 0);
    end_line(d, t, "%% c\n");
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < (symmetric ? i + 1 : n); k++) {
            if (!adjacent[i][k])
                continue;
            add(t, "%llu %llu", i + 1, k + 1);
            if (values)
                add(t, " %lld.5e%llu", roll(d, 9) - 4, roll(d, 3));
            end_line(d, t, "\n");
            entries += symmetric && i != k ? 2 : 1;
        }
    return entries;
}

static uint32_t write_edges(struct dice *d, struct text *t, bool adjacent[VERTICES][VERTICES], uint32_t n)
{
    uint32_t entries = 0;

    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n; k++)
            entries += adjacent[i][k];
    if (roll(d, 2))
        add(t, "# Nodes: %llu Edges: %llu\n", n, entries);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n; k++)
            if (adjacent[i][k]) {
                add(t, "%llu\t%llu", i, k);
                end_line(d, t, "# c\n\n");
            }
    return entries;
}

static uint32_t write_metis(struct dice *d, struct text *t, bool adjacent[VERTICES][VERTICES], uint32_t n)
{
    const bool weights = roll(d, 2);
    uint32_t edges = 0;

    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < i; k++)
            edges += adjacent[i][k];
    add(t, "%llu %llu", n, edges);
    add(t, weights ? " 1\n" : "\n%% c\n", 0, 0);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < n; k++)
            if (k != i && (i > k ? adjacent[i][k] : adjacent[k][i]))
                add(t, weights ? "%llu %llu  " : "%llu ", k + 1, roll(d, 9));
        end_line(d, t, "%% c\n");
    }
    return 2 * edges;
}

static uint32_t write_dimacs(struct dice *d, struct text *t, bool adjacent[VERTICES][VERTICES], uint32_t n)
{
    const bool arcs = roll(d, 2);
    uint32_t lines = 0, entries = 0;

    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n; k++)
            lines += adjacent[i][k];
    add(t, arcs ? "c x\np sp %llu %llu" : "p edge %llu %llu", n, lines);
    end_line(d, t, "c\n");
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n; k++)
            if (adjacent[i][k]) {
                add(t, arcs ? "a %llu %llu 7" : "e %llu %llu", i + 1, k + 1);
                end_line(d, t, "c y\n");
                entries += arcs || i == k ? 1 : 2;
            }
    return entries;
}

static uint32_t write_rodinia(struct dice *d, struct text *t, bool adjacent[VERTICES][VERTICES], uint32_t n)
{
    uint32_t edges = 0;

    add(t, "%llu\n", n, 0);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t degree = 0;

        for (uint32_t k = 0; k < n; k++)
            degree += adjacent[i][k];
        add(t, "%llu %llu", edges, degree);
        end_line(d, t, "\n");
        edges += degree;
    }
    add(t, "\n%llu\n\n%llu\n", roll(d, n), edges);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n; k++)
            if (adjacent[i][k]) {
                add(t, "%llu %llu", k, roll(d, 9));
                end_line(d, t, "\n");
            }
    return edges;
}

static uint32_t write_konect(struct dice *d, struct text *t, bool adjacent[VERTICES][VERTICES], uint32_t n)
{
    const bool both = roll(d, 2), times = roll(d, 2);
    uint32_t entries = 0;

    add(t, both ? "%% sym weighted\n%% %llu %llu\n" : "%% asym unweighted\n%% %llu %llu\n", n, n);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n; k++)
            if (adjacent[i][k]) {
                add(t, times ? "%llu %llu 1 1082040961" : "%llu\t%llu", i + 1, k + 1);
                end_line(d, t, "%% c\n");
                entries += both && i != k ? 2 : 1;
            }
    return entries;
}

typedef uint32_t writer(struct dice *d, struct text *t, bool adjacent[VERTICES][VERTICES], uint32_t n);

static uint32_t write_file(struct dice *d, struct text *t, enum format format)
{
    static writer *const writers[FORMATS] = {write_market, write_edges,   write_metis,
                                             write_dimacs, write_rodinia, write_konect};
    bool adjacent[VERTICES][VERTICES];
    const uint32_t n = 2 + (uint32_t)roll(d, VERTICES - 1), density = 1 + (uint32_t)roll(d, 16);

    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n; k++)
            adjacent[i][k] = roll(d, density) == 0;
    adjacent[1][0] = true;
    t->size = 0;
    add(t, roll(d, 4) ? "" : "\xef\xbb\xbf", 0, 0);
    return writers[format](d, t, adjacent, n);
}

static void damage(struct dice *d, struct text *t)
{
    static const char interesting[] = "0123456789 \t\r\n%#-.exacp,\0\xff";
    const size_t at = t->size ? roll(d, t->size) : 0;
    size_t n = 1 + roll(d, 12);

    if (!t->size)
        return;
    n = n < t->size - at ? n : t->size - at;
    switch (roll(d, 5)) {
    case 0:
        t->s[at] = (char)(t->s[at] ^ 1 << roll(d, 8));
        break;
    case 1:
        t->s[at] = interesting[roll(d, sizeof interesting)];
        break;
    case 2:
        t->size = at;
        break;
    case 3: /* leave out */
        memmove(t->s + at, t->s + at + n, t->size - at - n);
        t->size -= n;
        break;
    case 4: /* repeat */
        if (t->size + n < ROOM) {
            memmove(t->s + at + n, t->s + at, t->size - at);
            t->size += n;
        }
        break;
    }
}

static void pack(struct text *t)
{
    static char out[ROOM];

    t->size = ZSTD_compress(out, ROOM, t->s, t->size, 1);
    if (ZSTD_isError(t->size))
        die("cannot pack", "");
    memcpy(t->s, out, t->size);
}

/* What was taken lies inside of it, and every arc of the graph has one that goes back. */
static void look(const struct mh_input *in)
{
    struct mh_graph *g;

    for (uint32_t i = 0; i < in->count; i++)
        if (in->entries[i].from >= in->rows || in->entries[i].to >= in->columns)
            abort();
    if (mh_input_check(in, MH_INPUT_GRAPH, NULL) || in->rows > 1 << 20)
        return;
    g = mh_input_graph(in, NULL);
    if (in->starts && in->start >= in->rows)
        abort();
    if (!g || !g->edges || g->edges % 2 || g->row[g->vertices] != g->edges || g->edges > 2 * in->count)
        abort();
    free(g);
}

static bool run_round(uint64_t seed, uint64_t n)
{
    static struct text t;
    struct dice d = {.seed = mh_random(seed, n)};
    const enum format format = (enum format)roll(&d, FORMATS);
    const uint32_t entries = write_file(&d, &t, format);
    const bool damaged = roll(&d, 2), packed = roll(&d, 4) == 0;
    struct mh_error err = {""};
    struct mh_input in;
    int status;

    if (packed)
        pack(&t);
    for (uint64_t k = damaged ? 1 + roll(&d, 4) : 0; k > 0; k--)
        damage(&d, &t);
    hang_begins();
    status = mh_input_parse(t.s, t.size, names[format], &in, &err);
    hang_ends();
    if (!damaged && (status || in.count != entries))
        die("a whole file was not read: ", err.text);
    if (status && (strncmp(err.text, names[format], strlen(names[format])) || !strchr(err.text, ':')))
        die("a refusal does not say where: ", err.text);
    if (!status)
        look(&in);
    mh_input_free(&in);
    return status == 0;
}

int main(int argc, char **argv)
{
    return dice_rounds(argc, argv, "fuzz_input", 20000, run_round);
}
