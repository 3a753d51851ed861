/* The same with the largest InitialTokens: nobody is restricted at first. */
#define MASK_TOKENS_POLICY  mask_tokens_initial_100
#define MASK_TOKENS_INITIAL 100
#define MASK_TOKENS_STEP    10
#include "mask_tokens_policy.h"
