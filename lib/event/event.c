// SPDX-License-Identifier: LGPL-2.1
/*
 * event.c - the fields of an event, parsed from its `format` file
 *
 * The kernel prints a field like this (f_show() in trace_events.c):
 *
 *	\tfield:TYPE NAME[ARRAY];\toffset:N;\tsize:N;\tsigned:N;\n
 *
 * The array part follows the name, or follows the type of a __data_loc.  Lines are parsed one by
 * one up to "print fmt:"; a text without that line is truncated.
 *
 * Invariant: every stored string is part of the text and was checked character by character, so
 * damaged input only causes an error.
 */
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/text.h"
#include "lib/event/address.h"
#include "lib/event/event.h"
#include "lib/event/machine_names.h"

/* A limit for damaged input.  Kernels print fewer fields (a synthetic event has 64). */
#define EVENT_FIELDS_MAX 4096

struct text {
	const char *start;
	const char *end;
};

static void event_trim_text(struct text *t)
{
	while (t->start < t->end && text_is_blank(*t->start))
		t->start++;
	while (t->end > t->start && (text_is_blank(t->end[-1]) || t->end[-1] == '\r'))
		t->end--;
}

static bool event_skip_prefix(struct text *t, const char *prefix)
{
	if (!text_starts_with(t->start, t->end - t->start, prefix))
		return false;
	t->start += strlen(prefix);
	return true;
}

/* The next line without its newline; false at the end. */
static bool event_next_line(struct text *all, struct text *line)
{
	const char *nl;

	if (all->start >= all->end)
		return false;
	nl = memchr(all->start, '\n', all->end - all->start);
	line->start = all->start;
	line->end = nl ? nl : all->end;
	all->start = nl ? nl + 1 : all->end;
	return true;
}

/* Parse a decimal number up to @max; any other text is an error. */
static bool event_parse_number(struct text t, unsigned int max, unsigned int *value)
{
	uint64_t v = 0;

	event_trim_text(&t);
	if (t.start == t.end)
		return false;
	for (; t.start < t.end; t.start++) {
		if (!text_is_digit(*t.start))
			return false;
		v = v * 10 + (*t.start - '0');
		if (v > max)
			return false;
	}
	*value = v;
	return true;
}

/* Parse "KEY:NUMBER" up to the next ';', for offset, size and signed. */
static bool event_parse_attribute(struct text *line, const char *key, unsigned int *value)
{
	struct text part = { line->start, memchr(line->start, ';', line->end - line->start) };

	if (!part.end)
		return false;
	line->start = part.end + 1;
	event_trim_text(&part);
	return event_skip_prefix(&part, key) && event_skip_prefix(&part, ":") &&
	       event_parse_number(part, INT_MAX, value);
}

const struct hist_field_traits hist_event_field_traits[HIST_FIELD_TYPES] = {
	[HIST_FIELD_NUMBER] = { .is_number = true },
	[HIST_FIELD_STRING] = { .is_string = true },
	[HIST_FIELD_STACK] = { .is_stack = true },
	[HIST_FIELD_OTHER] = { 0 },
};

static enum hist_field_type event_find_field_type(const char *system, const char *ctype,
						  unsigned int size,
						  bool is_dynamic)
{
	bool is_array = strchr(ctype, '[');

	/* Only synthetic events get the kernel's FILTER_STACKTRACE. */
	if (!strcmp(system, "synthetic") && strstr(ctype, "long["))
		return HIST_FIELD_STACK;
	if (strstr(ctype, "char") && (is_array || is_dynamic))
		return HIST_FIELD_STRING;
	if (is_dynamic)
		return HIST_FIELD_OTHER;
	return size == 1 || size == 2 || size == 4 || size == 8 ? HIST_FIELD_NUMBER
								: HIST_FIELD_OTHER;
}

