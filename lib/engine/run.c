// SPDX-License-Identifier: LGPL-2.1
/*
 * run.c - pass the events of pages to their triggers
 *
 * The common cases are fast.  An event without triggers costs one table lookup by its common_type.
 * An event whose only trigger has number keys and sums is counted in this file.
 * trigger_hit.c handles all other events.
 *
 * An event whose stack is recorded after it waits for this stack.  With the trace option
 * "stacktrace", a kernel_stack of the same CPU and context follows each event.  Its common_flags,
 * common_preempt_count and common_pid equal those of the event, because __ftrace_trace_stack() gets
 * them from the event.  An interrupt may add its own events between the two.  Waiting events
 * therefore form a stack (LIFO).  A kernel_stack belongs to the topmost waiting event of its
 * context.  A later event that is not from an interrupt shows that the stack of a waiting event is
 * missing, unless it is a synthetic event: a trigger records that while it counts the waiting
 * event, and the stack of the synthetic event follows it.  Events of HIST_RUN_ANYWHERE are in
 * another ring buffer of the CPU, with their stacks, so they have a queue of their own.
 *
 * The kernel records both kinds of stack below trace_event_buffer_commit().  A hist trigger skips
 * event_hist_trigger(), event_triggers_call(), trace_event_buffer_commit(), and two more
 * (HIST_STACKTRACE_SKIP 5).  A kernel_stack skips __ftrace_trace_stack(),
 * trace_buffer_unlock_commit_regs(), and trace_event_buffer_commit() (STACK_SKIP 3), and one more
 * if the unwinder is not ORC.  A kernel_stack thus has two more addresses with ORC, otherwise one:
 * mostly trace_event_raw_event_NAME() and its caller.  Measured on 6.1 and 6.12, x86_64.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/engine/filter_eval.h"
#include "lib/engine/map.h"
#include "lib/engine/run.h"
#include "lib/engine/value.h"

int hist_run_new(struct hist_run **result, const struct hist_engine *engine)
{
	struct hist_run *run = calloc(1, sizeof(*run));
	uint32_t i;

	if (!run)
		return -ENOMEM;
	run->engine = engine;
	run->maps = calloc(engine->nhists + 1, sizeof(*run->maps));
	run->paused = calloc(engine->ntriggers + 1, sizeof(*run->paused));
	run->left = calloc(engine->ntriggers + 1, sizeof(*run->left));
	run->seen = calloc(engine->nids + 1, sizeof(*run->seen));
	run->unresolved = calloc(engine->nhists + 1, sizeof(*run->unresolved));
	if (!run->maps || !run->paused || !run->left || !run->seen || !run->unresolved) {
		hist_run_free(run);
		return -ENOMEM;
	}
	for (i = 0; i < engine->nhists; i++)
		map_init(&run->maps[i], &engine->hists[i]->shape, engine->seed);
	for (i = 0; i < engine->ntriggers; i++) {
		run->paused[i] = engine->triggers[i]->paused;
		run->left[i] = engine->triggers[i]->count;
	}
	*result = run;
	return 0;
}

void hist_run_free(struct hist_run *run)
{
	uint32_t i, j;

	if (!run)
		return;
	for (i = 0; run->maps && i < run->engine->nhists; i++)
		map_clear(&run->maps[i]);
	for (i = 0; i < run->nwaiting; i++)
		for (j = 0; j < STACK_WAIT_MAX; j++)
			hist_strbuf_free(&run->waiting[i].event[j].data);
	for (i = 0; i < ENGINE_NESTING; i++)
		hist_strbuf_free(&run->records[i]);
	free(run->waiting);
	free(run->maps);
	free(run->paused);
	free(run->left);
	free(run->seen);
	free(run->unresolved);
	free(run);
}

void hist_run_refuse_overflow(struct hist_run *run)
{
	uint32_t i;

	for (i = 0; i < run->engine->nhists; i++)
		run->maps[i].refuses = true;
	run->is_part = true;
}

bool hist_run_is_full(const struct hist_run *run)
{
	uint32_t i = 0;

	while (i < run->engine->nhists && run->maps[i].n == run->maps[i].max)
		i++;
	return i == run->engine->nhists && !hist_engine_is_ordered(run->engine);
}

void hist_run_get_counts(const struct hist_run *run, struct hist_run_counts *counts)
{
	*counts = run->counts;
}

/* --- events that wait for their stack --- */

/* More than the 16 addresses of a key, because the innermost are skipped. */
#define STACK_MAX 64

