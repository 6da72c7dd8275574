// SPDX-License-Identifier: GPL-2.0
/*
 * latency_event.c - find the events of a --latency
 *
 * The event of a probe of the same recording does not exist yet. Its fields are foreseen from the
 * definition of the probe (probe_event.h).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/query/probe_event.h"
#include "tracecmd/base/message.h"
#include "tracecmd/session/latency_event.h"

/* Foresee the event of a probe of the plan, which does not exist yet. */
static int latency_foresee_event(struct traced_event *s, const char *name,
				 const struct query_dynevent *object, struct hist_event **guess,
				 struct hist_target *t)
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
	if (!ret && !s->event) {
		message_error("--latency: the argument names of %s are not known before the probe "
			      "exists\nadd a name for each argument, such as fd=$arg1", s->full_name);
		return -EINVAL;
	}
	return ret ? ret : traced_event_set_function_field(s, object->function_field);
}

int latency_event_find(const struct plan *plan, const struct query_event *event,
		       struct latency_side *side, struct traced_event *s, struct hist_event **guess,
		       struct hist_target *t)
{
	const struct query_dynevent *object = query_find_dynevent(&plan->query, side->event);
	int ret;

	if (object) {
		ret = latency_foresee_event(s, side->event, object, guess, t);
	} else if (event->of_tracer) {
		ret = traced_event_expect(s, t, side->event, NULL);
		if (!ret)
			ret = traced_event_read_format(s, t);
		if (!ret)
			ret = traced_event_set_function_field(s, event->function_field);
	} else {
		ret = traced_event_find(s, t, side->event);
	}
	if (ret)
		return ret;
	/* "SYS:EVENT", also if the option omits SYS */
	free(side->event);
	side->event = strdup(s->full_name);
	return side->event ? 0 : -ENOMEM;
}

void latency_list_names(char *text, size_t size, const char *const *names, unsigned int n)
{
	size_t len = snprintf(text, size, "use one of: ");
	unsigned int i;

	for (i = 0; i < n; i++) {
		const char *comma = i ? ", " : "";

		if (len + strlen(comma) + strlen(names[i]) + strlen(", ...") >= size) {
			snprintf(text + len, size - len, "%s...", comma);
			return;
		}
		len += snprintf(text + len, size - len, "%s%s", comma, names[i]);
	}
}

const char *latency_event_field_type(const struct hist_event_field *f)
{
	static const char *const known[] = {
		"s64", "u64", "s32", "u32", "s16", "u16", "s8", "u8", "char", "unsigned char",
		"int", "unsigned int", "long", "unsigned long", "bool", "pid_t", "gfp_t",
	};
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if (!strcmp(known[i], f->ctype))
			return known[i];
	}
	return f->size == 1 ? "u8" : f->size == 2 ? "u16" : f->size == 4 ? "u32" : "u64";
}
