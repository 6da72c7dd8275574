// SPDX-License-Identifier: GPL-2.0
/*
 * plan_source.c - expand the query of a plan for a target
 *
 * The event of a probe of the same recording does not exist yet. Its fields are foreseen from the
 * definition of the probe (probe_event.h).
 *
 * Hist triggers lose no events, so a tracer counts functions only if they cannot, or if it counts
 * the same at a lower cost.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "lib/base/reason.h"
#include "lib/base/text.h"
#include "lib/query/function_expand.h"
#include "lib/query/function_names.h"
#include "lib/query/probe_event.h"
#include "lib/query/query_expand.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/unique_name.h"
#include "tracecmd/kernel/event_suggest.h"
#include "tracecmd/kernel/kernel_needs.h"
#include "tracecmd/kernel/kernel_tracers.h"
#include "tracecmd/session/plan_source.h"
#include "tracecmd/target/target_path.h"
#include "tracecmd/trigger/dynevent.h"
#include "tracecmd/trigger/traced_event.h"

/* --- the tracers of the target; functions return 0, or -errno without a message --- */

/* Check if available_tracers has @name. */
static int plan_source_tracer_exists(struct hist_target *t, const char *name, bool *exists)
{
	struct target_buf buf = { 0 };
	char *at, *word;
	int ret = t->ops->read(t, "available_tracers", &buf);

	*exists = false;
	for (at = ret ? NULL : buf.data; at && (word = strsep(&at, " \n"));)
		*exists |= !strcmp(word, name);
	free(buf.data);
	return ret;
}

/*
 * True if function_graph runs in instances (Linux 6.11), and not only at the top level. No file
 * shows it before an instance exists.
 */
static bool plan_source_graph_has_instances(const struct hist_target *t)
{
	unsigned int major, minor;

	/* "Linux HOST 6.12.1 ..." */
	return t->uname && sscanf(t->uname, "%*s %*s %u.%u", &major, &minor) == 2 &&
	       (major > 6 || (major == 6 && minor >= 11));
}

/* These tracers use neither tracing_thresh nor files outside of the instance. */
static bool plan_source_is_independent(const char *tracer, size_t len)
{
	return !len || text_equals(tracer, len, "nop") || text_equals(tracer, len, "function") ||
	       text_equals(tracer, len, "blk") || text_equals(tracer, len, "mmiotrace");
}

/* *@where and *@tracer are set if the tracer in @dir is not independent. */
static int plan_source_look_at(struct hist_target *t, const char *dir, const char *name,
			       char **where, char **tracer)
{
	struct target_buf buf = { 0 };
	int ret = target_readf(t, &buf, "%scurrent_tracer", dir);
	size_t len = ret ? 0 : strcspn(buf.data, "\n");

	if (!plan_source_is_independent(buf.data, len)) {
		*tracer = strndup(buf.data, len);
		if (asprintf(where, *name ? "instance %s" : "the top-level instance%s", name) < 0)
			*where = NULL;
		if (!*where || !*tracer) {
			free(*where);
			free(*tracer);
			*where = *tracer = NULL;
			ret = -ENOMEM;
		}
	}
	free(buf.data);
	/* an instance can disappear */
	return ret == -ENOENT || ret == -ENODEV ? 0 : ret;
}

/*
 * kernel_find_tracer_user - find an instance whose tracer depends on files that all instances share
 * *@where: "the top-level instance", or "instance NAME"; *@tracer: its tracer. Both are malloc'ed,
 * or NULL if there is no such instance.
 */
static int plan_source_find_user(struct hist_target *t, char **where, char **tracer)
{
	char dir[TARGET_PATH_MAX];
	struct target_buf buf = { 0 };
	const char **names;
	size_t n = 0, i;
	int ret;

	*where = *tracer = NULL;
	ret = plan_source_look_at(t, "", "", where, tracer);
	names = ret || *where ? NULL : kernel_list_entries(t, "instances", &buf, &n);
	for (i = 0; names && i < n && !ret && !*where; i++) {
		snprintf(dir, sizeof(dir), "instances/%s/", names[i]);
		ret = plan_source_look_at(t, dir, names[i], where, tracer);
	}
	free(names);
	free(buf.data);
	return ret;
}

/* --- the source --- */

static const struct plan_source *plan_source_from(const struct query_source *source)
{
	return (const struct plan_source *)source;
}

/* Foresee the event of a probe of the plan, which does not exist yet. */
static int plan_source_foresee(struct traced_event *s, const char *name,
			       const struct query_dynevent *object, struct hist_event **guess,
			       struct hist_target *t, struct hist_error *refusal)
{
	const char *group = strchr(object->definition, ':') + 1;
	bool guessed;
	char *system;
	int ret;

