// SPDX-License-Identifier: LGPL-2.1
/*
 * engine.c - add events, triggers and histograms to an engine
 *
 * Invariant: the triggers of an event are in the order in which they were set.  The histogram of
 * a trigger was created before the trigger, so references only point to earlier histograms.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/check/typed.h"
#include "lib/engine/filter_eval.h"
#include "lib/engine/run.h"
#include "lib/expr/expr_parts.h"

/* 2 if the kernel unwinds by ORC; the head of run.c says why. */
static unsigned int engine_stack_skip(const char *uname)
{
	const char *machine = uname ? strrchr(uname, ' ') : NULL;

	return machine && !strcmp(machine, " x86_64") ? 2 : 1;
}

/* Which recorded events come between an event and its stack. */
static int engine_read_synthetic(struct hist_engine *engine,
				 const struct hist_engine_machine *machine)
{
	unsigned int i;
	int id;

	for (i = 0; machine->synthetic_id && (id = machine->synthetic_id(machine->data, i)) >= 0;
	     i++) {
		if (array_grow_zeroed(&engine->is_synthetic, &engine->nsynthetic, (size_t)id + 1,
				      sizeof(*engine->is_synthetic)))
			return -ENOMEM;
		engine->is_synthetic[id] = true;
	}
	return 0;
}

int hist_engine_new(struct hist_engine **result, const struct hist_engine_machine *machine)
{
	struct hist_engine *engine = calloc(1, sizeof(*engine));
	int ret;

	if (!engine)
		return -ENOMEM;
	engine->seed = hash_seed(engine);
	engine->machine = *machine;
	engine->machine.uname = engine->machine.stack_format = NULL;
	engine->stack_skip = engine_stack_skip(machine->uname);
	ret = hist_syscalls_new(&engine->syscalls, machine->uname, false);
	if (ret != -ENOMEM && machine->stack_format)
		ret = hist_event_parse(&engine->stack_event, "ftrace", machine->stack_format,
				       machine->stack_format_len);
	if (ret != -ENOMEM && engine->stack_event)
		ret = engine_read_synthetic(engine, machine);
	if (ret == -ENOMEM) {
		hist_engine_free(engine);
		return ret;
	}
	*result = engine;
	return 0;
}

static void trigger_free(struct trigger *t)
{
	if (!t)
		return;
	filter_eval_free(t->filter);
	free(t->system);
	free(t->name);
	hist_expr_free(t->hidden);
	free(t);
}

void hist_engine_free(struct hist_engine *engine)
{
	uint32_t i;

	if (!engine)
		return;
	for (i = 0; i < engine->nhists; i++)
		engine_histogram_free(engine->hists[i]);
	for (i = 0; i < engine->ntriggers; i++)
		trigger_free(engine->triggers[i]);
	for (i = 0; i < engine->nevents; i++) {
		hist_event_free(engine->events[i]->own);
		free(engine->events[i]->triggers);
		free(engine->events[i]);
	}
	free(engine->hists);
	free(engine->triggers);
	free(engine->events);
	free(engine->numbered);
	free(engine->known);
	free(engine->synths);
	free(engine->by_id);
	free(engine->pids);
	hist_syscalls_free(engine->syscalls);
	hist_event_free(engine->stack_event);
	free(engine->is_synthetic);
	free(engine);
}

struct engine_event *engine_find_event(const struct hist_engine *engine, const char *system,
				       const char *name)
{
	uint32_t i;

	for (i = 0; i < engine->nevents; i++)
		if (hist_event_is(engine->events[i]->event, system, name))
			return engine->events[i];
	return NULL;
}

/*
 * Which task besides the current one set_event_pid looks at: the next one of sched_switch, and
 * those that are woken (event_filter_pid_sched_*_probe_pre() in trace_events.c).
 */
static int32_t other_pid(const struct hist_event *event)
{
	const struct hist_event_field *field = NULL;

	if (strcmp(event->system, "sched"))
		return -1;
	if (!strcmp(event->name, "sched_switch"))
		field = hist_event_find(event, "next_pid");
	else if (!strcmp(event->name, "sched_wakeup") ||
		 !strcmp(event->name, "sched_wakeup_new") ||
		 !strcmp(event->name, "sched_waking"))
		field = hist_event_find(event, "pid");
	return field && field->size == 4 ? (int32_t)field->offset : -1;
}

