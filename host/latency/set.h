/* What `memhelm latency` runs: where decisions are made, and the reference set of presets and workloads (set.yaml). */
#ifndef HOST_LATENCY_SET_H
#define HOST_LATENCY_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <yaml.h>

#include "base/hash.h"

/* --- Where decisions are made, from no time to not at all: the rows of an image's table. */

/** The presets' bus latency, in mcu cycles, for clocks; and their clock for bus latencies. */
#define POINTS_BUS 20
#define POINTS_HZ  500000000

enum point_kind {
    POINT_NO_TIME,  /**< the policy decides in the cycle of the question: hardware at its best */
    POINT_CLOCK,    /**< firmware at `hz`, bus latency POINTS_BUS */
    POINT_BUS,      /**< firmware at POINTS_HZ, bus latency `bus` */
    POINT_NO_POLICY /**< image baseline */
};

struct latency_point {
    enum point_kind kind;
    uint64_t hz;
    uint32_t bus;
};

enum {
    POINTS_CLOCKS = 7,
    POINTS_BUSES = 4,
    /* Rows: no time; clocks from the fastest to the slowest; bus latencies from the shortest; no policy. */
    POINTS_FIRST_CLOCK = 1,
    POINTS_DEFAULT = POINTS_FIRST_CLOCK + 2, /* POINTS_HZ and POINTS_BUS: the presets' own */
    POINTS_FIRST_BUS = POINTS_FIRST_CLOCK + POINTS_CLOCKS,
    POINTS_LAST = POINTS_FIRST_BUS + POINTS_BUSES,
    POINTS
};

extern const struct latency_point latency_points[POINTS];

/** "no time", "200 MHz", "bus 100", "no policy". */
void point_name(unsigned point, char *text, size_t size);

/* --- The reference set. */

enum { SET_WORKLOADS = 10, SET_PRESETS = 16, SET_IMAGES = 32, SET_KEYS = 8 };

/** How runs on a preset are made. */
struct set_preset {
    const char *preset;
    uint64_t cycles;            /**< window, GPU cycles */
    bool alone_whole;           /**< alone = on all SMs; else on its own */
    const char *sets[SET_KEYS]; /**< key=value, after the preset */
    unsigned set_count;
    uint64_t cost; /**< processor milliseconds per million GPU cycles, of workloads that costs.def does not have */
};

/** What images are run on. */
struct set_images {
    const char *images; /**< patterns: base/patterns.h */
    const char *preset;
    const char *workloads[SET_WORKLOADS]; /**< as --workload takes them */
    unsigned workload_count;
    bool variant; /**< of another image: run only with --all, or by name */
};

/** Strings belong to the document. */
struct latency_set {
    struct set_preset presets[SET_PRESETS];
    unsigned preset_count;
    struct set_images images[SET_IMAGES];
    unsigned image_count;
    yaml_document_t *doc;
    char sha256[HASH_TEXT]; /**< of the file */
};

/** The built-in one, or that of the YAML file `path` (not NULL). -1 and `err` with file and line. */
int latency_set_open(struct latency_set *s, const char *path, struct mh_error *err);

/** Parses the text of such a file; `name` stands in errors. */
int latency_set_load(struct latency_set *s, const char *name, const char *text, size_t length, struct mh_error *err);
void latency_set_close(struct latency_set *s);

/** The first row that fits the image; NULL when none does. */
const struct set_images *latency_set_images(const struct latency_set *s, const char *image);

/** Processor seconds of a run of `workload` on `preset` with a window of `cycles` (costs.def); 0: not measured. */
double latency_set_cost(const char *preset, const char *workload, uint64_t cycles);

/** How runs on `preset` are made; for one without a row: 1 000 000 cycles, alone on its own SMs. */
struct set_preset latency_set_preset(const struct latency_set *s, const char *preset);

#endif
