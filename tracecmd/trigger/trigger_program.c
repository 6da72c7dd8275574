// SPDX-License-Identifier: GPL-2.0
/*
 * trigger_program.c - compile the triggers of a set for the user-space engine
 *
 * Triggers are added event by event, in the order of traced_event_attach(): the hidden triggers of
 * an event come first. A variable must be defined before a trigger that refers to it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tracecmd/base/message.h"
#include "tracecmd/trigger/trigger_program.h"

/* Make the event of a synthetic object from its definition; the kernel has no such event. */
static int make_event(const struct trigger_set *set, struct traced_event *source)
{
	unsigned int i;

	if (source->event)
		return 0;
	for (i = 0; i < set->nsynths && !strcmp(source->system, "synthetic"); i++) {
		if (!strcmp(source->name, set->synths[i]->name))
			return hist_synth_make_event(&source->event, set->synths[i]) ?
			       message_error_memory() : 0;
	}
	return message_refuse(-ENOENT, "%s: no such event in the recording", source->full_name);
}

static int trigger_program_add_trigger(struct hist_engine *engine, struct traced_hist *h)
{
	const char *text = h->expr->text;
	struct hist_error error = { 0 };

	h->counter = hist_engine_add(engine, h->source->event, h->expr, &error);
	if (h->counter == -EOPNOTSUPP)
		message_report_expression(-EINVAL, text, &error);
	else if (h->counter < 0)
		message_report_expression(h->counter, text, &error);
	if (h->counter < 0)
		return h->counter;
	h->table = hist_table_new(hist_engine_schema(engine, h->counter));
	return h->table ? 0 : message_error_memory();
}

static int add_switch(struct hist_engine *engine, const struct traced_event *source,
		      const struct hist_switch *sw)
{
	struct hist_error error = { 0 };
	int ret = hist_engine_add_switch(engine, source->event, sw, &error);

	return message_report_expression(ret == -EOPNOTSUPP ? -EINVAL : ret, sw->text, &error);
}

static int trigger_program_add_event(struct hist_engine *engine, const struct trigger_set *set,
				     struct traced_event *source)
{
	unsigned int h;
	int ret;

	ret = make_event(set, source);
	for (h = 0; !ret && h < source->nhelpers + source->nhists; h++)
		ret = trigger_program_add_trigger(engine, &source->triggers[h]);
	for (h = 0; !ret && source->plan && h < source->nhelpers + source->nhists; h++) {
		if (source->plan->anywhere)
			hist_engine_set_anywhere(engine, source->triggers[h].counter);
		hist_engine_expect_unmatched(engine, source->triggers[h].counter,
					     source->plan->usual_starts, source->plan->usual_ends);
	}
	for (h = 0; !ret && h < source->nswitches; h++)
		ret = add_switch(engine, source, source->switches[h]);
	return ret;
}

int trigger_program_compile(struct hist_engine **engine, const struct trigger_set *set,
			    const struct hist_engine_machine *machine)
{
	unsigned int i;
	int ret = 0;

	if (hist_engine_new(engine, machine))
		return message_error_memory();
	for (i = 0; !ret && i < set->nsynths; i++)
		ret = hist_engine_add_synth(*engine, set->synths[i]);
	if (ret)
		return message_error_errno("synthetic events", ret);
	for (i = 0; !ret && i < set->nsources; i++)
		ret = trigger_program_add_event(*engine, set, &set->sources[i]);
	return ret;
}

uint64_t trigger_program_count_drops(const struct traced_event *source, const struct hist_run *run)
{
	uint64_t drops = 0;
	unsigned int h;

	for (h = 0; h < source->nhelpers; h++)
		drops += hist_engine_count_dropped(run, source->triggers[h].counter);
	return drops;
}
