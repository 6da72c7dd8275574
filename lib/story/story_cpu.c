// SPDX-License-Identifier: LGPL-2.1
/*
 * story_cpu.c - decode recorded events, and follow what one CPU does with each of them
 *
 * A reader has the formats of the events of a file.  An event finds its format by its common_type.
 *
 * A task switch sets the current task.  An entry of an interrupt or a softirq is pushed on a stack,
 * and its exit removes it.  Each event has the current task (common_pid) and the kind of its
 * context (common_flags), which start the state at the first event, and after a gap.  They also
 * show that an event is missing although no loss was recorded, such as a task switch that a filter
 * left out: the time before such an event is unknown.
 *
 * An exit without an entry tells that the time since the event before it belongs to this interrupt.
 *
 * Invariants: a field is read only if the event contains it completely.  @since never goes back,
 * even if the times in a damaged file do.
 *
 * Source of the fields: include/trace/events/sched.h, irq.h and preemptirq.h, and
 * arch/x86/include/asm/trace/irq_vectors.h of Linux.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/bytes.h"
#include "lib/base/text.h"
#include "lib/event/event.h"
#include "lib/event/field_load.h"
#include "lib/story/story_private.h"

/* --- events --- */

#define FIELDS_MAX 7
#define TYPES 65536
#define SYNTHETIC 255

/* A description of an event, and its fields in the order in which the decoder uses them. */
struct story_row {
	const char *system, *name;
	enum story_type type;
	enum hist_story_kind kind; /* of ENTRY and EXIT */
	const char *fixed; /* the name of an interrupt without a number */
	const char *fields[FIELDS_MAX];
};

#define TASK_FIELDS { "comm", "pid", "prio", "target_cpu" }
#define VECTOR(name) \
	{ "irq_vectors", name "_entry", STORY_ENTRY, HIST_STORY_IRQ, name, { NULL } }, \
	{ "irq_vectors", name "_exit", STORY_EXIT, HIST_STORY_IRQ, name, { NULL } }
#define SECTION(name, type) { "preemptirq", name, type, HIST_STORY_UNKNOWN, NULL, { NULL } }

static const struct story_row story_rows[] = {
	{ "sched", "sched_switch", STORY_SWITCH, HIST_STORY_TASK, NULL,
	  { "prev_comm", "prev_pid", "prev_prio", "prev_state", "next_comm", "next_pid",
	    "next_prio" } },
	{ "sched", "sched_waking", STORY_WAKING, HIST_STORY_TASK, NULL, TASK_FIELDS },
	{ "sched", "sched_wakeup", STORY_WAKEUP, HIST_STORY_TASK, NULL, TASK_FIELDS },
	{ "sched", "sched_wakeup_new", STORY_WAKEUP, HIST_STORY_TASK, NULL, TASK_FIELDS },
	{ "sched", "sched_migrate_task", STORY_MIGRATE, HIST_STORY_TASK, NULL,
	  { "comm", "pid", "prio", "dest_cpu", "orig_cpu" } },
	{ "irq", "irq_handler_entry", STORY_ENTRY, HIST_STORY_IRQ, NULL, { "name", "irq" } },
	{ "irq", "irq_handler_exit", STORY_EXIT, HIST_STORY_IRQ, NULL, { NULL, "irq" } },
	{ "irq", "softirq_entry", STORY_ENTRY, HIST_STORY_SOFTIRQ, NULL, { NULL, "vec" } },
	{ "irq", "softirq_exit", STORY_EXIT, HIST_STORY_SOFTIRQ, NULL, { NULL, "vec" } },
	VECTOR("local_timer"),
	VECTOR("reschedule"),
	VECTOR("call_function"),
	VECTOR("call_function_single"),
	VECTOR("irq_work"),
	VECTOR("x86_platform_ipi"),
	VECTOR("thermal_apic"),
	VECTOR("spurious_apic"),
	VECTOR("error_apic"),
	SECTION("irq_disable", STORY_IRQS_OFF),
	SECTION("irq_enable", STORY_IRQS_ON),
	SECTION("preempt_disable", STORY_PREEMPT_OFF),
	SECTION("preempt_enable", STORY_PREEMPT_ON),
	{ "ftrace", "kernel_stack", STORY_STACK, HIST_STORY_UNKNOWN, NULL, { "caller" } },
	/* the file does not have the symbols of programs */
	{ "ftrace", "user_stack", STORY_STACK, HIST_STORY_UNKNOWN, NULL, { NULL } },
};
#define ROWS (sizeof(story_rows) / sizeof(*story_rows))

