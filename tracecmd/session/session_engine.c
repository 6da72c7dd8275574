// SPDX-License-Identifier: GPL-2.0
/*
 * session_engine.c - the histograms of a session as a program of our own engine
 *
 * Triggers are added event by event, the hidden ones of an event first, as
 * source_attach() sets them: variables must be there before what refers to them.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tracecmd/base/command.h"
#include "tracecmd/base/message.h"
#include "tracecmd/session/session_engine.h"
#include "tracecmd/session/session_messages.h"

static const struct hist_synth *find_synth(const struct session *s, const char *name)
{
	unsigned int i;

	for (i = 0; i < s->scope.nsynths; i++) {
		if (!strcmp(name, hist_synth_name(s->scope.synths[i])))
			return s->scope.synths[i];
	}
	return NULL;
}

/* The event of a synthetic object, which no kernel has made. */
static int make_event(struct session *s, struct source *source)
{
	const struct hist_synth *synth = NULL;

	if (source->event)
		return 0;
	if (!strcmp(source->system, "synthetic"))
		synth = find_synth(s, source->name);
	if (synth)
		return hist_synth_event(&source->event, synth) ? complain_memory() : 0;
	complain("%s: there is no such event in the recording", source->full_name);
	return -ENOENT;
}

static int add(struct hist_engine *engine, const struct source *source, struct source_hist *h)
{
	const char *text = hist_expr_text(h->expr);
	struct hist_error error;

	h->counter = hist_engine_add(engine, source->event, h->expr, &error);
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

static int add_source(struct hist_engine *engine, struct session *s, struct source *source)
{
	unsigned int h;
	int ret;

	ret = make_event(s, source);
	for (h = 0; !ret && h < source->nhelpers; h++)
		ret = add(engine, source, &source->helpers[h]);
	for (h = 0; !ret && h < source->nhists; h++)
		ret = add(engine, source, &source->hists[h]);
	for (h = 0; !ret && h < source->nswitches; h++)
		ret = add_switch(engine, source, source->switches[h]);
	return ret;
}

int compile_session(struct hist_engine **engine, struct session *s,
		    const struct hist_engine_machine *machine)
{
	unsigned int i;
	int ret = 0;

	if (hist_engine_new(engine, machine))
		return complain_memory();
	for (i = 0; !ret && i < s->nobjects; i++) {
		const struct hist_synth *synth = find_synth(s, s->objects[i].name);

		if (synth && s->objects[i].plan->kind == PLAN_SYNTHETIC)
			ret = hist_engine_add_synth(*engine, synth);
	}
	if (ret)
		return complain_errno("synthetic events", ret);
	for (i = 0; !ret && i < s->nsources; i++)
		ret = add_source(*engine, s, &s->sources[i]);
	return ret;
}

int compile_snapshot_source(struct source *source, struct hist_run *const *runs, unsigned int nruns)
{
	unsigned int h;
	int ret = 0;

	for (h = 0; !ret && h < source->nhists; h++) {
		struct source_hist *hist = &source->hists[h];

		ret = hist_runs_snapshot(runs, nruns, hist->counter, hist->table, &hist->snap);
	}
	return ret;
}

void compile_tell_helper_drops(const struct session *s, struct hist_run *const *runs,
			       unsigned int nruns)
{
	struct hist_snapshot snap = { 0 };
	unsigned int e, h;

	for (e = 0; e < s->nsources; e++) {
		const struct source *source = &s->sources[e];
		uint64_t drops = 0;

		for (h = 0; h < source->nhelpers; h++) {
			const struct source_hist *hist = &source->helpers[h];

			if (!hist_runs_snapshot(runs, nruns, hist->counter, hist->table, &snap))
				drops += snap.dropped;
			hist_snapshot_clear(&snap);
		}
		session_tell_helper_dropped(source, drops);
	}
}
