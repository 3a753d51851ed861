/* What the files of uvm/ share. */
#ifndef MEMHELM_UVM_INTERNAL_H
#define MEMHELM_UVM_INTERNAL_H

#include "engine/gpu.h"
#include "uvm/uvm.h"

/** --- units.c */

/** Number of the unit of a tenant's page; MH_NONE: it has none. */
uint32_t mh_unit_of(const struct mh_uvm *m, uint32_t tenant, uint32_t vpn);

void mh_unit_push(struct mh_uvm *m, struct mh_unit_queue *q, uint32_t unit);
/** The queue is not empty. */
uint32_t mh_unit_pop(struct mh_uvm *m, struct mh_unit_queue *q);

/** Its frames, [m->pages]. */
const uint32_t *mh_unit_frames(const struct mh_uvm *m, const struct mh_unit *u);

/** Physical line `i` of the unit, which has frames. */
uint32_t mh_unit_line(const struct mh_gpu *g, const struct mh_unit *u, uint32_t i);

/** The unit is here from now on: its pages have translations, and it is the newest. */
void mh_unit_map(struct mh_gpu *g, uint32_t unit);

/** It is here no longer: no page of it has a translation, in no TLB. Its frames stay its own. */
void mh_unit_unmap(struct mh_gpu *g, uint32_t unit);

/** Its frames are nobody's. */
void mh_unit_free_frames(struct mh_gpu *g, uint32_t unit);

/** --- fault.c */

/** The unit has come: its waiters get their translations. */
void mh_uvm_replay(struct mh_gpu *g, uint32_t unit);

/** The unit is in host memory, and somebody is parked with it. */
void mh_uvm_raise(struct mh_gpu *g, uint32_t unit);

/** --- prefetch.c */

/** A faulted unit has been handled: others that the prefetcher wants come behind it. */
void mh_uvm_prefetch(struct mh_gpu *g, uint32_t unit);

/** --- evict.c */

/** Units wait for frames: some that are here begin to leave, unless enough do so already. */
void mh_uvm_make_room(struct mh_gpu *g);

/** Something is under way to it: a line whose translation came, a request, a line for the L2. */
bool mh_unit_in_use(const struct mh_gpu *g, const struct mh_unit *u);

/** --- link.c */

/** The unit has a handler's answer: it gets frames when there are some, then it comes. */
void mh_uvm_place(struct mh_gpu *g, uint32_t unit);

/** Gives free frames to those that wait. */
void mh_uvm_hand_out(struct mh_gpu *g);

/** The unit, which nobody uses any more, goes to the host. */
void mh_uvm_send_home(struct mh_gpu *g, uint32_t unit);

#endif
