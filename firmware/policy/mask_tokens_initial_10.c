/* The same with the smallest InitialTokens of sec. 6's sweep that we run. */
#define MASK_TOKENS_POLICY  mask_tokens_initial_10
#define MASK_TOKENS_INITIAL 10
#define MASK_TOKENS_STEP    10
#include "mask_tokens_policy.h"
