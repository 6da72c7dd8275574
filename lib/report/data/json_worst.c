// SPDX-License-Identifier: LGPL-2.1
/*
 * json_worst.c - the largest value of a group as JSON, identical in all JSON formats
 */
#include <stdio.h>

#include "lib/base/text.h"
#include "lib/report/data/json_keys.h"
#include "lib/report/data/json_worst.h"

/* Everything that was saved with the worst, except its time and CPU. */
static void json_put_saved(struct json_writer *w, const struct hist_worst *worst)
{
	struct hist_worst_field field;
	const char *at = worst->saved;
	size_t left = worst->saved_len;
	char name[HIST_TITLE_MAX];

	json_object_begin(w, "saved");
	while (hist_worst_next_field(&at, &left, &field)) {
		if (text_equals(field.name, field.name_len, "common_timestamp") ||
		    text_equals(field.name, field.name_len, "common_cpu") ||
		    text_equals(field.name, field.name_len, "cpu"))
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)field.name_len, field.name);
		if (field.is_number)
			json_number(w, name, field.number, field.is_signed);
		else
			json_string_len(w, name, field.text, field.text_len);
	}
	json_object_end(w);
}

void json_put_worst(struct json_writer *w, const struct hist_columns *columns,
		    const struct hist_view *view, const struct hist_worst_list *list,
		    const struct hist_worst *worst, bool ns)
{
	const struct hist_timeline *timeline = view->info->timeline;
	struct hist_worst_place place;

	json_u64(w, "value", worst->value);
	json_bool(w, "exact", worst->exact);
	if (worst->exact) {
		hist_worst_get_place(worst, &place);
		if (place.has_time)
			json_member_time(w, "time_ns", "time_ticks",
					 place.time + (timeline ? timeline->offset : 0), ns);
		if (place.has_cpu)
			json_u64(w, "cpu", place.cpu);
	}
	json_put_row_key(w, columns, view->table, worst->entry,
			 hist_grouping_axis(list->grouping));
	if (worst->exact)
		json_put_saved(w, worst);
}
