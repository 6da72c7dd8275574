// SPDX-License-Identifier: LGPL-2.1
/*
 * stack_wait.c - hold events until the stack that is recorded after them
 *
 * With the trace option "stacktrace", a kernel_stack of the same CPU and context follows each
 * event.  Its common_flags, common_preempt_count and common_pid equal those of the event, because
 * __ftrace_trace_stack() gets them from the event.  An interrupt may add its own events between
 * the two.  Waiting events therefore form a stack (LIFO).  A kernel_stack belongs to the topmost
 * waiting event of its context.  A later event that is not from an interrupt shows that the stack
 * of a waiting event is missing, unless it is a synthetic event: a trigger records that while it
 * counts the waiting event, and the stack of the synthetic event follows it.  Events of
 * HIST_RUN_ANYWHERE are in another ring buffer of the CPU, with their stacks, so they have a queue
 * of their own.
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
#include "lib/engine/run.h"

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
				 sizeof(*run->waiting)) ? NULL : &run->waiting[queue];
}

static int let_go(struct hist_run *run, const struct stack_wait_event *w, unsigned int queue,
		  const uint64_t *stack, unsigned int nstack)
{
	struct hit hit = run_hit(run, queue / 2, w->time, (const unsigned char *)w->data.data,
				 w->data.len);

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
	return let_go(run, &q->event[--q->n], queue, NULL, 0);
}

int stack_wait_add(struct hist_run *run, const struct engine_event *on, const struct hit *hit)
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

int stack_wait_check(struct hist_run *run, unsigned int type, const struct hit *hit)
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
		ret = let_go(run, &q->event[q->n], hit->queue, stack + skip, n - skip);
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