	system = strndup(group, strcspn(group, "/"));
	if (!system)
		return -ENOMEM;
	ret = traced_event_expect(s, t, name, system);
	free(system);
	if (ret)
		return ret;
	ret = probe_make_event(&s->event, object->definition, PROBE_GUESS_UNSIGNED, &guessed);
	if (!ret && guessed)
		ret = probe_make_event(guess, object->definition, PROBE_GUESS_STRING, &guessed);
	if (!ret && !s->event)
		return hist_error_set(refusal, -EINVAL,
				      "--latency: the argument names of %s are not known "
				      "before the probe exists\n"
				      "add a name for each argument, such as fd=$arg1",
				      s->full_name);
	return ret ? ret : traced_event_set_function_field(s, object->function_field);
}

static int plan_source_find(const struct query_source *source, const struct query *query,
			    const struct query_event *wanted, const char *name,
			    struct query_found *found, struct hist_error *refusal)
{
	struct hist_target *t = plan_source_from(source)->target;
	const struct query_dynevent *object = query_find_dynevent(query, name);
	struct traced_event s = { 0 };
	int ret;

	if (object) {
		ret = plan_source_foresee(&s, name, object, &found->guess, t, refusal);
	} else if (wanted->of_tracer) {
		ret = traced_event_expect(&s, t, name, NULL);
		if (!ret)
			ret = traced_event_read_format(&s, t);
		if (!ret)
			ret = traced_event_set_function_field(&s, wanted->function_field);
	} else {
		ret = traced_event_find(&s, t, name);
	}
	if (!ret) {
		found->event = s.event;
		s.event = NULL;
		/* "SYS:EVENT", also if the option omits SYS */
		found->full_name = strdup(s.full_name);
		ret = found->full_name ? 0 : -ENOMEM;
	}
	traced_event_clear(&s, t);
	return ret;
}

static int plan_source_find_missing(const struct query_source *source, const char *what,
				    struct hist_error *error)
{
	return kernel_find_missing(plan_source_from(source)->target, what, !source->kernel, error);
}

static int plan_source_list_functions(const struct query_source *source, struct hist_strbuf *list)
{
	struct hist_target *t = plan_source_from(source)->target;
	struct target_buf buf = { 0 };
	int ret = t->ops->read(t, "available_filter_functions", &buf);

	if (!ret)
		hist_strbuf_add(list, buf.data, buf.len);
	free(buf.data);
	return ret ? ret : list->error;
}

static int plan_source_has_tracer(const struct query_source *source, const char *tracer, bool *has)
{
	return plan_source_tracer_exists(plan_source_from(source)->target, tracer, has);
}

static int plan_source_has_setting(const struct query_source *source, const char *file,
				   const char *value, bool *has)
{
	return kernel_setting_is(plan_source_from(source)->target, file, value, has);
}

static int plan_source_find_tracer_user(const struct query_source *source, char **where,
					char **tracer)
{
	return plan_source_find_user(plan_source_from(source)->target, where, tracer);
}

/* True if the kernel has fprobe events, "f:GROUP/EVENT FUNCTION", also with patterns. */
static bool plan_source_finds_fprobes(struct hist_target *t)
{
	struct target_buf readme = { 0 };
	bool has =
		!t->ops->read(t, "README", &readme) && strstr(readme.data, "<func-name>[%return]");

	free(readme.data);
	return has;
}

static bool plan_source_has_fprobes(const struct query_source *source)
{
	return plan_source_finds_fprobes(plan_source_from(source)->target);
}

static int plan_source_read_symbols(const struct query_source *source, struct hist_strbuf *text)
{
	struct hist_target *t = plan_source_from(source)->target;
	struct target_buf buf = { 0 };
	int ret = t->ops->kallsyms ? t->ops->kallsyms(t, &buf) : -ENOENT;

	if (!ret)
		hist_strbuf_add(text, buf.data, buf.len);
	free(buf.data);
	return ret ? ret : text->error;
}

static const struct query_source_ops plan_source_ops = {
	.find = plan_source_find,
	.find_missing = plan_source_find_missing,
	.list_functions = plan_source_list_functions,
	.has_tracer = plan_source_has_tracer,
	.has_setting = plan_source_has_setting,
	.find_tracer_user = plan_source_find_tracer_user,
	.has_fprobes = plan_source_has_fprobes,
	.read_symbols = plan_source_read_symbols,
};

