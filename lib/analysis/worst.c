// SPDX-License-Identifier: LGPL-2.1
/*
 * worst.c - the largest value of each key of a view, with what the kernel saved at that time
 *
 * The text of a HIST_VALUE_WORST is "max: %10llu" and "  NAME: VALUE" for each field of save();
 * numbers have at least ten columns, strings are padded to 32 (track_data_print() in
 * kernel/trace/trace_events_hist.c).  A string may contain anything, also such a text: it ends at
 * its column, or at the next name after it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/worst.h"
#include "lib/base/array.h"
#include "lib/base/text.h"
#include "lib/expr/expr.h"

#define NUMBER_COLUMNS 10
#define STRING_COLUMNS 32

/* The length of a name at @at that ": " follows, or 0. */
static size_t worst_name_len(const char *at, size_t left)
{
	size_t n = 0;

	while (n < left && text_is_word(at[n]))
		n++;
	return n && left - n >= 2 && at[n] == ':' && at[n + 1] == ' ' ? n : 0;
}

/* True if the text ends here, or another field begins. */
static bool field_ends(const char *at, size_t left)
{
	return !left || (left > 2 && at[0] == ' ' && at[1] == ' ' &&
			 worst_name_len(at + 2, left - 2));
}

/* The columns of a number at @at, or 0. */
static size_t worst_read_number(const char *at, size_t left, struct hist_worst_field *field)
{
	size_t n = 0, start;
	uint64_t value = 0;

	while (n < left && at[n] == ' ')
		n++;
	field->is_signed = n < left && at[n] == '-';
	n += field->is_signed;
	for (start = n; n < left && n - start < 20 && text_is_digit(at[n]); n++)
		value = value * 10 + (at[n] - '0');
	field->number = field->is_signed ? -value : value;
	return n > start && n >= NUMBER_COLUMNS && field_ends(at + n, left - n) ? n : 0;
}

/* A task may have any name, also "      1234". */
static bool is_task_name(const struct hist_worst_field *field)
{
	return text_ends_with(field->name, field->name_len, "comm");
}

bool hist_worst_next_field(const char **at, size_t *left, struct hist_worst_field *field)
{
	const char *p = *at;
	size_t n = *left, len;

	if (n > 2 && p[0] == ' ' && p[1] == ' ') {
		p += 2;
		n -= 2;
	}
	len = worst_name_len(p, n);
	if (!len)
		return false;
	*field = (struct hist_worst_field){ .name = p, .name_len = len };
	p += len + 2;
	n -= len + 2;
	len = is_task_name(field) ? 0 : worst_read_number(p, n, field);
	field->is_number = len != 0;
	if (!len) {
		field->is_signed = false;
		len = n < STRING_COLUMNS ? n : STRING_COLUMNS;
		while (len < n && !field_ends(p + len, n - len))
			len++;
		field->text = p;
		field->text_len = text_trim(p, len);
	}
	*at = p + len;
	*left = n - len;
	return true;
}

static bool worst_find_field(const struct hist_worst *worst, const char *name,
			     struct hist_worst_field *field)
{
	const char *at = worst->saved;
	size_t left = worst->saved_len;

	while (hist_worst_next_field(&at, &left, field))
		if (text_equals(field->name, field->name_len, name))
			return true;
	return false;
}

static const char *const worst_places[] = { "common_timestamp", "cpu", "common_cpu", "common_pid",
					    "prev_comm", "prev_pid", "prev_prio" };

bool hist_worst_is_place(const struct hist_worst_field *field)
{
	size_t i;

	for (i = 0; i < sizeof(worst_places) / sizeof(*worst_places); i++)
		if (text_equals(field->name, field->name_len, worst_places[i]))
			return true;
	return false;
}

static bool find_number(const struct hist_worst *worst, const char *name, uint64_t *number)
{
	struct hist_worst_field field;

	if (!worst_find_field(worst, name, &field) || !field.is_number)
		return false;
	*number = field.number;
	return true;
}

void hist_worst_get_place(const struct hist_worst *worst, struct hist_worst_place *place)
{
	struct hist_worst_field comm;

	*place = (struct hist_worst_place){ 0 };
	place->has_time = find_number(worst, "common_timestamp", &place->time);
	place->has_cpu = find_number(worst, "cpu", &place->cpu) ||
			 find_number(worst, "common_cpu", &place->cpu);
	/* at a switch, the current task is the one before */
	place->has_pid = find_number(worst, "prev_pid", &place->pid) ||
			 find_number(worst, "common_pid", &place->pid);
	place->has_previous = place->has_pid && worst_find_field(worst, "prev_comm", &comm) &&
			      !comm.is_number && find_number(worst, "prev_prio", &place->prio);
	if (place->has_previous) {
		place->comm = comm.text;
		place->comm_len = comm.text_len;
	}
}

int hist_worst_find_field(char *field, size_t size, const char *trigger)
{
	struct hist_expr *expr;
	unsigned int i, j;
	int ret;

	field[0] = '\0';
	ret = hist_expr_parse(&expr, trigger, NULL);
	if (ret)
		return ret == -ENOMEM ? ret : 0;
	for (i = 0; i < expr->nactions; i++) {
		for (j = 0; expr->actions[i].handler == HIST_ONMAX && j < expr->nvariables; j++) {
			if (!strcmp(expr->actions[i].subject + 1, expr->variables[j].name))
				snprintf(field, size, "%s", expr->variables[j].text);
		}
	}
	hist_expr_free(expr);
	return 0;
}

