/*
 * State of the traceg reader, shared by its parts: traceg.c (files, CTAs), traceg_header.c, traceg_warp.c; and where it
 * puts addresses: trace_pages.c.
 */
#ifndef MEMHELM_WORKLOAD_TRACEG_H
#define MEMHELM_WORKLOAD_TRACEG_H

#include <stdbool.h>
#include <stdint.h>

#include "workload/trace/trace.h"
#include "workload/workload.h"

/*
 * Which pages a trace touches, and where its addresses are put. Addresses of real GPUs lie above 2^39 (0x7f..); the
 * model's lie below. Every 2 MiB region that is touched moves to the next free one from 4 GiB up: the order of regions
 * and the offset in a region stay, gaps between regions go. So 4 KiB, 64 KiB and 2 MiB pages hold what they held, and
 * the upper levels of the page table become denser. Neighbours in DRAM rows and cache sets stay only within a region; a
 * stride over a gap becomes a list. Buffers are the touched 4 KiB pages.
 */

enum { MH_REGION_SHIFT = 21, MH_REGION_PAGE_SHIFT = 12, MH_REGION_PAGES = 1 << (MH_REGION_SHIFT - 12) };

/** Where the first region goes, as in generated kernels and recorded traces. */
#define MH_REGION_BASE ((uint64_t)4 << 30)

struct mh_region {
    uint64_t id; /**< address >> MH_REGION_SHIFT */
    uint64_t pages[MH_REGION_PAGES / 64];
};

/** All zeroes is an empty one. */
struct mh_pages {
    struct mh_region *regions; /**< in order of first use; after mh_pages_seal() by address */
    uint32_t count, capacity;
    uint32_t *table; /**< open addressing by id: index + 1, 0 = free */
    uint32_t table_size;
    uint32_t last; /**< region of the last access */
    bool sealed;
};

enum mh_pages_status { MH_PAGES_OK, MH_PAGES_MEMORY, MH_PAGES_FULL };

/** Marks bytes address .. address + bytes - 1, which do not wrap around. FULL: they do not fit below 2^39. */
enum mh_pages_status mh_pages_touch(struct mh_pages *p, uint64_t address, uint32_t bytes);

/** Sorts the regions. False when memory is short. */
bool mh_pages_seal(struct mh_pages *p);

/** The new address of a touched one, once sealed. `ok` is set to false when it was never touched. */
uint64_t mh_pages_map(struct mh_pages *p, uint64_t address, bool *ok);

/** Runs of touched pages, at their new addresses, sorted; the caller frees them. NULL when memory is short. */
struct mh_buffer *mh_pages_ranges(const struct mh_pages *p, uint32_t *count);

void mh_pages_free(struct mh_pages *p);

/*
 * One instruction of a traceg file:
 *   [x y z warp] [line] PC mask dests [R..] opcode sources [R..] width [mode addresses] [immediate]
 * The first four columns are there below tracer version 3, the line number when the header says so, an immediate from
 * version 4 on. Width 0: no memory access. Other widths say no more than that there is one: bytes per lane follow from
 * the opcode, as in Accel-Sim, because NVBit may report others.
 *   mode 0  an address per active lane
 *   mode 1  base and stride; the active lanes have no gaps
 *   mode 2  base and, for each further active lane, the distance to the one before
 */
enum {
    MH_TRACEG_LANES = 32,
    MH_TRACEG_REGISTERS = 8, /**< of each kind in one instruction; Accel-Sim has 1 and 4 */
    MH_TRACEG_OPCODE = 48,
    MH_TRACEG_ZERO = 255, /**< RZ, which is no register */
};

struct mh_traceg_inst {
    uint64_t pc;
    uint32_t mask; /**< lanes that are active and not predicated off */
    uint32_t dest_count, source_count;
    uint8_t dest[MH_TRACEG_REGISTERS], source[MH_TRACEG_REGISTERS];
    char opcode[MH_TRACEG_OPCODE];
    uint32_t width;                    /**< as recorded; 0: no memory access */
    uint64_t address[MH_TRACEG_LANES]; /**< of the lanes in mask, if width > 0 */
    int64_t immediate;                 /**< the first number at the end; 0 when there is none */
};

struct mh_traceg_columns {
    bool ids, line; /**< which optional columns are there */
};

/** Where a line is not as it should be. */
struct mh_traceg_fault {
    const char *expected;
    const char *found; /**< in the line */
};

/** False and `fault` when the line is not one of these. */
bool mh_traceg_parse(const char *line, struct mh_traceg_columns columns, struct mh_traceg_inst *inst,
                     struct mh_traceg_fault *fault);

/*
 * What SASS instructions mean to the memory system. Names: Accel-Sim's ISA_Def, NVIDIA's binary utilities manual.
 *
 *   LDG, LDGSTS; STG; ATOMG, RED, REDG  load; store; atomic
 *   LD, ST, ATOM                        the same, unless the first active lane lies in the window of shared or local
 *                                       memory (traceg.h): then part of a gap. Without bases in the header: global;
 *                                       Accel-Sim takes them for shared
 *   BAR, but not BAR.ARV                barrier
 *   EXIT, the warp's last instruction   the warp's end; an EXIT of some lanes before it is part of a gap
 *   all others, all with an empty mask  part of a gap
 */