static struct engine_event *engine_add_event(struct hist_engine *engine,
					     const struct hist_event *event)
{
	struct engine_event *e;
	uint32_t i;

	if (array_grow(&engine->events, &engine->events_room, engine->nevents + 1,
		       sizeof(*engine->events)))
		return NULL;
	e = calloc(1, sizeof(*e));
	if (!e)
		return NULL;
	e->event = event;
	e->size = 8; /* common_type to common_pid */
	e->other_pid = other_pid(event);
	if (e->other_pid >= 0)
		e->size = e->other_pid + 4;
	engine->events[engine->nevents++] = e;
	for (i = 0; i < engine->ntriggers; i++) {
		struct trigger *t = engine->triggers[i];

		if (!t->hist && hist_event_is(event, t->system, t->name))
			t->switched = e;
	}
	return e;
}

/* The engine's event for @event; NULL if out of memory. */
static struct engine_event *engine_get_event(struct hist_engine *engine,
					     const struct hist_event *event)
{
	struct engine_event *e =
		engine_find_event(engine, event->system, event->name);

	return e ? e : engine_add_event(engine, event);
}

int hist_engine_add_synth(struct hist_engine *engine, const struct hist_synth *synth)
{
	struct engine_event *e;
	struct hist_event *own;
	unsigned int i;
	int ret;

	ret = array_add(&engine->synths, engine->nsynths, sizeof(*engine->synths));
	if (!ret)
		ret = hist_synth_make_event(&own, synth);
	if (ret)
		return ret;
	if (engine_find_event(engine, own->system, own->name)) {
		hist_event_free(own);
		return -EEXIST;
	}
	e = engine_add_event(engine, own);
	if (!e) {
		hist_event_free(own);
		return -ENOMEM;
	}
	e->own = own;
	e->nfields = synth->nfields;
	e->record_size = (hist_event_size(own) + 7) / 8 * 8;
	e->has_numbers = true;
	for (i = 0; i < e->nfields; i++)
		e->has_numbers &= !synth_has_bytes(hist_event_field(own, i));
	engine->synths[engine->nsynths++] = synth;
	return 0;
}

/* False: a variable is not a number of the event itself. */
static bool make_fast_variables(struct fast_path *way, const struct engine_histogram *hist)
{
	unsigned int i;

	if (hist->nvars > FAST_VARIABLES || hist->nvars != hist->ndefined)
		return false;
	for (i = 0; i < hist->nvars; i++) {
		const struct value *v = hist->vars[i].value;

		if (!v->is_quick && v->fn != VALUE_TIME && v->fn != VALUE_TIME_USECS &&
		    v->fn != VALUE_TIME_CUT)
			return false;
		way->vars[i] = (struct fast_variable){ v->fn, v->quick };
	}
	way->nvars = hist->nvars;
	return true;
}

/* The program for run_count_fast(); it must be made again after each change of the engine. */
static struct fast_path make_quick_way(const struct hist_engine *engine,
				       const struct engine_event *e)
{
	const struct trigger *t = e->ntriggers == 1 ? e->triggers[0] : NULL;
	struct fast_path way = { 0 }, none = { 0 };
	unsigned int i, n = 0;

	if (!t || !t->hist || !t->hist->is_numeric || t->hist->nrefs || t->hist->nactions ||
	    t->filter || t->paused || engine->has_switches || engine->pids || e->has_anywhere)
		return none;
	for (i = 0; i < t->hist->nkeys; i++) {
		if (!t->hist->keys[i].value->is_quick)
			return none;
		way.loads[n++] = t->hist->keys[i].value->quick;
	}
	for (i = 1; i < t->hist->nsums; i++) {
		if (!t->hist->sums[i]->is_quick)
			return none;
		way.loads[n++] = t->hist->sums[i]->quick;
	}
	if (!make_fast_variables(&way, t->hist))
		return none;
	way.nkeys = t->hist->nkeys;
	way.nsums = t->hist->nsums - 1;
	way.only_hits = !way.nsums && !way.nvars;
	way.map = t->hist->number;
	return way;
}

static void make_quick_ways(struct hist_engine *engine)
{
	struct engine_event *on;
	const struct trigger *t;
	uint32_t i;

	for (i = 0; i < engine->nevents; i++) {
		on = engine->events[i];
		t = on->ntriggers == 1 ? on->triggers[0] : NULL;
		on->has_one_numeric = t && t->hist && t->hist->is_numeric && !t->filter &&
				      !on->has_anywhere;
		on->quick = make_quick_way(engine, on);
	}
}

/* Adds a trigger to its event, after or before the others. */
static int engine_new_trigger(struct hist_engine *engine, struct trigger *t, bool first)
{
	struct engine_event *on = t->on;
	unsigned int id = on->event->id;

	if (array_grow(&engine->triggers, &engine->triggers_room, engine->ntriggers + 1,
		       sizeof(*engine->triggers)) ||
	    array_grow(&on->triggers, &on->room, on->ntriggers + 1, sizeof(*on->triggers)) ||
	    (!on->own &&
	     array_grow_zeroed(&engine->by_id, &engine->nids, (size_t)id + 1,
				sizeof(*engine->by_id))))
		return -ENOMEM;
	if (!on->own)
		engine->by_id[id] = on;
	t->number = engine->ntriggers;
	engine->triggers[engine->ntriggers++] = t;
	if (first)
		memmove(on->triggers + 1, on->triggers, on->ntriggers * sizeof(*on->triggers));
	on->triggers[first ? 0 : on->ntriggers] = t;
	on->ntriggers++;
	engine->is_ordered |= !t->hist;
	engine->has_switches |= !t->hist && !t->take;
	make_quick_ways(engine);
	return 0;
}

