// SPDX-License-Identifier: GPL-2.0
/*
 * plan_source.c - find the events of a query on a target
 *
 * The event of a probe of the same recording does not exist yet. Its fields are foreseen from the
 * definition of the probe (probe_event.h).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/reason.h"
#include "lib/query/probe_event.h"
#include "tracecmd/base/message.h"
#include "tracecmd/session/plan_source.h"
#include "tracecmd/trigger/traced_event.h"

/* Foresee the event of a probe of the plan, which does not exist yet. */
static int plan_source_foresee(struct traced_event *s, const char *name,
			       const struct query_dynevent *object, struct hist_event **guess,
			       struct hist_target *t, struct query_refusal *refusal)
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
		return reason_set(-EINVAL, refusal->why, sizeof(refusal->why),
				  "--latency: the argument names of %s are not known before the probe "
				  "exists\nadd a name for each argument, such as fd=$arg1", s->full_name);
	return ret ? ret : traced_event_set_function_field(s, object->function_field);
}

static int plan_source_find(const struct query_source *source, const struct query *query,
			    const struct query_event *wanted, const char *name,
			    struct query_found *found, struct query_refusal *refusal)
{
	struct hist_target *t = ((const struct plan_source *)source)->target;
	const struct query_dynevent *object = query_find_dynevent(query, name);
	struct traced_event s = { .file = -1 };
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

struct plan_source plan_source_of(const struct plan *plan, struct hist_target *t, const char *clock,
				  const struct hist_kernel *kernel)
{
	return (struct plan_source){
		.source = {
			.find = plan_source_find,
			.kernel = kernel,
			.clock = clock,
			.lists_tasks = plan_lists_tasks(plan),
			.names_pairs = plan->threshold,
		},
		.target = t,
	};
}

int plan_source_report(int ret, const struct query_refusal *refusal)
{
	if (refusal->why[0])
		return message_refuse_why(ret, "", "", refusal->why);
	return refusal->error.what[0] ?
	       message_report_expression(ret, refusal->text, &refusal->error) : ret;
}
