/*
 * What there is to run: the kernels, with the meaning and the range of their problem sizes, which of them share
 * data, and how their arrays compress. A tenant names one in its configuration; the streams of instructions that it is
 * made of stay inside of the model.
 */
#ifndef MEMHELM_KERNELS_H
#define MEMHELM_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "memhelm/config.h"
#include "memhelm/error.h"

struct mh_gen;
struct mh_input;
struct mh_workload;

enum mh_op_kind {
    MH_OP_LOAD,
    MH_OP_STORE,
    MH_OP_ATOMIC,  /**< read-modify-write in the L2, result unused: the warp does not wait (PTX: red) */
    MH_OP_BARRIER, /**< waits for all warps of the CTA */
    MH_OP_EXIT,    /**< the warp is done (a gap before it counts) */
};

/** One kernel launch. All CTAs of a launch finish before the next launch starts. */
struct mh_launch {
    const char *name;
    uint32_t ctas;         /**< CTAs, linear (x fastest) */
    uint32_t threads;      /**< threads per CTA; the last warp may be partial */
    uint32_t registers;    /**< per thread */
    uint32_t shared_bytes; /**< per CTA */
};

/** Resources of an SM: those that it has, or those that CTAs hold. */
struct mh_cta_room {
    uint64_t slots, warps, registers, shared_bytes; /**< registers of 32 bits */
};

struct mh_cta_room mh_room_of_sm(const struct mh_config *cfg);
struct mh_cta_room mh_room_of_cta(const struct mh_config *cfg, const struct mh_launch *l);

/** Launches of a workload: first .. end - 1, by their number, the first being 0, as `memhelm trace info` shows them. */
struct mh_launch_range {
    uint32_t first, end;
};

enum { MH_LAUNCHES_TEXT = 40 };

/** The last part of a workload's name, "@launch=N" or "@launches=A-B", or what is wrongly so; empty: there is none. */
const char *mh_launches_part(const char *spec);

/** What that part says; 0 .. UINT32_MAX - 1 where there is none. -1 and `err` when it is wrong. */
int mh_launches_range(const char *spec, struct mh_launch_range *range, struct mh_error *err);

/** The part in its one canonical form, so that equal workloads have equal names. */
void mh_launches_text(struct mh_launch_range range, char text[MH_LAUNCHES_TEXT]);

/** What a kernel is built from. */
struct mh_kernel_args {
    uint64_t size;    /**< problem size; the kernel's default is filled in, never 0 */
    uint64_t seed;    /**< of the input data */
    uint32_t lanes;   /**< threads per warp, 32 or 64 */
    uint32_t variant; /**< index into the kernel's variants */
    const struct mh_input
        *input; /**< data from a file, `size` of it rows; while mh_kernel_create() runs. NULL: they are generated */
};

enum mh_kernel_input {
    MH_INPUT_NONE, /**< there is no NAME:FILE */
    MH_INPUT_MATRIX,
    MH_INPUT_GRAPH, /**< a matrix with as many rows as columns; each entry is an edge, whichever way */
};

struct mh_kernel {
    const char *name;                          /**< as the papers write it, for example MVT */
    const char *suite;                         /**< where it comes from */
    const char *summary;                       /**< one line: algorithm and access pattern */
    const char *size_meaning;                  /**< for example "matrix order" */
    uint64_t size_default, size_min, size_max; /**< each keeps the rules below */
    uint64_t size_multiple;                    /**< sizes are multiples of it; 0: of anything */
    uint32_t size_powers;                      /**< bit v: sizes of variant v are powers of two */
    const char *size_reason;                   /**< of the rule that is set; NULL: there is none */
    /** Kinds of input data, or forms of the program, to choose from; NULL-terminated, the default first. NULL: one. */
    const char *const *variants;
    enum mh_kernel_input input; /**< what NAME:FILE has in the file */
    /** Bytes of its buffers at least, for each of its size, or of size^3 if `least_cubed`; 0: the data are made at
     * once. */
    uint64_t least_bytes;
    bool least_cubed;
    void (*build)(struct mh_gen *g); /**< adds buffers, launches and data */
};

/** Sizes of a kernel, in its initializer: what a size is, the default, the least, the greatest. */
#define MH_SIZE(meaning, normal, least, most)                                                                          \
    .size_meaning = meaning, .size_default = normal, .size_min = least, .size_max = most