/* The interrupt level by common_flags: TRACE_FLAG_NMI, _HARDIRQ, _SOFTIRQ. */
static unsigned int stack_wait_interrupt_depth(unsigned char flags)
{
	return flags & 0x40 ? 3 : flags & 0x08 ? 2 : flags & 0x10 ? 1 : 0;
}

static struct stack_wait_queue *stack_wait_get_queue(struct hist_run *run, unsigned int queue)
{
	return array_grow_zeroed(&run->waiting, &run->nwaiting, (size_t)queue + 1,
				 sizeof(*run->waiting))
		       ? NULL
		       : &run->waiting[queue];
}

static int stack_wait_count_event(struct hist_run *run, const struct stack_wait_event *w,
				  unsigned int queue, const uint64_t *stack, unsigned int nstack)
{
	struct hit hit =
		run_hit(run, queue / 2, w->time, (const unsigned char *)w->data.data, w->data.len);

	if (!w->on)
		return 0;
	hit.scope = w->scope;
	hit.stack = stack;
	hit.nstack = nstack;
	return trigger_hit_event(run, w->on, &hit);
}

/* Count the topmost event without a stack; only stack keys and variables need one. */
static int stack_wait_drop_event(struct hist_run *run, struct stack_wait_queue *q,
				 unsigned int queue)
{
	return stack_wait_count_event(run, &q->event[--q->n], queue, NULL, 0);
}

/* Queue an event that waits for its stack.  0 or -ENOMEM. */
static __attribute__((noinline)) int
stack_wait_add(struct hist_run *run, const struct engine_event *on, const struct hit *hit)
{
	struct stack_wait_queue *q = stack_wait_get_queue(run, hit->queue);
	struct stack_wait_event *w;
	int ret = 0;

	if (!q)
		return -ENOMEM;
	if (q->n == STACK_WAIT_MAX)
		ret = stack_wait_drop_event(run, q, hit->queue);
	w = &q->event[q->n];
	w->on = on;
	w->time = hit->time;
	w->scope = hit->scope;
	w->data.len = 0;
	hist_strbuf_add(&w->data, (const char *)hit->data, hit->len);
	if (w->data.error)
		return w->data.error;
	q->n++;
	return ret;
}

/*
 * The addresses of a kernel_stack, innermost first; how many.  How many there are stands before
 * them; kernels before 5.2 have an end of all ones.
 */
static unsigned int stack_wait_read_addresses(const struct hist_run *run, const struct hit *hit,
					      uint64_t *stack)
{
	const struct hist_ring_page_layout *layout = &run->engine->machine.layout;
	const struct hist_event *event = run->engine->stack_event;
	const struct hist_event_field *caller = hist_event_find(event, "caller");
	const struct hist_event_field *count = hist_event_find(event, "size");
	unsigned int size = layout->long_size, at, n = 0, max = STACK_MAX;
	bool swap = layout->swap;

	if (count && count->size == 4 && hit->len >= count->offset + 4)
		max = load_u32(hit->data + count->offset, swap);
	max = max < STACK_MAX ? max : STACK_MAX;
	for (at = caller ? caller->offset : 8; n < max && at + size <= hit->len; at += size) {
		stack[n] =
			size == 8 ? load_u64(hit->data + at, swap) : load_u32(hit->data + at, swap);
		if (!stack[n] || stack[n] == (size == 8 ? UINT64_MAX : UINT32_MAX))
			break;
		n++;
	}
	return n;
}

/* Check if an event is such a stack, or shows that a stack is missing.  0 or -ENOMEM. */
static __attribute__((noinline)) int stack_wait_check(struct hist_run *run, unsigned int type,
						      const struct hit *hit)
{
	const struct hist_engine *engine = run->engine;
	struct stack_wait_queue *q = stack_wait_get_queue(run, hit->queue);
	uint64_t stack[STACK_MAX];
	unsigned int i, n, skip;
	int ret = 0;

	if (!q)
		return -ENOMEM;
	if (type < engine->nsynthetic && engine->is_synthetic[type])
		return q->n ? stack_wait_add(run, NULL, hit) : 0;
	if (type != engine->stack_event->id) {
		while (!ret && q->n &&
		       stack_wait_interrupt_depth(hit->data[2]) <=
			       stack_wait_interrupt_depth(q->event[q->n - 1].data.data[2]))
			ret = stack_wait_drop_event(run, q, hit->queue);
		return ret;
	}
	for (i = q->n; i > 0; i--)
		if (!memcmp(q->event[i - 1].data.data + 2, hit->data + 2, 6))
			break;
	if (!i)
		return 0;
	while (!ret && q->n > i)
		ret = stack_wait_drop_event(run, q, hit->queue);
	n = stack_wait_read_addresses(run, hit, stack);
	q->n--;
	skip = n < engine->stack_skip ? n : engine->stack_skip;
	if (!ret)
		ret = stack_wait_count_event(run, &q->event[q->n], hit->queue, stack + skip,
					     n - skip);
	return ret;
}

