#include "send.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

static int to = -1;
static bool enough;
static struct send_wanted wanted;

const struct send_wanted *send_wanted(void)
{
    return &wanted;
}

bool send_open(void)
{
    const char *text = getenv(RECORD_VARIABLE);
    struct bytes payload = {0};

    if (to >= 0)
        return true;
    if (!text || sscanf(text, "%d %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64, &to, &wanted.first_launch,
                        &wanted.launch_end, &wanted.first_cta, &wanted.cta_end) != 5)
        return false;
    bytes_number(&payload, (uint64_t)getpid());
    send_message(RECORD_HELLO, &payload);
    bytes_free(&payload);
    return true;
}

static void give_up(void)
{
    to = -1;
    enough = true;
}

bool send_enough(void)
{
    char byte;

    if (!enough && recv(to, &byte, 1, MSG_DONTWAIT) == 1)
        enough = byte == RECORD_ENOUGH;
    return enough;
}

static bool send_all(const uint8_t *data, size_t size)
{
    while (size) {
        ssize_t sent = send(to, data, size, MSG_NOSIGNAL);

        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        data += sent;
        size -= (size_t)sent;
    }
    return true;
}

void send_message(enum record_message type, struct bytes *payload)
{
    uint32_t size = (uint32_t)payload->size;
    uint8_t head[RECORD_MESSAGE_HEAD] = {(uint8_t)type, (uint8_t)size, (uint8_t)(size >> 8), (uint8_t)(size >> 16),
                                         (uint8_t)(size >> 24)};

    if (payload->failed) {
        payload->failed = false;
        send_failed("out of memory in the program that is recorded");
    } else if (to >= 0 && (!send_all(head, sizeof head) || !send_all(payload->at, payload->size))) {
        give_up();
    }
    payload->size = 0;
}

void send_failed(const char *text)
{
    struct bytes payload = {0};

    if (to < 0)
        return;
    bytes_text(&payload, text);
    if (!payload.failed)
        send_message(RECORD_FAILED, &payload);
    bytes_free(&payload);
    give_up();
}
