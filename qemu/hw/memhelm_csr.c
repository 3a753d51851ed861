/*
 * The CSRs of the mcu: which there are, which of their bits firmware can write
 * and what a reset of the mcu alone does to them, all from memhelm/csrs.def; and
 * that reset.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * QEMU's lowrisc-ibex has more of them than an ibex, and some end QEMU when
 * firmware writes them (tdata1, target/riscv/debug.c). What is not in the table
 * is an illegal instruction. Its reset leaves most as they are, locked regions
 * of memory protection and counters that stand still among them.
 */
#include "qemu/osdep.h"
#include "cpu.h"
#include "exec/address-spaces.h"
#include "exec/exec-all.h"
#include "hw/intc/riscv_aclint.h"
#include "memhelm.h"

#define CSRS 4096

enum memhelm_csr_reset { CSR_ZERO, CSR_RUNS, CSR_FIXED };

static const struct memhelm_csr {
    uint16_t number;
    uint16_t count;
    uint32_t writable;
    enum memhelm_csr_reset reset;
} memhelm_csrs[] = {
#define MH_CSR(name, number, count, writable, reset, doc) \
    { number, count, writable, CSR_##reset },
#include "memhelm/csrs.def"
};

/* QEMU's own, and what the table says of the bits. */
static struct {
    riscv_csr_operations ops;
    uint32_t writable;
} memhelm_csr[CSRS];

/* Of the modes that MPP may name the mcu has M and U: any other is U. */
static target_ulong memhelm_csr_legal(int csrno, target_ulong value)
{
    if (csrno == CSR_MSTATUS &&
        get_field(value, MSTATUS_MPP) != PRV_M) {
        value = set_field(value, MSTATUS_MPP, PRV_U);
    }
    return value;
}

/* As riscv_csrrw_do64() does for CSRs without an 'op'. */
static RISCVException memhelm_csr_do(CPURISCVState *env, int csrno,
                                     target_ulong *old, target_ulong value,
                                     target_ulong mask)
{
    const riscv_csr_operations *ops = &memhelm_csr[csrno].ops;
    RISCVException ret;

    if (ops->op) {
        return ops->op(env, csrno, old, value, mask);
    }
    ret = ops->read ? ops->read(env, csrno, old) : RISCV_EXCP_ILLEGAL_INST;
    if (ret == RISCV_EXCP_NONE && mask && ops->write) {
        value = (*old & ~mask) | (value & mask);
        ret = ops->write(env, csrno, memhelm_csr_legal(csrno, value));
    }
    return ret;
}

static RISCVException memhelm_csr_op(CPURISCVState *env, int csrno,
                                     target_ulong *ret_value,
                                     target_ulong new_value,
                                     target_ulong write_mask)
{
    target_ulong old = 0;
    RISCVException ret =
        memhelm_csr_do(env, csrno, &old, new_value,
                       write_mask & memhelm_csr[csrno].writable);

    if (ret == RISCV_EXCP_NONE && ret_value) {
        *ret_value = old;
    }
    return ret;
}

void memhelm_csr_init(void)
{
    static const riscv_csr_operations none;

    for (int n = 0; n < CSRS; n++) {
        riscv_get_csr_ops(n, &memhelm_csr[n].ops);
        riscv_set_csr_ops(n, (riscv_csr_operations *)&none);
    }
    for (unsigned i = 0; i < ARRAY_SIZE(memhelm_csrs); i++) {
        const struct memhelm_csr *c = &memhelm_csrs[i];

        for (int n = c->number; n < c->number + c->count; n++) {
            riscv_csr_operations ops = {
                .name = memhelm_csr[n].ops.name,
                .predicate = memhelm_csr[n].ops.predicate,
                .op = memhelm_csr_op,
                .min_priv_ver = memhelm_csr[n].ops.min_priv_ver,
            };

            memhelm_csr[n].writable = c->writable;
            riscv_set_csr_ops(n, &ops);
        }
    }
}

/* What a write of 0 does not: locked regions, counters, an overflow's line. */
static void memhelm_csr_unlock(CPURISCVState *env)
{
    memset(&env->pmp_state, 0, sizeof(env->pmp_state));
    tlb_flush(env_cpu(env));
    env->mseccfg = 0;
    memset(env->pmu_ctrs, 0, sizeof(env->pmu_ctrs));
    memset(env->mhpmeventh_val, 0, sizeof(env->mhpmeventh_val));
    riscv_cpu_update_mip(env_archcpu(env), MIP_LCOFIP, 0);
}

static void memhelm_csr_reset(CPURISCVState *env)
{
    memhelm_csr_unlock(env);
    for (unsigned i = 0; i < ARRAY_SIZE(memhelm_csrs); i++) {
        const struct memhelm_csr *c = &memhelm_csrs[i];

        if (c->reset != CSR_ZERO) {
            continue;
        }
        for (int n = c->number; n < c->number + c->count; n++) {
            riscv_csrrw(env, n, NULL, 0, UINT32_MAX);
        }
    }
}

static void memhelm_core_store(hwaddr address, uint64_t value, unsigned size)
{
    address_space_write(&address_space_memory, address, MEMTXATTRS_UNSPECIFIED,
                        &value, size);
}

/* Its timer and software interrupt: as before the first write to them. */
static void memhelm_core_reset_aclint(void)
{
    const hwaddr mtimer = MH_ACLINT_BASE + RISCV_ACLINT_SWI_SIZE;

    memhelm_core_store(MH_ACLINT_BASE, 0, 4);
    memhelm_core_store(mtimer + RISCV_ACLINT_DEFAULT_MTIME, memhelm_now(), 8);
    memhelm_core_store(mtimer + RISCV_ACLINT_DEFAULT_MTIMECMP, 0, 8);
}

void memhelm_core_reset(CPUState *cs)
{
    CPURISCVState *env = &RISCV_CPU(cs)->env;

    cpu_reset(cs);
    memset(env->gpr, 0, sizeof(env->gpr));
    env->traps_open = 0;
    memhelm_csr_reset(env);
    memhelm_core_reset_aclint();
}

/* Asleep, and no interrupt can wake it. */
void memhelm_core_park(CPUState *cs)
{
    RISCV_CPU(cs)->env.mie = 0;
    cs->halted = 1;
    cpu_exit(cs);
}
