/* SPDX-License-Identifier: GPL-2.0 */
/*
 * metrics.h - sinks for Prometheus: what a running recording has counted
 *
 * The counters begin at 0 with the first snapshot and never fall, also if another program clears a
 * histogram (lib/series/counted.h).  They have the names and numbers that a report of the recording
 * has with --format openmetrics, for the same writer writes them.
 *
 * All machines have the same bounds, whatever they counted.  The buckets of .log2=K, and numbers
 * without buckets, are therefore merged to those of .log2, which is exact.
 *
 * What shows the counters is a sink of its own, which begins with this one and calls metrics_ops.
 */
#ifndef TRACECMD_OUTPUT_METRICS_H
#define TRACECMD_OUTPUT_METRICS_H

#include "lib/base/strbuf.h"
#include "lib/report/writer.h"
#include "tracecmd/output/sink.h"

/* The largest value of a row is an exemplar of it for so many seconds. */
#define METRICS_EXEMPLAR_S 300

/* Time series of one page; more are refused. */
#define METRICS_SERIES_MAX 200000

/* Begins as zeros, except for the members of the caller. */
struct metrics {
	struct sink sink; /* the caller's */
	bool fine;	  /* .log2=K keeps its buckets; the caller's */
	/* that keeps the events around the worst, or NULL; valid while snapshots are added */
	const char *file;
	struct metrics_hist *hists;
	uint32_t nhists;
	uint64_t started; /* wall-clock time of the first snapshot */
};

/* begin, define, add and clear.  A sink that begins with a struct metrics may be given. */
extern const struct sink_ops metrics_ops;

/*
 * metrics_write - append the page of all counters
 * @format: hist_writer_openmetrics, hist_writer_prometheus or hist_writer_protobuf.
 * 0 or -errno without a message; -EINVAL with @error set: too many series.
 */
int metrics_write(struct metrics *m, const struct hist_writer_ops *format, struct hist_strbuf *b,
		  struct hist_error *error);

/* --- metrics_server.c: answers the scrapes of Prometheus (--metrics-listen) --- */

/*
 * GET /metrics returns the counters of the last snapshot (metrics.h), in the form that the client
 * accepts.  The server has no thread: the recorder calls it when one of its descriptors is ready,
 * and once for each interval.  Clients therefore never delay a snapshot by more than the writing of
 * one page, and a client may wait for a snapshot.
 */

/* Connections at one time; others wait. */
#define METRICS_CLIENTS_MAX 256
/* A connection is closed after so many seconds without a byte. */
#define METRICS_PATIENCE_S 5

enum metrics_form {
	METRICS_PROTOBUF, /* with native histograms */
	METRICS_OPENMETRICS,
	METRICS_TEXT, /* 0.0.4 of Prometheus */
	METRICS_FORMS
};

struct metrics_library;
struct MHD_Daemon;
struct MHD_Response;

/* Begins as zeros, except for metrics.sink and metrics.fine.  Its name is "ADDRESS:PORT". */
struct metrics_server {
	struct metrics metrics;
	struct metrics_library *library; /* libmicrohttpd, or NULL */
	struct MHD_Daemon *daemon;	 /* NULL: it could not start, and a warning was printed */
	/* the answers since the last snapshot, as far as somebody asked; clients share them */
	struct MHD_Response *pages[METRICS_FORMS];
	bool refused; /* there are too many series, and a warning was printed */
};

extern const struct sink_ops metrics_server_ops;

#endif
