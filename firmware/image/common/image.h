/*
 * Makes an image out of a list. An image's file defines IMAGE_NAME (that of the file) and IMAGE_POLICIES, one line per
 * policy in the order in which they decide, and includes this. A line may also be a group of groups.h:
 * GROUP_MASK(POLICY). The list may have each policy once, and of two that own the same knob one.
 */
#include "fw.h"
#include "groups.h"

#define IMAGE_DECLARE(name) extern const struct policy policy_##name;
IMAGE_POLICIES(IMAGE_DECLARE)

/* Does not compile when a policy is listed twice. */
#define IMAGE_ONCE(name) image_lists_##name,
enum { IMAGE_POLICIES(IMAGE_ONCE) };

#define IMAGE_ENTRY(name) &policy_##name,
const struct image fw_image = {
    .name = IMAGE_NAME,
    .policies = {IMAGE_POLICIES(IMAGE_ENTRY) NULL},
};
