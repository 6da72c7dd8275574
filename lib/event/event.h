/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * event.h - the fields of an event, parsed from its `format` file
 *
 * The types follow the kernel: filter_assign_type() in trace_events_filter.c and
 * create_hist_field() in trace_events_hist.c.  Char arrays and __data_loc / __rel_loc char arrays
 * are strings; a pointer to char is a number.  A static array or struct of 1, 2, 4 or 8 bytes is
 * read as one number (the address of a tcp event is `__u8 saddr[4]`).
 *
 * libtraceevent is not used: its parser crashes on a damaged format file (1.7.1), prints to stderr,
 * and changes types.
 */
#ifndef LIB_EVENT_EVENT_H
#define LIB_EVENT_EVENT_H

#include <stdbool.h>
#include <stddef.h>

struct hist_machine_names;

enum hist_field_type {
	HIST_FIELD_NUMBER,
	HIST_FIELD_STRING,
	HIST_FIELD_STACK, /* unsigned long [] of a synthetic event */
	HIST_FIELD_OTHER, /* other arrays and structs: neither a number nor a string */
	HIST_FIELD_TYPES,
};

/* What the print fmt shows for a field, if that is an address (address.h). */
enum hist_address {
	HIST_ADDRESS_NONE,
	HIST_ADDRESS_IP4,	 /* "%pI4": four bytes in network order */
	HIST_ADDRESS_IP4_HOST,	 /* "%pI4h": a number in the byte order of the machine */
	HIST_ADDRESS_IP4_LITTLE, /* "%pI4l": four bytes, the last one is shown first */
	HIST_ADDRESS_IP6,
	HIST_ADDRESS_SOCKET,
	HIST_ADDRESS_MAC,
	HIST_ADDRESS_UUID,
};

/*
 * What a type is for keys, filters and the engine: all that is asked of a type outside this folder.
 * A type that is none of these can be in a filter of CPUs.
 */
struct hist_field_traits {
	bool is_number; /* 1, 2, 4 or 8 bytes; modifiers and arithmetic apply */
	bool is_string; /* compared and shown as text */
	bool is_stack;	/* addresses of a kernel stack */
};

extern const struct hist_field_traits hist_event_field_traits[HIST_FIELD_TYPES];

struct hist_event;

/* A field of another event, whose numbers a field carries; the owner of the event keeps it. */
struct hist_field_origin {
	const struct hist_event *event;
	const struct hist_event_field *field; /* NULL: not known */
};

struct hist_event_field {
	const char *name;
	const char *ctype; /* "unsigned long", "char[16]", "__data_loc char[]" */
	enum hist_field_type type;
	unsigned int size; /* bytes in the event; for a dynamic field, the size of its location */
	bool is_signed;
	bool is_dynamic; /* __data_loc or __rel_loc */
	unsigned int offset; /* bytes from the start of the event's common_type */
	enum hist_address address;
	/* of hist_check_find_origins(), for a synthetic event */
	struct hist_field_origin origin;
	const char *unit; /* of hist_check_find_origins(): "ns", "us" or NULL */
};

static inline bool hist_field_is_number(const struct hist_event_field *field)
{
	return hist_event_field_traits[field->type].is_number;
}

static inline bool hist_field_is_string(const struct hist_event_field *field)
{
	return hist_event_field_traits[field->type].is_string;
}

/*
 * What the number of a field is an address of.  An address is not a quantity: no sums, buckets or
 * arithmetic apply to it.
 */
static inline enum hist_address hist_field_address(const struct hist_event_field *field)
{
	const struct hist_event_field *first = field->origin.field ? field->origin.field : field;

	return first->address;
}

static inline bool hist_field_is_stack(const struct hist_event_field *field)
{
	return hist_event_field_traits[field->type].is_stack;
}

/* Others only read it. */
struct hist_event {
	char *system, *name;
	/* The common_type of these events on the machine of the format file; 0: it has no ID. */
	unsigned int id;
	/* The event's own fields in the order of the format file, then the common_ fields. */
	struct hist_event_field *fields;
	unsigned int nfields, nown;
	/*
	 * The line after "print fmt: ", if it has names of numbers (print_names.h); otherwise NULL.
	 */
	char *print_fmt;
	struct hist_machine_names *machine; /* see hist_event_set_machine() */
	/* The byte order of the machine; the owner sets it if it is not that of this machine. */
	bool big_endian;
};

/* Does the kernel treat a number of this type as the address of a string? */
bool hist_event_is_string_pointer(const char *ctype);

/*
 * hist_event_parse - parse the text of events/SYSTEM/NAME/format
 * 0; -EINVAL if the text is not a complete format file; -ENOMEM.
 */
int hist_event_parse(struct hist_event **event, const char *system, const char *format,
		     size_t len);
void hist_event_free(struct hist_event *event);

/*
 * Set the names of the machine of the events (machine_names.h), of which @event becomes an owner.
 */
void hist_event_set_machine(struct hist_event *event, struct hist_machine_names *machine);

bool hist_event_is(const struct hist_event *event, const char *system, const char *name);
/* The minimum size of such an event in bytes: the end of its last field. */
unsigned int hist_event_size(const struct hist_event *event);
/* sizeof(long) of the kernel, if a field of the event shows it; otherwise 0. */
unsigned int hist_event_long_size(const struct hist_event *event);
/* Field number @i, or NULL. */
const struct hist_event_field *hist_event_field(const struct hist_event *event, unsigned int i);
/* The field @name, or NULL.  Finds common_pid and the event's own fields, not common_cpu etc. */
const struct hist_event_field *hist_event_find(const struct hist_event *event, const char *name);

#endif
