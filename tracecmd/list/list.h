/* SPDX-License-Identifier: GPL-2.0 */
/*
 * list.h - what the files of `trace-cmd hist list` share
 *
 * Each part of a list is written as text into a buffer, or as JSON straight to
 * the stream.  Names in text are escaped (list_put()).
 *
 * Functions return 0 or -errno; -errno after a message on stderr.
 */
#ifndef TRACECMD_LIST_LIST_H
#define TRACECMD_LIST_LIST_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/base/json_writer.h"
#include "lib/base/strbuf.h"
#include "lib/event/event.h"
#include "target/local/target.h"
#include "tracecmd/target/capability.h"

struct list {
	struct hist_target *target; /* NULL where there is none, for --presets only */
	bool engine; /* ours can count the events of @target */
	struct capabilities caps;
	FILE *to;
	struct hist_strbuf text;
	struct json_writer *json; /* NULL: as text */
	unsigned int flags;	  /* of hist_escape() */
	bool verbose;
	bool remote; /* another machine: what is in files here tells nothing */
};

/* The events of a target: "SYSTEM:NAME", sorted; zero it to begin. */
struct event_names {
	char **names;
	size_t n;
};

/* All of available_events, and ftrace:print. */
int event_names_read(struct event_names *events, struct hist_target *t);
void event_names_clear(struct event_names *events);

/*
 * Does "SYSTEM:NAME" match?  @pattern: "SYSTEM:NAME" or "SYSTEM/NAME" with the
 * wildcards of glob(7) in either part; without a colon it is a system or the
 * name of an event.
 */
bool event_name_matches(const char *name, const char *pattern);

/* The text put so far goes out; the error of the stream without a message. */
int list_flush(struct list *l);

/* Will snapshots be read by hist_raw? */
static inline bool list_reads_raw(const struct list *l)
{
	return l->target->ops->snapshot && capable(&l->caps, CAP_HIST_RAW);
}

/* Escaped, and with blanks up to @width columns; 0: as wide as it is. */
void list_put(struct list *l, const char *s, unsigned int width);

/* Words as they come, in lines of 79 columns that begin with @indent blanks; "\n" at the end. */
void list_wrap(struct list *l, const char *words, unsigned int indent, unsigned int column);

/* The parts; as JSON each is a member of the object that the caller began. */
int list_overview(struct list *l);
int list_events(struct list *l, char **patterns, unsigned int npatterns);
int list_hists(struct list *l);
int list_presets(struct list *l);

/* What the kernel has and lacks: names only, or with all that there is to say. */
int list_kernel(struct list *l);

/* The fields of one event, @last: then those that all events have. */
int list_fields(struct list *l, const struct hist_event *event, bool last);

#endif
