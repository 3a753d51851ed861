/*
 * Makes an image out of a list. An image's file defines IMAGE_NAME (that of the file) and IMAGE_POLICIES, one line per
 * policy in the order in which they decide, and includes this.
 */
#include "fw.h"

#define IMAGE_DECLARE(name) extern const struct policy policy_##name;
IMAGE_POLICIES(IMAGE_DECLARE)

#define IMAGE_ENTRY(name) &policy_##name,
const struct image fw_image = {
    .name = IMAGE_NAME,
    .policies = {IMAGE_POLICIES(IMAGE_ENTRY) NULL},
};
