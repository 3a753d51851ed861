/*
 * Images that take over the mcu in mid-run: when, and what became of them. The native twin and QEMU's machine share it.
 */
#ifndef MEMHELM_SWAP_H
#define MEMHELM_SWAP_H

#include "memhelm/boot.h"
#include "memhelm/hwmodel.h"

enum {
    MH_SWAPS = 8,         /**< at most in a run */
    MH_SWAP_NAME = 112,   /**< bytes of an image's name */
    MH_SWAP_LOOK = 10000, /**< GPU cycles from one look at a counter to the next [ours] */
    MH_SWAP_TEXT = 64     /**< bytes of mh_swap_when_write()'s text */
};

/** What the boot ROM says of a slot, by enum mh_boot. */
extern const char *const mh_boot_texts[BOOT_ROWS];

/** At a GPU cycle; or, if that is 0, once a counter's sum over all tenants is above a value. */
struct mh_swap_when {
    uint64_t cycle;
    uint32_t counter; /**< index in mh_counter_names */
    uint64_t above;   /**< counted from cycle 0, or from the end of run.warmup once that has passed */
};

/** What all tenants did in a stretch of GPU cycles. */
struct mh_swap_span {
    uint64_t cycles, lane_instr; /**< thread instructions */
};

/** Another image took over. GPU cycles; 0: the run ended before. */
struct mh_swap {
    char image[MH_SWAP_NAME];   /**< that took over, with the parameters that are set */
    uint64_t asked;             /**< when it should */
    uint64_t began;             /**< the image before had ended its decision; the mcu boots */
    uint64_t committed;         /**< first COMMIT of the image: from `began` on there was no policy */
    uint64_t confirmed;         /**< it has answered the epochs of its probation */
    uint64_t rolled_back;       /**< it failed before that: the mcu boots the image that was there before */
    struct mh_swap_span before; /**< up to `began`: the last epoch, from COMMIT to COMMIT */
    struct mh_swap_span during; /**< from `began` to `committed` */
    struct mh_swap_span after;  /**< the first epoch of the image, up to its COMMIT */
    uint32_t refused;           /**< enum mh_boot: why it never ran, of an image that was not verified; else 0 */
};

/** Those of a run, in their order. */
struct mh_swaps {
    uint32_t count;
    struct mh_swap list[MH_SWAPS];
};

/** A moment of the run. */
struct mh_swap_mark {
    uint64_t cycle, lane_instr;
};

/** Measures the spans of a run's swaps. Zero at cycle 0. */
struct mh_swap_watch {
    struct mh_swap_mark epoch[2]; /**< COMMITs that answered an epoch, the last two; or an image's first one */
    struct mh_swap_mark began;
    uint64_t answered;    /**< epochs */
    struct mh_swap *swap; /**< whose spans are not complete; NULL: there is none */
    bool boots;           /**< its image has not come to its first COMMIT */
};

/** A swap has begun; its first COMMIT was applied; a COMMIT was applied, which may have answered an epoch. */
void mh_swap_watch_began(struct mh_swap_watch *w, struct mh_swap *swap, struct mh_gpu *gpu);
void mh_swap_watch_committed(struct mh_swap_watch *w, struct mh_gpu *gpu);
void mh_swap_watch_epoch(struct mh_swap_watch *w, struct mh_gpu *gpu);

/** Its image has failed: the spans that are not complete stay 0. */
void mh_swap_watch_failed(struct mh_swap_watch *w);

/** Reads "2000000" or "walks>50000". -1 and `err`: it is neither, or there is no such counter. */
int mh_swap_when_read(const char *text, struct mh_swap_when *when, struct mh_error *err);
void mh_swap_when_write(const struct mh_swap_when *when, char text[MH_SWAP_TEXT]);

/** The next GPU cycle at which to ask mh_swap_due(), after `now`. */
uint64_t mh_swap_look(const struct mh_swap_when *when, uint64_t now);

/** Has it come, at a cycle that mh_swap_look() gave, or a later one? */
bool mh_swap_due(const struct mh_swap_when *when, struct mh_gpu *gpu);

#endif
