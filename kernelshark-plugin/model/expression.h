/* SPDX-License-Identifier: GPL-2.0 */
/*
 * expression.h - an expression typed by the user, counted over the events of a file
 *
 * The options of `trace-cmd hist replay` that say what to count, as on a command line:
 *
 *   --preset NAME[:ARG]
 *   --latency START:KEY..END:KEY [-k KEYS]... [-f FILTER]
 *   -e SYSTEM:EVENT -k KEYS [-v VALS] [-f 'FILTER'] | -R 'hist:...'
 *   --function GLOB, --function-latency GLOB, --tracer TRACER, --synthetic 'NAME TYPE FIELD'
 *   --coarse
 *
 * or triggers:
 *
 *   SYSTEM:EVENT hist:keys=... [if FILTER]
 *   s:NAME TYPE FIELD[; TYPE FIELD]...; SYSTEM:EVENT hist:...; SYSTEM:EVENT hist:...
 *
 * The trigger has the syntax of `trace-cmd hist replay -e SYSTEM:EVENT -R 'hist:...'`:
 * the kernel's language as the user-space engine implements it (lib/engine/engine.h). A
 * ';' separates triggers, except in quotes. Triggers are set in order, so that later
 * triggers can refer to variables of earlier ones. "s:" defines a synthetic event, as
 * in the kernel's dynamic_events.
 *
 * The result is an in-memory recording. Its snapshots are the columns of the heat map;
 * the first snapshot is empty. It has the histograms of the options, in the order of `replay`, or
 * that of the last trigger.
 */
#ifndef KERNELSHARK_PLUGIN_MODEL_EXPRESSION_H
#define KERNELSHARK_PLUGIN_MODEL_EXPRESSION_H

#include "kernelshark-plugin/model/recording.h"

#include "lib/base/strbuf.h"
#include "lib/expr/expr.h"
#include "lib/query/source.h"
#include "lib/replay/replay.h"
#include "lib/ringbuf/file_events.h"
#include "lib/base/error.h"

struct expression;

/*
 * expression_parse - parse @text for the events in @buffer of @events
 * Looks up symbol names in @events, so only one thread may call it at a time. @events
 * must outlive the expression. 0; -EINVAL or another -errno with @refusal (lib/query/source.h),
 * where the span of an error is an offset into @text, or empty; -ENOMEM. On failure *@e is
 * unchanged.
 */
int expression_parse(struct expression **e, struct hist_events *events, unsigned int buffer,
		     const char *text, struct hist_error *refusal);
void expression_free(struct expression *e);

/* Events with from <= time <= to; times are those of hist_events_time(). */
struct expression_window {
	uint64_t from, to; /* 0 and UINT64_MAX: all */
	/*
	 * Maximum number of snapshots in the window. There is one snapshot, at the end,
	 * if @columns is 0, the window does not have an end, or the clock does not
	 * count ns.
	 */
	unsigned int columns;
	unsigned int threads; /* maximum; 0: one for each available CPU */
};

struct expression_result {
	struct recording *recording; /* one reference, owned by the caller */
	uint64_t hits;	  /* of the first histogram, after its filter */
	uint64_t unsaved; /* hits of triggers that are not shown and whose table was full */
	uint64_t lost;	  /* events that the recorder lost in the window */
	bool lost_more;	  /* more events were lost than @lost */
	struct hist_replay_result replay;
};

/*
 * Called periodically with the progress (0 to 1000) and the hits at the last snapshot.
 * Return false to cancel. Runs in the counting thread.
 */
typedef bool expression_progress(void *data, unsigned int done, uint64_t hits);

/*
 * expression_count - count the events of the window
 * @progress may be NULL. -ECANCELED: @progress returned false; -EIO, -ENOMEM, or the
 * error of memfd_create(2), with a sentence in @error. On failure *@result is unchanged.
 */
int expression_count(struct expression *e, const struct expression_window *window,
		     expression_progress *progress, void *data, struct expression_result *result,
		     struct hist_error *error);

/*
 * Append "74245 kmem:kmalloc events, 12.000000 to 19.000000, none lost". The times are
 * those of the file, and are omitted if @window includes all events.
 */
void expression_describe(struct hist_strbuf *b, unsigned int hist,
			 const struct expression_window *window,
			 const struct expression_result *result);

/*
 * Get sentence number @i about events that could not be counted, except lost events;
 * false after the last.
 */
bool expression_get_note(const struct expression_result *result, unsigned int i, char *buf,
			 size_t len);

/* A preset whose events the file has. */
struct expression_preset {
	const char *name, *summary;
	bool needs_argument; /* "NAME:ARG" */
};

/*
 * expression_list_presets - call @show for each preset that can count the events of the buffer
 * In the order of the names.  @preset is valid until @show returns; false ends the list.  0 or
 * -errno.
 */
int expression_list_presets(struct hist_events *events, unsigned int buffer,
			    bool (*show)(void *data, const struct expression_preset *preset),
			    void *data);

/*
 * expression_complete - get the words that can replace @text[*@start] to @text[@cursor]
 * The words begin with this text. Positions are in bytes. The words are in display
 * order. Events and fields are those of the file. Does not look up anything that
 * expression_parse() or a count in another thread changes. @words is empty before. 0 or
 * -ENOMEM; clear @words in any case.
 */
int expression_complete(struct names *words, struct hist_events *events,
			const char *text, size_t cursor, size_t *start);

#endif
