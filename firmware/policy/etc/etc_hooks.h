/* Hooks of ETC's policies, which helm_paging calls. */
#ifndef FIRMWARE_ETC_HOOKS_H
#define FIRMWARE_ETC_HOOKS_H

#include "../policy.h"

enum policy_status etc_share_init(const struct gpu_caps *caps);
void etc_share_on_epoch(const struct gpu_caps *caps);

enum policy_status etc_classify_init(const struct gpu_caps *caps);
void etc_classify_on_epoch(const struct gpu_caps *caps);
void etc_classify_on_event(const struct gpu_caps *caps, const struct gpu_event *event);

enum policy_status etc_pe_init(const struct gpu_caps *caps);
void etc_pe_on_epoch(const struct gpu_caps *caps);

enum policy_status etc_cc_init(const struct gpu_caps *caps);
void etc_cc_on_epoch(const struct gpu_caps *caps);

enum policy_status etc_throttle_begin(const struct gpu_caps *caps);
void etc_throttle_on_epoch(const struct gpu_caps *caps);
void etc_throttle_on_event(const struct gpu_caps *caps, const struct gpu_event *event);
void etc_throttle_on_page_fault(const struct gpu_caps *caps, const struct gpu_page_fault *fault);
void etc_throttle_on_timer(const struct gpu_caps *caps);

#endif
