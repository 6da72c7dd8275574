// SPDX-License-Identifier: LGPL-2.1
/*
 * story_cpu.c - follow what one CPU does, event by event
 *
 * A task switch sets the current task.  An entry of an interrupt or a softirq is pushed on a stack,
 * and its exit removes it.  Each event has the current task (common_pid) and the kind of its
 * context (common_flags), which start the state at the first event, and after a gap.  They also
 * show that an event is missing although no loss was recorded, such as a task switch that a filter
 * left out: the time before such an event is unknown.
 *
 * An exit without an entry tells that the time since the event before it belongs to this interrupt.
 *
 * Invariant: @since never goes back, even if the times in a damaged file do.
 */
#include <errno.h>
#include <string.h>

#include "lib/story/story_cpu.h"

int story_cpu_open(struct story_cpu *c, const struct hist_events *events,
		   const struct story_formats *formats, unsigned int buffer, unsigned int number,
		   uint64_t from, bool cut)
{
	int ret;

	*c = (struct story_cpu){ .formats = formats, .fresh = true };
	ret = hist_events_pages_open(&c->pages, events, buffer, number);
	if (!ret && from)
		ret = hist_events_pages_seek(c->pages, from);
	if (ret == -EBADMSG)
		ret = 0;
	if (!ret)
		c->whole = !cut && !hist_events_pages_done(c->pages);
	return ret;
}

void story_cpu_close(struct story_cpu *c)
{
	hist_events_pages_free(c->pages);
	c->pages = NULL;
}

/* Go to the next page: 1, 0 at the end, or -errno. */
static int story_cpu_next_page(struct story_cpu *c)
{
	int ret;

	while ((ret = hist_events_pages_next(c->pages, &c->page)) == -EBADMSG)
		c->gap = true;
	if (ret == 1)
		c->gap |= c->page.lost != 0;
	c->has_page = ret == 1;
	c->ended = !ret;
	return ret;
}

int story_cpu_peek(struct story_cpu *c)
{
	const unsigned char *data;
	uint32_t len;
	int ret;

	while (!c->has_next) {
		if (c->ended)
			return 0;
		if (!c->has_page) {
			ret = story_cpu_next_page(c);
			if (ret <= 0)
				return ret;
		}
		if (!hist_ring_page_next(&c->page, &data, &len)) {
			c->gap |= c->page.damaged;
			c->has_page = false;
			continue;
		}
		c->next.time = c->page.time > c->since ? c->page.time : c->since;
		story_event_decode(c->formats, &c->next, data, len);
		c->has_next = true;
	}
	return 1;
}

static bool story_cpu_is(const struct hist_story_frame *frame, const struct hist_story_frame *exit)
{
	if (frame->kind != exit->kind)
		return false;
	/* an interrupt that was only known by common_flags */
	if (!frame->has_number && !*frame->name)
		return true;
	if (frame->has_number || exit->has_number)
		return frame->has_number && exit->has_number && frame->number == exit->number;
	return !strcmp(frame->name, exit->name);
}

static void story_cpu_push(struct story_cpu *c, const struct hist_story_frame *frame)
{
	if (c->nstack < STORY_NESTED)
		c->stack[c->nstack++] = *frame;
}

/* Start the state before an event from what the event itself has. */
static void story_cpu_restart(struct story_cpu *c, const struct story_event *e)
{
	const struct hist_story_frame irq = { .kind = HIST_STORY_IRQ };
	const struct hist_story_frame softirq = { .kind = HIST_STORY_SOFTIRQ };
	bool entry = e->type == STORY_ENTRY;

	c->task = (struct hist_story_frame){
		.kind = e->pid ? HIST_STORY_TASK : HIST_STORY_IDLE,
		.has_number = true,
		.number = e->pid,
	};
	c->nstack = 0;
	c->irqs_off = c->preempt_off = false;
	/* the flags are already those of the context that begins */
	if (e->flags & STORY_SOFTIRQ && !(entry && e->what.kind == HIST_STORY_SOFTIRQ))
		story_cpu_push(c, &softirq);
	if (e->flags & STORY_HARDIRQ && !(entry && e->what.kind == HIST_STORY_IRQ))
		story_cpu_push(c, &irq);
}

/* An exit: find its entry, and end what is inside of it. */
static void story_cpu_find_entry(struct story_cpu *c, const struct hist_story_frame *exit)
{
	unsigned int i = c->nstack;

	while (i && !story_cpu_is(&c->stack[i - 1], exit))
		i--;
	if (!i) {
		c->frame = *exit;
		return;
	}
	c->nstack = i;
	if (!*c->stack[i - 1].name)
		c->stack[i - 1] = *exit;
	c->frame = c->stack[i - 1];
}

static bool is_same_task(const struct hist_story_frame *task, int32_t pid)
{
	return task->has_number && task->number == pid;
}

void story_cpu_settle(struct story_cpu *c)
{
	const struct story_event *e = &c->next;
	bool unknown = c->gap || (c->fresh && !c->whole);

	if (c->settled)
		return;
	c->settled = true;
	if (c->has_next) {
		/* what a task switch causes has the task before it */
		if (c->gap || c->fresh ||
		    (e->type != STORY_STACK && e->type != STORY_SYNTH &&
		     !is_same_task(&c->task, e->pid))) {
			unknown |= !c->fresh;
			story_cpu_restart(c, e);
		}
		if (e->type == STORY_SWITCH && is_same_task(&e->what, e->pid))
			c->task = e->what;
	} else {
		unknown |= c->fresh;
	}
	c->frame = c->nstack ? c->stack[c->nstack - 1] : c->task;
	if (c->has_next && e->type == STORY_EXIT)
		story_cpu_find_entry(c, &e->what);
	if (unknown)
		c->frame = (struct hist_story_frame){ .kind = HIST_STORY_UNKNOWN };
}

void story_cpu_apply(struct story_cpu *c)
{
	const struct story_event *e = &c->next;

	switch (e->type) {
	case STORY_SWITCH:
		c->task = e->next;
		c->nstack = 0;
		break;
	case STORY_ENTRY:
		story_cpu_push(c, &e->what);
		break;
	case STORY_EXIT:
		if (c->nstack && story_cpu_is(&c->stack[c->nstack - 1], &e->what))
			c->nstack--;
		break;
	case STORY_IRQS_OFF:
	case STORY_IRQS_ON:
		c->irqs_off = e->type == STORY_IRQS_OFF;
		break;
	case STORY_PREEMPT_OFF:
	case STORY_PREEMPT_ON:
		c->preempt_off = e->type == STORY_PREEMPT_OFF;
		break;
	default:
		break;
	}
	c->fresh = c->gap = false;
	c->since = e->time;
	c->has_next = c->settled = false;
}
