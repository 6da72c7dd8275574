/* SPDX-License-Identifier: GPL-2.0 */
/*
 * sink.h - list of the sinks that a recording is written to
 *
 * The sinks are the file (output_file.h) or the files of --rotate (rotating_output.h), and the
 * listener (listener_sink.h). Each sink gets the
 * same histograms and snapshots in the same order, so a histogram has the same number in all
 * sinks.
 *
 * Invariant: after the first snapshot, the failure of a spare sink does not end the recording.
 * sinks.lost reports the failure to the recorder at the end.
 *
 * Functions return 0, or -errno after printing a message to stderr.
 */
#ifndef TRACECMD_OUTPUT_SINK_H
#define TRACECMD_OUTPUT_SINK_H

#include <poll.h>

#include "lib/series/series.h"
#include "lib/tracedat/tracedat.h"

#define SINKS_MAX 4

struct sink {
	const struct sink_ops *ops;
	bool spare; /* the recording is useful without this sink */
	const char *name; /* file or address, for messages; the caller's */
	struct tracedat_writer *dat;
	struct hist_series_writer *series;
};

enum sink_phase {
	SINK_CHECK, /* check that it can be opened; changes nothing */
	SINK_CONNECT, /* after the check of the plan, before any change on the target */
	SINK_OPEN, /* right before the first change on the target */
	SINK_PUBLISH, /* after the first interval was written */
	SINK_PHASES
};

/* Members marked with * are optional. */
struct sink_ops {
	int (*phase[SINK_PHASES])(struct sink *s); /* * */
	/* Write the part before the snapshots.  @contents must remain valid until clear(). */
	int (*begin)(struct sink *s, const struct tracedat_contents *contents);
	/* Define a histogram and return its number, like hist_series_define(). */
	int (*define)(struct sink *s, const struct hist_definition *def, struct hist_table *table);
	/*
	 * *The snapshots that follow are of one interval; the last interval must not be left out.
	 */
	int (*interval)(struct sink *s, bool last);
	int (*add)(struct sink *s, int hist, const struct hist_snapshot *snap);
	int (*fd)(const struct sink *s); /* *descriptor to poll for reading; -1: none */
	int (*check)(struct sink *s); /* *called if the descriptor is ready */
	int (*end)(struct sink *s); /* called after the last interval */
	/*
	 * *Wait until all data has arrived. Called after all changes on the target were undone.
	 * @signals: descriptor of signals_catch(), or -1; a signal ends the wait.
	 */
	int (*finish)(struct sink *s, int signals);
	void (*clear)(struct sink *s); /* always called, also if nothing was opened */
};

struct sinks {
	struct sink *list[SINKS_MAX]; /* required sinks first, then spare sinks */
	unsigned int n;
	bool lost; /* a spare sink failed, and a message was printed */
};

static inline void sinks_append(struct sinks *s, struct sink *sink)
{
	s->list[s->n++] = sink;
}

/*
 * sink_ops.define and add of a sink whose begin() has made its series; and the end of the series.
 */
int sink_define(struct sink *s, const struct hist_definition *def, struct hist_table *table);
int sink_add(struct sink *s, int hist, const struct hist_snapshot *snap);
int sink_finish(struct sink *s);

/* Run one phase of all sinks; stop at the first failure. */
int sinks_run(struct sinks *s, enum sink_phase phase);

int sinks_begin(struct sinks *s, const struct tracedat_contents *contents);

/* Define the histogram in all sinks, and return its number. */
int sinks_define(struct sinks *s, const struct hist_definition *def, struct hist_table *table);

int sinks_begin_interval(struct sinks *s, bool last);
int sinks_add(struct sinks *s, int hist, const struct hist_snapshot *snap);

/* Fill @s->n elements of @fds for poll(); call sinks_check() after poll(). */
void sinks_poll(const struct sinks *s, struct pollfd *fds);
int sinks_check(struct sinks *s, const struct pollfd *fds);

/* End all sinks, spare sinks first, so that they are completed even if the file fails. */
int sinks_end(struct sinks *s);
void sinks_finish(struct sinks *s, int signals);
void sinks_clear(struct sinks *s);

#endif
