/* SPDX-License-Identifier: GPL-2.0 */
/*
 * output.h - the trace.dat being recorded
 *
 * It is written without a name until the first snapshots are in it, so that a
 * recording that does not come about leaves an older file alone, and one that
 * is killed leaves a whole file or none.  From then on it is a valid file at
 * every moment.
 *
 * Functions return 0 or -errno after a message.
 */
#ifndef TRACECMD_OUTPUT_H
#define TRACECMD_OUTPUT_H

#include <tracehist/series.h>
#include <tracehist/tracedat.h>

struct output {
	char *path; /* with symbolic links followed */
	char *temporary; /* name while it has one, or NULL */
	int fd;
	bool named;
	struct tracedat_writer *dat;
	struct hist_series_writer *series;
};

/* Could @path be made, or replaced?  0, or -errno after a message; changes nothing. */
int output_look(const char *path);

/* Makes the nameless file: a full or odd file system is found before tracing begins. */
int output_open(struct output *o, const char *path);

/* Writes what stands before the snapshots. */
int output_begin(struct output *o, const struct tracedat_contents *contents);

/* Gives the file its name, over an older one. */
int output_publish(struct output *o);

/*
 * output_join - write all of the file's histograms into the finished trace.dat
 * @events_file, which then takes the place of the file
 * @buffer: the buffer that shall be its top one, or NULL.
 * On failure the file stays as it is.
 */
int output_join(struct output *o, const char *events_file, const char *buffer);

/* A file that was never published disappears. */
void output_clear(struct output *o);

#endif
