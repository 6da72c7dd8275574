// SPDX-License-Identifier: LGPL-2.1
/*
 * tracer_expand.c - expand --tracer to an event of a query
 *
 * Each tracer has a row, and each of its options has one. A value that a file already has is not a
 * setting. Times are in microseconds, as in the files (kernel/trace/trace_osnoise.c and
 * trace_hwlat.c).
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/duration.h"
#include "lib/base/strbuf.h"
#include "lib/base/text.h"
#include "lib/query/capability_info.h"
#include "lib/query/fine_log2.h"
#include "lib/query/function_expand.h"
#include "lib/query/tracer_expand.h"

static const struct tracer {
	const char *name;
	enum capability capability;
	enum query_event_kind kind; /* of functions; QUERY_TRACER: @event is counted */
	const char *event, *keys, *values;
} tracers[] = {
	{ "timerlat", CAP_TIMERLAT_TRACER, QUERY_TRACER, "ftrace:timerlat",
	  "common_cpu,context,timer_latency.log2=3", "timer_latency" },
	{ "osnoise", CAP_OSNOISE_TRACER, QUERY_TRACER, "ftrace:osnoise", "common_cpu,noise.log2=3",
	  "noise" },
	{ "hwlat", CAP_HWLAT_TRACER, QUERY_TRACER, "ftrace:hwlat", "common_cpu,duration.log2=3",
	  "duration,outer_duration" },
	{ "function", CAP_FUNCTION_TRACER, QUERY_FUNCTION, NULL, NULL, NULL },
	{ "function_graph", CAP_FUNCTION_GRAPH, QUERY_FUNCTION_LATENCY, NULL, NULL, NULL },
};

static const struct tracer_option {
	const char *tracer, *name, *file;
	bool is_time;
	bool after; /* see struct query_setting */
} options[] = {
	{ "timerlat", "period", "osnoise/timerlat_period_us", true, false },
	{ "timerlat", "cpus", "osnoise/cpus", false, false },
	{ "osnoise", "period", "osnoise/period_us", true, false },
	{ "osnoise", "runtime", "osnoise/runtime_us", true, false },
	{ "osnoise", "threshold", "tracing_thresh", true, false },
	{ "osnoise", "cpus", "osnoise/cpus", false, false },
	{ "hwlat", "window", "hwlat_detector/window", true, false },
	{ "hwlat", "width", "hwlat_detector/width", true, false },
	{ "hwlat", "mode", "hwlat_detector/mode", false, false },
	{ "hwlat", "threshold", "tracing_thresh", true, true },
};

#define N_TRACERS (sizeof(tracers) / sizeof(*tracers))
#define N_OPTIONS (sizeof(options) / sizeof(*options))

const char *tracer_expand_name(unsigned int i)
{
	return i < N_TRACERS ? tracers[i].name : NULL;
}

/* The state of the expansion of one option. */
struct tracer_state {
	struct query *query;
	const struct query_event *event;
	const struct tracer *tracer;
	const struct query_source *source;
	struct hist_error *refusal;
	char *busy; /* the instance of another program with a tracer, or NULL */
};

static int refuse_option(const struct tracer_state *w, const char *text, size_t len,
			 const char *why)
{
	struct hist_strbuf names = { 0 };
	unsigned int i;
	int ret;

	for (i = 0; i < N_OPTIONS; i++) {
		if (!strcmp(options[i].tracer, w->tracer->name))
			hist_strbuf_printf(&names, "%s%s", names.len ? ", " : "", options[i].name);
	}
	ret = names.error ? -ENOMEM
			  : hist_error_set(w->refusal, -EINVAL,
					   "--tracer %s: \"%.*s\": %s\n"
					   "use OPTION=VALUE with one of: %.*s",
					   w->tracer->name, (int)len, text, why, (int)names.len,
					   names.data);
	hist_strbuf_free(&names);
	return ret;
}

static const struct tracer_option *find_option(const struct tracer_state *w, const char *name,
					       size_t len)
{
	unsigned int i;

	for (i = 0; i < N_OPTIONS; i++) {
		if (!strcmp(options[i].tracer, w->tracer->name) &&
		    text_equals(name, len, options[i].name))
			return &options[i];
	}
	return NULL;
}

