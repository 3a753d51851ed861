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
#ifndef MEMHELM_WORKLOAD_TRACEG_LINE_H
#define MEMHELM_WORKLOAD_TRACEG_LINE_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