/* Split "TYPE NAME[ARRAY]" or "TYPE[] NAME". */
static int split_declaration(struct text decl, char **ctype, char **name)
{
	struct text type, word, array;
	const char *p;

	event_trim_text(&decl);
	for (p = decl.start; p < decl.end; p++)
		if (*p < ' ' || *p > '~')
			return -EINVAL;

	array = (struct text){ decl.end, decl.end };
	if (decl.end > decl.start && decl.end[-1] == ']') {
		array.start = memchr(decl.start, '[', decl.end - decl.start);
		if (!array.start)
			return -EINVAL;
	}
	word.end = array.start;
	while (word.end > decl.start && text_is_blank(word.end[-1]))
		word.end--;
	word.start = word.end;
	while (word.start > decl.start && text_is_word(word.start[-1]))
		word.start--;
	type = (struct text){ decl.start, word.start };
	event_trim_text(&type);
	if (word.start == word.end || text_is_digit(*word.start) || type.start == type.end)
		return -EINVAL;

	if (asprintf(ctype, "%.*s%.*s", (int)(type.end - type.start), type.start,
		     (int)(array.end - array.start), array.start) < 0)
		*ctype = NULL;
	*name = strndup(word.start, word.end - word.start);
	return *ctype && *name ? 0 : -ENOMEM;
}

static bool event_is_common_field(const struct hist_event_field *f)
{
	return !strncmp(f->name, "common_", strlen("common_"));
}

/* The event's own fields come first.  Both groups keep the order of the format file. */
static int insert_field(struct hist_event *event, const struct hist_event_field *f)
{
	unsigned int at = event_is_common_field(f) ? event->nfields : event->nown;

	if (event->nfields == EVENT_FIELDS_MAX)
		return -EINVAL;
	if (array_add(&event->fields, event->nfields, sizeof(*f)))
		return -ENOMEM;
	memmove(&event->fields[at + 1], &event->fields[at], (event->nfields - at) * sizeof(*f));
	event->fields[at] = *f;
	event->nfields++;
	event->nown += !event_is_common_field(f);
	return 0;
}

static int add_field(struct hist_event *event, struct text line)
{
	struct text decl = { line.start, memchr(line.start, ';', line.end - line.start) };
	struct hist_event_field f = { 0 };
	unsigned int is_signed = 0;
	char *ctype = NULL, *name = NULL;
	int ret;

	if (!decl.end)
		return -EINVAL;
	line.start = decl.end + 1;
	if (!event_parse_attribute(&line, "offset", &f.offset) ||
	    !event_parse_attribute(&line, "size", &f.size))
		return -EINVAL;
	/* kernels before 2.6.32 do not print the sign */
	event_trim_text(&line);
	if (line.start < line.end && !event_parse_attribute(&line, "signed", &is_signed))
		return -EINVAL;

	ret = split_declaration(decl, &ctype, &name);
	if (!ret) {
		f.name = name;
		f.ctype = ctype;
		f.is_signed = is_signed;
		f.is_dynamic = strstr(ctype, "__data_loc") || strstr(ctype, "__rel_loc");
		f.type = event_find_field_type(event->system, ctype, f.size, f.is_dynamic);
		/*
		 * a u32 is the place of the data in the event; synthetic events pad it to 8 bytes
		 */
		ret = f.is_dynamic && f.size < 4 ? -EINVAL : insert_field(event, &f);
	}
	if (ret) {
		free(ctype);
		free(name);
	}
	return ret;
}

static int event_set_name(struct hist_event *event, struct text line)
{
	const char *p;

	event_trim_text(&line);
	if (event->name || line.start == line.end)
		return -EINVAL;
	for (p = line.start; p < line.end; p++)
		if (!text_is_word(*p))
			return -EINVAL;
	event->name = strndup(line.start, line.end - line.start);
	return event->name ? 0 : -ENOMEM;
}

