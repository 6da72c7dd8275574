/* SPDX-License-Identifier: GPL-2.0 */
/*
 * listener_link.h - send a file to a stock `trace-cmd listen`
 *
 * The protocol is version 3 of trace-cmd; source: lib/trace-cmd/trace-msg.c and
 * tracecmd/trace-listen.c of trace-cmd 3.1.6. With 0 CPUs the listener stores the data unchanged,
 * so offsets in the file stay valid; at the end it appends an empty buffer.
 *
 * Data that is written to the sink waits in memory. A thread sends it, so a slow link never blocks
 * the writer. The order of calls is push_open(), push_start(), writes to the sink, push_finish(),
 * push_free(); push_free() may be called at any time. Functions return 0 or -errno.
 */
#ifndef TRACECMD_OUTPUT_LISTENER_LINK_H
#define TRACECMD_OUTPUT_LISTENER_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/tracedat/tracedat.h"

struct push;

/* Limit of a wait in which no byte is transferred, in ms. */
#define PUSH_PATIENCE_MS 30000

/*
 * push_open - connect, and check the version of the listener
 * There is no time limit between push_open() and push_start(). On failure @why is a sentence.
 */
int push_open(struct push **push, const char *address, char *why, size_t why_len);
/* Like push_open() for a connected, non-blocking socket. Takes ownership of @fd in any case. */
int push_over(struct push **push, int fd, char *why, size_t why_len);

/*
 * push_start - begin the file
 * From now on the listener must receive data at least every 5 s. The thread ensures that after
 * push_alive() has set its keepalive data.
 */
int push_start(struct push *push, unsigned int page_size, char *why, size_t why_len);

/* The sink accepts data of any size. Writes fail with -EPIPE after the link is lost, or -ENOMEM. */
struct tracedat_sink *push_sink(struct push *push);

/* Set the data to send after 2 s without other data, between two writes to the sink. */
void push_alive(struct push *push, const void *section, size_t len);

/* True if less than @bytes of data wait in memory. */
bool push_has_room(struct push *push, size_t bytes);

/* Descriptor for poll(): readable if the link is lost or push_finish() would not wait. */
int push_fd(const struct push *push);

/* The reason why the link was lost, or NULL. The string is static or belongs to @push. */
const char *push_trouble(struct push *push);

/* Number of bytes that are not acknowledged: in memory or in the socket. */
uint64_t push_unsent(struct push *push);

/*
 * push_finish - send the waiting data, end the file, and wait until the listener has all of it
 * @stop_fd: descriptor that ends the wait with -EINTR if it is readable, or -1. The function can
 * then be called again.
 * -EPIPE: the link is lost; see push_trouble().
 */
int push_finish(struct push *push, int stop_fd);

/* Close the connection, if it is open. The listener keeps the part of the file that it has. */
void push_free(struct push *push);

#endif