/* Removes the triggers from @first on, which are the last ones, and their histograms. */
static void remove_triggers(struct hist_engine *engine, uint32_t first, uint32_t nhists)
{
	struct trigger *t;

	while (engine->ntriggers > first) {
		t = engine->triggers[--engine->ntriggers];
		if (t->on->ntriggers && t->on->triggers[t->on->ntriggers - 1] == t)
			t->on->ntriggers--;
		if (!t->on->own && !t->on->ntriggers && t->on->event->id < engine->nids)
			engine->by_id[t->on->event->id] = NULL;
		trigger_free(t);
	}
	make_quick_ways(engine);
	while (engine->nhists > nhists)
		engine_histogram_free(engine->hists[--engine->nhists]);
}

static struct engine_histogram *engine_find_histogram(const struct hist_engine *engine,
						      const char *name)
{
	uint32_t i;

	for (i = 0; name && i < engine->nhists; i++)
		if (engine->hists[i]->expr->name && !strcmp(engine->hists[i]->expr->name, name))
			return engine->hists[i];
	return NULL;
}

static int make_histogram(struct hist_engine *engine, struct trigger *t,
			  const struct hist_typed_trigger *typed, struct hist_error *error)
{
	struct engine_histogram *hist;
	int ret;

	t->hist = engine_find_histogram(engine, t->expr->name);
	if (t->hist)
		return 0;
	ret = engine_histogram_new(&hist, engine, t->on, t->expr, typed, error);
	if (ret)
		return ret;
	/* engine_histogram_new() may have added hidden histograms */
	ret = array_grow(&engine->hists, &engine->hists_room, engine->nhists + 1,
			 sizeof(*engine->hists));
	if (ret) {
		engine_histogram_free(hist);
		return ret;
	}
	hist->number = engine->nhists;
	engine->hists[engine->nhists++] = hist;
	t->hist = hist;
	return 0;
}

static int make_filter(struct hist_engine *engine, struct trigger *t,
		       const struct hist_filter *tree, struct hist_error *error)
{
	bool uses_names;
	int ret;

	if (!tree)
		return 0;
	ret = filter_eval_new(&t->filter, tree, engine, t->on, &uses_names, error);
	engine->is_ordered |= uses_names;
	return ret;
}

/*
 * The typed tree of @expr on @on; all triggers and synthetic events before it are known. They also
 * show what the fields of @on carry, if the engine generates @on.
 */
static int type_trigger(struct hist_typed_trigger **typed, const struct hist_engine *engine,
			const struct engine_event *on, const struct hist_expr *expr,
			struct hist_error *error)
{
	const struct hist_check_context context = {
		.triggers = engine->known,
		.ntriggers = engine->nnumbered,
		.all_triggers = true,
		.synths = engine->synths,
		.nsynths = engine->nsynths,
		.all_synths = true,
		.comm_is_field = true,
	};

	if (on->own)
		hist_check_find_origins(on->own, &context, engine->machine.clock_is_ns);
	return hist_check_typed(typed, expr, engine_event_format(on), &context, error);
}

int engine_add(struct hist_engine *engine, struct engine_event *on, const struct hist_expr *expr,
	       struct hist_expr *hidden, struct hist_error *error)
{
	struct hist_typed_trigger *typed = NULL;
	struct trigger *t = calloc(1, sizeof(*t));
	int ret;

	if (!t) {
		hist_expr_free(hidden);
		return -ENOMEM;
	}
	t->on = on;
	t->expr = expr;
	t->hidden = hidden;
	t->paused = expr->paused;
	ret = type_trigger(&typed, engine, on, expr, error);
	if (!ret)
		ret = make_filter(engine, t, expr->filter_tree, error);
	/* this may add hidden triggers, which come before this one */
	if (!ret)
		ret = make_histogram(engine, t, typed, error);
	if (!ret)
		ret = engine_new_trigger(engine, t, false);
	hist_check_typed_free(typed);
	if (ret) {
		trigger_free(t);
		return ret;
	}
	on->wants_stack |= t->hist->wants_stack;
	if (on->size < t->hist->extent)
		on->size = t->hist->extent;
	engine->wants_stacks |= on->wants_stack;
	engine->is_ordered |= t->hist->is_ordered;
	return 0;
}