enum mh_sass {
    MH_SASS_OTHER,
    MH_SASS_LOAD,         /**< global */
    MH_SASS_STORE,        /**< global */
    MH_SASS_ATOMIC,       /**< global, with or without a result */
    MH_SASS_GENERIC_LOAD, /**< the address decides: global, shared or local */
    MH_SASS_GENERIC_STORE,
    MH_SASS_GENERIC_ATOMIC,
    MH_SASS_ASYNC,       /**< LDGSTS: a global load to shared memory; no register waits for it */
    MH_SASS_ASYNC_GROUP, /**< LDGDEPBAR: closes a group of those */
    MH_SASS_DEPBAR,      /**< waits until at most so many groups (its immediate) are left */
    MH_SASS_SHARED,
    MH_SASS_LOCAL,
    MH_SASS_CONSTANT,
    MH_SASS_TEXTURE,
    MH_SASS_BARRIER, /**< of the CTA, that waits */
    MH_SASS_EXIT,
    MH_SASS_BULK, /**< TMA: cannot be read */
};

enum mh_sass mh_sass_of(const char *opcode);

/** Bytes per lane by the opcode's suffix (.64, .U8, .F64..); 4 without one, as in Accel-Sim. */
uint32_t mh_sass_bytes(const char *opcode);

/** Consecutive registers that source `index` stands for: of an address, of data, of an operand. */
uint32_t mh_sass_source_registers(const char *opcode, enum mh_sass kind, uint32_t index, uint32_t bytes);

/*
 * Which loads an instruction needs, by register numbers. A load's destination is outstanding from the load on; an
 * instruction that reads or overwrites it needs the load. Reads cover both registers of a 64-bit address (.E), all of
 * stored data, pairs of D.. operands and four of ..MMA; of other wide operands only the first. The copies of LDGSTS
 * have no register: LDGDEPBAR closes a group of them, DEPBAR N needs all groups but the newest N. What an atomic
 * returns counts as arrived with the load before it.
 */
enum { MH_TRACEG_GROUPS = 8 /**< asynchronous groups that are remembered, the newest */ };

/** Of one warp; all zeroes at its start. */
struct mh_traceg_deps {
    struct mh_trace_need need;                /**< of the op that comes next */
    uint64_t loaded_by[MH_TRACEG_ZERO];       /**< registers R0 to R254: number of the load that wrote it last */
    uint64_t last_of_group[MH_TRACEG_GROUPS]; /**< by number of the group: its last load */
    uint64_t groups;                          /**< closed by LDGDEPBAR */
    uint64_t open;                            /**< last asynchronous copy since then; 0 = none */
};

/** An instruction is issued, `ahead` instructions of the gap after the last op: what does it need? */
void mh_traceg_use(struct mh_traceg_deps *d, const struct mh_traceg_inst *inst, enum mh_sass kind, uint32_t bytes,
                   uint32_t ahead);

/** A global load or atomic was issued: its destinations are outstanding. */
void mh_traceg_loaded(struct mh_traceg_deps *d, const struct mh_traceg_inst *inst, enum mh_sass kind, uint32_t bytes);

/**
 * Generic loads and stores reach shared and local memory through windows of the address space; the header gives their
 * bases. The size is ours: the bases in published traces lie 32 MiB apart, and no CTA or thread has more than 16 MiB.
 */
#define MH_TRACEG_WINDOW ((uint64_t)16 << 20)

/** Static instructions, numbered by first use from 1; open addressing by kernel and offset. */
struct mh_traceg_pcs {
    struct mh_trace_pc *pc;
    uint32_t count, capacity;
    uint32_t *table;
    uint32_t table_size;
};

struct mh_traceg {
    struct mh_trace_reader r; /**< first */
    struct mh_stream in;      /**< the kernel's file; all zeroes between files */
    char *name;               /**< what was opened, for messages */
    char **file;              /**< the kernels' files, in order */
    uint32_t file_count, next_file;
    struct mh_source memory; /**< where the only file is in memory */
    struct mh_error *err;
    struct mh_trace_sink *sink;
    struct mh_pages pages;
    bool lenient; /**< headers that are wrong in what a run can do without are taken */
    char assumption[512];
    bool checked; /**< all files were read once: addresses are mapped now */
    bool any_cta;
    char **kernel; /**< names, as in the files */
    uint32_t kernel_count;
    struct mh_traceg_pcs pcs;
    struct mh_trace_mix mix;
    /* of the current kernel */
    struct mh_traceg_columns columns;
    const char *kernel_name;
    uint64_t shared_base, local_base; /**< 0 = not in the header */
    uint32_t warps;                   /**< of a CTA */
    uint64_t ctas;                    /**< read so far */
    bool has_line;                    /**< in.line is to be looked at again */
    /* of the current warp */
    uint32_t warp;
    struct mh_traceg_deps deps;
    uint32_t gap;
};

/* All return false on failure, with the message written. */

/** "FILE:LINE: ..." */
bool __attribute__((format(printf, 2, 3))) mh_traceg_fail(struct mh_traceg *p, const char *format, ...);
/** Notes that `what` is done about what the format says was found; the first of a trace is told its user. */
void __attribute__((format(printf, 3, 4)))
mh_traceg_assume(struct mh_traceg *p, const char *what, const char *format, ...);
/** The next line that is not empty, from its first character that is not blank. `expected`: what if there is none. */
bool mh_traceg_next_line(struct mh_traceg *p, const char **line, const char *expected);
/** The header, into r.head and what is the current kernel's. Tracers before version 3 do not say theirs. */
bool mh_traceg_header(struct mh_traceg *p);
/** The instructions of a warp, `count` lines, and its end. */
bool mh_traceg_warp(struct mh_traceg *p, uint32_t count);
/** A warp without instructions. */
bool mh_traceg_empty_warp(struct mh_traceg *p);

#endif