void hist_run_end(struct hist_run *run, unsigned int cpu)
{
	unsigned int i;

	for (i = 2 * cpu; i <= 2 * cpu + 1; i++) {
		while (i < run->nwaiting && run->waiting[i].n)
			stack_wait_drop_event(run, &run->waiting[i], i);
	}
}

/* --- count events --- */

static bool has_pid(const struct hist_engine *engine, uint32_t pid)
{
	return bsearch(&pid, engine->pids, engine->npids, sizeof(pid), engine_compare_pids);
}

static bool run_is_pid_counted(const struct hist_engine *engine, const struct engine_event *on,
			       const unsigned char *data, bool swap)
{
	return has_pid(engine, load_u32(data + 4, swap)) ||
	       (on->other_pid >= 0 && has_pid(engine, load_u32(data + on->other_pid, swap)));
}

/* Count a hit of a histogram with number keys and sums only. */
static inline int count_simple(struct hist_run *run, const struct engine_histogram *hist,
			       const struct hit *hit)
{
	struct map *map = &run->maps[hist->number];
	unsigned int i, n = hist->nkeys;
	uint64_t key[HIST_KEYS_MAX];
	struct map_element *elt;
	uint32_t hash;
	int ret;

	for (i = 0; i < n; i++)
		key[i] = value_number(hist->keys[i].value, hit, NULL);
	hash = map_hash(map->seed, key, n);
	elt = map_find_numbers(map, key, n, hash);
	if (!elt) {
		ret = map_add(map, key, n, hash, &elt);
		if (ret < 0)
			return ret == -ENOSPC ? 0 : ret;
	}
	elt->words[n]++;
	for (i = 1; i < hist->nsums; i++)
		elt->words[n + i] += value_number(hist->sums[i], hit, NULL);
	return 0;
}

/* Count an event that has triggers.  Inlined: an event of most files comes here. */
static inline __attribute__((always_inline)) int
count_event(struct hist_run *run, const struct engine_event *on, struct hit *hit)
{
	const struct hist_engine *engine = run->engine;
	const struct trigger *t = on->triggers[0];
	int ret;

	run->counts.matched++;
	if (__builtin_expect(hit->len < on->size, 0)) {
		run->counts.damaged++;
		return 0;
	}
	if (__builtin_expect(engine->pids != NULL, 0) &&
	    !run_is_pid_counted(engine, on, hit->data, hit->swap))
		hit->scope = HIST_RUN_ANYWHERE;
	if (__builtin_expect(hit->scope == HIST_RUN_ANYWHERE && !on->has_anywhere, 0))
		return 0;
	if (on->wants_stack)
		return stack_wait_add(run, on, hit);
	if (on->ntriggers > 1 || !t->hist || !t->hist->is_plain || on->has_anywhere)
		return trigger_hit_event(run, on, hit);
	if (run->paused[t->number])
		return 0;
	if (t->filter && (!filter_eval_match(t->filter, &engine->machine, hit) || hit->damaged)) {
		run->counts.damaged += hit->damaged;
		return 0;
	}
	if (t->hist->is_simple)
		return count_simple(run, t->hist, hit);
	ret = trigger_count_plain(run, t->hist, hit);
	run->counts.damaged += hit->damaged;
	return ret;
}

static inline unsigned int event_type(const unsigned char *data, bool swap)
{
	uint16_t type;

	memcpy(&type, data, sizeof(type));
	return swap ? __builtin_bswap16(type) : type;
}

static inline __attribute__((always_inline)) int
run_check_event(struct hist_run *run, unsigned int type, struct hit *hit)
{
	const struct hist_engine *engine = run->engine;
	int ret = 0;

	if (engine->wants_stacks && hit->len >= 8)
		ret = stack_wait_check(run, type, hit);
	if (ret || type >= engine->nids || !engine->by_id[type] || !engine->by_id[type]->ntriggers)
		return ret;
	run->seen[type] = true;
	return count_event(run, engine->by_id[type], hit);
}

/* Count an event that the fast path cannot count. */
static __attribute__((noinline)) int page_event(struct hist_run *run, unsigned int cpu,
						uint64_t time, unsigned int type,
						const unsigned char *data, uint32_t len)
{
	struct hit hit = run_hit(run, cpu, time, data, len);

	return run_check_event(run, type, &hit);
}

