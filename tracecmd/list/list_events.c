// SPDX-License-Identifier: GPL-2.0
/*
 * list_events.c - the events that match, and their fields with the modifiers that each accepts
 *
 * One event is shown with its fields.  Several events are shown by name, and with their
 * fields if -v is given.
 *
 * The library decides if a modifier fits.  Modifiers that this kernel does not have are
 * removed.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/suggest.h"
#include "lib/check/check.h"
#include "lib/expr/modifier_fit.h"
#include "lib/label/label.h"
#include "tracecmd/base/message.h"
#include "tracecmd/list/list.h"
#include "tracecmd/target/target_path.h"

#define MODIFIERS (HIST_MOD_GRAPH + 1)

/* One line of the list. */
struct row {
	const char *asked; /* the name in the library */
	const char *type;
	const char *what; /* a description, usually the type */
	const char *name; /* the name in this kernel */
	const struct hist_event_field *field; /* NULL: a special one */
};

/* Fields that are not in a format file, by their names in triggers.  common_comm is the last. */
static const struct row specials[] = {
	{ .asked = "common_cpu", .type = "number", .what = "the CPU" },
	{ .asked = "common_timestamp", .type = "number", .what = "the event's time" },
	{ .asked = "common_stacktrace", .type = "stack", .what = "the kernel stack" },
	{ .asked = "hitcount", .type = "number", .what = "the number of hits" },
	{ .asked = "common_comm", .type = "string", .what = "the task's name" },
};

#define SPECIALS (sizeof(specials) / sizeof(*specials))

static bool list_fields_is_common_field(const struct hist_event_field *field)
{
	return !strncmp(field->name, "common_", strlen("common_"));
}

static enum hist_modifier_fit list_fields_check_fit(const struct list *l, const struct row *row,
						    const struct hist_event *event,
						    enum hist_modifier modifier,
						    bool is_key)
{
	const struct capabilities *caps = &l->caps;

	if ((modifier == HIST_MOD_PERCENT || modifier == HIST_MOD_GRAPH) &&
	    !capability_is_present(caps, CAP_PERCENT_GRAPH))
		return HIST_FITS_NOT;
	if (modifier == HIST_MOD_BUCKETS && !capability_is_present(caps, CAP_BUCKETS))
		return HIST_FITS_NOT;
	if (modifier == HIST_MOD_STACKTRACE && !capability_is_present(caps, CAP_STACK_FIELDS))
		return HIST_FITS_NOT;
	/* the old names are valid only without modifiers */
	if (!strcmp(row->asked, "common_stacktrace") &&
	    !capability_is_present(caps, CAP_COMMON_STACKTRACE) &&
	    (modifier != HIST_MOD_NONE || !capability_is_present(caps, CAP_STACK_KEYS)))
		return HIST_FITS_NOT;
	if (!strcmp(row->asked, "hitcount") && !capability_is_present(caps, CAP_NOHITCOUNT) &&
	    (modifier != HIST_MOD_NONE || is_key))
		return HIST_FITS_NOT;
	return hist_modifier_fits(modifier, row->asked, event, is_key);
}

static void json_modifiers(struct list *l, const struct row *row, const struct hist_event *event,
			   bool is_key, enum hist_modifier_fit wanted, const char *name)
{
	enum hist_modifier m;

	json_array_begin(l->json, name);
	for (m = HIST_MOD_NONE + 1; m < MODIFIERS; m++) {
		if (list_fields_check_fit(l, row, event, m, is_key) == wanted)
			json_string(l->json, NULL, hist_modifier_name(m));
	}
	json_array_end(l->json);
}

static void json_role(struct list *l, const struct row *row, const struct hist_event *event,
		      bool is_key)
{
	static const char *const words[] = {
		[HIST_FITS] = "yes", [HIST_FITS_SENSELESS] = "meaningless", [HIST_FITS_NOT] = "no",
	};

	json_object_begin(l->json, is_key ? "key" : "value");
	list_member(l, "bare", words[list_fields_check_fit(l, row, event, HIST_MOD_NONE, is_key)]);
	json_modifiers(l, row, event, is_key, HIST_FITS, "modifiers");
	json_modifiers(l, row, event, is_key, HIST_FITS_SENSELESS, "meaningless");
	json_object_end(l->json);
}

static void json_row(struct list *l, const struct row *row, const struct hist_event *event)
{
	json_object_line(l->json, NULL);
	list_member(l, "name", row->name);
	list_member(l, "type", row->type);
	if (row->field) {
		json_u64(l->json, "size", row->field->size);
		json_bool(l->json, "signed", row->field->is_signed);
	}
	json_role(l, row, event, true);
	json_role(l, row, event, false);
	json_object_end(l->json);
}