void plan_source_init(struct plan_source *s, const struct plan *plan, struct hist_target *t,
		      const struct hist_kernel *kernel)
{
	*s = (struct plan_source){
		.source = {
			.ops = &plan_source_ops,
			.kernel = kernel,
			.clock = plan->clock ? plan->clock : "mono",
			.tasks = plan_task_option(plan),
			.names_pairs = plan->threshold,
			.graph_has_instances = plan_source_graph_has_instances(t),
		},
		.target = t,
	};
	snprintf(s->unique, sizeof(s->unique), "%d_%04x", getpid(), unique_number());
	s->source.unique = s->unique;
	sql_source_init(&s->sql, t);
	s->source.sql = &s->sql.sql;
}

int plan_source_report(int ret, const struct hist_error *refusal)
{
	/* otherwise the source has told the user, and the target its loss */
	return (refusal->err && ret != -ECONNRESET) || ret == -ENOMEM ? message_report(ret, refusal)
								      : ret;
}

int plan_source_expand(struct plan *plan, const struct query_source *source)
{
	struct query *query = &plan->query;
	struct hist_error refusal = { 0 };
	const struct query_note *note;
	const char *hint;
	unsigned int i;
	int ret = query_expand(query, source, &refusal), n;

	for (i = 0; i < query->nnotes; i++) {
		note = &query->notes[i];
		n = reason_split_hint(note->text, &hint);
		if (note->is_warning)
			message_warning("%.*s\n%s", n, note->text, hint);
		else if (!plan->quiet)
			message_note("%.*s\n%s", n, note->text, hint);
	}
	return plan_source_report(ret, &refusal);
}

/* --- the tracer of --engine auto --- */

/* A synthetic event has no stack in the user-space engine. */
static bool plan_source_counts_keys(const struct query_event *event)
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
static bool plan_source_is_tracer_cheaper(const struct plan *plan, struct hist_target *t,
					  const struct query_source *source)
{
	const struct query_event *event = &plan->query.events[0];
	bool is_latency = event->kind == QUERY_FUNCTION_LATENCY, exists;
	uint64_t now;

	if (plan->query.nevents != 1 || plan->query.ndynevents ||
	    (event->kind != QUERY_FUNCTION && !is_latency) || !plan_source_counts_keys(event))
		return false;
	if (!t->ops->descriptor || plan->record_events || plan->threshold ||
	    plan->read == PLAN_READ_RAW ||
	    (plan->instance && target_existsf(t, "instances/%s", plan->instance)) ||
	    (plan->clock && t->ops->clock(t, plan->clock, NULL, &now)))
		return false;
	if (plan_source_tracer_exists(t, is_latency ? "function_graph" : "function", &exists) ||
	    !exists)
		return false;
	return !is_latency ||
	       (plan_source_graph_has_instances(t) && !function_has_threshold(source));
}

/* function_graph of old kernels runs in the top-level instance, where it is alone. */
static int plan_source_need_tracer(const struct plan *plan, const struct query_event *event,
				   bool fprobes, const struct query_source *source,
				   enum function_tracer *choice)
{
	bool is_latency = event->kind == QUERY_FUNCTION_LATENCY;
	const char *option = is_latency ? "--function-latency" : "--function";
	struct hist_error refusal = { 0 };
	struct function_names names;
	int ret;

	if (event->kind != QUERY_FUNCTION && (!is_latency || plan->query.nevents > 1))
		return 0;
	ret = function_names_parse(&names, option, event->name, is_latency, &refusal);
	if (!ret)
		ret = function_names_read(&names, option, NULL, source, &refusal);
	if (!ret)
		ret = function_names_find_places(&names, &fprobes);
	if (!ret &&
	    names.nplaces > (is_latency ? FUNCTION_LATENCY_KPROBES_MAX : FUNCTION_KPROBES_MAX))
		*choice = FUNCTION_TRACER_NEEDED;
	function_names_clear(&names);
	return plan_source_report(ret, &refusal);
}

int plan_source_choose_tracer(const struct plan *plan, struct hist_target *t,
			      enum function_tracer *choice)
{
	bool has_fprobes = plan_source_finds_fprobes(t);
	struct plan_source source;
	unsigned int i;
	int ret = 0;

	plan_source_init(&source, plan, t, NULL);
	*choice = plan_source_is_tracer_cheaper(plan, t, &source.source) ? FUNCTION_TRACER_CHEAPER
									 : FUNCTION_TRACER_NONE;
	for (i = 0; !ret && *choice == FUNCTION_TRACER_NONE && i < plan->query.nevents; i++) {
		/* an fprobe has any number of functions, but no modules */
		if (!has_fprobes || strchr(plan->query.events[i].name, ':'))
			ret = plan_source_need_tracer(plan, &plan->query.events[i], has_fprobes,
						      &source.source, choice);
	}
	return ret;
}
