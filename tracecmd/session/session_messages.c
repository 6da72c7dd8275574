// SPDX-License-Identifier: GPL-2.0
/*
 * session_messages.c - messages to the user about the histograms of a session
 */
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/base/text.h"
#include "lib/query/fine_log2.h"
#include "lib/query/function_expand.h"
#include "lib/query/function_field.h"
#include "tracecmd/base/message.h"
#include "tracecmd/kernel/probe_misses.h"
#include "tracecmd/session/compat_calls.h"
#include "tracecmd/session/session_messages.h"
#include "tracecmd/target/target_path.h"
#include "tracecmd/trigger/kernel_counter.h"

/* The recorder's share of the hits is told from this number and percentage on. */
#define SELF_HITS_LEAST 100
#define SELF_PERCENT 10

/*
 * The same for pairs that never closed. The recorder makes some of the functions of the VFS while
 * it sets and pauses the triggers one by one.
 */
#define UNMATCHED_LEAST 100
#define UNMATCHED_PERCENT 5

/* Print a trigger as it is written. */
static int print_trigger(const struct traced_event *source, const char *text)
{
	char *own = function_field_to_kernel(text, source->function_field);

	if (!own)
		return message_error_memory();
	printf("%s %s\n", source->full_name, own);
	free(own);
	return 0;
}

/* Print the lines of a definition. */
static void print_definition(const struct dynevent *object)
{
	const char *line = object->plan->definition;
	size_t len;

	for (; *line; line += len + (line[len] == '\n')) {
		len = strcspn(line, "\n");
		printf("%s %.*s\n", object->file, (int)len, line);
	}
}

static int session_print_hist(const struct traced_event *source, const struct traced_hist *h)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < h->ntriggers; i++)
		ret = print_trigger(source, traced_event_trigger_expr(h, i)->text);
	return ret;
}

int session_print(const struct session *s)
{
	unsigned int e, h;
	int ret = 0;

	task_filter_print(s->plan);
	for (e = 0; e < s->ndynevents; e++)
		print_definition(&s->dynevents[e]);
	compat_calls_print(&s->compat);
	for (e = 0; e < s->plan->query.nsettings; e++)
		printf("%s %s\n", s->plan->query.settings[e].file,
		       s->plan->query.settings[e].value);
	if (s->plan->query.functions)
		printf("set_ftrace_filter %s\n", s->plan->query.functions);
	if (s->plan->query.tracer)
		printf("current_tracer %s%s\n", s->plan->query.tracer,
		       s->plan->query.tracer_at_top ? " (of the top-level instance)" : "");
	for (e = 0; e < s->nsources; e++) {
		const struct traced_event *source = &s->sources[e];

		for (h = 0; !ret && h < source->nhelpers + source->nhists; h++)
			ret = session_print_hist(source, &source->triggers[h]);
		for (h = 0; h < source->nswitches; h++)
			printf("%s %s\n", source->full_name, source->switches[h]->text);
	}
	if (ret)
		return ret;
	return fflush(stdout) ? message_error_errno("standard output", -errno) : 0;
}

void session_report_dropped(const struct session *s)
{
	struct traced_hist *h = NULL;
	unsigned int size;
	uint64_t keys; /* at most: each dropped hit can have another key */

	while ((h = traced_event_next_hist(s->sources, s->nsources, h))) {
		char number[16] = "";

		if (!h->snap.dropped)
			continue;
		/* the same name as in reports */
		if (h->source->nhists > 1)
			snprintf(number, sizeof(number), "#%u",
				 (unsigned int)(h - h->source->hists));
		keys = (h->snap.entries + h->snap.dropped) * (h->parts.n ? FINE_LOG2_ROOM : 1);
		for (size = HIST_SIZE_LEAST; size < keys && size < HIST_SIZE_MOST; size *= 2)
			;
		message_warning("%s%s: %" PRIu64 " hit%s dropped because the table was full\n"
				"record fewer distinct keys, or set size=%u%s with -R",
				h->source->title, number, h->snap.dropped,
				h->snap.dropped == 1 ? " was" : "s were", size,
				size < keys ? ", the largest," : "");
	}
}

