// SPDX-License-Identifier: LGPL-2.1
/*
 * function_expand.c - expand --function and --function-latency to events of a query
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
#include "lib/query/fine_log2.h"
#include "lib/query/function_expand.h"
#include "lib/query/function_field.h"
#include "lib/query/function_names.h"
#include "lib/query/latency_expand.h"

/* Calls in progress that a return probe can hold; fewer for each of many kprobes. */
#define RETURNS_MAX 4096
#define RETURNS_OF_MANY 1024
#define MANY_KPROBES 8

/* The rows of a histogram of functions, whose number a recording does not tell. */
#define ROWS_OF_RECORDING 16384

/* The state of the expansion of one option. */
struct function_state {
	struct query *query;
	const struct query_event *event;
	const char *option; /* "--function" */
	const char *unique;
	const struct query_source *source;
	struct hist_error *refusal;
	struct function_names names;
	bool is_latency;
	bool of_tracer;	   /* a tracer writes the events */
	bool of_recording; /* they were recorded */
	bool fprobes;	   /* probes are fprobe events */
	struct query_hist *hists;
	unsigned int nhists;
};

/*
 * Append the next item of a filter at @text and return its length. "function == NAME" gets
 * .function.
 */
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
	*filter = query_own_text(w->query, &b);
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
	*keys = query_own_text(w->query, &b);
	return *keys ? 0 : -ENOMEM;
}

/* Add the filter that selects the functions of a recording. */
static int add_recorded_filter(struct function_state *w, const char **filter)
{
	struct hist_strbuf b = { 0 };
	unsigned int i;

	if (w->names.is_all)
		return 0;
	if (*filter)
		hist_strbuf_printf(&b, "(%s ) && (", *filter);
	for (i = 0; i < w->names.nglobs; i++)
		hist_strbuf_printf(&b, "%s" FUNCTION_FIELD ".function ~ %s", i ? " || " : "",
				   w->names.globs[i].text);
	if (*filter)
		hist_strbuf_str(&b, " )");
	*filter = query_own_text(w->query, &b);
	return *filter ? 0 : -ENOMEM;
}

/* Write keys, values, sort keys and filter as a trigger with room for all functions. */
static int make_large(struct function_state *w, struct query_hist *hist)
{
	struct hist_strbuf b = { 0 };
	/* the number of functions in a recording is not known */
	unsigned int size = w->of_recording ? ROWS_OF_RECORDING : 2 * w->names.n;

	if (hist->raw || !hist->keys || size <= HIST_SIZE_DEFAULT)
		return 0;
	hist_strbuf_printf(&b, "hist:keys=%s", hist->keys);
	if (hist->values)
		hist_strbuf_printf(&b, ":vals=%s", hist->values);
	if (hist->sort)
		hist_strbuf_printf(&b, ":sort=%s", hist->sort);
	hist_strbuf_printf(&b, ":size=%u", size < HIST_SIZE_MOST ? size : HIST_SIZE_MOST);
	if (hist->filter)
		hist_strbuf_printf(&b, " if %s", hist->filter);
	hist->raw = query_own_text(w->query, &b);
	return hist->raw ? 0 : -ENOMEM;
}

static int refuse_raw_filter(const struct function_state *w, const char *raw)
{
	return hist_error_set(w->refusal, -EINVAL,
			      "-R %s: cannot be combined with %s in replay\n"
			      "use -k, -v, -s and -f instead of -R",
			      raw, w->option);
}

