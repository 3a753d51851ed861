/* The same with twice the step, which is ours. */
#define MASK_TOKENS_POLICY  mask_tokens_step_20
#define MASK_TOKENS_INITIAL 80
#define MASK_TOKENS_STEP    20
#include "mask_tokens_policy.h"