/** Sizes that are multiples of `n`, and why. */
#define MH_MULTIPLE(n, reason) .size_multiple = n, .size_reason = reason

/** Bytes of its buffers at least, from the size alone. */
static inline uint64_t mh_kernel_least_bytes(const struct mh_kernel *k, uint64_t size)
{
    return k->least_bytes * size * (k->least_cubed ? size * size : 1);
}

/** NULL and `err` on failure. The caller destroys the result. */
struct mh_workload *mh_kernel_create(const struct mh_kernel *k, const struct mh_kernel_args *args,
                                     struct mh_error *err);

/** All kernels, NULL-terminated. */
extern const struct mh_kernel *const mh_kernels[];

/** The kernel of NAME[@..], case-insensitive; NULL if there is none. What is behind the name is not looked at. */
const struct mh_kernel *mh_kernel_find(const char *spec);

/** The file of NAME[@VARIANT]:FILE[@launch..], `length` bytes; NULL where there is none, as in trace:FILE. */
const char *mh_kernel_input(const char *spec, size_t *length);

/** Index of the variant that NAME[@VARIANT][@launch..] means, `k` being the kernel; -1 and `err`: it has none such. */
int mh_kernel_variant(const struct mh_kernel *k, const char *spec, struct mh_error *err);

/** 0 if NAME[@VARIANT]:FILE may be, or `spec` names no file; else -1 and `err`. The file is not looked at. */
int mh_kernel_check_input(const struct mh_kernel *k, uint32_t variant, uint64_t size, const char *spec,
                          struct mh_error *err);

/**
 * 0 if `size` is one that the kernel's variant can have; else -1 and `err` with the range, or with the rule and the
 * legal sizes next to it.
 */
int mh_kernel_check_size(const struct mh_kernel *k, uint32_t variant, uint64_t size, struct mh_error *err);

/**
 * The workload of a tenant of a resolved configuration: its kernel's data are made, or its recording is read, which may
 * take a second. Nothing changes it. NULL and `err`: the kernel is unknown, the trace bad, or memory too small.
 */
struct mh_workload *mh_workload_make(const struct mh_config *cfg, uint32_t tenant, struct mh_error *err);
void mh_workload_free(struct mh_workload *w);

/** What of a file's graph or matrix a kernel works on. */
struct mh_reach {
    uint64_t reached, of; /**< vertices, or rows */
    bool starts;          /**< those that its search finds from where it starts; else those that are not empty */
};

/** False: its data are not from a file. */
bool mh_workload_reach(const struct mh_workload *w, struct mh_reach *r);

/** Its launches, in order: `count` of them; valid as long as it is. */
const struct mh_launch *mh_workload_launches(const struct mh_workload *w, uint32_t *count);

/*
 * Data sharing across kernels: do several kernels of a program use the same data? ETC (ASPLOS 2019) has it from the
 * compiler, which looks for pointers that several kernels contain (sec. 4.1). Here it is derived from what the launches
 * touch, or as the paper lists its programs (sec. 5); the two differ.
 */

/** A program of the paper. */
struct mh_sharing {
    const char *kernel; /**< as `memhelm list kernels` has it */
    bool paper;         /**< listed as one with data sharing; of irregular programs the paper does not say: false */
    const char *note;   /**< why the pointer rule says something else; empty: it does not */
};

/** The paper's programs; ends with a row without a kernel. */
extern const struct mh_sharing mh_sharing[];

/** Its row in the paper; NULL: it has none. `spec` is a kernel's name, NAME@VARIANT or trace:FILE. */
const struct mh_sharing *mh_sharing_find(const char *spec);

/** The pointer rule on the kernel at its default size. 1 or 0; -1 and `err`. */
int mh_sharing_derive(const char *spec, uint32_t lanes, struct mh_error *err);

/**
 * Prints how the arrays of a tenant's kernel compress, before the first launch and after the last: bytes in pages of
 * each class, and the ratio of all to those. -1 and `err`: there is no such kernel or size, or its values are not
 * known.
 */
int mh_values_describe(const struct mh_tenant_cfg *tenant, FILE *out, struct mh_error *err);

/** True if it is known what the tenant's arrays hold. If not, they do not compress; no recorded trace's are known. */
bool mh_values_are_known(const struct mh_tenant_cfg *tenant);

#endif
