/*
 * Operations that a block calls upstream, against the direction of requests: kick, credit, reply, fill, fault. The
 * block named before each group defines the operations; the blocks below it call them. A block calls downstream by the
 * neighbour's own header. The folders form a tree: engine < waits, pages < dram < cache < noc < missq < translate < sm
 * < uvm < gpu, and `tests/e2e/test_includes.sh` checks it.
 *
 * The linker wires the operations: a table of pointers would cost an indirect call in each of the hottest paths.
 */
#ifndef MEMHELM_ENGINE_UPSTREAM_H
#define MEMHELM_ENGINE_UPSTREAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct mh_counters;
struct mh_gpu;
struct mh_noc;
struct mh_req;
struct mh_tlb_mshr;

/* --- cache/: called by DRAM. `asked`: tag of a read (dram/memory.h). */

/** Something that may have stopped the bank has changed. */
void mh_l2_kick(struct mh_gpu *g, uint32_t bank);

/** The channels' queues have changed: what is stalled tries again, whatever room it was found to need. */
void mh_l2_rooms_changed(struct mh_gpu *g);

/** The read's last column command is decided. */
void mh_l2_decided(struct mh_gpu *g, uint32_t asked, bool row_hit);

/** All data of the read are at the bank at cycle `at`. */
void mh_l2_coming(struct mh_gpu *g, uint32_t asked, uint64_t at);

/* --- noc/: called by the L2. */

/** A request that is just being looked up stays in its place: the credit that its look-up gives back is taken again. */
void mh_noc_hold(struct mh_gpu *g, uint32_t bank);

/** A read's line has no copy in the bank that looked it up: it goes over the link to r->bank, which is the line's, and
 * takes no place there. */
void mh_noc_forward(struct mh_gpu *g, uint32_t req);

/** The line's bank has looked up a request that was forwarded. */
void mh_noc_forwarded(struct mh_gpu *g);

/** A bank has taken one request off its queue. */
void mh_noc_credit(struct mh_gpu *g, uint32_t bank);

/** The bank has sent a request past the cache, whichever way it came. */
void mh_noc_passed(struct mh_gpu *g, const struct mh_req *r);

/**
 * Sends the reply to a READ or PTE request, or acknowledges a WRITE or ATOMIC. The data are ready at `cycle`, no
 * earlier than those of any reply before over wires of that kind.
 */
void mh_noc_reply(struct mh_gpu *g, uint32_t bank, uint32_t req, uint64_t cycle);

/** Gives back a request. */
void mh_noc_release(struct mh_noc *n, uint32_t req);

/* --- missq/: called by the crossbar. */

/** The bank has a credit for one of the port's heads that stand in line for it; there is one. */
void mh_missq_credit(struct mh_gpu *g, uint32_t port, uint32_t bank);

/** Queues at the inputs: a request of the SM has left its input in that NoC cycle. */
void mh_missq_place(struct mh_gpu *g, uint32_t sm, uint64_t cycle);

/** Requests in sub-queues, but for those that have a credit of their bank; 0 without sub-queues. Slow. */
uint32_t mh_missq_held(const struct mh_gpu *g);

/* --- sm/: called by crossbar, sub-queues and translation. `sm`: number of the SM. */

/** The SM's miss queue has room again. */
void mh_sm_kick(struct mh_gpu *g, uint32_t sm);

/** Sectors for an L1D MSHR arrive at `cycle`. They are used when they have passed the LSU's stages as a hit would have.
 */
void mh_l1d_reply(struct mh_gpu *g, uint32_t sm, uint32_t mshr, uint8_t sectors, uint64_t cycle);

/** The result of a line of an atomic arrives at `cycle`, of the load slot (SM, warp, slot: EV_ATOMIC_BACK). It is used
 * when it has passed the LSU's stages as a hit would have. */
void mh_l1d_result(struct mh_gpu *g, uint32_t slot, uint64_t cycle);

/** L1 TLB MSHR of the whole GPU: sm * mshrs + index. While its request is with the L2 TLB, that links it. */
struct mh_tlb_mshr *mh_tlb_mshr(const struct mh_gpu *g, uint32_t id);

/** There may be a credit of the L2 TLB: the SM sends what waits for one. */
void mh_lsu_credit(struct mh_gpu *g, uint32_t sm);

/** Tenant of the next request that the SM sends to the L2 TLB; there must be one. */
uint32_t mh_lsu_next_tenant(const struct mh_gpu *g, uint32_t sm);

