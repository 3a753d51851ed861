/* Messages to memhelm (record/message.h). When memhelm has closed the socket, messages are dropped. */
#ifndef HOST_RECORD_PLUGIN_SEND_H
#define HOST_RECORD_PLUGIN_SEND_H

#include "record/access.h"

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
