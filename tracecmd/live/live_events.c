// SPDX-License-Identifier: GPL-2.0
/*
 * live_events.c - select the events that the kernel writes to the ring buffers of a session
 *
 * An event can occur in a session more than once. Its filter is the logical OR of the filters of
 * all its triggers. The engine filters again, so a kernel that refuses the filter only costs time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/strbuf.h"
#include "lib/query/function_field.h"
#include "tracecmd/base/message.h"
#include "tracecmd/kernel/kernel_tracers.h"
#include "tracecmd/live/live_events.h"
#include "tracecmd/live/live_tracer.h"
#include "tracecmd/target/target_path.h"

/* Ring buffer size per CPU of a private instance, and fill level at which a reader is woken. */
#define BUFFER_KB "4096"
#define BUFFER_PERCENT "25"
/* The ring buffer size on a remote target, which may have little memory. */
#define PULL_BUFFER_KB "1024"

const char *live_events_pages_dir(const struct trigger_set *s, bool anywhere)
{
	return anywhere ? s->instance->anywhere_dir : s->instance->tracer_dir;
}

/* The instance in which events are enabled. */
static const char *live_events_dir(const struct trigger_set *s, bool anywhere)
{
	return anywhere ? s->instance->anywhere_dir : s->instance->dir;
}

int live_events_prepare(const struct trigger_set *s, bool anywhere)
{
	const char *dir = live_events_pages_dir(s, anywhere);
	int ret = 0;

	if (!anywhere && !s->instance->made)
		return 0;
	target_writef(s->target, s->target->ops->descriptor ? BUFFER_KB : PULL_BUFFER_KB, false,
		      "%s/buffer_size_kb", dir);
	target_writef(s->target, BUFFER_PERCENT, false, "%s/buffer_percent", dir);
	if (anywhere)
		ret = target_writef(s->target, s->instance->clock, false, "%s/trace_clock", dir);
	return ret ? message_error_errno("trace_clock", ret) : 0;
}

void live_events_add_stacks(const struct trigger_set *s)
{
	target_writef(s->target, "1", false, "%s/options/stacktrace", s->instance->dir);
	if (s->instance->anywhere_dir)
		target_writef(s->target, "1", false, "%s/options/stacktrace",
			      s->instance->anywhere_dir);
}

/* Events that are also recorded must not be filtered. */
static bool keeps_events(const struct plan *plan)
{
	return plan->record_events || plan_has_action(plan, PLAN_CAPTURE);
}

/*
 * Does source @e need its event in the ring buffer of the instance? Not a synthetic event, which
 * only the engine has, and the event of a tracer, which is not enabled. What is kept are the events
 * of the tasks that are counted, also those that count in any task.
 */
static bool live_events_is_needed(const struct trigger_set *s, unsigned int e, bool anywhere)
{
	const struct traced_event *source = &s->sources[e];

	return source->format && !live_tracer_writes(s, e) &&
	       (counter_is_anywhere(source) == anywhere || (!anywhere && keeps_events(s->plan)));
}

/* Likewise, and no earlier source has the same event there. */
static bool is_in_kernel(const struct trigger_set *s, unsigned int e, bool anywhere)
{
	unsigned int i;

	for (i = 0; i < e; i++) {
		if (live_events_is_needed(s, i, anywhere) &&
		    !strcmp(s->sources[i].full_name, s->sources[e].full_name))
			return false;
	}
	return live_events_is_needed(s, e, anywhere);
}

/* Add a filter. False if it is NULL: the trigger counts all events. */
static bool live_events_add_filter(struct hist_strbuf *b, const char *filter)
{
	if (filter)
		hist_strbuf_printf(b, "%s(%s)", b->len ? " || " : "", filter);
	return filter;
}

/* Add the filters of all triggers. False if one of them counts all events. */
static bool add_filters(struct hist_strbuf *b, const struct traced_event *s)
{
	unsigned int i;

	for (i = 0; i < s->nhelpers + s->nhists; i++) {
		if (!live_events_add_filter(b, s->triggers[i].expr->filter))
			return false;
	}
	for (i = 0; i < s->nswitches; i++) {
		if (!live_events_add_filter(b, s->switches[i]->filter))
			return false;
	}
	return true;
}

/* The filter for all triggers of the event of source @first in the instance; empty: no filter. */
static void live_events_make_filter(const struct trigger_set *s, unsigned int first, bool anywhere,
				    struct hist_strbuf *b)
{
	unsigned int e;

	for (e = first; e < s->nsources; e++) {
		const struct traced_event *source = &s->sources[e];

		if (strcmp(source->full_name, s->sources[first].full_name) ||
		    !live_events_is_needed(s, e, anywhere))
			continue;
		if (!add_filters(b, source)) {
			b->len = 0;
			return;
		}
	}
}

/* Set the filter. If the kernel refuses it, all events are recorded. */
static void set_filter(const struct trigger_set *s, unsigned int e, bool anywhere,
		       struct hist_strbuf *filter)
{
	char *own;