struct story_formats {
	bool big_endian;
	unsigned int long_size;
	struct hist_event *events[ROWS]; /* NULL: not in the file */
	const struct hist_event_field *fields[ROWS][FIELDS_MAX];
	const struct hist_event_field *pid, *flags; /* of all events */
	/* 1 + row by common_type; 0: of no interest; SYNTHETIC */
	unsigned char row_of[TYPES];
};

/* The names of the kernel, softirq_to_name[]. */
static const char *const softirqs[] = {
	"HI",	    "TIMER",   "NET_TX", "NET_RX",  "BLOCK",
	"IRQ_POLL", "TASKLET", "SCHED",	 "HRTIMER", "RCU",
};

static int story_formats_add(struct story_formats *f, const struct hist_events *events,
			     unsigned int row)
{
	const struct story_row *r = &story_rows[row];
	struct hist_event *event;
	const char *text;
	unsigned int i;
	size_t len;
	int ret;

	if (hist_events_format(events, r->system, r->name, &text, &len))
		return 0;
	ret = hist_event_parse(&event, r->system, text, len);
	if (ret)
		return ret == -ENOMEM ? ret : 0;
	f->events[row] = event;
	for (i = 0; i < FIELDS_MAX; i++)
		f->fields[row][i] = r->fields[i] ? hist_event_find(event, r->fields[i]) : NULL;
	if (event->id && event->id < TYPES)
		f->row_of[event->id] = row + 1;
	if (!f->pid) {
		f->pid = hist_event_find(event, "common_pid");
		f->flags = hist_event_find(event, "common_flags");
	}
	return 0;
}

/* The ID in the text of a format file; 0: none. */
static unsigned int story_formats_read_id(const char *text, size_t len)
{
	static const char before[] = "\nID: ";
	const char *at = memmem(text, len, before, sizeof(before) - 1);
	unsigned int id = 0;

	if (!at)
		return 0;
	for (at += sizeof(before) - 1; at < text + len && text_is_digit(*at) && id < TYPES; at++)
		id = id * 10 + (*at - '0');
	return id < TYPES ? id : 0;
}

unsigned int story_event_find_id(const struct hist_events *events, const char *name)
{
	static const char before[] = "name: ";
	size_t head = sizeof(before) - 1, n = strlen(name), len;
	const char *system, *text;
	unsigned int i;

	for (i = 0; hist_events_format_at(events, i, &system, &text, &len); i++) {
		if (len > head + n && !memcmp(text, before, head) &&
		    !memcmp(text + head, name, n) && text[head + n] == '\n')
			return story_formats_read_id(text, len);
	}
	return 0;
}

static void story_formats_add_synthetic(struct story_formats *f, const struct hist_events *events)
{
	const char *system, *text;
	unsigned int i, id;
	size_t len;

	for (i = 0; hist_events_format_at(events, i, &system, &text, &len); i++) {
		id = strcmp(system, "synthetic") ? 0 : story_formats_read_id(text, len);
		if (id && !f->row_of[id])
			f->row_of[id] = SYNTHETIC;
	}
}

int hist_story_reader_new(struct hist_story_reader **reader, struct hist_events *events)
{
	const struct hist_events_machine *machine = hist_events_machine(events);
	struct hist_story_reader *r = calloc(1, sizeof(*r));
	struct story_formats *f = calloc(1, sizeof(*f));
	unsigned int i;
	int ret = r && f ? 0 : -ENOMEM;

	if (r)
		*r = (struct hist_story_reader){ events, f };
	else
		free(f);
	for (i = 0; !ret && i < ROWS; i++)
		ret = story_formats_add(f, events, i);
	if (ret) {
		hist_story_reader_free(r);
		return ret;
	}
	story_formats_add_synthetic(f, events);
	f->big_endian = machine->layout.big_endian;
	f->long_size = machine->layout.long_size;
	*reader = r;
	return 0;
}

void hist_story_reader_free(struct hist_story_reader *r)
{
	unsigned int i;

	if (!r)
		return;
	for (i = 0; r->formats && i < ROWS; i++)
		hist_event_free(r->formats->events[i]);
	free(r->formats);
	free(r);
}

/* Copy a string; "" if the event does not have it. */
static void story_load_name(const struct hist_event_field *f, const struct hist_event_data *event,
			    char *name)
{
	size_t len;
	const char *text = hist_field_load_string(f, event, &len);

	if (len >= HIST_STORY_NAME)
		len = HIST_STORY_NAME - 1;
	if (text)
		memcpy(name, text, len);
	name[len] = '\0';
}

