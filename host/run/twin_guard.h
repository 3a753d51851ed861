/* Calls of a native twin's firmware, which may crash, or never come back: the run ends, and is told why. */
#ifndef HOST_RUN_TWIN_GUARD_H
#define HOST_RUN_TWIN_GUARD_H

#include <setjmp.h>

#include "memhelm/record.h"

/** Where a call that went wrong comes back to: sigsetjmp(twin_guard_back, 1) is not 0 then, but what it takes to tell.
 */
extern sigjmp_buf twin_guard_back;

/** Behind that sigsetjmp(). One twin at a time in a process. */
void twin_guard_init(void);

/** Around each call. */
void twin_guard_enter(void);
void twin_guard_leave(void);

/** What sigsetjmp() gave, in words: with the line, if `image`, the twin's file, says it. */
enum mh_end twin_guard_end(int stopped, const char *image, struct mh_fault *fault);

#endif