/* "yes .hex .log2", "no"; returns the width. */
static unsigned int put_role(struct list *l, const struct row *row,
			     const struct hist_event *event, bool is_key)
{
	size_t before = l->text.len;
	enum hist_modifier m;
	bool bare = list_fields_check_fit(l, row, event, HIST_MOD_NONE, is_key) == HIST_FITS;

	hist_strbuf_str(&l->text, bare ? "yes" : "no");
	for (m = HIST_MOD_NONE + 1; m < MODIFIERS; m++) {
		if (list_fields_check_fit(l, row, event, m, is_key) != HIST_FITS)
			continue;
		hist_strbuf_str(&l->text, " .");
		hist_strbuf_str(&l->text, hist_modifier_name(m));
		if (m == HIST_MOD_BUCKETS)
			hist_strbuf_str(&l->text, "=N");
		if (m == HIST_MOD_LOG2 && row->field &&
		    capability_is_present(&l->caps, CAP_FINE_LOG2))
			hist_strbuf_str(&l->text, "[=K]");
	}
	return l->text.len - before;
}

#define VALUE_WIDTH (sizeof("yes .hex .usecs .percent .graph") - 1)

static void text_row(struct list *l, const struct row *row, const struct hist_event *event,
		     unsigned int name_width, unsigned int type_width)
{
	unsigned int used;

	hist_strbuf_fill(&l->text, ' ', 4);
	list_put(l, row->name, name_width);
	hist_strbuf_fill(&l->text, ' ', 2);
	list_put(l, row->what, type_width);
	if (row->field)
		hist_strbuf_printf(&l->text, "%6u  %-6s  ", row->field->size,
				   row->field->is_signed ? "signed" : "");
	else
		hist_strbuf_fill(&l->text, ' ', 16);
	used = put_role(l, row, event, false);
	hist_strbuf_pad(&l->text, used, VALUE_WIDTH);
	hist_strbuf_fill(&l->text, ' ', 2);
	put_role(l, row, event, true);
	hist_strbuf_char(&l->text, '\n');
}

/* Get row @i, with the event's own fields first; false after the last row. */
static bool get_row(const struct list *l, const struct hist_event *event, unsigned int i,
		    struct row *row)
{
	unsigned int nfields = event->nfields;

	if (i < nfields) {
		row->field = hist_event_field(event, i);
		row->name = row->asked = row->field->name;
		row->type = row->what = row->field->ctype;
		return true;
	}
	if (i - nfields >= SPECIALS - !capability_is_present(&l->caps, CAP_COMMON_COMM))
		return false;
	*row = specials[i - nfields];
	row->name = row->asked;
	if (!strcmp(row->asked, "common_stacktrace") &&
	    !capability_is_present(&l->caps, CAP_COMMON_STACKTRACE))
		row->name = "stacktrace";
	return true;
}

static bool list_fields_is_common_row(const struct row *row)
{
	return !row->field || list_fields_is_common_field(row->field);
}

static void text_header(struct list *l, unsigned int name_width, unsigned int type_width)
{
	hist_strbuf_fill(&l->text, ' ', 4);
	list_put(l, "FIELD", name_width + 2);
	list_put(l, "TYPE", type_width + 2);
	hist_strbuf_printf(&l->text, "%4s  %-6s  %-*s  %s\n", "SIZE", "", (int)VALUE_WIDTH,
			   "AS VALUE", "AS KEY");
}

static void text_rows(struct list *l, const struct hist_event *event, bool common)
{
	unsigned int i, width, name_width = strlen("FIELD"), type_width = strlen("TYPE"), rows = 0;
	struct row row;

	for (i = 0; get_row(l, event, i, &row); i++) {
		if (list_fields_is_common_row(&row) != common)
			continue;
		rows++;
		width = hist_escape_width(row.name, strlen(row.name), l->flags);
		if (width > name_width)
			name_width = width;
		width = hist_escape_width(row.what, strlen(row.what), l->flags);
		if (width > type_width)
			type_width = width;
	}
	if (!rows) {
		hist_strbuf_str(&l->text, "    no fields\n");
		return;
	}
	text_header(l, name_width, type_width);
	for (i = 0; get_row(l, event, i, &row); i++)
		if (list_fields_is_common_row(&row) == common)
			text_row(l, &row, event, name_width, type_width);
}

