// SPDX-License-Identifier: GPL-2.0
/*
 * function_expand.c - expand --function and --function-latency to events of a plan
 *
 * The event is created (probes), or a tracer of ftrace writes it (user-space engine, recordings).
 * Its field with the address of the function is called "function" (function_field.h), and -k
 * function means function.sym. Only a recording has events of functions that were not asked for: a
 * filter selects those that match. A latency becomes a --latency between the two events, or a
 * --latency with a duration that the event itself contains.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/strbuf.h"
#include "lib/base/text.h"
#include "lib/query/function_field.h"
#include "lib/query/latency_expand.h"
#include "lib/query/latency_parse.h"
#include "tracecmd/base/message.h"
#include "tracecmd/kernel/kernel_tracers.h"
#include "tracecmd/session/function_expand.h"
#include "tracecmd/session/function_names.h"
#include "tracecmd/session/plan_expand.h"
#include "tracecmd/session/plan_source.h"
#include "tracecmd/target/target_path.h"
#include "tracecmd/trigger/dynevent.h"

/* Calls in progress that a return probe can hold; fewer for each of many kprobes. */
#define RETURNS_MAX 4096
#define RETURNS_OF_MANY 1024
#define MANY_KPROBES 8

/* The number of rows of a hist trigger without size=, and its limit. */
#define ROWS_DEFAULT 2048
#define ROWS_MAX 131072
#define ROWS_OF_RECORDING 16384

/* The state of the expansion of one option. */
struct function_state {
	struct plan *plan;
	const struct query_event *event;
	const char *option; /* "--function" */
	const char *unique;
	struct hist_target *target;
	struct function_names names;
	bool is_latency;
	const struct hist_kernel *kernel; /* as in struct query_source */
	bool of_tracer;	   /* a tracer writes the events */
	bool of_recording; /* they were recorded */
	struct query_hist *hists;
	unsigned int nhists;
};

/* Append the next item of a filter at @text and return its length. "function == NAME" gets .function. */
static size_t add_filter_item(struct hist_strbuf *b, const char *text, bool in_word)
{
	size_t len = 1, op, value;
	const char *at;
	char quote;

	if (*text == '"' || *text == '\'') {
		at = strchr(text + 1, *text);
		len = at ? (size_t)(at + 1 - text) : strlen(text);
	} else if (text_is_word(*text)) {
		while (text_is_word(text[len]))
			len++;
	}
	hist_strbuf_add(b, text, len);
	if (in_word || !text_equals(text, len, FUNCTION_FIELD))
		return len;
	at = text + len + strspn(text + len, " \t");
	op = strspn(at, "=!~");
	at += op + strspn(at + op, " \t");
	quote = *at == '"' || *at == '\'' ? *at : '\0';
	if (!op || text_is_digit(at[quote != '\0']))
		return len;
	hist_strbuf_str(b, ".function");
	hist_strbuf_add(b, text + len, at - text - len);
	at += quote != '\0';
	value = quote ? strcspn(at, quote == '"' ? "\"" : "'") : strcspn(at, " \t)&|");
	hist_strbuf_add(b, at, value);
	/* a name ends with a blank */
	hist_strbuf_char(b, ' ');
	at += value + (quote && at[value]);
	return at - text;
}

/* "function == vfs_read" to "function.function == vfs_read " */
static int rewrite_filter(struct function_state *w, const char **filter)
{
	struct hist_strbuf b = { 0 };
	const char *at = *filter;

	if (!at)
		return 0;
	while (*at)
		at += add_filter_item(&b, at, at > *filter && strchr(".$", at[-1]));
	*filter = query_own_text(&w->plan->query, &b);
	return *filter ? 0 : -ENOMEM;
}

/* The key "function" to "function.sym". */
static int rewrite_keys(struct function_state *w, const char **keys)
{
	struct hist_strbuf b = { 0 };
	const char *at = *keys;
	size_t len;

	for (; at && *at; at += len) {
		len = strcspn(at, ",");
		hist_strbuf_add(&b, at, len);
		if (text_equals(at, len, FUNCTION_FIELD))
			hist_strbuf_str(&b, ".sym");
		if (at[len])
			hist_strbuf_char(&b, at[len++]);
	}
	if (!*keys)
		return 0;
	*keys = query_own_text(&w->plan->query, &b);
	return *keys ? 0 : -ENOMEM;
}

