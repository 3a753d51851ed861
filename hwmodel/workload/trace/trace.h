/* Traces, for their readers, writer and tests; the public interface is memhelm/trace.h. */
#ifndef MEMHELM_WORKLOAD_TRACE_H
#define MEMHELM_WORKLOAD_TRACE_H

#include <stddef.h>

#include "memhelm/trace.h"
#include "workload/workload.h"
#include "workload/stream.h"

/** Number of a CTA in its grid, x fastest, as recorded. */
uint64_t mh_trace_cta_number(const struct mh_workload *w, uint32_t launch, uint32_t cta);

/** As mh_trace_open(), of `size` bytes in memory (copied); `name` is for messages, and its folder for a list's files.
 */
struct mh_workload *mh_trace_parse(const void *data, size_t size, const char *name, struct mh_trace_how how,
                                   struct mh_error *err);

/**
 * What a GMT2 file holds, as the number in its first line; other files are refused. To be raised with every change of
 * what the bytes are or mean, such as that of struct mh_op's needs. 1, which no file says: needs were one bit.
 */
enum { MH_GMT2_CONTENT = 2 };

/*
 * What reads a format of traces: a launch, a CTA, its ops, in the order of the file. There are two, GMT (gmt.c) and
 * Accel-Sim's traceg (traceg.c); trace.c makes a workload of either. A third format is one more reader.
 */

/*
 * Which loads an op needs, and from which instruction of its gap on: found while a trace is read, said in struct mh_op.
 * Loads of a warp are numbered from 1, in the order in which they issue.
 *
 * An op says one point: the first use of the newest load that it and its gap need. What an older load holds up before
 * that point is left out; it was issued earlier, and the point comes after its uses. More than MH_WAIT_MAX - 1 newer
 * loads count as so many: an op may wait for too much, never for too little.
 */
/** Of one warp; all zeroes at its start. */
struct mh_trace_need {
    uint64_t issued;  /**< loads so far */
    uint64_t arrived; /**< loads 1..arrived were waited for */
    uint64_t load;    /**< newest that the next op needs; 0 = none */
    uint32_t ahead;   /**< instructions of its gap before the first use of that load */
};

/** An instruction needs load number `load` (0: none); `ahead` instructions of the gap come before it. */
static inline void mh_need_load(struct mh_trace_need *n, uint64_t load, uint32_t ahead)
{
    if (load <= n->arrived || load <= n->load)
        return;
    n->load = load;
    n->ahead = ahead;
}

/** The op, whose gap is known, issues: sets its `wait` and `ahead`. */
static inline void mh_need_take(struct mh_trace_need *n, struct mh_op *op)
{
    uint64_t newer = n->issued - n->load;

    op->wait = 0;
    op->ahead = 0;
    if (!n->load)
        return;
    newer = newer < MH_WAIT_MAX ? newer : MH_WAIT_MAX - 1;
    op->wait = (uint8_t)(newer + 1);
    op->ahead = (uint16_t)(n->ahead < op->gap ? n->ahead : op->gap);
    if (n->ahead > UINT16_MAX)
        op->ahead = UINT16_MAX;
    n->arrived = n->issued - newer;
    n->load = 0;
}

/** Takes the ops of a CTA, warp after warp; each warp ends with MH_OP_EXIT. */
struct mh_trace_sink {
    /** False: no more room. `addr` as from mh_workload.next(). */
    bool (*op)(struct mh_trace_sink *sink, const struct mh_op *op, const uint64_t *addr);
};

enum mh_trace_item {
    MH_TRACE_FAILED, /**< the error is written */
    MH_TRACE_LAUNCH, /**< head is set; CTAs follow, or none */
    MH_TRACE_CTA,    /**< cta is set; read_cta() has to follow */
    MH_TRACE_END,
};

enum {
    MH_TRACE_MAX_NAME = 1023, /**< longer names of kernels are cut */
    MH_TRACE_REGISTERS = 32,  /**< per thread, where the format does not say: ours */
    MH_TRACE_MAX_PCS = 1 << 16,
};

struct mh_trace_head {
    char name[MH_TRACE_MAX_NAME + 1];
    struct mh_trace_shape shape;
    uint64_t ctas;    /**< product of the grid's dimensions */
    uint32_t threads; /**< product of the block's */
    uint32_t registers, shared_bytes;
};

struct mh_trace_reader {
    enum mh_trace_item (*next)(struct mh_trace_reader *r, struct mh_error *err);
    /** The CTA that next() announced. False and `err` on failure. */
    bool (*read_cta)(struct mh_trace_reader *r, struct mh_trace_sink *sink, struct mh_error *err);
    /** Goes back; the next launch that next() announces is number `launch`, or an earlier one: see `at`. */
    bool (*rewind)(struct mh_trace_reader *r, uint32_t launch, struct mh_error *err);
    /**
     * Called when the whole file was read once, before it is read again: fills in w->buffers and buffer_count (the
     * caller frees them) and completes `about`. False and `err` on failure.
     */
    bool (*finish)(struct mh_trace_reader *r, struct mh_workload *w, struct mh_error *err);
    void (*destroy)(struct mh_trace_reader *r);

    int64_t at;                /**< number of the launch announced last, those without CTAs included; -1: none yet */
    struct mh_trace_head head; /**< of that launch */
    uint64_t cta;              /**< number of the CTA announced last, x fastest */
    struct mh_trace_about about;
};

/** Which of Accel-Sim's files it is. */
enum mh_traceg_file {
    MH_TRACEG_NONE,
    MH_TRACEG_LIST,   /**< of kernels' files: kernelslist.g */
    MH_TRACEG_KERNEL, /**< a kernel's: .traceg */
};

/**
 * By the first line that tells; in a list any others may come before. The stream is to be rewound.
 */
enum mh_traceg_file mh_traceg_look(struct mh_stream *in);

/**
 * Each takes over an open stream, also when it fails; NULL and `err` then. `lanes`, `how`: as in mh_trace_open(). The
 * list or file of traceg that `in` is may name further files, relative to its own folder.
 */
struct mh_trace_reader *mh_gmt_reader(struct mh_stream *in, struct mh_trace_how how, struct mh_error *err);
struct mh_trace_reader *mh_traceg_reader(struct mh_stream *in, enum mh_traceg_file file, struct mh_trace_how how,
                                         struct mh_error *err);

/** Sets the addresses of the active lanes: as base and stride where they have one, else as the list they are in. */
void mh_trace_set_addresses(struct mh_op *op, const uint64_t *addr);

/** The message for a warp width that the configuration does not have; `remedy` is what to use. */
void mh_trace_fail_width(const char *name, uint32_t has, uint32_t wanted, const char *remedy, struct mh_error *err);

#endif