/* The public functions return -EOPNOTSUPP with an error in the text. */
static int engine_refuse_trigger(int ret)
{
	return ret == -EINVAL ? -EOPNOTSUPP : ret;
}

int hist_engine_add(struct hist_engine *engine, const struct hist_event *event,
		    const struct hist_expr *expr, struct hist_error *error)
{
	uint32_t n = engine->nnumbered, ntriggers = engine->ntriggers, nhists = engine->nhists;
	struct engine_event *on = engine_get_event(engine, event);
	int ret;

	if (expr->continued || expr->cleared)
		return engine_refuse_trigger(hist_expr_error_refuse(
			error, expr->changes_span, "",
			"\"continue\" and \"clear\" need an existing trigger"));
	if (!on || array_add(&engine->numbered, n, sizeof(*engine->numbered)) ||
	    array_add(&engine->known, n, sizeof(*engine->known)))
		return -ENOMEM;
	ret = engine_add(engine, on, expr, NULL, error);
	if (ret) {
		remove_triggers(engine, ntriggers, nhists);
		return engine_refuse_trigger(ret);
	}
	engine->numbered[n] = engine->triggers[engine->ntriggers - 1];
	engine->known[n] = (struct hist_check_trigger){ engine_event_format(on), expr };
	return engine->nnumbered++;
}

int hist_engine_add_switch(struct hist_engine *engine, const struct hist_event *event,
			   const struct hist_switch *sw, struct hist_error *error)
{
	struct engine_event *on = engine_get_event(engine, event);
	struct trigger *t = on ? calloc(1, sizeof(*t)) : NULL;
	int ret;

	if (!t)
		return -ENOMEM;
	t->on = on;
	t->system = strdup(sw->system);
	t->name = strdup(sw->event);
	t->enable = sw->enable;
	t->count = sw->is_spent ? 0 : sw->count ? sw->count : UINT64_MAX;
	t->switched = engine_find_event(engine, sw->system, sw->event);
	ret = t->system && t->name ?
		hist_check_switch_trigger(sw, engine_event_format(on), NULL, error) :
				     -ENOMEM;
	if (!ret)
		ret = make_filter(engine, t, sw->filter_tree, error);
	/* event_enable_register_trigger() adds it before the others */
	if (!ret)
		ret = engine_new_trigger(engine, t, true);
	if (ret)
		trigger_free(t);
	return engine_refuse_trigger(ret);
}

int hist_engine_watch(struct hist_engine *engine, const struct hist_event *event,
		      const struct hist_expr *expr, hist_engine_take take, void *arg,
		      struct hist_error *error)
{
	struct engine_event *on = engine_get_event(engine, event);
	struct trigger *t = on ? calloc(1, sizeof(*t)) : NULL;
	struct hist_typed_trigger *typed = NULL;
	int ret;

	if (!t)
		return -ENOMEM;
	t->on = on;
	t->take = take;
	t->arg = arg;
	ret = type_trigger(&typed, engine, on, expr, error);
	if (!ret)
		ret = make_filter(engine, t, expr->filter_tree, error);
	if (!ret)
		ret = engine_new_trigger(engine, t, false);
	if (ret)
		trigger_free(t);
	hist_check_typed_free(typed);
	return engine_refuse_trigger(ret);
}

int hist_engine_set_pids(struct hist_engine *engine, const uint32_t *pids, size_t n)
{
	uint32_t *copy = malloc((n ? n : 1) * sizeof(*copy));

	if (!copy)
		return -ENOMEM;
	memcpy(copy, pids, n * sizeof(*copy));
	qsort(copy, n, sizeof(*copy), engine_compare_pids);
	free(engine->pids);
	engine->pids = copy;
	engine->npids = n;
	make_quick_ways(engine);
	return 0;
}

void hist_engine_set_anywhere(struct hist_engine *engine, unsigned int number)
{
	struct trigger *t = engine->numbered[number];

	t->anywhere = t->on->has_anywhere = true;
	make_quick_ways(engine);
}

void hist_engine_expect_unmatched(struct hist_engine *engine, unsigned int hist, bool starts,
				  bool ends)
{
	engine->numbered[hist]->usual_starts = starts;
	engine->numbered[hist]->usual_ends = ends;
}

bool hist_engine_is_ordered(const struct hist_engine *engine)
{
	return engine->is_ordered;
}

bool hist_engine_wants_stacks(const struct hist_engine *engine)
{
	return engine->wants_stacks;
}

const struct hist_schema *hist_engine_schema(const struct hist_engine *engine, unsigned int hist)
{
	return hist < engine->nnumbered ? engine->numbered[hist]->hist->schema : NULL;
}