/* Add the filter that selects the functions of a recording. */
static int add_recorded_filter(struct function_state *w, const char **filter)
{
	struct hist_strbuf b = { 0 };
	unsigned int i;

	if (function_names_are_all(&w->names))
		return 0;
	if (*filter)
		hist_strbuf_printf(&b, "(%s ) && (", *filter);
	for (i = 0; i < w->names.nglobs; i++)
		hist_strbuf_printf(&b, "%s" FUNCTION_FIELD ".function ~ %s", i ? " || " : "",
				   w->names.globs[i]);
	if (*filter)
		hist_strbuf_str(&b, " )");
	*filter = query_own_text(&w->plan->query, &b);
	return *filter ? 0 : -ENOMEM;
}

/* Write keys, values, sort keys and filter as a trigger with room for all functions. */
static int make_large(struct function_state *w, struct query_hist *hist)
{
	struct hist_strbuf b = { 0 };
	/* the number of functions in a recording is not known */
	unsigned int size = w->of_recording ? ROWS_OF_RECORDING : 2 * w->names.n;

	if (hist->raw || !hist->keys || size <= ROWS_DEFAULT)
		return 0;
	hist_strbuf_printf(&b, "hist:keys=%s", hist->keys);
	if (hist->values)
		hist_strbuf_printf(&b, ":vals=%s", hist->values);
	if (hist->sort)
		hist_strbuf_printf(&b, ":sort=%s", hist->sort);
	hist_strbuf_printf(&b, ":size=%u", size < ROWS_MAX ? size : ROWS_MAX);
	if (hist->filter)
		hist_strbuf_printf(&b, " if %s", hist->filter);
	hist->raw = query_own_text(&w->plan->query, &b);
	return hist->raw ? 0 : -ENOMEM;
}

static int refuse_raw_filter(const struct function_state *w, const char *raw)
{
	message_error("-R %s: cannot be combined with %s in replay\nuse -k, -v, -s and -f instead "
		      "of -R", raw, w->option);
	return -EINVAL;
}

/* Make the histograms of the option: those of -k and similar options, or the default one. */
static int make_hists(struct function_state *w)
{
	bool many = w->names.nglobs > 1 || !function_names_is_name(w->names.globs[0]);
	struct query_hist default_hist = {
		.keys = !w->is_latency ? FUNCTION_FIELD : many ? FUNCTION_FIELD ",lat.log2" : "lat.log2",
		.values = w->is_latency ? "lat" : NULL,
	};
	unsigned int i, n = w->event->nhists;
	int ret = 0;

	w->nhists = n ? n : 1;
	w->hists = calloc(w->nhists, sizeof(*w->hists));
	if (!w->hists)
		return -ENOMEM;
	for (i = 0; !ret && i < w->nhists; i++) {
		struct query_hist *hist = &w->hists[i];

		*hist = n ? w->event->hists[i] : default_hist;
		/* -v, -s and -f without -k change the default histogram */
		if (!hist->raw && !hist->keys)
			hist->keys = default_hist.keys;
		ret = rewrite_keys(w, &hist->keys);
		if (!ret)
			ret = rewrite_filter(w, &hist->filter);
		if (ret || w->is_latency)
			continue;
		if (w->of_recording)
			ret = hist->raw ? refuse_raw_filter(w, hist->raw) :
					  add_recorded_filter(w, &hist->filter);
		if (!ret)
			ret = make_large(w, hist);
	}
	return ret;
}

/* "function:vfs_read,vfs_write", the name in files. */
static const char *make_title(struct function_state *w)
{
	return query_own_printf(&w->plan->query, "%s:%.*s", w->is_latency ? "function_latency" : "function",
			       (int)strcspn(w->event->name, ":"), w->event->name);
}