int hist_run_count_event(struct hist_run *run, unsigned int cpu, enum hist_run_scope scope,
			 uint64_t time, const unsigned char *data, uint32_t len)
{
	struct hit hit = run_hit(run, cpu, time, data, len);

	run->counts.events++;
	if (len < 2) {
		run->counts.damaged++;
		return 0;
	}
	hit.scope = scope;
	hit.queue += scope == HIST_RUN_ANYWHERE;
	return run_check_event(run, event_type(data, hit.swap), &hit);
}

bool hist_run_skip_events(struct hist_run *run, struct hist_ring_page *page, uint64_t until)
{
	const struct hist_engine *engine = run->engine;
	const unsigned char *at = page->at, *const end = page->end, *next;
	uint64_t time = page->time, events = 0;
	uint32_t head, size;
	uint16_t type;

	/* each event ends the wait for a stack */
	if (page->big_endian || engine->machine.layout.swap || engine->wants_stacks || time >> 62)
		return false;
	while (at != end) {
		memcpy(&head, at, sizeof(head));
		size = (head & 31) * 4;
		next = at + 4 + size;
		if (size - 4 >= 28 * 4 || next > end || time + (head >> 5) >= until)
			break;
		memcpy(&type, at + 4, sizeof(type));
		if (type < engine->nids && engine->by_id[type] && engine->by_id[type]->ntriggers)
			break;
		at = next;
		time += head >> 5;
		events++;
	}
	page->at = at;
	page->time = time;
	run->counts.events += events;
	return events;
}

/* Set the variables of an element, which follow its @words words of keys and sums. */
static inline void run_set_fast_variables(const struct fast_path *way, struct map_element *elt,
					  unsigned int words, uint64_t time,
					  const unsigned char *data)
{
	uint64_t *vars = elt->words + words;
	unsigned int i;

	for (i = 0; i < way->nvars; i++) {
		const struct fast_variable *v = &way->vars[i];

		vars[i] = v->fn == VALUE_TIME_CUT ? value_time_cut(time) :
			  v->fn == VALUE_TIME_USECS ? value_time_usecs(time) :
			  v->fn == VALUE_TIME ? time : fast_load(&v->load, data);
	}
	vars[i] |= (UINT64_C(1) << i) - 1;
}

/* Count a hit by quick loads; @n, the number of keys, is constant.  False: not counted. */
static inline __attribute__((always_inline)) bool
run_count_fast_inline(struct hist_run *run, const struct fast_path *way, uint64_t time,
		      const unsigned char *data, unsigned int n)
{
	const struct map *map = &run->maps[way->map];
	uint64_t key[HIST_KEYS_MAX];
	struct map_element *elt;
	unsigned int i;

	for (i = 0; i < n; i++)
		key[i] = fast_load(&way->loads[i], data);
	elt = map_find_numbers(map, key, n, map_hash(map->seed, key, n));
	if (__builtin_expect(!elt, 0))
		return false;
	elt->words[n]++;
	if (__builtin_expect(way->only_hits, 1))
		return true;
	for (i = 0; i < way->nsums; i++)
		elt->words[n + 1 + i] += fast_load(&way->loads[n + i], data);
	if (way->nvars)
		run_set_fast_variables(way, elt, n + 1 + i, time, data);
	return true;
}

static inline bool run_count_fast(struct hist_run *run, const struct fast_path *way,
				  uint64_t time, const unsigned char *data)
{
	switch (way->nkeys) {
	case 1:
		return run_count_fast_inline(run, way, time, data, 1);
	case 2:
		return run_count_fast_inline(run, way, time, data, 2);
	case 3:
		return run_count_fast_inline(run, way, time, data, 3);
	default:
		return false;
	}
}

/* Maps with more elements do not stay in the caches of a CPU. */
#define FAR_ELEMENTS 4096
#define AHEAD_MAX 256
/* Number of calls of hist_run_count_page() between two checks of all maps. */
#define FAR_CALLS 64

/*
 * Prefetches the elements of the events before @until.  A lookup in a large map needs two dependent
 * memory reads, a slot and its element.  The prefetch lets the reads of many events overlap.
 * It changes no state, and may stop at an uncommon event.
 */
