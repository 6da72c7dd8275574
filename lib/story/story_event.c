// SPDX-License-Identifier: LGPL-2.1
/*
 * story_event.c - decode the recorded events that tell what a CPU does
 *
 * Invariant: a field is read only if the event contains it completely.
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
#include "lib/story/story_event.h"

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

unsigned int story_formats_find(const struct hist_events *events, const char *name)
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

int story_formats_new(struct story_formats **formats, struct hist_events *events)
{
	const struct hist_events_machine *machine = hist_events_machine(events);
	struct story_formats *f = calloc(1, sizeof(*f));
	unsigned int i;
	int ret = f ? 0 : -ENOMEM;

	for (i = 0; !ret && i < ROWS; i++)
		ret = story_formats_add(f, events, i);
	if (ret) {
		story_formats_free(f);
		return ret;
	}
	story_formats_add_synthetic(f, events);
	f->big_endian = machine->layout.big_endian;
	f->long_size = machine->layout.long_size;
	*formats = f;
	return 0;
}

void story_formats_free(struct story_formats *f)
{
	unsigned int i;

	for (i = 0; f && i < ROWS; i++)
		hist_event_free(f->events[i]);
	free(f);
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

void story_event_decode(const struct story_formats *formats, struct story_event *e,
			const unsigned char *data, uint32_t len)
{
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

unsigned int story_event_copy_stack(const struct story_formats *formats,
				    const struct story_event *e, uint64_t *stack)
{
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
