/* The same with half the step, which is ours. */
#define MASK_TOKENS_POLICY  mask_tokens_step_5
#define MASK_TOKENS_INITIAL 80
#define MASK_TOKENS_STEP    5
#include "mask_tokens_policy.h"