	filter->len = 0;
	live_events_make_filter(s, e, anywhere, filter);
	if (!filter->len)
		return;
	hist_strbuf_char(filter, '\0');
	if (filter->error)
		return;
	own = function_field_to_kernel(filter->data, s->sources[e].function_field);
	if (own)
		target_writef(s->target, own, false, "%s/events/%s/%s/filter",
			      live_events_dir(s, anywhere), s->sources[e].system,
			      s->sources[e].name);
	free(own);
}

/* Another instance gets the value back at the end. */
static int note_enable(const struct trigger_set *s, const char *path)
{
	struct target_buf buf = { 0 };
	int ret = s->target->ops->read(s->target, path, &buf);

	/* "0*": only a trigger has enabled it */
	if (!ret)
		buf.data[buf.len ? 1 : 0] = '\0';
	if (!ret)
		ret = undo_note(s->undo, UNDO_NOTE_VALUE, path, buf.data);
	free(buf.data);
	return ret;
}

static int set_enable(const struct trigger_set *s, const struct traced_event *event, bool anywhere,
		      const char *value)
{
	char path[TARGET_PATH_MAX];
	int ret;

	snprintf(path, sizeof(path), "%s/events/%s/%s/enable", live_events_dir(s, anywhere),
		 event->system, event->name);
	ret = anywhere || s->instance->made || *value == '0' ? 0 : note_enable(s, path);
	if (ret)
		return message_error_errno(path, ret);
	ret = target_write_str(s->target, path, value, false);
	return ret ? message_error_errno(path, ret) : 0;
}

void live_events_exclude(const struct trigger_set *s, const char *pids)
{
	target_writef(s->target, pids, false, "%s/set_event_notrace_pid", s->instance->dir);
	if (s->plan->query.tracer)
		live_tracer_set(s, "set_ftrace_notrace_pid", pids);
}

void live_events_exclude_children(const struct trigger_set *s)
{
	target_writef(s->target, "1", false, "%s/options/event-fork", s->instance->dir);
	if (s->plan->query.tracer)
		live_tracer_set(s, "options/function-fork", "1");
}

int live_events_enable(const struct trigger_set *s, bool anywhere)
{
	const bool filters = anywhere || (s->instance->made && !keeps_events(s->plan));
	struct hist_strbuf filter = { 0 };
	unsigned int e;
	int ret = 0;

	for (e = 0; !ret && e < s->nsources; e++) {
		if (!is_in_kernel(s, e, anywhere))
			continue;
		if (filters)
			set_filter(s, e, anywhere, &filter);
		ret = set_enable(s, &s->sources[e], anywhere, "1");
	}
	for (e = 0; !ret && !anywhere && e < s->nmore; e++)
		ret = set_enable(s, &s->more[e], false, "1");
	hist_strbuf_free(&filter);
	return ret || anywhere ? ret : live_tracer_switch(s, true);
}

int live_events_disable(const struct trigger_set *s, bool anywhere)
{
	int ret = anywhere ? 0 : live_tracer_switch(s, false);
	unsigned int e;

	for (e = 0; !ret && e < s->nsources; e++)
		if (is_in_kernel(s, e, anywhere))
			ret = set_enable(s, &s->sources[e], anywhere, "0");
	for (e = 0; !ret && !anywhere && e < s->nmore; e++)
		ret = set_enable(s, &s->more[e], false, "0");
	return ret;
}

/* "0", or "0*" of an event with a trigger. A file that cannot be read says nothing. */
static bool is_off(const struct trigger_set *s, const char *path)
{
	struct target_buf buf = { 0 };
	bool off = !s->target->ops->read(s->target, path, &buf) && buf.data[0] == '0';

	free(buf.data);
	return off;
}

static const char *live_events_find_stopped_in(const struct trigger_set *s, bool anywhere)
{
	char path[TARGET_PATH_MAX];
	unsigned int e;

	snprintf(path, sizeof(path), "%s/tracing_on", live_events_pages_dir(s, anywhere));
	if (is_off(s, path))
		return "tracing_on";
	for (e = 0; e < s->nsources; e++) {
		snprintf(path, sizeof(path), "%s/events/%s/%s/enable", live_events_dir(s, anywhere),
			 s->sources[e].system, s->sources[e].name);
		if (is_in_kernel(s, e, anywhere) && is_off(s, path))
			return "enable";
	}
	return NULL;
}

const char *live_events_find_stopped(const struct trigger_set *s)
{
	char path[TARGET_PATH_MAX];
	const char *file;
	bool runs;

	snprintf(path, sizeof(path), "%s/current_tracer", s->instance->tracer_dir);
	if (s->plan->query.tracer &&
	    !kernel_setting_is(s->target, path, s->plan->query.tracer, &runs) && !runs)
		return "current_tracer";
	file = live_events_find_stopped_in(s, false);
	return file || !s->instance->anywhere_dir ? file : live_events_find_stopped_in(s, true);
}
