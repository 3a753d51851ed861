/* Bits of CSRs that images and the boot ROM set, for assembly and C. */
#ifndef FIRMWARE_RV32_CSR_H
#define FIRMWARE_RV32_CSR_H

#define MSTATUS_MIE   0x8
#define MSTATUS_MPP_M 0x1800
#define MIE_MEIE      0x800

/* pmpcfg bytes: locked, so that they bind machine mode; NAPOT. */
#define PMP_LOCKED_NAPOT 0x98
#define PMP_R            1
#define PMP_W            2
#define PMP_X            4

/* What the boot ROM locks, and an image itself without one. */
#define PMP_CODE (PMP_LOCKED_NAPOT | PMP_R | PMP_X)
#define PMP_DATA (PMP_LOCKED_NAPOT | PMP_R | PMP_W)

#endif
