// SPDX-License-Identifier: GPL-2.0
/*
 * trigger_program.c - compile the triggers of a set for the user-space engine
 *
 * Triggers are added event by event, in the order of source_attach(): the hidden triggers of an
 * event come first. A variable must be defined before a trigger that refers to it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tracecmd/base/command.h"
#include "tracecmd/base/message.h"
#include "tracecmd/trigger/trigger_program.h"

/* Make the event of a synthetic object from its definition; the kernel has no such event. */
static int make_event(const struct trigger_set *set, struct source *source)
{
	unsigned int i;

	if (source->event)
		return 0;
	for (i = 0; i < set->nsynths && !strcmp(source->system, "synthetic"); i++) {
		if (!strcmp(source->name, set->synths[i]->name))
			return hist_synth_event(&source->event, set->synths[i]) ?
			       complain_memory() : 0;
	}
	complain("%s: there is no such event in the recording", source->full_name);
	return -ENOENT;
}

static int add(struct hist_engine *engine, struct source_hist *h)
{
	const char *text = h->expr->text;
	struct hist_error error;

	h->counter = hist_engine_add(engine, h->source->event, h->expr, &error);
	if (h->counter == -EOPNOTSUPP)
		complain_expression(-EINVAL, text, &error);
	else if (h->counter < 0)
		complain_expression(h->counter, text, &error);
	if (h->counter < 0)
		return h->counter;
	h->table = hist_table_new(hist_engine_schema(engine, h->counter));
	return h->table ? 0 : complain_memory();
}

static int add_switch(struct hist_engine *engine, const struct source *source,
		      const struct hist_switch *sw)
{
	struct hist_error error;
	int ret = hist_engine_add_switch(engine, source->event, sw, &error);

	return complain_expression(ret == -EOPNOTSUPP ? -EINVAL : ret, sw->text, &error);
}

static int add_source(struct hist_engine *engine, const struct trigger_set *set,
		      struct source *source)
{
	unsigned int h;
	int ret;

	ret = make_event(set, source);
	for (h = 0; !ret && h < source->nhelpers + source->nhists; h++)
		ret = add(engine, &source->triggers[h]);
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
		return complain_memory();
	for (i = 0; !ret && i < set->nsynths; i++)
		ret = hist_engine_add_synth(*engine, set->synths[i]);
	if (ret)
		return complain_errno("synthetic events", ret);
	for (i = 0; !ret && i < set->nsources; i++)
		ret = add_source(*engine, set, &set->sources[i]);
	return ret;
}

int trigger_program_snapshot(const struct trigger_set *set, struct hist_run *const *runs,
			     unsigned int nruns)
{
	struct source_hist *h = NULL;
	int ret = 0;

	while (!ret && (h = source_next_hist(set->sources, set->nsources, h)))
		ret = hist_runs_snapshot(runs, nruns, h->counter, h->table, &h->snap);
	return ret;
}

void trigger_program_report_drops(const struct trigger_set *set, struct hist_run *const *runs,
				  unsigned int nruns)
{
	struct hist_snapshot snap = { 0 };
	unsigned int e, h;

	for (e = 0; e < set->nsources; e++) {
		const struct source *source = &set->sources[e];
		uint64_t drops = 0;

		for (h = 0; h < source->nhelpers; h++) {
			const struct source_hist *hist = &source->triggers[h];

			if (!hist_runs_snapshot(runs, nruns, hist->counter, hist->table, &snap))
				drops += snap.dropped;
			hist_snapshot_clear(&snap);
		}
		counter_report_helper_drops(source, drops);
	}
}
