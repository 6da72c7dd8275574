// SPDX-License-Identifier: LGPL-2.1
/*
 * compile_variable.c - find variables by name and add references to them
 *
 * The search covers the events of this trigger's onmatch() first, then all events.  On each
 * event it checks the triggers in their order.
 *
 * Source: find_event_var(), find_match_var(), find_var_file(), find_file_var() and
 * create_var_ref() in kernel/trace/trace_events_hist.c.
 */
#include <errno.h>
#include <string.h>

#include "lib/engine/compile.h"

static const struct engine_variable *find_in(const struct histogram *hist, const char *name)
{
	unsigned int i;

	for (i = 0; i < hist->ndefined; i++)
		if (!strcmp(hist->vars[i].name, name))
			return &hist->vars[i];
	return NULL;
}

static const struct engine_variable *find_on(const struct engine_event *on, const char *name,
					     struct histogram **of)
{
	const struct engine_variable *variable;
	uint32_t i;

	for (i = 0; on && i < on->ntriggers; i++) {
		if (!on->triggers[i]->hist)
			continue;
		variable = find_in(on->triggers[i]->hist, name);
		if (variable) {
			*of = on->triggers[i]->hist;
			return variable;
		}
	}
	return NULL;
}

/* "SYSTEM.EVENT" of an onmatch(). */
static const struct engine_event *subject_event(const struct making *m, const char *subject)
{
	const char *dot = strchr(subject, '.');
	char system[64];

	if (!dot || (size_t)(dot - subject) >= sizeof(system))
		return NULL;
	memcpy(system, subject, dot - subject);
	system[dot - subject] = '\0';
	return engine_find_event(m->engine, system, dot + 1);
}

const struct engine_variable *variable_find(const struct making *m, const char *system,
					    const char *event, const char *name,
					    struct histogram **of)
{
	const struct engine_variable *variable;
	const struct hist_action *action;
	unsigned int i;

	if (system)
		return find_on(engine_find_event(m->engine, system, event), name, of);
	for (i = 0; i < hist_expr_nactions(m->expr); i++) {
		action = hist_expr_action(m->expr, i);
		if (action->handler != HIST_ONMATCH)
			continue;
		variable = find_on(subject_event(m, action->subject), name, of);
		if (variable)
			return variable;
	}
	for (i = 0; i < m->engine->nevents; i++) {
		variable = find_on(m->engine->events[i], name, of);
		if (variable)
			return variable;
	}
	return NULL;
}

int variable_add(struct making *m, struct hist_span at, struct engine_variable **variable)
{
	struct histogram *hist = m->hist;

	if (hist->nvars == ENGINE_VARS_MAX)
		return engine_refuse(m->error, at, "",
				     "more variables than the kernel has for a histogram");
	*variable = &hist->vars[hist->nvars];
	**variable = (struct engine_variable){ .index = hist->nvars++, .string = -1 };
	hist->is_ordered = true;
	return 0;
}

int reference_add(struct making *m, struct histogram *of, unsigned int index, struct hist_span at,
		  unsigned int *place)
{
	struct histogram *hist = m->hist;
	unsigned int i;

	hist->is_ordered = true;
	for (i = 0; i < hist->nrefs; i++) {
		*place = i;
		if (hist->refs[i].of == of && hist->refs[i].index == index)
			return 0;
	}
	if (i == ENGINE_VARS_MAX)
		return engine_refuse(m->error, at, "",
				     "more references to variables than the kernel has for one");
	hist->refs[i] = (struct engine_reference){ .of = of, .index = index };
	hist->nrefs++;
	*place = i;
	return 0;
}
