/* Which page frames an address space gets. Private to pages/. */
#ifndef MEMHELM_PAGES_FRAMES_H
#define MEMHELM_PAGES_FRAMES_H

#include "pages/page_table.h"

/** How frames are handed out: after memset() to 0, with `pt->seed` set. */
void mh_frames_init(struct mh_page_tables *pt, const struct mh_config *cfg);

/** A frame for a small page, or for nodes; MH_PT_NONE: the address space has no more. */
uint32_t mh_frame_new(struct mh_page_tables *pt, uint32_t asid);

/** The first frame of a block, for a large page; MH_PT_NONE: the address space has no more. */
uint32_t mh_frame_block(struct mh_page_tables *pt, uint32_t asid);

#endif