/* Many pairs of a latency that never closed: the latency is not what its user thinks. */
static void report_unmatched(const struct traced_event *source, const struct traced_event *start)
{
	const struct hist_snapshot *snap = &source->hists[0].snap;
	uint64_t starts = snap->losses[HIST_LOSS_UNMATCHED_STARTS];
	uint64_t ends = snap->losses[HIST_LOSS_UNMATCHED_ENDS];

	if (starts < UNMATCHED_LEAST || starts < (starts + snap->hits) / 100 * UNMATCHED_PERCENT)
		starts = 0;
	if (ends < UNMATCHED_LEAST || ends < (ends + snap->hits) / 100 * UNMATCHED_PERCENT)
		ends = 0;
	if (starts && !strcmp(start->system, FUNCTION_GROUP))
		message_warning("%s: %" PRIu64 " of %" PRIu64 " calls were not timed: "
				"they were recursive, were still running at the end, or "
				"the probe missed their return\n"
				"use --engine user for a recursive function",
				source->title, starts, starts + snap->hits);
	else if (starts || ends)
		message_warning("%s: %" PRIu64 " STARTs had no END, and %" PRIu64
				" ENDs had no START: "
				"they are not counted\n"
				"check the keys and the filters of --latency",
				source->title, snap->losses[HIST_LOSS_UNMATCHED_STARTS],
				snap->losses[HIST_LOSS_UNMATCHED_ENDS]);
}

/* Reports have a note on these; report_unmatched() warns if there are many. */
static bool is_of_pairs(enum hist_loss_kind kind)
{
	return kind >= HIST_LOSS_UNMATCHED_STARTS && kind <= HIST_LOSS_BELOW_ZERO;
}

/*
 * Report the other losses of the last snapshots (loss.h): hits that are not counted as warnings,
 * and the rest as notes, except with -q.
 */
static void session_report_losses(const struct session *s)
{
	const struct hist_loss_traits *traits;
	const struct traced_event *start;
	struct traced_hist *h = NULL;
	unsigned int kind, e;

	for (e = 0; e < s->nsources; e++) {
		start = kernel_find_of_pair(&s->sources[e], QUERY_START);
		if (start && s->sources[e].nhists)
			report_unmatched(&s->sources[e], start);
	}
	while ((h = traced_event_next_hist(s->sources, s->nsources, h))) {
		for (kind = 0; kind < HIST_LOSS_KINDS; kind++) {
			const uint64_t n = h->snap.losses[kind];
			const char *what;

			traits = hist_loss_traits(kind);
			what = n == 1 ? traits->one : traits->many;
			if (!n || !what || is_of_pairs(kind))
				continue;
			if (traits->hits)
				message_warning("%s: %" PRIu64 " %s", h->source->title, n, what);
			else if (!s->plan->quiet)
				message_note("%s: %" PRIu64 " %s", h->source->title, n, what);
		}
	}
}

/* Report triggers that snapshots found paused by another program. */
static void session_report_paused(const struct session *s)
{
	struct traced_hist *h = NULL;

	while ((h = traced_event_next_hist(s->sources, s->nsources, h))) {
		if (h->pauses)
			message_warning("%s: the trigger was paused at %u snapshot%s; hits "
					"during the pause were not counted",
					h->source->title, h->pauses, text_plural(h->pauses));
	}
}

/* Report changes by other programs that stop events, or can. */
static void session_report_stopped(const struct session *s)
{
	const struct foreign_writes *w = &s->counter->writes;

	if (w->count)
		message_warning("instance %s: another program or the kernel changed \"%s\"; "
				"hits may be missing", s->instance.name, w->name);
}

/*
 * Start to count the hits of @system:@name that pass @filter, which may be NULL.  A counter of
 * perf_event_open(2) counts them independently of the histograms.  Other tasks pay for it only the
 * call of an empty perf handler.
 * Returns a descriptor; -1: not possible: on a remote target, for events without perf support such
 * as synthetic events, or without the permission.
 */