/* "500", "500us" and "1ms" to microseconds. NULL: not such a time, or no memory. */
static const char *parse_micros(struct query *query, const char *text, bool *no_memory)
{
	const char *micros;
	uint64_t n;

	if (text[strspn(text, "0123456789")]) {
		if (duration_parse(text, &n) || n % 1000)
			return NULL;
		n /= 1000;
	} else if (duration_parse_count(&n, text, UINT32_MAX)) {
		return NULL;
	}
	micros = query_own_printf(query, "%" PRIu64, n);
	*no_memory = !micros;
	return micros;
}

static int tracer_add_setting(struct query *query, const struct query_setting *setting)
{
	if (array_add(&query->settings, query->nsettings, sizeof(*query->settings)))
		return -ENOMEM;
	query->settings[query->nsettings++] = *setting;
	return 0;
}

/* Another program with a tracer may notice the change of a file that all instances share. */
static int refuse_change(const struct tracer_state *w, const struct query_setting *setting)
{
	return hist_error_set(w->refusal, -EBUSY,
			      "--tracer %s: another program runs a tracer in %s, and a "
			      "change of %s would affect both tracers\n"
			      "leave out the options, or stop the other program",
			      w->event->name, w->busy, setting->file);
}

/* Add the setting of @row, unless the file already has the value. */
static int add_setting(struct tracer_state *w, const struct tracer_option *row, const char *value)
{
	struct query_setting setting = { .file = row->file, .value = value, .after = row->after };
	bool is_set;
	int ret = w->source->ops->has_setting(w->source, row->file, value, &is_set);

	if (ret)
		return hist_error_set(w->refusal, ret, "%s: %s", row->file, strerror(-ret));
	/* hwlat has its own threshold as long as the file has 0 */
	if (is_set && !row->after)
		return 0;
	return w->busy ? refuse_change(w, &setting) : tracer_add_setting(w->query, &setting);
}

/* One "OPTION=VALUE" of @len bytes. */
static int parse_option(struct tracer_state *w, const char *text, size_t len)
{
	const char *equals = memchr(text, '=', len), *value;
	const struct tracer_option *row;
	bool no_memory = false;

	row = equals ? find_option(w, text, equals - text) : NULL;
	if (!row)
		return refuse_option(w, text, len, "unknown option");
	value = query_own(w->query, strndup(equals + 1, text + len - equals - 1));
	if (!value)
		return -ENOMEM;
	if (row->is_time)
		value = parse_micros(w->query, value, &no_memory);
	if (no_memory)
		return -ENOMEM;
	if (!value || !*value || strpbrk(value, " \t\n"))
		return refuse_option(w, text, len, row->is_time ?
				     "must be a number of microseconds or a time such as 1ms" :
				     "the value is empty or contains spaces");
	return add_setting(w, row, value);
}

static int parse_options(struct tracer_state *w)
{
	const char *at = strchr(w->event->name, ':');
	size_t len;
	int ret = 0;

	for (; !ret && at; at = at[len] ? at + len : NULL) {
		at++;
		len = strcspn(at, ":");
		ret = parse_option(w, at, len);
	}
	return ret;
}

static int find_tracer(struct tracer_state *w)
{
	const char *name = w->event->name;
	size_t len = strcspn(name, ":");
	unsigned int i;

	for (i = 0; i < N_TRACERS; i++) {
		if (text_equals(name, len, tracers[i].name)) {
			w->tracer = &tracers[i];
			return 0;
		}
	}
	return hist_error_set(w->refusal, -EINVAL,
			      "--tracer %.*s: unsupported tracer\n"
			      "use timerlat, osnoise, hwlat, function or "
			      "function_graph",
			      (int)len, name);
}

static int check_recorded(const struct tracer_state *w)
{
	const char *name = w->tracer->name, *recorded;
	int ret = w->source->ops->find_recorded_tracer(w->source, &recorded);

	if (ret)
		return hist_error_set(w->refusal, ret, "recording: %s", strerror(-ret));
	/* those of a preset are for a recorder, unless the user wants others */
	if (strchr(w->event->name, ':') && !w->event->is_default)
		return hist_error_set(w->refusal, -EINVAL,
				      "--tracer %s: the options of a recorded tracer "
				      "cannot be changed\nuse --tracer %s",
				      w->event->name, name);
	if (strcmp(recorded, name))
		return hist_error_set(w->refusal, -ENODATA,
				      "--tracer %s: the recording has no events of "
				      "this tracer\nrecord with 'trace-cmd record -p %s'",
				      name, name);
	return 0;
}

