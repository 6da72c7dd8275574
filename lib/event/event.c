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
#include <stdlib.h>
#include <string.h>

#include "lib/event/event.h"

/* A limit for damaged input.  Kernels print fewer fields (a synthetic event has 64). */
#define EVENT_FIELDS_MAX 4096

struct hist_event {
	char *system;
	char *name;
	unsigned int id;
	unsigned int nfields;
	unsigned int room;
	struct hist_event_field *fields;
};

struct text {
	const char *start;
	const char *end;
};

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static void trim(struct text *t)
{
	while (t->start < t->end && is_blank(*t->start))
		t->start++;
	while (t->end > t->start && (is_blank(t->end[-1]) || t->end[-1] == '\r'))
		t->end--;
}

static bool skip(struct text *t, const char *prefix)
{
	size_t n = strlen(prefix);

	if ((size_t)(t->end - t->start) < n || memcmp(t->start, prefix, n))
		return false;
	t->start += n;
	return true;
}

/* The next line without its newline; false at the end. */
static bool next_line(struct text *all, struct text *line)
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

/* Parse "KEY:NUMBER" up to the next ';', for offset, size and signed. */
static bool attribute(struct text *line, const char *key, unsigned int *value)
{
	struct text part = { line->start, memchr(line->start, ';', line->end - line->start) };
	uint64_t v = 0;

	if (!part.end)
		return false;
	line->start = part.end + 1;
	trim(&part);
	if (!skip(&part, key) || !skip(&part, ":"))
		return false;
	trim(&part);
	if (part.start == part.end)
		return false;
	for (; part.start < part.end; part.start++) {
		if (*part.start < '0' || *part.start > '9')
			return false;
		v = v * 10 + (*part.start - '0');
		if (v > INT_MAX)
			return false;
	}
	*value = v;
	return true;
}

static enum hist_field_type type_of(const char *system, const char *ctype, unsigned int size,
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

/* Both parts as one malloc'ed string. */
static char *join(struct text first, struct text second)
{
	size_t a = first.end - first.start, b = second.end - second.start;
	char *s = malloc(a + b + 1);

	if (s) {
		memcpy(s, first.start, a);
		memcpy(s + a, second.start, b);
		s[a + b] = '\0';
	}
	return s;
}

/* Split "TYPE NAME[ARRAY]" or "TYPE[] NAME". */
static int split_declaration(struct text decl, char **ctype, char **name)
{
	struct text type, word, array, none = { decl.end, decl.end };
	const char *p;

	trim(&decl);
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
	while (word.end > decl.start && is_blank(word.end[-1]))
		word.end--;
	word.start = word.end;
	while (word.start > decl.start && is_word(word.start[-1]))
		word.start--;
	type = (struct text){ decl.start, word.start };
	trim(&type);
	if (word.start == word.end || (*word.start >= '0' && *word.start <= '9') ||
	    type.start == type.end)
		return -EINVAL;

	*ctype = join(type, array);
	*name = join(word, none);
	return *ctype && *name ? 0 : -ENOMEM;
}

static int add_field(struct hist_event *event, struct text line)
{
	struct hist_event_field *fields, *f;
	char *ctype = NULL, *name = NULL;
	unsigned int offset, size, is_signed = 0, room;
	struct text decl;
	int ret = -EINVAL;

	decl.start = line.start;
	decl.end = memchr(line.start, ';', line.end - line.start);
	if (!decl.end)
		return -EINVAL;
	line.start = decl.end + 1;
	if (!attribute(&line, "offset", &offset) || !attribute(&line, "size", &size))
		return -EINVAL;
	/* kernels before 2.6.32 do not print the sign */
	trim(&line);
	if (line.start < line.end && !attribute(&line, "signed", &is_signed))
		return -EINVAL;
	if (event->nfields == EVENT_FIELDS_MAX)
		return -EINVAL;

	ret = split_declaration(decl, &ctype, &name);
	if (ret)
		goto fail;

	if (event->nfields == event->room) {
		room = event->room ? event->room * 2 : 16;
		fields = realloc(event->fields, room * sizeof(*fields));
		if (!fields) {
			ret = -ENOMEM;
			goto fail;
		}
		event->fields = fields;
		event->room = room;
	}
	f = &event->fields[event->nfields++];
	f->name = name;
	f->ctype = ctype;
	f->size = size;
	f->is_signed = is_signed;
	f->is_dynamic = strstr(ctype, "__data_loc") || strstr(ctype, "__rel_loc");
	f->offset = offset;
	f->type = type_of(event->system, ctype, size, f->is_dynamic);
	return 0;
fail:
	free(ctype);
	free(name);
	return ret;
}

static bool is_common(const struct hist_event_field *f)
{
	return !strncmp(f->name, "common_", strlen("common_"));
}

/* Move the event's own fields to the front.  Both groups keep the order of the format file. */
static int own_fields_first(struct hist_event *event)
{
	struct hist_event_field *sorted;
	unsigned int i, n = 0;

	sorted = malloc(event->nfields * sizeof(*sorted));
	if (!sorted)
		return -ENOMEM;
	for (i = 0; i < event->nfields; i++)
		if (!is_common(&event->fields[i]))
			sorted[n++] = event->fields[i];
	for (i = 0; i < event->nfields; i++)
		if (is_common(&event->fields[i]))
			sorted[n++] = event->fields[i];
	free(event->fields);
	event->fields = sorted;
	event->room = event->nfields;
	return 0;
}

static int set_name(struct hist_event *event, struct text line)
{
	const char *p;

	trim(&line);
	if (event->name || line.start == line.end)
		return -EINVAL;
	for (p = line.start; p < line.end; p++)
		if (!is_word(*p))
			return -EINVAL;
	event->name = strndup(line.start, line.end - line.start);
	return event->name ? 0 : -ENOMEM;
}

/* Parse the ID, a number that fits into common_type; any other text is an error. */
static int set_id(struct hist_event *event, struct text line)
{
	unsigned int id = 0;

	trim(&line);
	if (line.start == line.end)
		return -EINVAL;
	for (; line.start < line.end; line.start++) {
		if (*line.start < '0' || *line.start > '9')
			return -EINVAL;
		id = id * 10 + (*line.start - '0');
		if (id > UINT16_MAX)
			return -EINVAL;
	}
	event->id = id;
	return 0;
}

/* filter_assign_type() */
bool hist_is_string_pointer(const char *ctype)
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
	event->system = strdup(system);
	if (!event->system)
		goto fail;

	while (!complete && next_line(&all, &line)) {
		ret = 0;
		trim(&line);
		if (skip(&line, "name:"))
			ret = set_name(event, line);
		else if (skip(&line, "field:"))
			ret = add_field(event, line);
		else if (skip(&line, "print fmt:"))
			complete = true;
		else if (skip(&line, "ID:"))
			ret = set_id(event, line);
		else if (line.start < line.end && !skip(&line, "format:"))
			ret = -EINVAL;
		if (ret)
			goto fail;
	}
	if (!complete || !event->name || !event->nfields) {
		ret = -EINVAL;
		goto fail;
	}
	ret = own_fields_first(event);
	if (ret)
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
	free(event->system);
	free(event->name);
	free(event);
}

const char *hist_event_system(const struct hist_event *event)
{
	return event->system;
}

const char *hist_event_name(const struct hist_event *event)
{
	return event->name;
}

unsigned int hist_event_id(const struct hist_event *event)
{
	return event->id;
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

unsigned int hist_event_nfields(const struct hist_event *event)
{
	return event->nfields;
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
