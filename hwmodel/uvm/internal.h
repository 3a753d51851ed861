/* What the files of uvm/ share. */
#ifndef MEMHELM_UVM_INTERNAL_H
#define MEMHELM_UVM_INTERNAL_H

#include "engine/gpu.h"
#include "uvm/uvm.h"

/** --- units.c */

/** Number of the unit of a tenant's page; MH_NONE: it has none. */
uint32_t mh_unit_of(const struct mh_uvm *m, uint32_t tenant, uint32_t vpn);

/** Of a tenant's unit with this number: its virtual address / bytes of a unit. */
uint32_t mh_unit_at(const struct mh_uvm *m, uint32_t tenant, uint32_t number);

/** A tenant that has left needs no unit any more. */
bool mh_unit_is_gone(const struct mh_gpu *g, const struct mh_unit *u);

void mh_unit_push(struct mh_uvm *m, struct mh_unit_queue *q, uint32_t unit);
/** The queue is not empty. */
uint32_t mh_unit_pop(struct mh_uvm *m, struct mh_unit_queue *q);

/** Takes all units of the tenant out of the queue, to host memory, with no request for them. Returns their number. */
uint32_t mh_unit_forget(struct mh_uvm *m, struct mh_unit_queue *q, uint32_t tenant);

/** Bytes of GPU memory that a unit in host memory will take. */
uint32_t mh_unit_bytes(struct mh_gpu *g, uint32_t unit);

/** There are a set of frames and memory for it. */
bool mh_unit_fits(struct mh_gpu *g, uint32_t unit);

/** Gives it a free set of frames, and memory. It fits. */
void mh_unit_take_frames(struct mh_uvm *m, uint32_t unit);

/** Bytes of memory that are free, or will be when what leaves has left; never below 0. */
uint64_t mh_uvm_room(const struct mh_uvm *m);

/** Its frames, [m->pages]. */
const uint32_t *mh_unit_frames(const struct mh_uvm *m, const struct mh_unit *u);

/** Physical line `i` of the unit, which has frames. */
uint32_t mh_unit_line(const struct mh_gpu *g, const struct mh_unit *u, uint32_t i);

/** The unit is here from now on: its pages have translations, and it is the newest. */
void mh_unit_map(struct mh_gpu *g, uint32_t unit);

/** It is here no longer: no page of it has a translation, in no TLB. Its frames stay its own. */
void mh_unit_unmap(struct mh_gpu *g, uint32_t unit);

/** Frees the frames of a unit, which is then in host memory. */
void mh_unit_free_frames(struct mh_gpu *g, uint32_t unit);

/** --- block.c */

/** GPU cycles until so many ns have passed. */
uint64_t mh_uvm_cycles(const struct mh_config *c, uint64_t ns);

/** --- fault.c */

/** The unit has come: its waiters get their translations. */
void mh_uvm_replay(struct mh_gpu *g, uint32_t unit);

/** Raises a fault for a unit in host memory, with which a request is parked. */
void mh_uvm_raise(struct mh_gpu *g, uint32_t unit);

/** --- hints.c */

/** Reads tenants[].hints into hint[arrays] (enum mh_hint), which is 0. -1 and `err`. */
int mh_uvm_read_hints(const char *text, uint32_t tenant, uint32_t arrays, uint8_t *hint, struct mh_error *err);

/** Hint of a unit that two arrays share. */
uint8_t mh_uvm_both(uint8_t a, uint8_t b);

/** Units of arrays that stay in host memory are no units any more: their pages keep their frames. -1: no memory. */
int mh_uvm_keep_on_host(struct mh_gpu *g);

/** --- prefetch.c */

/** Finds the regions of all units, if a key needs them. -1: no memory. */
int mh_uvm_find_regions(struct mh_gpu *g);

/** The region of a unit; regions have been found. */
struct mh_uvm_region *mh_uvm_region_of(const struct mh_uvm *m, uint32_t unit);

/** The tenant has left: nothing of it is fetched ahead of need any more. */
void mh_uvm_forget_regions(struct mh_uvm *m, uint32_t tenant);

