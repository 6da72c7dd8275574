/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * engine.h - evaluate hist triggers in user space, event by event
 *
 * An engine is compiled code: events with their triggers, as loads, comparisons and sums.  It does
 * not change after the first run starts.  A run has the counts: one map for each histogram, with
 * the size and the drop rule of the kernel's tracing map.
 *
 * If no trigger depends on the order of events (hist_engine_is_ordered() is false), several runs
 * may count parts of the events in threads, and one snapshot adds up all runs.  A map must then
 * not overflow, because the order of events determines which keys are dropped.
 * hist_engine_snapshot() then returns -EOVERFLOW, and the caller must count all events again in
 * one run, in order.
 *
 * Sources: event_hist_trigger() in kernel/trace/trace_events_hist.c, followed step by step;
 * kernel/trace/tracing_map.c.
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
 * Facts about the machine that are not in the events.  Functions may be NULL if names are not
 * available.  Their results are valid until the next call.  The engine calls them while it makes
 * snapshots.  It calls them while it counts events only if events must come in order, in one run.
 */
struct hist_engine_machine {
	struct hist_ring_page_layout layout;
	unsigned int cpus; /* nr_cpu_ids: the limit of CPUS{}; 0: unknown */
	bool clock_is_ns; /* event times are ns; otherwise .usecs has no effect, as in the kernel */
	/* same as hist_events_symbol() */
	int (*symbol)(void *data, uint64_t address, struct hist_symbol *symbol);
	const char *(*comm)(void *data, uint32_t pid);
	void *data;
	/*
	 * "Linux HOST RELEASE MACHINE".  It determines the system call names of .syscall and the
	 * number of stack frames to skip (stack_wait.c).  NULL: unknown.
	 */
	const char *uname;
	/*
	 * The format of ftrace:kernel_stack if a kernel_stack event follows each event (trace
	 * option "stacktrace").  NULL, or a text that is not a format: the events have no stacks.
	 */
	const char *stack_format;
	size_t stack_format_len;
	/*
	 * The id of the @i-th synthetic event that was recorded, or -1 after the last.  The kernel
	 * records it while it counts an event: between the event and its stack.  NULL: none was.
	 */
	int (*synthetic_id)(void *data, unsigned int i);
};

struct hist_engine;

/* The texts of @machine are needed only during the call.  -ENOMEM: *@engine is unchanged. */
int hist_engine_new(struct hist_engine **engine, const struct hist_engine_machine *machine);
void hist_engine_free(struct hist_engine *engine);

/*
 * hist_engine_add_synth - add a synthetic event that trace() can generate
 * @synth must outlive the engine.  The engine now ignores recorded events of that name.
 * -EEXIST: the event was added before or already has triggers; -ENOMEM.
 */
int hist_engine_add_synth(struct hist_engine *engine, const struct hist_synth *synth);

/*
 * hist_engine_add - add a trigger on @event after the existing ones; returns its number 0, 1, ...
 * The engine checks @expr (hist_check_typed()) with the previous triggers as context.
 * @event: from a format file (with offsets and an id), or from hist_synth_make_event() for an added
 * synthetic event.  @expr and @event must outlive the engine.
 * -EOPNOTSUPP with *@error filled: the check refuses it, or recorded events do not have the data,
 * such as stack keys without kernel_stack events, snapshot(), or .ustring in a filter; -ENOMEM.
 * On failure the engine is unchanged.
 * clock= has no effect: times are those of the recording.  .execname and filters use the comm
 * that was saved for the task, because a recording lacks the comm at the time of the event.
 */
int hist_engine_add(struct hist_engine *engine, const struct hist_event *event,
		    const struct hist_expr *expr, struct hist_error *error);

/* Adds enable_hist or disable_hist on @event.  Errors of hist_engine_add(). */
int hist_engine_add_switch(struct hist_engine *engine, const struct hist_event *event,
			   const struct hist_switch *sw, struct hist_error *error);

/*
 * Gets a hit of a watched event.  @data is needed only during the call.  0, or -errno: ends the
 * count.
 */
typedef int (*hist_engine_take)(void *arg, unsigned int cpu, uint64_t time,
				const unsigned char *data, uint32_t len);

/*
 * hist_engine_watch - pass each event @event that matches the filter of @expr to @take
 * The rest of @expr has no effect.  @data of an added synthetic event has the byte order of the
 * host.
 * Events must then come in order.  @expr and @event must outlive the engine.  Errors of
 * hist_engine_add().
 */
int hist_engine_watch(struct hist_engine *engine, const struct hist_event *event,
		      const struct hist_expr *expr, hist_engine_take take, void *arg,
		      struct hist_error *error);

/* Counts only events of these tasks (common_pid), as set_event_pid does.  -ENOMEM. */
int hist_engine_set_pids(struct hist_engine *engine, const uint32_t *pids, size_t n);

/* Trigger @number counts in any task, also if the others count only some tasks. */
void hist_engine_set_anywhere(struct hist_engine *engine, unsigned int number);