static int session_open_self_hits(struct hist_target *t, const char *system, const char *name,
				  const char *filter)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr) };
	struct target_buf buf = { 0 };
	int fd = -1;

	if (t->ops->descriptor && !target_readf(t, &buf, "events/%s/%s/id", system, name)) {
		attr.config = strtoull(buf.data, NULL, 10);
		fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	}
	free(buf.data);
	if (fd >= 0 && filter && ioctl(fd, PERF_EVENT_IOC_SET_FILTER, filter)) {
		close(fd);
		fd = -1;
	}
	return fd < 0 ? -1 : fd;
}

/* The hits so far; 0 if @fd is -1. */
static uint64_t session_read_self_hits(int fd)
{
	uint64_t n;

	return fd >= 0 && read(fd, &n, sizeof(n)) == sizeof(n) ? n : 0;
}

void session_weigh_self(struct session *s)
{
	const struct plan *plan = s->plan;
	unsigned int e;
	int fd;

	if (!s->weighs_self || s->counter->ops->engine || plan->exclude_self || plan->pids ||
	    plan->only_command)
		return;
	s->self_hits = calloc(s->nsources, sizeof(*s->self_hits));
	for (e = 0; s->self_hits && e < s->nsources; e++) {
		const struct traced_event *source = &s->sources[e];

		if (!source->nhists)
			continue;
		fd = session_open_self_hits(s->target, source->system, source->name,
					    source->hists[0].expr->filter);
		s->self_hits[e] = fd > 0 ? fd : 0;
	}
}

/*
 * Report the events of which the recorder itself made a large share of the hits. Needs
 * weighs_self of the session.
 */
static void session_report_self(const struct session *s)
{
	unsigned int e;

	for (e = 0; s->self_hits && e < s->nsources; e++) {
		const struct traced_event *source = &s->sources[e];
		uint64_t own = s->self_hits[e] ? session_read_self_hits(s->self_hits[e]) : 0;
		uint64_t hits = source->nhists ? source->hists[0].snap.hits : 0;

		if (own >= SELF_HITS_LEAST && own <= hits && own >= hits / 100 * SELF_PERCENT)
			message_note("%s: trace-cmd hist itself caused %" PRIu64 " of %" PRIu64
				     " hits (%" PRIu64 " %%)\n"
				     "use --exclude-self to exclude these hits",
				     source->title, own, hits, own * 100 / hits);
	}
}

/* Report what the kernel printed about the last snapshot() action of each histogram. */
static void session_report_taken(const struct session *s)
{
	struct traced_hist *h = NULL;
	const char *text;
	size_t len;

	while ((h = traced_event_next_hist(s->sources, s->nsources, h))) {
		if (!(h->snap.flags & HIST_SNAP_TAKEN))
			continue;
		text = hist_table_string(h->table, h->snap.taken, &len);
		message_note("%s: the snapshot() action ran and saved the ring buffer: %.*s",
			     h->source->title, len < 400 ? (int)len : 400, text);
	}
}

void session_report_result(const struct session *s)
{
	session_report_dropped(s);
	session_report_losses(s);
	session_report_paused(s);
	session_report_stopped(s);
	session_report_taken(s);
	session_report_self(s);
}

void session_report_helper_drops(struct session *s)
{
	unsigned int e;

	for (e = 0; e < s->nsources; e++) {
		struct traced_event *source = &s->sources[e];
		struct probe_misses *m = &source->misses;

		/* the events of a --latency are not read for snapshots */
		probe_misses_update(m, s->target, source->system, source->name);
		if (m->count)
			message_warning("%s: the probe missed %" PRIu64 " hit%s%s",
					source->full_name, m->count, text_plural(m->count),
					!source->nhists ? ", so some latencies are missing" :
					m->count == 1 ? ", which is not in any row" :
					", which are not in any row");
	}
	s->counter->ops->report_loss(s->counter);
}