static void story_load_task(struct hist_story_frame *task,
			    const struct hist_event_field *const *fields,
			    const struct hist_event_data *event)
{
	task->has_number = hist_field_is_in(fields[1], event);
	task->number = (int32_t)hist_field_load_number(fields[1], event);
	task->kind = task->number ? HIST_STORY_TASK : HIST_STORY_IDLE;
	if (task->kind == HIST_STORY_IDLE)
		return;
	story_load_name(fields[0], event, task->name);
	task->has_prio = hist_field_is_in(fields[2], event);
	task->prio = (int32_t)hist_field_load_number(fields[2], event);
}

static void story_load_interrupt(const struct story_formats *formats, struct story_event *e,
				 unsigned int row, const struct hist_event_data *event)
{
	const struct hist_event_field *const *fields = formats->fields[row];
	const struct story_row *r = &story_rows[row];
	struct hist_story_frame *what = &e->what;

	what->kind = r->kind;
	if (r->fixed) {
		strcpy(what->name, r->fixed);
		return;
	}
	what->has_number = true;
	what->number = (int32_t)hist_field_load_number(fields[1], event);
	if (r->kind == HIST_STORY_IRQ)
		story_load_name(fields[0], event, what->name);
	else if (what->number >= 0 &&
		 what->number < (int64_t)(sizeof(softirqs) / sizeof(*softirqs)))
		strcpy(what->name, softirqs[what->number]);
}

/* Decode @data of @len bytes, at least 4.  Fields that the event does not have are zero. */
static void story_event_decode(const struct hist_story_reader *reader, struct story_event *e,
			const unsigned char *data, uint32_t len)
{
	const struct story_formats *formats = reader->formats;
	unsigned int id = bytes_u16(formats->big_endian, data), row = formats->row_of[id];
	const struct hist_event_data event = { data, len, formats->big_endian };
	const struct hist_event_field *const *fields;

	*e = (struct story_event){ .time = e->time, .id = id };
	e->pid = hist_field_load_number(formats->pid, &event);
	e->flags = hist_field_load_number(formats->flags, &event);
	if (row == SYNTHETIC)
		e->type = STORY_SYNTH;
	if (!row-- || e->type == STORY_SYNTH)
		return;
	e->type = story_rows[row].type;
	fields = formats->fields[row];
	switch (e->type) {
	case STORY_SWITCH:
		story_load_task(&e->what, fields, &event);
		story_load_task(&e->next, fields + 4, &event);
		e->state = hist_field_load_number(fields[3], &event);
		break;
	case STORY_WAKING:
	case STORY_WAKEUP:
	case STORY_MIGRATE:
		story_load_task(&e->what, fields, &event);
		e->to = hist_field_load_number(fields[3], &event);
		e->from = hist_field_load_number(fields[4], &event);
		break;
	case STORY_ENTRY:
	case STORY_EXIT:
		story_load_interrupt(formats, e, row, &event);
		break;
	case STORY_STACK:
		if (!fields[0] || fields[0]->offset > len)
			break;
		e->stack = data + fields[0]->offset;
		e->nstack = (len - fields[0]->offset) / formats->long_size;
		break;
	default:
		break;
	}
}

unsigned int story_event_copy_stack(const struct hist_story_reader *reader,
				    const struct story_event *e, uint64_t *stack)
{
	const struct story_formats *formats = reader->formats;
	const unsigned char *p = e->stack;
	unsigned int i;

	for (i = 0; i < e->nstack && i < HIST_STORY_STACK; i++, p += formats->long_size) {
		stack[i] = formats->long_size == 8 ? bytes_u64(formats->big_endian, p)
						   : bytes_u32(formats->big_endian, p);
		/* the rest of the array is not used */
		if (!stack[i] || stack[i] == UINT64_MAX)
			break;
	}
	return i;
}

/* --- a CPU --- */

/*
 * Read from this time before the window on, in ns: the START event comes up to a microsecond before
 * the start, which is rounded, and an event before it has the context.
 */
#define STORY_LOOK_BACK 10000000

int story_cpu_open(struct story_cpu *c, const struct hist_story_reader *reader,
		   const struct hist_story_window *window, unsigned int number)
{
	uint64_t start = window->start;
	int ret;

	*c = (struct story_cpu){ .reader = reader, .fresh = true };
	ret = hist_events_pages_open(&c->pages, reader->events, window->buffer, number);
	if (!ret && start > STORY_LOOK_BACK)
		ret = hist_events_pages_seek(c->pages, start - STORY_LOOK_BACK);
	if (ret == -EBADMSG)
		ret = 0;
	if (!ret)
		c->whole = !window->cut && !hist_events_pages_done(c->pages);
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
		story_event_decode(c->reader, &c->next, data, len);
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