static void run_prefetch_elements(const struct hist_run *run, const struct hist_ring_page *page,
				  uint64_t until)
{
	struct engine_event *const *by_id = run->engine->by_id;
	const unsigned char *at = page->at, *data;
	struct map_element *const *slots[AHEAD_MAX], *const *slot, *elt;
	uint64_t key[HIST_KEYS_MAX];
	const struct fast_path *way;
	const struct map *map;
	uint64_t time = page->time;
	unsigned int n = 0, i;
	uint32_t head, size;
	uint16_t type;

	for (; at != page->end && n < AHEAD_MAX; at = data + size) {
		memcpy(&head, at, sizeof(head));
		size = (head & 31) * 4;
		data = at + 4;
		time += head >> 5;
		if (size - 4 >= 28 * 4 || data + size > page->end || time >= until)
			break;
		memcpy(&type, data, sizeof(type));
		if (type >= run->engine->nids || !by_id[type] || size < by_id[type]->size)
			continue;
		way = &by_id[type]->quick;
		map = &run->maps[way->map];
		if (!way->nkeys || map->n < FAR_ELEMENTS)
			continue;
		for (i = 0; i < way->nkeys; i++)
			key[i] = fast_load(&way->loads[i], data);
		slots[n] = &map->slots[map_hash(map->seed, key, way->nkeys) & map->mask];
		__builtin_prefetch(slots[n++]);
	}
	/* all elements that a search may pass; the part that it reads may be in two cache lines */
	for (i = 0; i < n; i++) {
		for (slot = slots[i]; (elt = *slot); slot++) {
			__builtin_prefetch(elt->words);
			__builtin_prefetch(elt->words + 2);
		}
	}
}

static bool has_large_map(const struct hist_run *run)
{
	uint32_t i = 0;

	while (i < run->engine->nhists && run->maps[i].n < FAR_ELEMENTS)
		i++;
	return i < run->engine->nhists;
}

/*
 * Walks pages in host byte order if no event waits for its stack.  It repeats the common case of
 * hist_ring_page_next(), so that the state stays in registers.
 * 1: stopped before an event that needs the general path; otherwise same as hist_run_count_page().
 */
static int run_page_fast(struct hist_run *run, unsigned int cpu, struct hist_ring_page *page,
			 uint64_t from,
			 uint64_t until)
{
	struct engine_event *const *by_id = run->engine->by_id;
	const unsigned char *at = page->at, *const end = page->end, *data, *next;
	uint64_t time = page->time, now, events = 0, matched = 0;
	const uint32_t nids = run->engine->nids;
	const struct engine_event *on;
	uint32_t head, size;
	uint16_t type;
	int ret = 1;

	/* the times of a page only grow, by less than 2^62 */
	if (time < from || time >> 62)
		return 1;
	while (at != end) {
		memcpy(&head, at, sizeof(head));
		size = (head & 31) * 4;
		now = time + (head >> 5);
		data = at + 4;
		next = data + size;
		if (__builtin_expect(size - 4 >= 28 * 4 || next > end || now >= until, 0))
			break;
		at = next;
		time = now;
		events++;
		memcpy(&type, data, sizeof(type));
		if (type >= nids || !(on = by_id[type]))
			continue;
		if (__builtin_expect(size >= on->size && run_count_fast(run, &on->quick, now, data),
				     1)) {
			matched++;
			continue;
		}
		ret = page_event(run, cpu, now, type, data, size);
		if (ret)
			break;
		ret = 1;
	}
	page->at = at;
	page->time = time;
	run->counts.events += events;
	run->counts.matched += matched;
	return ret;
}

int hist_run_count_page(struct hist_run *run, unsigned int cpu, struct hist_ring_page *page,
			uint64_t from,
			uint64_t until)
{
	const bool swap = run->engine->machine.layout.swap;
	bool quick = !page->big_endian && !swap && !run->engine->wants_stacks && from <= until;
	const unsigned char *at, *data;
	uint64_t time;
	uint32_t len;
	int ret;

	if (!run->is_far && !(++run->calls % FAR_CALLS))
		run->is_far = has_large_map(run);
	if (quick && run->is_far)
		run_prefetch_elements(run, page, until);
	for (;;) {
		if (quick) {
			ret = run_page_fast(run, cpu, page, from, until);
			if (ret < 0)
				return ret;
		}
		at = page->at;
		time = page->time;
		if (!hist_ring_page_next(page, &data, &len))
			return 0;
		if (page->time >= until && until != UINT64_MAX) {
			page->at = at;
			page->time = time;
			return 1;
		}
		if (page->time < from)
			continue;
		run->counts.events++;
		ret = page_event(run, cpu, page->time, event_type(data, swap), data, len);
		if (ret)
			return ret;
	}
}