/** The SM's L1 TLB MSHR waits for a credit of the L2 TLB. */
bool mh_lsu_queues(const struct mh_gpu *g, uint32_t sm, uint32_t mshr);

/** The request of an L1 TLB MSHR has missed its GPC's TLB: it goes on to the L2 TLB, behind others of its SM. */
void mh_lsu_ask_l2tlb(struct mh_gpu *g, uint32_t id);

/** The answer of the GPC's TLB, or passed on by it, to `e`, the L1 TLB MSHR of this ID: it arrives at `cycle`. */
void mh_lsu_pass(struct mh_gpu *g, uint32_t id, struct mh_tlb_mshr *e, uint32_t ppn, uint64_t cycle);

/** The L2 TLB's answer to `e`: it arrives at `cycle` at the SM, or at its GPC's TLB. */
void mh_lsu_answer(struct mh_gpu *g, uint32_t id, struct mh_tlb_mshr *e, uint32_t ppn, uint64_t cycle);

/** Marks the instructions of the SM that may have walks yet (mh_instruction_mark()). */
void mh_lsu_mark(struct mh_gpu *g, uint32_t sm);

/** The L1 TLB loses the tenant's translations. */
void mh_lsu_flush_tlb(struct mh_gpu *g, uint32_t sm, uint32_t tenant);

/** The LSU no longer uses what it has been told of the tenant's page table (mh_shootdown()). */
void mh_lsu_forget(struct mh_gpu *g, uint32_t sm, uint32_t tenant);

/** One page (mh_page_key()) has no translation any more: the L1 TLB and the LSU forget it. */
void mh_lsu_forget_page(struct mh_gpu *g, uint32_t sm, uint32_t key);

/** Takes all stocks off out[]: they are counted, but have not issued. */
void mh_sm_less_stocks(const struct mh_gpu *g, struct mh_counters *out);

/** Cycle from which on no issue port of the SM is busy, as things are. */
uint64_t mh_sm_quiet_from(const struct mh_gpu *g, uint32_t sm);

/** Tenant of the SM's lowest warp; MH_NONE: it has no warp. */
uint32_t mh_sm_first_tenant(const struct mh_gpu *g, uint32_t sm);

/* --- uvm/: called by DRAM, L2, walkers and SMs. */

/** The frame is of an array that stays in host memory: DRAM has none of its lines. */
bool mh_uvm_is_on_host(const struct mh_gpu *g, uint32_t frame);

/** Reads a line of such a frame for the tenant: `event` comes when it is there. */
void mh_uvm_read_line(struct mh_gpu *g, uint32_t tenant, uint32_t bytes, uint32_t event);

/** Writes one; no load waits for it. */
void mh_uvm_write_line(struct mh_gpu *g, uint32_t tenant, uint32_t bytes);

/** With g->compressing: a store of the line, physical, has come to the L2. */
void mh_uvm_stored(struct mh_gpu *g, uint32_t line);

/** With g->compressing: the line is written back to DRAM: its page may overflow. */
void mh_uvm_written(struct mh_gpu *g, uint32_t line);

/**
 * With g->compressing: the line is in a compressed page. *extra: accesses of the channel that it takes besides, for
 * metadata that its cache does not have, and for an exception, which was looked for in the wrong place then.
 */
bool mh_uvm_packed(struct mh_gpu *g, uint32_t channel, uint32_t line, uint32_t *extra);

/** With g->watch_units: an access has reached the L1D, or passed it. */
void mh_uvm_access(struct mh_gpu *g, uint32_t ppn, bool writes);

/** A walk has ended at a page that is not resident: parks its loads (fault.c). The caller frees the walk. */
void mh_uvm_fault(struct mh_gpu *g, uint32_t walk);

/** A walk has found the tenant's page: if its unit came by itself, that was of use. */
void mh_uvm_used(struct mh_gpu *g, uint32_t tenant, uint32_t vpn);

/** A walk has found that the tenant's page is not there, and it has not come yet. */
bool mh_uvm_faults(const struct mh_gpu *g, uint32_t tenant, uint32_t vpn);

/** For a report: where the unit is that the L1 TLB MSHR is parked with; false: it is not parked. */
bool mh_uvm_tell(const struct mh_gpu *g, uint32_t mshr, FILE *out);

/* --- gpu/: called by the SMs. */

/** The tenant's current launch is over, with these counters: tells the observer, and the next one begins. */
void mh_launch_over(struct mh_gpu *g, uint32_t tenant, const struct mh_counters *count, bool finished);

#endif
