/* What work items do, and the messages that tell memhelm of it. */
#ifndef HOST_RECORD_PLUGIN_ITEMS_H
#define HOST_RECORD_PLUGIN_ITEMS_H

#include "../access.h"
#include "code.h"

/* Work items of the CTA that runs: what each has done since its last access, and where in the program it is. */

struct items_access {
    uint8_t kind;
    uint64_t address, bytes;
};

/** A CTA of `count` work items begins. False: out of memory. */
bool items_start(size_t count);

/** Work item `item` executed `i`, which made these accesses of the device's memory. False: loops or calls too deep. */
bool items_executed(size_t item, const struct code_instruction *i, const struct items_access *access, unsigned count);

/** Records of work item `item` (access.h); the caller empties the list. */
struct bytes *items_told(size_t item);

/* Messages to memhelm (record/access.h). When memhelm has closed the socket, messages are dropped. */

/** What memhelm asked for; false: it did not start this program. Says hello. */
bool send_open(void);

/** Launches and CTAs that are wanted, from 0. */
struct send_wanted {
    uint64_t first_launch, launch_end, first_cta, cta_end;
};
const struct send_wanted *send_wanted(void);

/** Has memhelm enough? Then nothing is wanted any more. */
bool send_enough(void);

/** Sends `payload` and empties it. */
void send_message(enum record_message type, struct bytes *payload);

/** Gives up: memhelm reports `text`. */
void send_failed(const char *text);

#endif