static int add_count(struct function_state *w, const char *event, const char *field)
{
	struct query_event *added;
	struct query_hist *hist;
	unsigned int i;

	if (!event || query_add_event(&w->plan->query, event))
		return -ENOMEM;
	added = &w->plan->query.events[w->plan->query.nevents - 1];
	added->title = make_title(w);
	added->function_field = field;
	added->of_tracer = w->of_tracer;
	for (i = 0; added->title && i < w->nhists; i++) {
		hist = query_add_hist(&w->plan->query);
		if (!hist)
			return -ENOMEM;
		*hist = w->hists[i];
	}
	return added->title ? 0 : -ENOMEM;
}

static int add_latency(struct function_state *w, const char *pair, const char *clock,
		       const struct query_event *more)
{
	struct query_event event = *more;
	struct query_refusal refusal;
	struct plan_source source;

	event.kind = QUERY_LATENCY;
	event.name = pair;
	event.title = make_title(w);
	event.hists = w->hists;
	event.nhists = w->nhists;
	if (!event.name || !event.title)
		return -ENOMEM;
	source = plan_source_of(w->plan, w->target, clock, w->kernel);
	return plan_source_report(latency_expand(&w->plan->query, &event, w->unique, &source.source,
						 &refusal), &refusal);
}

/* --- events of a tracer --- */

/* With a threshold, function_graph writes only the calls that take longer. */
static bool has_threshold(struct hist_target *t)
{
	bool is_zero;

	return !kernel_setting_is(t, "tracing_thresh", "0", &is_zero) && !is_zero;
}

/* Start this tracer for the user-space engine. */
static int choose_tracer(struct function_state *w, const char *tracer)
{
	bool exists;
	int ret = kernel_tracer_exists(w->target, tracer, &exists);

	if (ret)
		return message_error_errno("available_tracers", ret);
	if (!exists) {
		message_error("%s: this kernel does not have the \"%s\" tracer (%s)\n"
			      "use --engine kernel", w->option,
			      tracer, w->is_latency ? "CONFIG_FUNCTION_GRAPH_TRACER" :
						       "CONFIG_FUNCTION_TRACER");
		return -EOPNOTSUPP;
	}
	if (w->is_latency && has_threshold(w->target)) {
		message_error("%s: another program set tracing_thresh, so the \"%s\" tracer does "
			      "not record short calls\n"
			      "write 0 to tracing_thresh, or use --engine kernel", w->option,
			      tracer);
		return -EBUSY;
	}
	if (w->plan->query.tracer) {
		message_error("%s: --engine user accepts only one --function or "
			      "--function-latency option\n"
			      "put all functions into one option, or use --engine kernel",
			      w->option);
		return -EINVAL;
	}
	w->plan->query.tracer = tracer;
	w->plan->query.tracer_at_top = w->is_latency && !kernel_graph_has_instances(w->target);
	w->plan->query.functions = query_own_printf(&w->plan->query, "%.*s", (int)strcspn(w->event->name, ":"),
					     w->event->name);
	return w->plan->query.functions ? 0 : -ENOMEM;
}

static int find_recorded_tracer(struct function_state *w, bool *graph)
{
	struct target_buf buf = { 0 };
	int ret = w->target->ops->read(w->target, "current_tracer", &buf);

	if (ret) {
		message_error_errno("recording", ret);
	} else {
		*graph = !strncmp(buf.data, "function_graph", strlen("function_graph"));
		if (!strncmp(buf.data, "nop", 3)) {
			message_error("%s: the recording has no events of the \"function\" or "
				      "\"function_graph\" tracer\nrecord with 'trace-cmd record -p "
				      "function_graph'",
				      w->option);
			ret = -ENODATA;
		} else if (w->is_latency && !*graph) {
			message_error("%s: the recording has no function returns\nrecord with "
				      "'trace-cmd record -p function_graph'", w->option);
			ret = -ENODATA;
		}
	}
	free(buf.data);
	return ret;
}

