// SPDX-License-Identifier: GPL-2.0
/*
 * plan_source.c - expand the query of a plan for a target
 *
 * The event of a probe of the same recording does not exist yet. Its fields are foreseen from the
 * definition of the probe (probe_event.h).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "lib/base/reason.h"
#include "lib/query/probe_event.h"
#include "lib/query/query_expand.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/unique_name.h"
#include "tracecmd/kernel/kernel_needs.h"
#include "tracecmd/kernel/kernel_tracers.h"
#include "tracecmd/session/plan_source.h"
#include "tracecmd/trigger/dynevent.h"
#include "tracecmd/trigger/traced_event.h"

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
	return kernel_tracer_exists(plan_source_from(source)->target, tracer, has);
}

static int plan_source_has_setting(const struct query_source *source, const char *file,
				   const char *value, bool *has)
{
	return kernel_setting_is(plan_source_from(source)->target, file, value, has);
}

static int plan_source_find_tracer_user(const struct query_source *source, char **where,
					char **tracer)
{
	return kernel_find_tracer_user(plan_source_from(source)->target, where, tracer);
}

static bool plan_source_has_fprobes(const struct query_source *source)
{
	return dynevent_has_fprobes(plan_source_from(source)->target);
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
			.graph_has_instances = kernel_graph_has_instances(t),
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
