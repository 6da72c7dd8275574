/* SPDX-License-Identifier: GPL-2.0 */
/*
 * sink.h - where a recording goes: the list of its sinks
 *
 * Each sink gets the same histograms and snapshots in the same order, so that a histogram has
 * one number in all of them: the file (output_file.h) and the listener (listener_sink.h).
 *
 * Invariant: once the snapshots begin, a spare sink that fails does not end the recording.
 * sinks.lost tells the recorder of the failure at the end.
 *
 * Functions return 0 or -errno after a message on stderr.
 */
#ifndef TRACECMD_OUTPUT_SINK_H
#define TRACECMD_OUTPUT_SINK_H

#include <poll.h>

#include "lib/series/series.h"
#include "lib/tracedat/tracedat.h"

#define SINKS_MAX 4

struct sink {
	const struct sink_ops *ops;
	bool spare; /* the recording is worth having without it */
};

enum sink_phase {
	SINK_LOOK, /* could it be opened? Changes nothing */
	SINK_CONNECT, /* the plan is checked; the machine is not changed yet */
	SINK_OPEN, /* the machine is about to be changed */
	SINK_PUBLISH, /* the first interval is in it */
	SINK_PHASES
};

/* Those marked with * are optional. */
struct sink_ops {
	int (*phase[SINK_PHASES])(struct sink *s); /* * */
	/* What comes before the snapshots. */
	int (*begin)(struct sink *s, const struct tracedat_contents *contents);
	/* The number of the histogram, as hist_series_define(). */
	int (*define)(struct sink *s, const struct hist_definition *def, struct hist_table *table);
	/* *The snapshots that follow are of one interval; the last interval must not be left out. */
	void (*interval)(struct sink *s, bool last);
	int (*add)(struct sink *s, int hist, const struct hist_snapshot *snap);
	int (*fd)(const struct sink *s); /* *to poll for reading; -1: none */
	int (*check)(struct sink *s); /* *the descriptor is ready */
	int (*end)(struct sink *s); /* the last interval is in it */
	/*
	 * *After the machine is as before: waits until all has arrived.
	 * @signals: of signals_catch(), one of which ends the wait; or -1.
	 */
	int (*finish)(struct sink *s, int signals);
	void (*clear)(struct sink *s); /* on every way out; also if nothing was opened */
};

struct sinks {
	struct sink *list[SINKS_MAX]; /* the ones that hold the recording first, then the spare ones */
	unsigned int n;
	bool lost; /* a spare one failed, with a message */
};

void sinks_append(struct sinks *s, struct sink *sink);

/* One phase of all sinks, until one fails. */
int sinks_run(struct sinks *s, enum sink_phase phase);

int sinks_begin(struct sinks *s, const struct tracedat_contents *contents);

/* The number of the histogram in all sinks. */
int sinks_define(struct sinks *s, const struct hist_definition *def, struct hist_table *table);

void sinks_interval(struct sinks *s, bool last);
int sinks_add(struct sinks *s, int hist, const struct hist_snapshot *snap);

/* Fills @s->n elements of @fds for poll(); after it sinks_check() looks at them. */
void sinks_poll(const struct sinks *s, struct pollfd *fds);
int sinks_check(struct sinks *s, const struct pollfd *fds);

/* The spare ones first: they get the end of a recording whose file fails. */
int sinks_end(struct sinks *s);
void sinks_finish(struct sinks *s, int signals);
void sinks_clear(struct sinks *s);

#endif
