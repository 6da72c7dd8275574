/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * engine.h - hist triggers without a kernel: the same expressions over events that
 * are handed in one by one
 *
 * An engine is the program: events, their triggers compiled into loads, comparisons
 * and sums.  It does not change once it runs.  A run has the counts: for each histogram a map
 * as the kernel's tracing map (kernel/trace/tracing_map.c), with its size and its
 * way of counting what had no room.  What each hit does follows event_hist_trigger() in
 * kernel/trace/trace_events_hist.c, step by step.
 *
 * Where nothing depends on the order of events (hist_engine_is_ordered()), several runs may
 * count in threads of their own, each a part of the events; one snapshot is made of all
 * of them.  Then a map must not overflow, as which keys have room depends on the order:
 * hist_runs_snapshot() says -EOVERFLOW, and all is to be counted again in one run, in order.
 *
 * Functions return 0 or -errno unless they say otherwise.
 */
#ifndef LIB_ENGINE_ENGINE_H
#define LIB_ENGINE_ENGINE_H

#include "lib/event/event.h"
#include "lib/event/kallsyms.h"
#include "lib/expr/expr.h"
#include "lib/expr/switch_trigger.h"
#include "lib/expr/synth.h"
#include "lib/hist/table.h"
#include "lib/ringbuf/ring_page.h"

/*
 * What is not in the events themselves.  Functions may be NULL: then there are no names.  What
 * they return is valid until they are called again.  They are called while snapshots are made;
 * while events are counted only where those must come in order, in one run.
 */
struct hist_engine_machine {
	struct hist_page_layout layout;
	unsigned int cpus; /* nr_cpu_ids: what CPUS{} counts up to; 0: not known */
	bool clock_is_ns; /* of the events' times: else .usecs changes nothing, as in the kernel */
	/* as hist_events_symbol() */
	int (*symbol)(void *data, uint64_t address, struct hist_symbol *symbol);
	const char *(*comm)(void *data, uint32_t pid);
	void *data;
	/*
	 * "Linux HOST RELEASE MACHINE": the architecture, whose system calls .syscall names and
	 * whose stacks the engine cuts (stack_wait.c); NULL: not known.
	 */
	const char *uname;
	/*
	 * The text of ftrace:kernel_stack's format if a kernel_stack event follows each event (trace
	 * option "stacktrace"); NULL: the events have no stacks.  A text that is not a format
	 * counts as NULL.
	 */
	const char *stack_format;
	size_t stack_format_len;
};

struct hist_engine;

/* Texts of @machine are needed during the call only.  -ENOMEM: *@engine is untouched. */
int hist_engine_new(struct hist_engine **engine, const struct hist_engine_machine *machine);
void hist_engine_free(struct hist_engine *engine);

/*
 * hist_engine_add_synth - a synthetic event that trace() may fire
 * Nothing of @synth is kept.  From now on the event of that name is this one: such that
 * were recorded count for nothing.  -EEXIST, also where it has triggers already; -ENOMEM.
 */
int hist_engine_add_synth(struct hist_engine *engine, const struct hist_synth *synth);

/*
 * hist_engine_add - a trigger on @event, behind those that are there; returns its number,
 * 0, 1, ...
 * @expr has passed hist_expr_check_in() with those before it as context.  @event is of a format
 * file (it has offsets and an id), or of hist_synth_event() for one that was added.
 * Both must outlive the engine.
 * -EOPNOTSUPP with *@error filled: it cannot be had from recorded events, and why: stack
 * keys where there are no kernel_stack events, snapshot(), .ustring in a filter...; -ENOMEM.
 * Then nothing has changed.  clock= means nothing here: times are those that were recorded.
 * The comm of .execname and of filters is the one that was saved for the task, as the
 * one at the time of the event is not in the recording.
 */
int hist_engine_add(struct hist_engine *engine, const struct hist_event *event,
		    const struct hist_expr *expr, struct hist_error *error);

/* enable_hist or disable_hist on @event.  As hist_engine_add(). */
int hist_engine_add_switch(struct hist_engine *engine, const struct hist_event *event,
			   const struct hist_switch *sw, struct hist_error *error);

/* Count only events of these (common_pid), as set_event_pid does; -ENOMEM. */
int hist_engine_set_pids(struct hist_engine *engine, const uint32_t *pids, size_t n);

/*
 * Variables, actions, switches, filters that ask for names: events must come in the order of
 * their times, in one run.
 */
bool hist_engine_is_ordered(const struct hist_engine *engine);

/* How keys and values of histogram @hist look: as hist_schema_make() gives it. */
const struct hist_schema *hist_engine_schema(const struct hist_engine *engine, unsigned int hist);

struct hist_run;

int hist_run_new(struct hist_run **run, const struct hist_engine *engine);
void hist_run_free(struct hist_run *run);

/*
 * hist_run_unbounded - for parts of events counted side by side: a map that is full
 * grows on, until it has twice its size
 */
void hist_run_unbounded(struct hist_run *run);

/*
 * hist_run_page - all events of a page, up to but without those at or after @until
 * (UINT64_MAX: all) and leaving out those before @from
 * 1: stopped at @until, @page stands before that event; 0: at the end of the page.
 * -ENOMEM; an event that is shorter than its format says is counted as damaged.
 */
int hist_run_page(struct hist_run *run, unsigned int cpu, struct hist_page *page, uint64_t from,
		  uint64_t until);

/*
 * hist_run_event - one event; for who merges CPUs by time
 * Of one CPU in their order.  A kernel_stack belongs to the event before it on its CPU: where
 * order counts it is to be handed in next, before later events of other CPUs.  @data is
 * needed during the call only.  0 or -ENOMEM.
 */
int hist_run_event(struct hist_run *run, unsigned int cpu, uint64_t time,
		   const unsigned char *data, uint32_t len);

/*
 * hist_run_end - the last event of @cpu was that
 * What waits for its stack gets none, and is counted as far as that goes without.  Call it
 * for each CPU at the end, and before a snapshot that is to have all events so far.
 */
void hist_run_end(struct hist_run *run, unsigned int cpu);

struct hist_run_counts {
	uint64_t events;    /* seen, of any kind */
	uint64_t matched;   /* of an event with a trigger, before filters */
	uint64_t damaged;   /* too short for what was looked at; not counted further */
	uint64_t no_stack;  /* hits of triggers with a stack key that no kernel_stack followed */
};
void hist_run_counts(const struct hist_run *run, struct hist_run_counts *counts);

/*
 * hist_runs_snapshot - the counts of histogram @hist in all of @runs together
 * Adds entries to @table, made with the schema above and used with these runs only; fills
 * hits, entries, dropped, nentries and values of @snap.  All is as if lib/histfile/hist_text*.c
 * had read what a kernel prints.  No run may count meanwhile.  -EOVERFLOW: see above; -EINVAL:
 * no runs, or no such histogram; -ENOMEM.
 */
int hist_runs_snapshot(struct hist_run *const *runs, unsigned int n, unsigned int hist,
		       struct hist_table *table, struct hist_snapshot *snap);

#endif