/** --- prefetch.c */

/** The batch has been handled and none of its units placed: `driver` decides what each of them brings. */
void mh_uvm_plan_batch(struct mh_gpu *g);

/** A faulted unit has been handled: others that the prefetcher wants come behind it. */
void mh_uvm_prefetch(struct mh_gpu *g, uint32_t unit);

/** The link from the host may be idle. */
void mh_uvm_prefetch_next(struct mh_gpu *g);

/** --- evict.c */

/** Units wait for frames: some that are here begin to leave, unless enough do so already. */
void mh_uvm_make_room(struct mh_gpu *g);

/** A page has overflowed, and memory with it: its unit leaves, unless there is room again. */
void mh_uvm_evict_overfull(struct mh_gpu *g);

/**
 * Describes, for the deadlock report, which units hold the memory that others wait for. Prints only state that cannot
 * change while other requests progress.
 */
void mh_uvm_tell_room(const struct mh_gpu *g, FILE *out);

/** The handler takes up a fault of the unit: others leave ahead of need (knob EVICT_AHEAD). */
void mh_uvm_evict_ahead(struct mh_gpu *g, uint32_t unit);

/** --- drain.c */

/** Begins to evict a unit that is in GPU memory: no translation leads to it from now on. */
void mh_uvm_leave(struct mh_gpu *g, uint32_t unit);

/** There will be a look at what drains at this cycle, or there is one before. */
void mh_uvm_look(struct mh_gpu *g, uint64_t cycle);

/** --- link.c */

/** Queues the handled or prefetched unit for memory. The next mh_uvm_hand_out() may give it frames. */
void mh_uvm_place(struct mh_gpu *g, uint32_t unit);

/** Gives free frames to queued units in order and starts an eviction if some remain. Queue a whole batch before it. */
void mh_uvm_hand_out(struct mh_gpu *g);

/** Evicts the unit's lines from the caches and notes dirty lines of the L2 in out.dirty. Precondition: no request for
 * them is in flight. */
void mh_uvm_take_lines(struct mh_gpu *g, uint32_t unit);

/** The unit has left GPU memory. */
void mh_uvm_has_left(struct mh_gpu *g, uint32_t unit);

/** Sends a unit that is no longer in use to the host. */
void mh_uvm_send_home(struct mh_gpu *g, uint32_t unit);

/** --- pack.c */

/** Finds the values of all tenants, with uvm.compression. -1: no memory. */
int mh_uvm_start_packing(struct mh_gpu *g);
void mh_uvm_end_packing(struct mh_uvm *m);

/** Packs the unit, which is in host memory, as it would come now: its `compressed` and `bytes`. */
void mh_uvm_pack(struct mh_gpu *g, uint32_t unit);

/** A 4 KB page of the unit, which has frames. */
const struct mh_lcp_page *mh_uvm_page(const struct mh_uvm *m, uint32_t unit, uint32_t page);

/** Unit and number in it of a physical line; MH_NONE: it is no unit's. */
uint32_t mh_uvm_unit_of_line(const struct mh_gpu *g, uint32_t line, uint32_t *number);

/** The gauges of all tenants. */
void mh_uvm_read_packing(const struct mh_gpu *g, struct mh_counters *out);

#ifdef MH_DEBUG
/** The unit takes what its pages take. */
void mh_uvm_check_packing(const struct mh_gpu *g, uint32_t unit);
#endif

/** -1: no memory. */
int mh_uvm_start_metadata(struct mh_gpu *g);
void mh_uvm_end_metadata(struct mh_uvm *m);

/** The unit has left: no cache has metadata of it. */
void mh_uvm_drop_metadata(struct mh_uvm *m, uint32_t unit);

/** --- path.c */

#ifdef MH_DEBUG
/** Stops the program unless every unit is in one place, every set of frames has one owner, and no block holds a free
 * one.
 */
void mh_uvm_check(const struct mh_gpu *g);
#else
#define mh_uvm_check NULL
#endif

#endif