/*
 * hist_engine_expect_unmatched - the pairs that never close are normal in histogram @hist
 * They are HIST_LOSS_USUAL_STARTS, HIST_LOSS_USUAL_ENDS in its snapshots; otherwise
 * HIST_LOSS_UNMATCHED_STARTS, HIST_LOSS_UNMATCHED_ENDS.
 */
void hist_engine_expect_unmatched(struct hist_engine *engine, unsigned int hist, bool starts,
				  bool ends);

/*
 * True if events must come in the order of their times, in one run: variables, actions, switches,
 * or filters that look up names.
 */
bool hist_engine_is_ordered(const struct hist_engine *engine);

/* True if a key or a variable is the stack at an event, which must follow the event. */
bool hist_engine_wants_stacks(const struct hist_engine *engine);

/* The schema of histogram @hist, as made by hist_schema_make(). */
const struct hist_schema *hist_engine_schema(const struct hist_engine *engine, unsigned int hist);

struct hist_run;

int hist_run_new(struct hist_run **run, const struct hist_engine *engine);
void hist_run_free(struct hist_run *run);

/*
 * hist_run_refuse_overflow - refuse a new key of a full map with -EOVERFLOW instead of dropping it,
 * for runs in parallel threads
 */
void hist_run_refuse_overflow(struct hist_run *run);

/* True if all maps are full and no trigger depends on the order of events. */
bool hist_run_is_full(const struct hist_run *run);

/*
 * hist_run_count_page - count the events of a page with @from <= time < @until (UINT64_MAX: no end)
 * 1: stopped before the first event at or after @until; 0: at the end of the page; -ENOMEM.
 * -EOVERFLOW: see hist_run_refuse_overflow().
 * An event that is shorter than its format is counted as damaged.
 */
int hist_run_count_page(struct hist_run *run, unsigned int cpu, struct hist_ring_page *page,
			uint64_t from,
			uint64_t until);

/*
 * hist_run_skip_events - skip the events of a page that have no triggers, with a time < @until
 * Stops before the first other event, and before an event that needs the general path.  The run
 * counts the skipped events.  True: an event was skipped, and page->time is the time of the last.
 */
bool hist_run_skip_events(struct hist_run *run, struct hist_ring_page *page, uint64_t until);

/* Which triggers count an event: all, or only those with or without hist_engine_set_anywhere(). */
enum hist_run_scope {
	HIST_RUN_ALL,
	HIST_RUN_TASKS,
	HIST_RUN_ANYWHERE,
};

/*
 * hist_run_count_event - count one event, for callers that merge CPUs by time
 * Events of one CPU must come in their order.  A kernel_stack event belongs to the previous event
 * of its CPU.  If order matters, the kernel_stack must come before later events of other CPUs.
 * @data is needed only during the call.  0 or -ENOMEM.
 */
int hist_run_count_event(struct hist_run *run, unsigned int cpu, enum hist_run_scope scope,
			 uint64_t time, const unsigned char *data, uint32_t len);

/*
 * hist_run_end - end the events of @cpu
 * Events that still wait for their stack are counted by the triggers that need no stack.  Call
 * the function for each CPU at the end, and before a snapshot that must have all events so far.
 */
void hist_run_end(struct hist_run *run, unsigned int cpu);

struct hist_run_counts {
	uint64_t events;    /* seen, of any kind */
	uint64_t matched;   /* with a trigger, before filters */
	uint64_t damaged;   /* shorter than the fields in use; not counted in histograms */
	uint64_t no_stack;  /* hits of triggers with a stack key without a kernel_stack event */
};
void hist_run_get_counts(const struct hist_run *run, struct hist_run_counts *counts);

/*
 * hist_engine_count_dropped - the hits of histogram @hist for which its table had no room
 * Only of a run that saw all events: parts have tables of their own.
 */
uint64_t hist_engine_count_dropped(const struct hist_run *run, unsigned int hist);

/*
 * hist_engine_count_absent - count the recorded events that histogram @hist needs and no run has
 * seen A latency needs START and END.  0, or -EINVAL or -ENOMEM, as for hist_engine_snapshot().
 */
int hist_engine_count_absent(struct hist_run *const *runs, unsigned int n, unsigned int hist,
			     unsigned int *absent);

/*
 * hist_engine_snapshot - make a snapshot of histogram @hist from the counts of all @runs
 * Adds entries to @table, which must have the schema above and be used only with these runs.
 * Fills hits, entries, dropped, nentries and values of @snap.  The result is the same as if
 * lib/histfile/hist_text*.c had read the output of a kernel.  If trace() of another trigger
 * generates the event of @hist, as in a latency, the losses of @snap tell how many hits of that
 * trigger had no variable of another histogram (ENDs without START), and how many variables it
 * did not read (STARTs without END).  No run may count during the call.
 * -EOVERFLOW: see the file head; -EINVAL: no runs, or @hist does not exist; -ENOMEM.
 */
int hist_engine_snapshot(struct hist_run *const *runs, unsigned int n, unsigned int hist,
			 struct hist_table *table, struct hist_snapshot *snap);

#endif
