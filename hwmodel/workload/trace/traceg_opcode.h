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
#ifndef MEMHELM_WORKLOAD_TRACEG_OPCODE_H
#define MEMHELM_WORKLOAD_TRACEG_OPCODE_H

#include <stdint.h>

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

#endif