/* Set field and unit of @list from the variable of onmax(). */
static int worst_find_unit(struct hist_worst_list *list, const char *trigger)
{
	struct hist_value_desc desc = { .name = list->field, .kind = HIST_VALUE_SUM };
	int ret = hist_worst_find_field(list->field, sizeof(list->field), trigger);

	if (!ret)
		list->unit = hist_unit_from_value(&desc);
	return ret;
}

bool hist_worst_read(struct hist_worst *worst, const struct hist_table *table, uint64_t id)
{
	struct hist_worst_field max;

	if (id >= hist_table_strings(table))
		return false;
	worst->saved = hist_table_string(table, (uint32_t)id, &worst->saved_len);
	if (!hist_worst_next_field(&worst->saved, &worst->saved_len, &max) || !max.is_number)
		return false;
	worst->value = max.number;
	return true;
}

/* Update the worst of a group by the row of @worst. */
static int worst_add(struct hist_worst_list *list, const struct hist_worst *worst)
{
	uint32_t *place = &list->of_group[worst->group];
	struct hist_worst *known;

	if (!*place) {
		if (array_grow(&list->list, &list->room, list->n + 1, sizeof(*list->list)))
			return -ENOMEM;
		list->list[list->n++] = *worst;
		*place = list->n;
		return 0;
	}
	known = &list->list[*place - 1];
	if (worst->value > known->value ||
	    (worst->value == known->value && worst->exact && !known->exact))
		*known = *worst;
	return 0;
}

static bool was_hit(const struct hist_schema *schema, const uint64_t *values)
{
	unsigned int v;

	for (v = 0; v < schema->nvalues; v++)
		if (values[v] && hist_value_is_sum(schema->values[v].kind))
			return true;
	return false;
}

/*
 * The peak of the row is its largest value in a difference of neighbours.  It replaces an upper
 * limit; nothing was saved with it then.
 */
static void worst_use_peak(struct hist_worst *worst, const struct hist_view *view, int peak,
			   const uint64_t *whole)
{
	if (worst->exact || peak < 0 || !view->difference || view->lost ||
	    view->from_seq + 1 != view->whole->seq)
		return;
	worst->value = whole[peak];
	worst->exact = true;
	worst->saved_len = 0;
}

static int worst_add_rows(struct hist_worst_list *list, const struct hist_view *view, int value)
{
	const struct hist_schema *schema = hist_table_schema(view->table);
	int peak = hist_schema_peak(schema);
	uint32_t i, n = view->changed ? view->nchanged : view->snap->nentries;
	struct hist_worst worst;
	const uint64_t *values;
	int ret = 0;

	for (i = 0; i < n && !ret; i++) {
		worst.entry = view->changed ? view->changed[i] : i;
		values = view->snap->values + (size_t)worst.entry * schema->nvalues;
		if (!was_hit(schema, values))
			continue;
		worst.exact = !view->difference || view->from_nothing ||
			      worst.entry >= view->from_entries || values[value];
		values = view->whole->values + (size_t)worst.entry * schema->nvalues;
		if (!hist_worst_read(&worst, view->table, values[value]))
			continue;
		worst_use_peak(&worst, view, peak, values);
		/* onmax() saves nothing with a 0, because a maximum begins at 0 */
		if (!worst.value)
			continue;
		worst.group = hist_grouping_find(list->grouping, worst.entry);
		ret = worst_add(list, &worst);
	}
	return ret;
}

static int compare_worst(const void *pa, const void *pb)
{
	const struct hist_worst *a = pa, *b = pb;

	if (a->value != b->value)
		return a->value < b->value ? 1 : -1;
	return (a->group > b->group) - (a->group < b->group);
}

int hist_worst_select(struct hist_worst_list *list, const struct hist_view *view)
{
	int value = hist_schema_worst(hist_table_schema(view->table)), ret;
	uint32_t known = 0, groups, i;

	list->n = 0;
	if (value < 0 || !view->snap->values)
		return 0;
	ret = hist_grouping_follow(&list->grouping, view->table, &known);
	if (!ret)
		ret = worst_find_unit(list, view->info->def.trigger);
	if (ret)
		return ret;
	groups = hist_grouping_count(list->grouping);
	if (array_grow(&list->of_group, &list->groups_room, groups + 1, sizeof(*list->of_group)))
		return -ENOMEM;
	memset(list->of_group, 0, groups * sizeof(*list->of_group));
	ret = worst_add_rows(list, view, value);
	if (list->n)
		qsort(list->list, list->n, sizeof(*list->list), compare_worst);
	for (i = 0; i < list->n; i++)
		list->of_group[list->list[i].group] = i + 1;
	return ret;
}

void hist_worst_free(struct hist_worst_list *list)
{
	hist_grouping_free(list->grouping);
	free(list->list);
	free(list->of_group);
	memset(list, 0, sizeof(*list));
}