static int check_live(const struct tracer_state *w)
{
	const struct capability_info *info = &capability_info[w->tracer->capability];
	const char *name = w->tracer->name;
	bool is_there;
	int ret = w->source->ops->has_tracer(w->source, name, &is_there);

	if (ret)
		return hist_error_set(w->refusal, ret, "available_tracers: %s", strerror(-ret));
	if (!is_there)
		return hist_error_set(w->refusal, -EOPNOTSUPP,
				      "--tracer %s: this kernel does not have this "
				      "tracer (CONFIG_%.*s)\n"
				      "use a kernel with this option, Linux %s or later",
				      name, (int)strcspn(info->configs, " "), info->configs,
				      info->since);
	if (w->query->tracer)
		return hist_error_set(w->refusal, -EINVAL,
				      "--tracer %s: a recording can use only one tracer\n"
				      "use a separate recording for the other tracer",
				      name);
	if (w->tracer->kind == QUERY_TRACER && w->source->tasks)
		return hist_error_set(w->refusal, -EOPNOTSUPP,
				      "--tracer %s: the tracer measures CPUs, not tasks\n"
				      "leave out %s",
				      name, w->source->tasks);
	return 0;
}

/* Find a tracer of another program, which a change of a shared file may disturb. */
static int check_users(struct tracer_state *w)
{
	const char *name = w->tracer->name;
	char *other = NULL;
	int ret = w->source->ops->find_tracer_user(w->source, &w->busy, &other);
	bool excludes;

	if (ret)
		return hist_error_set(w->refusal, ret, "current_tracer: %s", strerror(-ret));
	/* osnoise and timerlat share their threads, and hwlat has one user at a time */
	excludes = w->busy && (!strcmp(name, "hwlat") ? !strcmp(other, name) :
			       strcmp(other, name) &&
			       (!strcmp(other, "osnoise") || !strcmp(other, "timerlat")));
	if (excludes)
		ret = hist_error_set(w->refusal, -EBUSY,
				     "--tracer %s: another program uses the \"%s\" tracer "
				     "in %s, and the kernel cannot run two such tracers at once\n"
				     "stop the other program",
				     name, other, w->busy);
	free(other);
	return ret;
}

static int add_event(struct tracer_state *w)
{
	struct query_hist default_hist = {
		.keys = w->tracer->keys, .values = w->tracer->values,
	};
	unsigned int i, n = w->event->nhists ? w->event->nhists : 1;
	struct query_hist *hist;

	if (query_add_event(w->query, w->tracer->event) ||
	    fine_log2_settle(w->query, w->source->kernel, &default_hist))
		return -ENOMEM;
	w->query->events[w->query->nevents - 1].of_tracer = true;
	for (i = 0; i < n; i++) {
		hist = query_add_hist(w->query);
		if (!hist)
			return -ENOMEM;
		*hist = w->event->nhists ? w->event->hists[i] : default_hist;
		/* -v, -s and -f without -k change the default histogram */
		if (!hist->raw && !hist->keys) {
			hist->keys = default_hist.keys;
			hist->more = default_hist.more;
		}
	}
	return 0;
}

/* --tracer function:GLOB is --function GLOB with this tracer. */
static int expand_functions(struct tracer_state *w, const char *unique)
{
	const char *globs = strchr(w->event->name, ':');
	struct query_event event = *w->event;

	event.kind = w->tracer->kind;
	event.name = globs ? globs + 1 : "*";
	event.of_tracer = true;
	return function_expand(w->query, &event, unique, w->source, w->refusal);
}

int tracer_expand(struct query *query, const struct query_event *event, const char *unique,
		  const struct query_source *source, struct hist_error *refusal)
{
	struct tracer_state w = {
		.query = query, .event = event, .source = source, .refusal = refusal,
	};
	bool of_recording = source->recording;
	int ret = find_tracer(&w);

	if (!ret && !of_recording)
		ret = check_live(&w);
	if (ret)
		return ret;
	if (w.tracer->kind != QUERY_TRACER)
		return expand_functions(&w, unique);
	ret = of_recording ? check_recorded(&w) : check_users(&w);
	if (!ret && !of_recording) {
		query->tracer = w.tracer->name;
		ret = parse_options(&w);
	}
	if (!ret)
		ret = add_event(&w);
	free(w.busy);
	return ret;
}