/* Find the addresses in the print fmt, and keep it if print_names.c may find a name in it. */
static int event_read_print_fmt(struct hist_event *event, struct text line)
{
	size_t len;
	int ret;

	event_trim_text(&line);
	len = line.end - line.start;
	ret = hist_address_find(event, line.start, len);
	if (ret)
		return ret;
	if (!memmem(line.start, len, "__print_", 8) && !memmem(line.start, len, "?", 1))
		return 0;
	event->print_fmt = strndup(line.start, len);
	return event->print_fmt ? 0 : -ENOMEM;
}

/* filter_assign_type() */
bool hist_event_is_string_pointer(const char *ctype)
{
	return !strcmp(ctype, "char *") || !strcmp(ctype, "const char *");
}

int hist_event_parse(struct hist_event **result, const char *system, const char *format, size_t len)
{
	struct text all = { format, format + len }, line;
	struct hist_event *event;
	bool complete = false;
	int ret = -ENOMEM;

	event = calloc(1, sizeof(*event));
	if (!event)
		return -ENOMEM;
	event->big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	event->system = strdup(system);
	if (!event->system)
		goto fail;

	while (!complete && event_next_line(&all, &line)) {
		ret = 0;
		event_trim_text(&line);
		if (event_skip_prefix(&line, "name:"))
			ret = event_set_name(event, line);
		else if (event_skip_prefix(&line, "field:"))
			ret = add_field(event, line);
		else if ((complete = event_skip_prefix(&line, "print fmt:")))
			ret = event_read_print_fmt(event, line);
		else if (event_skip_prefix(&line, "ID:"))
			ret = event_parse_number(line, UINT16_MAX, &event->id) ? 0 : -EINVAL;
		else if (line.start < line.end && !event_skip_prefix(&line, "format:"))
			ret = -EINVAL;
		if (ret)
			goto fail;
	}
	ret = -EINVAL;
	if (!complete || !event->name || !event->nfields)
		goto fail;
	*result = event;
	return 0;
fail:
	hist_event_free(event);
	return ret;
}

void hist_event_free(struct hist_event *event)
{
	unsigned int i;

	if (!event)
		return;
	for (i = 0; i < event->nfields; i++) {
		free((char *)event->fields[i].name);
		free((char *)event->fields[i].ctype);
	}
	free(event->fields);
	free(event->print_fmt);
	hist_machine_names_put(event->machine);
	free(event->system);
	free(event->name);
	free(event);
}

void hist_event_set_machine(struct hist_event *event, struct hist_machine_names *machine)
{
	hist_machine_names_get(machine);
	hist_machine_names_put(event->machine);
	event->machine = machine;
}

bool hist_event_is(const struct hist_event *event, const char *system, const char *name)
{
	return !strcmp(event->system, system) && !strcmp(event->name, name);
}

unsigned int hist_event_size(const struct hist_event *event)
{
	unsigned int i, end, size = 0;

	for (i = 0; i < event->nfields; i++) {
		end = event->fields[i].offset + event->fields[i].size;
		size = end > size ? end : size;
	}
	return size;
}

unsigned int hist_event_long_size(const struct hist_event *event)
{
	const struct hist_event_field *field;
	unsigned int i;

	for (i = 0; i < event->nfields; i++) {
		field = hist_event_field(event, i);
		if (!strcmp(field->ctype, "unsigned long") || !strcmp(field->ctype, "long") ||
		    field->ctype[strlen(field->ctype) - 1] == '*')
			return field->size;
	}
	return 0;
}

const struct hist_event_field *hist_event_field(const struct hist_event *event, unsigned int i)
{
	return i < event->nfields ? &event->fields[i] : NULL;
}

const struct hist_event_field *hist_event_find(const struct hist_event *event, const char *name)
{
	unsigned int i;

	for (i = 0; i < event->nfields; i++)
		if (!strcmp(event->fields[i].name, name))
			return &event->fields[i];
	return NULL;
}
