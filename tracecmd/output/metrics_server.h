/* SPDX-License-Identifier: GPL-2.0 */
/*
 * metrics_server.h - sink that answers the scrapes of Prometheus (--metrics-listen)
 *
 * GET /metrics returns the counters of the last snapshot (metrics.h), in the form that the client
 * accepts.  The server has no thread: the recorder calls it when one of its descriptors is ready,
 * and once for each interval.  Clients therefore never delay a snapshot by more than the writing of
 * one page, and a client may wait for a snapshot.
 *
 * It is a spare sink: the recording does not need it.
 */
#ifndef TRACECMD_OUTPUT_METRICS_SERVER_H
#define TRACECMD_OUTPUT_METRICS_SERVER_H

#include "tracecmd/output/metrics.h"
#include "tracecmd/output/sink.h"

/* Connections at one time; others wait. */
#define METRICS_CLIENTS_MAX 128
/* A connection is closed after so many seconds without a byte. */
#define METRICS_PATIENCE_S 5

struct metrics_library;
struct MHD_Daemon;
struct MHD_Response;

struct metrics_server {
	struct sink sink;
	struct metrics *metrics;
	bool fine; /* for metrics_new() */
	struct metrics_library *library; /* libmicrohttpd, or NULL */
	struct MHD_Daemon *daemon; /* NULL: it could not start, and a warning was printed */
	/* the answers since the last snapshot, as far as somebody asked; clients share them */
	struct MHD_Response *pages[METRICS_FORMS];
	bool refused; /* there are too many series, and a warning was printed */
};

/* False: the program was built without the library. */
bool metrics_server_is_supported(void);

/*
 * @address: "ADDRESS:PORT", valid until the end of @server, which begins as zeros.
 * @fine: as in metrics_new().
 */
void metrics_server_init(struct metrics_server *server, const char *address, bool fine);

#endif