/* The fields of one event; @last: followed by the fields that all events have. */
static int list_fields(struct list *l, const struct hist_event *event, bool last)
{
	struct row row;
	unsigned int i;

	if (l->json) {
		json_array_begin(l->json, "fields");
		for (i = 0; get_row(l, event, i, &row); i++)
			json_row(l, &row, event);
		json_array_end(l->json);
		return json_writer_error(l->json);
	}
	text_rows(l, event, false);
	if (last) {
		hist_strbuf_str(&l->text, "\nfields common to all events:\n");
		text_rows(l, event, true);
	}
	return l->text.error;
}

/* Similar names for a pattern without wildcards. */
static const char *list_events_suggest_name(const struct names *events, const char *pattern)
{
	bool whole = strpbrk(pattern, ":/");
	const char **names, *near = NULL, *colon;
	char *asked = strdup(pattern);
	size_t i;

	names = malloc((events->n + 1) * sizeof(*names));
	if (names && asked) {
		if (whole)
			asked[strcspn(asked, ":/")] = ':';
		for (i = 0; i < events->n; i++) {
			colon = strchr(events->names[i], ':');
			names[i] = whole ? events->names[i] : colon + 1;
		}
		near = hist_suggest(asked, names, events->n);
	}
	free(names);
	free(asked);
	return near;
}

static int list_events_refuse_pattern(const struct names *events, const char *pattern)
{
	const char *near = list_events_suggest_name(events, pattern);

	if (near)
		return message_refuse(-ENOENT, "%s: no event matches\ndid you mean \"%s\"?",
				      pattern, near);
	return message_refuse(-ENOENT, "%s: no event matches\nrun \"trace-cmd hist list '*:*'\"",
			      pattern);
}

/* Mark the events that match any pattern; each pattern must match at least one. */
static int list_events_choose_matching(const struct names *events, char **patterns,
				       unsigned int npatterns,
				       bool *chosen, size_t *count)
{
	unsigned int p;
	bool any;
	size_t i;

	*count = 0;
	for (p = 0; p < npatterns; p++) {
		any = false;
		for (i = 0; i < events->n; i++) {
			if (!list_name_matches(events->names[i], patterns[p]))
				continue;
			any = true;
			*count += !chosen[i];
			chosen[i] = true;
		}
		if (!any)
			return list_events_refuse_pattern(events, patterns[p]);
	}
	return 0;
}

static int show_fields(struct list *l, const char *name, bool last)
{
	size_t system_len = strcspn(name, ":");
	struct target_buf format = { 0 };
	struct hist_event *event = NULL;
	char *system = strndup(name, system_len);
	int ret = -ENOMEM;

	if (!system)
		goto out;
	ret = target_readf(l->target, &format, "events/%s/%s/format", system,
			   name + system_len + 1);
	if (!ret)
		ret = hist_event_parse(&event, system, format.data, format.len);
	if (!ret)
		ret = list_fields(l, event, last);
out:
	if (ret)
		message_error("%s: format: %s", name,
			      ret == -EINVAL ? "unknown syntax" : strerror(-ret));
	hist_event_free(event);
	free(format.data);
	free(system);
	return ret;
}

static int list_events_print_event(struct list *l, const char *name, bool fields, bool last)
{
	int ret = 0;

	if (l->json) {
		json_object_begin(l->json, NULL);
		list_member(l, "event", name);
		if (fields)
			ret = show_fields(l, name, last);
		json_object_end(l->json);
		return ret ? ret : json_writer_error(l->json);
	}
	list_line(l, name);
	return fields ? show_fields(l, name, last) : 0;
}

int list_events(struct list *l, char **patterns, unsigned int npatterns)
{
	struct names events = { 0 };
	bool *chosen = NULL, fields;
	size_t i, count, shown = 0;
	int ret;

	ret = list_names_read(&events, l->target);
	if (!ret) {
		chosen = calloc(events.n + 1, sizeof(*chosen));
		ret = chosen ? 0 : -ENOMEM;
	}
	if (ret) {
		message_error("available_events: %s", strerror(-ret));
		goto out;
	}
	ret = list_events_choose_matching(&events, patterns, npatterns, chosen, &count);
	if (ret)
		goto out;
	fields = l->verbose || count == 1;
	if (l->json)
		json_array_begin(l->json, "events");
	for (i = 0; i < events.n && !ret; i++)
		if (chosen[i])
			ret = list_events_print_event(l, events.names[i], fields, ++shown == count);
	if (l->json)
		json_array_end(l->json);
out:
	free(chosen);
	names_clear(&events);
	return ret;
}
