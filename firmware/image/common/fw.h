/*
 * The common main of all images: boot, one interrupt, end of run.
 *
 * Console lines, each starting with "memhelm: ":
 *     boot image=NAME version=V registers=R sms=N tenants=N warps=N epoch=N policies=a,b [resets=N]
 *     status image=NAME epochs=N t0: TOKENS=N CTA_LIMIT=N .. t1: .. SM_THROTTLE_0=0xN ..   on MH_EVENT_HOST_STATUS
 *         the knobs that are not 0: those of each tenant, then the GPU's
 *     PASS image=NAME epochs=N stack=N/N                                   on MH_EVENT_HOST_STOP; EXIT 0
 *     refused policy=NAME TEXT                       before FAIL, of a policy that has numbers for why
 *     FAIL image=NAME epochs=N stack=N/N reason=TEXT [register=0xN]     EXIT enum fw_fail
 * The native twin has no stack of its own and leaves `stack=` out.
 */
#ifndef FIRMWARE_FW_H
#define FIRMWARE_FW_H

#include <stddef.h>
#include <stdint.h>

#include "../../policy/policy.h"

#define FW_VERSION "0.1"

/** An image: a name and a list of policies. Made by image.h. */
struct image {
    const char *name;
    const struct policy *policies[]; /**< ends with NULL */
};

/** Most policies of an image that have on_walk_epoch; one more and it refuses to boot. */
#define FW_WALK_POLICIES 4

/** Most policies of an image that have on_page_fault. */
#define FW_FAULT_POLICIES 4

/** Exit codes; 0 is PASS. */
enum fw_fail {
    FW_FAIL_GPU = 1,    /**< no window, another register table, or more tenants than there is room for */
    FW_FAIL_POLICY = 2, /**< a policy's init refused this GPU, or the image has too many for walk epochs */
    FW_FAIL_COMMIT = 3, /**< a COMMIT of the image's own was rejected */
    FW_FAIL_TIMER = 4,  /**< CAP_EPOCH is no legal timer interval */
    FW_FAIL_STACK = 5,  /**< the stack was used up to its last word */
};

/** The image this program is; defined by the image's file. */
extern const struct image fw_image;

/** Brings the GPU under this image: probe, boot line, policies' init, COMMIT, epoch timer, interrupts. */
void fw_init(const struct image *image);

/** Serves the GPU's interrupt line: all that is pending, tightest deadline first. Interrupts are off meanwhile. */
void fw_irq(void);

#endif
