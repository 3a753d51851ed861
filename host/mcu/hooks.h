/* The policies of an image and their hooks, read from `fw_image` (firmware/image/common/fw.h,
 * firmware/policy/policy.h). */
#ifndef HOST_MCU_HOOKS_H
#define HOST_MCU_HOOKS_H

#include "elf_file.h"

enum { HOOKS_MAX = 256, HOOK_POLICY = 64, HOOK_KINDS = 8 /* members of struct policy behind its name */ };

struct hook {
    char policy[HOOK_POLICY]; /**< its name; what is no graphic character is '_' */
    const char *kind;         /**< member of struct policy: "init", "on_epoch", .. */
    uint32_t offset;          /**< of that member, bytes */
    uint32_t address;         /**< of the function */
};

/** In the order of the image's list, then of struct policy; those that are NULL are left out. */
struct hooks {
    struct hook list[HOOKS_MAX];
    unsigned count;
};

/** An image without the symbol `fw_image` has no hooks. -1 and `err` when it has, and its lists cannot be read. */
int hooks_find(struct hooks *h, const struct elf *elf, const char *name, struct mh_error *err);

#endif