static int expand_tracer(struct function_state *w, const char *clock)
{
	/* as --latency, which subtracts times in the unit */
	struct query_event more = {
		.function_field = "func",
		.of_tracer = true,
		.duration = w->names.usecs ? "rettime/1000-calltime/1000" : "rettime-calltime",
	};
	bool graph = w->is_latency;
	int ret;

	if (w->of_recording)
		ret = find_recorded_tracer(w, &graph);
	else
		ret = choose_tracer(w, graph ? "function_graph" : "function");
	if (!ret)
		ret = make_hists(w);
	if (!ret && w->is_latency && w->of_recording)
		ret = add_recorded_filter(w, &more.filter);
	if (ret)
		return ret;
	if (w->is_latency)
		return add_latency(w, query_own_printf(&w->plan->query,
						      "ftrace:funcgraph_exit:depth..ftrace:funcgraph_exit:depth:%s",
						      w->names.usecs ? "usecs" : "nsecs"),
				   clock, &more);
	return add_count(w, graph ? "ftrace:funcgraph_entry" : "ftrace:function", graph ? "func" : "ip");
}

/* --- probes --- */

/* Add the event FUNCTION_GROUP:NAME_UNIQUE with a place for each function; its name is *@event. */
static int add_probe(struct function_state *w, const char *name, bool is_return, const char **event)
{
	bool fprobe = dynevent_has_fprobes(w->target);
	unsigned int i, n = fprobe ? w->names.nglobs : w->names.n;
	struct hist_strbuf b = { 0 };
	char head[16] = "";

	if (is_return)
		snprintf(head, sizeof(head), "%u",
			 fprobe || n <= MANY_KPROBES ? RETURNS_MAX : RETURNS_OF_MANY);
	for (i = 0; i < n; i++)
		hist_strbuf_printf(&b, "%s%c%s:" FUNCTION_GROUP "/%s_%s %s%s", i ? "\n" : "",
				   fprobe ? 'f' : is_return ? 'r' : 'p', head, name, w->unique,
				   fprobe ? w->names.globs[i] : w->names.names[i],
				   fprobe && is_return ? "%return" : "");
	*event = query_own_printf(&w->plan->query, FUNCTION_GROUP ":%s_%s", name, w->unique);
	if (!*event || query_add_dynevent(&w->plan->query, QUERY_DYNAMIC, query_own_text(&w->plan->query, &b)))
		return -ENOMEM;
	w->plan->query.dynevents[w->plan->query.ndynevents - 1].function_field =
		is_return ? "__probe_func" : "__probe_ip";
	return w->plan->query.dynevents[w->plan->query.ndynevents - 1].definition ? 0 : -ENOMEM;
}

/* Without fprobe events, each function needs a kprobe. */
static int check_kprobes(const struct function_state *w)
{
	const unsigned int max = w->is_latency ? FUNCTION_LATENCY_KPROBES_MAX : FUNCTION_KPROBES_MAX;

	if (w->names.nambiguous)
		message_warning("%s: calls are not counted for %u function name%s that several "
				"functions share",
				w->option, w->names.nambiguous, text_plural(w->names.nambiguous));
	if (!w->names.n)
		message_error("%s %s: several functions have this name", w->option, w->event->name);
	else if (w->names.n > max)
		message_error("%s %s: %u functions match, but this kernel can count at most %u\n"
			      "%s", w->option,
			      w->event->name, w->names.n, max,
			      w->is_latency ? "use --engine user, which measures with the "
					      "\"function_graph\" tracer" :
					      "use --engine user, which counts with the \"function\" tracer");
	return w->names.n && w->names.n <= max ? 0 : -EOPNOTSUPP;
}

static int expand_probes(struct function_state *w, const char *clock)
{
	const char *keys = "common_pid", *entry, *exit;
	const struct query_event none = { 0 };
	int ret;

	if (dynevent_has_fprobes(w->target))
		ret = function_names_check_overlap(&w->names, w->option);
	else
		ret = check_kprobes(w);
	if (!ret)
		ret = make_hists(w);
	if (!ret)
		ret = add_probe(w, FUNCTION_ENTRY, false, &entry);
	if (ret)
		return ret;
	if (!w->is_latency)
		return add_count(w, entry, "__probe_ip");
	ret = add_probe(w, FUNCTION_RETURN, true, &exit);
	if (ret)
		return ret;
	if (w->names.n > 1)
		keys = "common_pid," FUNCTION_FIELD;
	return add_latency(w, query_own_printf(&w->plan->query, "%s:%s..%s:%s:%s", entry, keys, exit, keys,
					      w->names.usecs ? "usecs" : "nsecs"), clock, &none);
}

