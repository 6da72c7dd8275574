// SPDX-License-Identifier: LGPL-2.1
/*
 * check_context.c - look up variables and events in a context
 *
 * If several triggers of one event set a variable, the first one is used (find_file_var()); the
 * kernel refuses to set it twice.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/suggest.h"
#include "lib/check/check_private.h"

void hist_check_find_event_variable(const struct hist_check *c, const char *system,
				    const char *event,
				    const char *name, struct hist_found *found)
{
	const struct hist_check_trigger *t;
	unsigned int i;

	memset(found, 0, sizeof(*found));
	for (i = 0; i < c->nbefore; i++) {
		t = &c->context->triggers[i];
		if (!hist_event_is(t->event, system, event))
			continue;
		found->variable = hist_expr_find_variable(t->expr, name);
		if (found->variable) {
			found->trigger = t;
			found->index = i;
			return;
		}
	}
}

static int not_unique(struct hist_check *c, const char *name, struct hist_span at)
{
	hist_expr_error_refuse(c->error, at, "", "\"$%.*s\" is set by triggers of several events",
			       HIST_SHOW(strlen(name)), name);
	return hist_expr_error_hint(c->error, "write SYS.EVENT.$%.*s", HIST_SHOW(strlen(name)),
				    name);
}

/* As in find_match_var(), two onmatch() of one event count as two. */
static int find_matched(struct hist_check *c, const char *name, struct hist_span at,
			struct hist_found *found)
{
	const struct hist_action *action;
	struct hist_found one;
	unsigned int i;

	for (i = 0; i < c->expr->nactions; i++) {
		action = &c->expr->actions[i];
		if (!action->system)
			continue;
		hist_check_find_event_variable(c, action->system, action->event, name, &one);
		if (!one.trigger)
			continue;
		if (found->trigger)
			return not_unique(c, name, at);
		*found = one;
	}
	return 0;
}

int hist_check_find_variable(struct hist_check *c, const char *system, const char *event,
			     const char *name, struct hist_span at, struct hist_found *found)
{
	const struct hist_variable *variable;
	const struct hist_event *unused;
	unsigned int i;
	int ret;

	memset(found, 0, sizeof(*found));
	if (system) {
		ret = hist_check_find_event(c, system, event, at, &unused);
		if (!ret)
			hist_check_find_event_variable(c, system, event, name, found);
		return ret;
	}
	ret = find_matched(c, name, at, found);
	if (ret || found->trigger)
		return ret;
	for (i = 0; i < c->nbefore; i++) {
		const struct hist_check_trigger *t = &c->context->triggers[i];

		variable = hist_expr_find_variable(t->expr, name);
		if (!variable ||
		    (found->trigger && hist_event_is(t->event, found->trigger->event->system,
							     found->trigger->event->name)))
			continue;
		if (found->trigger)
			return not_unique(c, name, at);
		*found = (struct hist_found){ .trigger = t, .index = i, .variable = variable };
	}
	return 0;
}

/* The names of all variables that are possible, for a suggestion. */
static const char **variable_names(const struct hist_check *c, size_t *n)
{
	const struct hist_expr *expr;
	const char **names;
	unsigned int i, j;
	size_t room = c->expr->nvariables;

	for (i = 0; i < c->nbefore; i++)
		room += c->context->triggers[i].expr->nvariables;
	names = calloc(room + 1, sizeof(*names));
	*n = 0;
	for (i = 0; names && i <= c->nbefore; i++) {
		expr = i < c->nbefore ? c->context->triggers[i].expr : c->expr;
		for (j = 0; j < expr->nvariables; j++)
			names[(*n)++] = expr->variables[j].name;
	}
	return names;
}

int hist_check_refuse_variable(struct hist_check *c, const char *name, struct hist_span at)
{
	const char **names, *near;
	size_t n;

	hist_expr_error_refuse(c->error, at, "", "no variable \"$%.*s\"", HIST_SHOW(strlen(name)),
			       name);
	names = variable_names(c, &n);
	if (!names)
		return -ENOMEM;
	near = hist_suggest(name, names, n);
	if (near && strcmp(near, name))
		hist_expr_error_hint(c->error, "did you mean \"$%.*s\"?", HIST_SHOW(strlen(near)),
				     near);
	else
		hist_expr_error_hint(c->error,
				     "define it with %.*s=... in an earlier trigger",
				     HIST_SHOW(strlen(name)), name);
	free(names);
	return -EINVAL;
}

int hist_check_find_event(struct hist_check *c, const char *system, const char *name,
			  struct hist_span at,
			  const struct hist_event **event)
{
	unsigned int i;
	int ret;

	*event = NULL;
	if (hist_event_is(c->event, system, name))
		*event = c->event;
	for (i = 0; !*event && i < c->nbefore; i++)
		if (hist_event_is(c->context->triggers[i].event, system, name))
			*event = c->context->triggers[i].event;
	if (*event || !c->context->find_event)
		return 0;
	ret = c->context->find_event(c->context->data, system, name, event);
	if (ret != -ENOENT)
		return ret;
	return hist_check_refuse_event(c->context, system, name, at, c->error);
}

int hist_check_refuse_event(const struct hist_check_context *context, const char *system,
			    const char *name,
			    struct hist_span at, struct hist_error *error)
{
	const char *near = NULL;

	hist_expr_error_refuse(error, at, "", "%.*s:%.*s: no such event", HIST_SHOW(strlen(system)),
			       system, HIST_SHOW(strlen(name)), name);
	if (context->suggest_event)
		near = context->suggest_event(context->data, system, name);
	if (near)
		hist_expr_error_hint(error, "did you mean \"%.*s\"?", HIST_SHOW(strlen(near)),
				     near);
	return -EINVAL;
}
