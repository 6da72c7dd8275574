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
	"HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU",
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

static bool story_event_has(const struct hist_event_field *f, uint32_t len)
{
	return f && f->offset <= len && f->size <= len - f->offset;
}

static uint64_t story_load(const struct story_formats *formats, const struct hist_event_field *f,
			   const unsigned char *data, uint32_t len)
{
	bool be = formats->big_endian;
	const unsigned char *p;

	if (!story_event_has(f, len))
		return 0;
	p = data + f->offset;
	switch (f->size) {
	case 1:
		return f->is_signed ? (uint64_t)(int8_t)*p : *p;
	case 2:
		return f->is_signed ? (uint64_t)(int16_t)bytes_u16(be, p) : bytes_u16(be, p);
	case 4:
		return f->is_signed ? (uint64_t)(int32_t)bytes_u32(be, p) : bytes_u32(be, p);
	case 8:
		return bytes_u64(be, p);
	}
	return 0;
}

/* Copy a string; "" if the event does not have it. */
static void story_load_string(const struct story_formats *formats, const struct hist_event_field *f,
			      const unsigned char *data, uint32_t len, char *name)
{
	uint32_t at, size, location;

	*name = '\0';
	if (!story_event_has(f, len))
		return;
	at = f->offset;
	size = f->size;
	if (f->is_dynamic) {
		if (size != 4)
			return;
		location = bytes_u32(formats->big_endian, data + at);
		/* a __rel_loc is relative to the end of its own field */
		at = (location & 0xffff) + (strncmp(f->ctype, "__rel_loc", 9) ? 0 : at + 4);
		size = location >> 16;
	}
	if (at > len || size > len - at)
		return;
	size = strnlen((const char *)data + at, size);
	if (size >= HIST_STORY_NAME)
		size = HIST_STORY_NAME - 1;
	memcpy(name, data + at, size);
	name[size] = '\0';
}

static void story_load_task(const struct story_formats *formats, struct hist_story_frame *task,
			    const struct hist_event_field *const *fields, const unsigned char *data,
			    uint32_t len)
{
	task->has_number = story_event_has(fields[1], len);
	task->number = (int32_t)story_load(formats, fields[1], data, len);
	task->kind = task->number ? HIST_STORY_TASK : HIST_STORY_IDLE;
	if (task->kind == HIST_STORY_IDLE)
		return;
	story_load_string(formats, fields[0], data, len, task->name);
	task->has_prio = story_event_has(fields[2], len);
	task->prio = (int32_t)story_load(formats, fields[2], data, len);
}

static void story_load_interrupt(const struct story_formats *formats, struct story_event *e,
				 unsigned int row, const unsigned char *data, uint32_t len)
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
	what->number = (int32_t)story_load(formats, fields[1], data, len);
	if (r->kind == HIST_STORY_IRQ)
		story_load_string(formats, fields[0], data, len, what->name);
	else if (what->number >= 0 && what->number < (int64_t)(sizeof(softirqs) / sizeof(*softirqs)))
		strcpy(what->name, softirqs[what->number]);
}

void story_event_decode(const struct story_formats *formats, struct story_event *e,
			const unsigned char *data, uint32_t len)
{
	unsigned int id = bytes_u16(formats->big_endian, data), row = formats->row_of[id];
	const struct hist_event_field *const *fields;

	*e = (struct story_event){ .time = e->time, .id = id };
	e->pid = story_load(formats, formats->pid, data, len);
	e->flags = story_load(formats, formats->flags, data, len);
	if (row == SYNTHETIC)
		e->type = STORY_SYNTH;
	if (!row-- || e->type == STORY_SYNTH)
		return;
	e->type = story_rows[row].type;
	fields = formats->fields[row];
	switch (e->type) {
	case STORY_SWITCH:
		story_load_task(formats, &e->what, fields, data, len);
		story_load_task(formats, &e->next, fields + 4, data, len);
		e->state = story_load(formats, fields[3], data, len);
		break;
	case STORY_WAKING:
	case STORY_WAKEUP:
	case STORY_MIGRATE:
		story_load_task(formats, &e->what, fields, data, len);
		e->to = story_load(formats, fields[3], data, len);
		e->from = story_load(formats, fields[4], data, len);
		break;
	case STORY_ENTRY:
	case STORY_EXIT:
		story_load_interrupt(formats, e, row, data, len);
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

uint64_t story_event_address(const struct story_formats *formats, const struct story_event *e,
			     unsigned int i)
{
	const unsigned char *p = e->stack + (size_t)i * formats->long_size;

	return formats->long_size == 8 ? bytes_u64(formats->big_endian, p)
				       : bytes_u32(formats->big_endian, p);
}
