// SPDX-License-Identifier: LGPL-2.1
/*
 * engine_absent.c - find the recorded events that a histogram needs and that did not occur
 *
 * A histogram of a synthetic event needs the events whose triggers generate it, and those whose
 * variables these triggers use.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/engine/run.h"

struct absent_search {
	const struct hist_engine *engine;
	struct hist_run *const *runs;
	unsigned int nruns;
	bool *done;  /* by number of the histogram */
	bool *found; /* by id of the event */
	unsigned int n;
};

static void absent_note_event(struct absent_search *s, const struct engine_event *on)
{
	unsigned int id = on->event->id, i;

	for (i = 0; i < s->nruns; i++) {
		if (s->runs[i]->seen[id])
			return;
	}
	s->n += !s->found[id];
	s->found[id] = true;
}

static bool absent_generates(const struct engine_histogram *hist, const struct engine_event *on)
{
	unsigned int i = 0;

	while (i < hist->nactions && hist->actions[i].synth != on)
		i++;
	return i < hist->nactions;
}

static void absent_visit_hist(struct absent_search *s, const struct engine_histogram *hist)
{
	const struct hist_engine *engine = s->engine;
	const struct engine_event *on = NULL;
	uint32_t i;

	if (s->done[hist->number])
		return;
	s->done[hist->number] = true;
	for (i = 0; i < engine->ntriggers && !on; i++)
		on = engine->triggers[i]->hist == hist ? engine->triggers[i]->on : NULL;
	if (on && !on->own)
		absent_note_event(s, on);
	for (i = 0; i < engine->nhists && on && on->own; i++) {
		if (absent_generates(engine->hists[i], on))
			absent_visit_hist(s, engine->hists[i]);
	}
	for (i = 0; i < hist->nrefs; i++)
		absent_visit_hist(s, hist->refs[i].of);
}

int hist_engine_count_absent(struct hist_run *const *runs, unsigned int n, unsigned int hist,
			     unsigned int *absent)
{
	const struct hist_engine *engine = n ? runs[0]->engine : NULL;
	struct absent_search s = { .engine = engine, .runs = runs, .nruns = n };
	int ret = -ENOMEM;

	if (!engine || hist >= engine->nnumbered || !engine->numbered[hist]->hist)
		return -EINVAL;
	s.done = calloc(engine->nhists + 1, sizeof(*s.done));
	s.found = calloc(engine->nids + 1, sizeof(*s.found));
	if (s.done && s.found) {
		absent_visit_hist(&s, engine->numbered[hist]->hist);
		*absent = s.n;
		ret = 0;
	}
	free(s.done);
	free(s.found);
	return ret;
}
