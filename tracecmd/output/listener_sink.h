/* SPDX-License-Identifier: GPL-2.0 */
/*
 * listener_sink.h - sink that sends the recording to a listener while it is made (-N)
 *
 * The listener's file is independent of the local file. If the link stalls, snapshots are omitted
 * there and counted as missed, like snapshots that were not taken in time. Sequence numbers of the
 * other snapshots have no gap.
 *
 * The protocol is version 3 of trace-cmd; source: lib/trace-cmd/trace-msg.c and
 * tracecmd/trace-listen.c of trace-cmd 3.1.6.  With 0 CPUs the listener stores the data unchanged,
 * so offsets in the file stay valid; at the end it appends an empty buffer.
 *
 * A link is the connection below the sink.  Data that is written to it waits in memory.  A thread
 * sends it, so a slow link never blocks the writer.  The order of calls is listener_link_open(),
 * listener_link_start(), writes to listener_link_sink(), listener_link_finish(),
 * listener_link_free(); listener_link_free() may be called at any time.  Functions of a link return
 * 0 or -errno.
 */
#ifndef TRACECMD_OUTPUT_LISTENER_SINK_H
#define TRACECMD_OUTPUT_LISTENER_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"
#include "lib/tracedat/tracedat.h"
#include "tracecmd/output/sink.h"

struct listener_link;

/* Limit of a wait in which no byte is transferred, in ms. */
#define LISTENER_PATIENCE_MS 30000

/*
 * listener_link_open - connect, and check the version of the listener
 * There is no time limit between listener_link_open() and listener_link_start(). On failure @error
 * is a sentence.
 */
int listener_link_open(struct listener_link **push, const char *address, struct hist_error *error);
/*
 * Like listener_link_open() for a connected, non-blocking socket. Takes ownership of @fd in any
 * case.
 */
int listener_link_open_fd(struct listener_link **push, int fd, struct hist_error *error);

/*
 * listener_link_start - begin the file
 * From now on the listener must receive data at least every 5 s. The thread ensures that after
 * listener_link_set_keepalive() has set its keepalive data.
 */
int listener_link_start(struct listener_link *push, unsigned int page_size,
			struct hist_error *error);

/* The sink accepts data of any size. Writes fail with -EPIPE after the link is lost, or -ENOMEM. */
struct tracedat_sink *listener_link_sink(struct listener_link *push);

/* Set the data to send after 2 s without other data, between two writes to the sink. */
void listener_link_set_keepalive(struct listener_link *push, const void *section, size_t len);

/* The reason why the link was lost, or NULL. The string is static or belongs to @push. */
const char *listener_link_error(struct listener_link *push);

/* Number of bytes that are not acknowledged: in memory or in the socket. */
uint64_t listener_link_unsent(struct listener_link *push);

/*
 * listener_link_finish - send the waiting data, end the file, and wait until the listener has all
 * of it
 * @stop_fd: descriptor that ends the wait with -EINTR if it is readable, or -1. The function can
 * then be called again.
 * -EPIPE: the link is lost; see listener_link_error().
 */
int listener_link_finish(struct listener_link *push, int stop_fd);

/* Close the connection, if it is open. The listener keeps the part of the file that it has. */
void listener_link_free(struct listener_link *push);

struct listener_sink {
	struct sink sink;
	struct listener_link *push;
	bool lost; /* the link is lost, and a message was printed */
	bool skip; /* the current interval is omitted */
	uint64_t skipped;
};

/* Initialize @l, which must be zeroed. @address must outlive it. SINK_CONNECT connects. */
void listener_sink_init(struct listener_sink *l, const char *address);

#endif