/* Make the histograms of the option: those of -k and similar options, or the default one. */
static int make_hists(struct function_state *w)
{
	bool many = w->names.nglobs > 1 || !w->names.globs[0].is_name;
	struct query_hist default_hist = {
		.keys = !w->is_latency ? FUNCTION_FIELD
			: many	       ? FUNCTION_FIELD ",lat.log2=3"
				       : "lat.log2=3",
		.values = w->is_latency ? "lat" : NULL,
	};
	unsigned int i, n = w->event->nhists;
	int ret = 0;

	w->nhists = n ? n : 1;
	w->hists = calloc(w->nhists, sizeof(*w->hists));
	if (!w->hists || fine_log2_settle(w->query, w->source->kernel, &default_hist))
		return -ENOMEM;
	for (i = 0; !ret && i < w->nhists; i++) {
		struct query_hist *hist = &w->hists[i];

		*hist = n ? w->event->hists[i] : default_hist;
		/* -v, -s and -f without -k change the default histogram */
		if (!hist->raw && !hist->keys) {
			hist->keys = default_hist.keys;
			hist->more = default_hist.more;
		}
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
	return query_own_printf(w->query, "%s:%.*s",
				w->is_latency ? "function_latency" : "function",
				(int)w->names.globs_len, w->event->name);
}

static int add_count(struct function_state *w, const char *event, const char *field)
{
	struct query_event *added;
	struct query_hist *hist;
	unsigned int i;

	if (!event || query_add_event(w->query, event))
		return -ENOMEM;
	added = &w->query->events[w->query->nevents - 1];
	added->title = make_title(w);
	added->function_field = field;
	added->of_tracer = w->of_tracer;
	for (i = 0; added->title && i < w->nhists; i++) {
		hist = query_add_hist(w->query);
		if (!hist)
			return -ENOMEM;
		*hist = w->hists[i];
	}
	return added->title ? 0 : -ENOMEM;
}

static int add_latency(struct function_state *w, const char *pair, const struct query_event *more)
{
	struct query_event event = *more;

	event.kind = QUERY_LATENCY;
	event.name = pair;
	event.title = make_title(w);
	event.hists = w->hists;
	event.nhists = w->nhists;
	if (!event.name || !event.title)
		return -ENOMEM;
	return latency_expand(w->query, &event, w->unique, w->source, w->refusal);
}

/* --- events of a tracer --- */

bool function_has_threshold(const struct query_source *source)
{
	bool is_zero;

	return !source->ops->has_setting(source, "tracing_thresh", "0", &is_zero) && !is_zero;
}

/* Write the globs as set_ftrace_filter takes them: "vfs_*,ext4_*:mod:ext4". */
static void function_expand_put_filter(const struct function_names *f, struct hist_strbuf *b)
{
	unsigned int i;

	for (i = 0; i < f->nglobs; i++) {
		hist_strbuf_printf(b, "%s%s", i ? "," : "", f->globs[i].name);
		if (f->globs[i].module)
			hist_strbuf_printf(b, ":mod:%s", f->globs[i].module);
	}
}

/* Start this tracer for the user-space engine. */
static int choose_tracer(struct function_state *w, const char *tracer)
{
	struct hist_strbuf b = { 0 };
	bool exists;
	int ret = w->source->ops->has_tracer(w->source, tracer, &exists);

	if (ret)
		return hist_error_set(w->refusal, ret, "available_tracers: %s", strerror(-ret));
	if (!exists)
		return hist_error_set(w->refusal, -EOPNOTSUPP,
				      "%s: this kernel does not have the \"%s\" "
				      "tracer (%s)\nuse --engine kernel",
				      w->option, tracer,
				      w->is_latency ? "CONFIG_FUNCTION_GRAPH_TRACER"
						    : "CONFIG_FUNCTION_TRACER");
	if (w->is_latency && function_has_threshold(w->source))
		return hist_error_set(w->refusal, -EBUSY,
				      "%s: another program set tracing_thresh, so the "
				      "\"%s\" tracer does not record short calls\n"
				      "write 0 to tracing_thresh, or use --engine kernel",
				      w->option, tracer);
	if (w->query->tracer)
		return hist_error_set(w->refusal, -EINVAL,
				      "%s: --engine user accepts only one --function "
				      "or --function-latency option\n"
				      "put all functions into one option, or use --engine kernel",
				      w->option);
	w->query->tracer = tracer;
	w->query->tracer_at_top = w->is_latency && !w->source->graph_has_instances;
	function_expand_put_filter(&w->names, &b);
	w->query->functions = query_own_text(w->query, &b);
	return w->query->functions ? 0 : -ENOMEM;
}

static int find_recorded_tracer(struct function_state *w, bool *graph)
{
	const char *tracer;
	int ret = w->source->ops->find_recorded_tracer(w->source, &tracer);

	if (ret)
		return hist_error_set(w->refusal, ret, "recording: %s", strerror(-ret));
	*graph = !strcmp(tracer, "function_graph");
	if (!*graph && strcmp(tracer, "function"))
		return hist_error_set(w->refusal, -ENODATA,
				      "%s: the recording has no events of the "
				      "\"function\" or \"function_graph\" tracer\nrecord with "
				      "'trace-cmd record -p function_graph'",
				      w->option);
	if (w->is_latency && !*graph)
		return hist_error_set(w->refusal, -ENODATA,
				      "%s: the recording has no function returns\n"
				      "record with 'trace-cmd record -p function_graph'",
				      w->option);
	return 0;
}

static int expand_tracer(struct function_state *w)
{
	/* as --latency, which subtracts times in the unit */
	struct query_event more = {
		.function_field = "func",
		.of_tracer = true,
		.span.duration = w->names.usecs ? "rettime/1000-calltime/1000" : "rettime-calltime",
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
		ret = add_recorded_filter(w, &more.span.filter);
	if (ret)
		return ret;
	if (w->is_latency)
		return add_latency(
			w,
			query_own_printf(
				w->query,
				"ftrace:funcgraph_exit:depth..ftrace:funcgraph_exit:depth:%s",
				w->names.usecs ? "usecs" : "nsecs"),
			&more);
	return add_count(w, graph ? "ftrace:funcgraph_entry" : "ftrace:function",
			 graph ? "func" : "ip");
}

/* --- probes --- */

/* Add the event FUNCTION_GROUP:NAME_UNIQUE with a place for each function; its name is *@event. */
static int add_probe(struct function_state *w, const char *name, bool is_return, const char **event)
{
	unsigned int i, n = w->names.nplaces;
	struct hist_strbuf b = { 0 };
	char head[16] = "";

	if (is_return)
		snprintf(head, sizeof(head), "%u",
			 w->fprobes || n <= MANY_KPROBES ? RETURNS_MAX : RETURNS_OF_MANY);
	for (i = 0; i < n; i++)
		hist_strbuf_printf(&b, "%s%c%s:" FUNCTION_GROUP "/%s_%s %s%s", i ? "\n" : "",
				   w->fprobes ? 'f' : is_return ? 'r' : 'p', head, name, w->unique,
				   w->names.places[i], w->fprobes && is_return ? "%return" : "");
	*event = query_own_printf(w->query, FUNCTION_GROUP ":%s_%s", name, w->unique);
	if (!*event || query_add_dynevent(w->query, QUERY_DYNAMIC, query_own_text(w->query, &b)))
		return -ENOMEM;
	w->query->dynevents[w->query->ndynevents - 1].function_field =
		is_return ? "__probe_func" : "__probe_ip";
	return w->query->dynevents[w->query->ndynevents - 1].definition ? 0 : -ENOMEM;
}

static int function_expand_check_probes(struct function_state *w)
{
	const unsigned int max =
		w->is_latency ? FUNCTION_LATENCY_KPROBES_MAX : FUNCTION_KPROBES_MAX;

	if (!w->fprobes && w->names.nambiguous &&
	    query_add_note(w->query, true, "%s: calls are not counted for %u function name%s that "
			   "several functions share", w->option, w->names.nambiguous,
			   text_plural(w->names.nambiguous)))
		return -ENOMEM;
	if (!w->names.nplaces)
		return hist_error_set(
			w->refusal, -EOPNOTSUPP,
			"%s %s: several functions have this name\n"
			"use MODULE:FUNCTION for a function of a module, or --engine user",
			w->option, w->event->name);
	if (w->names.nplaces <= max)
		return 0;
	return hist_error_set(w->refusal, -EOPNOTSUPP,
			      "%s %s: %u functions match, but this kernel can "
			      "count at most %u\n%s",
			      w->option, w->event->name, w->names.nplaces, max,
			      w->is_latency
				      ? "use --engine user, which measures with the "
					"\"function_graph\" tracer"
				      : "use --engine user, which counts with the \"function\" "
					"tracer");
}

static int expand_probes(struct function_state *w)
{
	const char *keys = "common_pid", *entry, *exit;
	const struct query_event none = { 0 };
	int ret;

	w->fprobes = w->source->ops->has_fprobes(w->source);
	ret = function_names_find_places(&w->names, &w->fprobes);
	if (!ret && w->fprobes)
		ret = function_names_check_overlap(&w->names, w->option, w->refusal);
	if (!ret)
		ret = function_expand_check_probes(w);
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
	return add_latency(w, query_own_printf(w->query, "%s:%s..%s:%s:%s", entry, keys, exit, keys,
					      w->names.usecs ? "usecs" : "nsecs"), &none);
}

int function_expand(struct query *query, const struct query_event *event, const char *unique,
		    const struct query_source *source, struct hist_error *refusal)
{
	struct function_state w = {
		.query = query, .event = event, .unique = unique, .source = source,
		.refusal = refusal,
		.is_latency = event->kind == QUERY_FUNCTION_LATENCY,
		.of_recording = source->recording,
		.of_tracer = event->of_tracer || !source->kernel,
	};
	int ret;

	if (event->of_tracer)
		w.option = w.is_latency ? "--tracer function_graph" : "--tracer function";
	else
		w.option = w.is_latency ? "--function-latency" : "--function";
	ret = function_names_parse(&w.names, w.option, event->name, w.is_latency, refusal);
	if (!ret && !(w.of_recording && w.names.is_all))
		ret = function_names_read(&w.names, w.option, query, source, refusal);
	if (!ret)
		ret = w.of_tracer ? expand_tracer(&w) : expand_probes(&w);
	function_names_clear(&w.names);
	free(w.hists);
	return ret;
}
