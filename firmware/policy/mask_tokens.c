/* TLB-fill tokens of MASK: InitialTokens of sec. 6; a step of our own. */
#define MASK_TOKENS_POLICY  mask_tokens
#define MASK_TOKENS_INITIAL 80
#define MASK_TOKENS_STEP    10
#include "mask_tokens_policy.h"
