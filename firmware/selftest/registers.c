/* Illegal values, registers that are not there, and reports that cannot be true. */
#include "faults.h"

POLICY_PARAM(registers_knob, 0, 0, 1, "switch: a CTA_LIMIT out of range; the COMMIT is rejected, exit code 3");
POLICY_PARAM(registers_rate, 0, 0, 1, "switch: an ISSUE_RATE above its range, of the last tenant");
POLICY_PARAM(registers_tenant, 0, 0, 1, "switch: a knob of a tenant that the GPU lacks, cause 7");
POLICY_PARAM(registers_hole, 0, 0, 1, "switch: reads a register that does not exist, cause 5");
POLICY_PARAM(registers_report, 0, 0, 1, "switch: reports 2^32 - 1 mcu cycles for its first two decisions");
POLICY_PARAM(registers_exit, 0, 0, 1, "switch: writes EXIT with PASS at its second epoch");
POLICY_OWNS(ISSUE_RATE);
POLICY_OWNS(TOKENS);

static void registers_on_epoch(const struct gpu_caps *caps)
{
    if (registers_knob)
        gpu_set_knob(CTA_LIMIT, 0, caps->cta_slots + 1);
    if (registers_rate)
        gpu_set_knob(ISSUE_RATE, caps->tenants - 1, 70000);
    if (registers_tenant)
        gpu_set_knob(TOKENS, caps->tenants, 1);
    if (registers_hole)
        (void)reg_read(MH_WINDOW_BYTES - 4);
    if (registers_report && reg_read(MH_REG_SNAP_COUNT) <= 2)
        machine_write(MH_MACHINE_DECISION, UINT32_MAX);
    if (registers_exit && reg_read(MH_REG_SNAP_COUNT) == 2)
        mcu_exit(0);
}

const struct policy policy_registers = {.name = "registers", .on_epoch = registers_on_epoch};

#define IMAGE_NAME             "selftest/registers"
#define IMAGE_POLICIES(POLICY) POLICY(registers)
#include "../image/common/image.h"