int function_expand(struct plan *plan, const struct query_event *event, const char *unique,
		    const char *clock, struct hist_target *t, const struct hist_kernel *kernel)
{
	struct function_state w = {
		.plan = plan, .event = event, .unique = unique, .target = t,
		.is_latency = event->kind == QUERY_FUNCTION_LATENCY,
		.of_recording = !t->ops->write,
		.of_tracer = !kernel,
		.kernel = kernel,
	};
	int ret;

	if (event->of_tracer)
		w.option = w.is_latency ? "--tracer function_graph" : "--tracer function";
	else
		w.option = w.is_latency ? "--function-latency" : "--function";
	ret = function_names_parse(&w.names, w.option, event->name, w.is_latency);
	if (!ret && !(w.of_recording && function_names_are_all(&w.names)))
		ret = function_names_read(&w.names, w.option, t);
	if (!ret)
		ret = w.of_tracer ? expand_tracer(&w, clock) : expand_probes(&w, clock);
	function_names_clear(&w.names);
	free(w.hists);
	return ret;
}

/* A synthetic event has no stack in the user-space engine. */
static bool tracer_counts_keys(const struct query_event *event)
{
	unsigned int i;

	for (i = 0; i < event->nhists; i++) {
		const struct query_hist *hist = &event->hists[i];

		if (hist->raw || (event->kind == QUERY_FUNCTION_LATENCY && hist->keys &&
				  strstr(hist->keys, "stacktrace")))
			return false;
	}
	return true;
}

/* A bare shell would send each call to the host. */
static bool is_tracer_cheaper(const struct plan *plan, struct hist_target *t)
{
	const struct query_event *event = &plan->query.events[0];
	bool is_latency = event->kind == QUERY_FUNCTION_LATENCY, exists;
	uint64_t now;

	if (plan->query.nevents != 1 || plan->query.ndynevents || (event->kind != QUERY_FUNCTION && !is_latency) ||
	    !tracer_counts_keys(event))
		return false;
	if (!t->ops->descriptor || plan->record_events || plan->threshold ||
	    plan->read == PLAN_READ_RAW ||
	    (plan->instance && target_existsf(t, "instances/%s", plan->instance)) ||
	    (plan->clock && t->ops->clock(t, plan->clock, NULL, &now)))
		return false;
	if (kernel_tracer_exists(t, is_latency ? "function_graph" : "function", &exists) || !exists)
		return false;
	return !is_latency || (kernel_graph_has_instances(t) && !has_threshold(t));
}

/* function_graph of old kernels runs in the top-level instance, where it is alone. */
static int need_tracer(const struct plan *plan, const struct query_event *event,
		       struct hist_target *t, enum function_tracer *choice)
{
	bool is_latency = event->kind == QUERY_FUNCTION_LATENCY;
	const char *option = is_latency ? "--function-latency" : "--function";
	struct function_names names;
	int ret;

	if (event->kind != QUERY_FUNCTION && (!is_latency || plan->query.nevents > 1))
		return 0;
	ret = function_names_parse(&names, option, event->name, is_latency);
	if (!ret)
		ret = function_names_read(&names, option, t);
	if (!ret && names.n > (is_latency ? FUNCTION_LATENCY_KPROBES_MAX : FUNCTION_KPROBES_MAX))
		*choice = FUNCTION_TRACER_NEEDED;
	function_names_clear(&names);
	return ret;
}

int function_choose_tracer(const struct plan *plan, struct hist_target *t,
			   enum function_tracer *choice)
{
	bool has_fprobes = dynevent_has_fprobes(t);
	unsigned int i;
	int ret = 0;

	*choice = is_tracer_cheaper(plan, t) ? FUNCTION_TRACER_CHEAPER : FUNCTION_TRACER_NONE;
	for (i = 0; !ret && !has_fprobes && *choice == FUNCTION_TRACER_NONE && i < plan->query.nevents; i++)
		ret = need_tracer(plan, &plan->query.events[i], t, choice);
	return ret == -ENOMEM ? message_error_memory() : ret;
}
