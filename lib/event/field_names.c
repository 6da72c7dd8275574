// SPDX-License-Identifier: LGPL-2.1
/*
 * field_names.c - the names of the numbers of a field, from all sources
 *
 * The print fmt of the event comes first: names, or an address.  The other sources have a row each:
 * the kernel's events use the same names of fields for the same numbers.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/event/address.h"
#include "lib/event/field_names.h"
#include "lib/event/machine_names.h"
#include "lib/event/print_names.h"

/* The largest error number (MAX_ERRNO in include/linux/err.h). */
#define ERROR_MAX 4095

/* A source of names besides those of the machine: field_names_put_context(). */
#define FIELD_NAMES_CONTEXT -1

struct hist_field_names {
	struct hist_print_names *print;
	enum hist_address address;
	bool big_endian; /* the machine of an address */
	int what;	 /* enum hist_machine_name, or FIELD_NAMES_CONTEXT */
	struct hist_machine_names *machine;
	unsigned int flags;
	unsigned int size; /* of the field */
	bool is_signed; /* the number is, also if a variable carried it without its sign */
};

/* The contexts of ftrace:timerlat (kernel/trace/trace_osnoise.c). */
static bool field_names_put_context(uint64_t num, struct hist_strbuf *b)
{
	static const char *const names[] = { "irq", "thread", "user" };

	if (num >= sizeof(names) / sizeof(*names))
		return false;
	hist_strbuf_str(b, names[num]);
	return true;
}

#define PRIORITY (HIST_NAMES_CODE | HIST_NAMES_ALONE)

static const struct {
	const char *field;
	int what;
	unsigned int flags;
	unsigned int size; /* bytes of the field; 0: any */
	const char *system, *event; /* of its events; NULL: any */
} sources[] = {
	{ "context", FIELD_NAMES_CONTEXT, HIST_NAMES_CODE, 4, "ftrace", "timerlat" },
	{ "dev", HIST_MACHINE_DISK, HIST_NAMES_CODE | HIST_NAMES_WHOLE, 4, NULL, NULL },
	{ "irq", HIST_MACHINE_INTERRUPT, HIST_NAMES_CODE, 4, NULL, NULL },
	{ "sig", HIST_MACHINE_SIGNAL, HIST_NAMES_CODE, 0, NULL, NULL },
	{ "ret", HIST_MACHINE_ERROR, 0, 0, NULL, NULL },
	{ "retval", HIST_MACHINE_ERROR, 0, 0, NULL, NULL },
	{ "err", HIST_MACHINE_ERROR, 0, 0, NULL, NULL },
	{ "errno", HIST_MACHINE_ERROR, 0, 0, NULL, NULL },
	{ "error", HIST_MACHINE_ERROR, 0, 0, NULL, NULL },
	{ "prio", HIST_MACHINE_PRIORITY, PRIORITY, 4, "sched", NULL },
	{ "prev_prio", HIST_MACHINE_PRIORITY, PRIORITY, 4, "sched", NULL },
	{ "next_prio", HIST_MACHINE_PRIORITY, PRIORITY, 4, "sched", NULL },
	{ "oldprio", HIST_MACHINE_PRIORITY, PRIORITY, 4, "sched", NULL },
	{ "newprio", HIST_MACHINE_PRIORITY, PRIORITY, 4, "sched", NULL },
};

/* The row of a field, or -1. */
static int field_names_find_source(const struct hist_event *event,
				   const struct hist_event_field *field)
{
	const char *name = strcmp(field->ctype, "dev_t") ? field->name : "dev";
	unsigned int i;

	for (i = 0; i < sizeof(sources) / sizeof(*sources); i++)
		if (!strcmp(name, sources[i].field) &&
		    (!sources[i].size || sources[i].size == field->size) &&
		    (!sources[i].system || !strcmp(event->system, sources[i].system)) &&
		    (!sources[i].event || !strcmp(event->name, sources[i].event)))
			return i;
	return -1;
}

/* The names of system calls that differ from those that the kernel prints. */
static int field_names_new_calls(struct hist_field_names **result, const struct hist_event *event)
{
	struct hist_field_names *names = calloc(1, sizeof(*names));

	if (!names)
		return -ENOMEM;
	names->what = HIST_MACHINE_CALL;
	names->machine = hist_machine_names_get(event->machine);
	*result = names;
	return 0;
}

int hist_field_names_new(struct hist_field_names **result, const struct hist_event *event,
			 const struct hist_event_field *field)
{
	struct hist_field_names *names;
	unsigned int size;
	int ret, source;

	if (!field)
		return field_names_new_calls(result, event);
	size = field->size;
	if (field->origin.field) {
		event = field->origin.event;
		field = field->origin.field;
	}
	if (!hist_field_is_number(field))
		return -ENOENT;
	names = calloc(1, sizeof(*names));
	if (!names)
		return -ENOMEM;
	names->address = field->address;
	names->big_endian = event->big_endian;
	ret = names->address ? 0 : hist_print_names_new(&names->print, event, field);
	source = ret == -ENOENT ? field_names_find_source(event, field) : -1;
	if (ret && source < 0) {
		free(names);
		return ret;
	}
	names->flags = ret ? sources[source].flags :
		       names->address ? HIST_NAMES_CODE | HIST_NAMES_WHOLE : HIST_NAMES_CODE;
	names->what = ret ? sources[source].what : FIELD_NAMES_CONTEXT;
	names->machine = hist_machine_names_get(event->machine);
	names->size = size;
	names->is_signed = field->is_signed;
	*result = names;
	return 0;
}

void hist_field_names_free(struct hist_field_names *names)
{
	if (!names)
		return;
	hist_print_names_free(names->print);
	hist_machine_names_put(names->machine);
	free(names);
}

unsigned int hist_field_names_flags(const struct hist_field_names *names)
{
	return names->flags;
}

bool hist_field_names_put(const struct hist_field_names *names, uint64_t num,
			  struct hist_strbuf *b)
{
	unsigned int bits = names->size && names->size < 8 ? 64 - 8 * names->size : 0;
	uint64_t extended = (int64_t)(num << bits) >> bits;

	if (names->address)
		return hist_address_put(names->address, num, names->big_endian, b);
	if (names->print)
		return hist_print_names_put(names->print, names->is_signed ? extended : num, b);
	if (names->what == FIELD_NAMES_CONTEXT)
		return field_names_put_context(num, b);
	if (names->what == HIST_MACHINE_PRIORITY)
		return hist_machine_names_write(NULL, HIST_MACHINE_PRIORITY, extended, b);
	if (names->what != HIST_MACHINE_ERROR)
		return hist_machine_names_write(names->machine, names->what, num, b);
	/* an error is a small negative number, also in the unsigned field of a probe */
	return -extended <= ERROR_MAX &&
	       hist_machine_names_write(names->machine, HIST_MACHINE_ERROR, -extended, b);
}
