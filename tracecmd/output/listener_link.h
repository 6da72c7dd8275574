/* SPDX-License-Identifier: GPL-2.0 */
/*
 * listener_link.h - a file on its way to a stock `trace-cmd listen`
 *
 * The protocol is version 3 of trace-cmd, as lib/trace-cmd/trace-msg.c and
 * tracecmd/trace-listen.c of trace-cmd 3.1.6 have it.  With 0 CPUs the listener
 * stores what it gets as it is, so offsets in the file stay right; at the end
 * it appends an empty buffer.
 *
 * What is put into the sink waits in memory, and a thread sends it, so that a
 * slow link never holds up the one who puts.  The calls come in this order:
 * push_open(), push_start(), the sink, push_finish(), push_free(); the last one
 * at any time.  Functions return 0 or -errno.
 */
#ifndef TRACECMD_OUTPUT_LISTENER_LINK_H
#define TRACECMD_OUTPUT_LISTENER_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/tracedat/tracedat.h"

struct push;

/* Who waits longer than this without a byte is given up; milliseconds. */
#define PUSH_PATIENCE_MS 30000

/*
 * push_open - connect, and learn whether a listener of this version is there
 * After that it waits as long as is wanted for push_start().  On failure @why
 * is a sentence.
 */
int push_open(struct push **push, const char *address, char *why, size_t why_len);
/* The same over a connected, non-blocking socket, which it takes in any case. */
int push_over(struct push **push, int fd, char *why, size_t why_len);

/*
 * push_start - begin the file
 * From now on no 5 s may pass without a byte, which the thread sees to as soon
 * as it has something to say: push_alive().
 */
int push_start(struct push *push, unsigned int page_size, char *why, size_t why_len);

/* Takes all that it is given.  -EPIPE once the link is lost, -ENOMEM. */
struct tracedat_sink *push_sink(struct push *push);

/* Bytes to send when there is nothing else for two seconds; between two pieces put. */
void push_alive(struct push *push, const void *section, size_t len);

/* Is what waits less than @bytes? */
bool push_has_room(struct push *push, size_t bytes);

/* Readable when the link is lost, or push_finish() would not wait. */
int push_fd(const struct push *push);

/* A static or the push's own sentence about how the link was lost, or NULL. */
const char *push_trouble(struct push *push);

/* Bytes that nobody knows to have arrived: still here, or in the socket. */
uint64_t push_unsent(struct push *push);

/*
 * push_finish - send what waits, end the file, and wait until the listener has
 * taken it all
 * @stop_fd: when it becomes readable, the waiting ends with -EINTR, and can
 * be taken up again; or -1.
 * -EPIPE: the link is lost, see push_trouble().
 */
int push_finish(struct push *push, int stop_fd);

/* Drops the connection, if it is still there.  The listener keeps the file so far. */
void push_free(struct push *push);

#endif
