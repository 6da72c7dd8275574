// SPDX-License-Identifier: LGPL-2.1
/*
 * worst_line.c - the largest value of a group as a line
 */
#include <inttypes.h>

#include "lib/label/label.h"
#include "lib/report/worst_line.h"

/* The task that ran then: ", after dd/123 [nice 0]" or ", pid 123"; @raw: with [120]. */
static void worst_line_put_task(struct hist_strbuf *b, const struct hist_worst_place *place,
				bool raw, unsigned int flags)
{
	if (place->has_previous) {
		hist_strbuf_str(b, ", after ");
		hist_escape(b, place->comm, place->comm_len, flags);
		hist_strbuf_printf(b, "/%" PRIu64 " [", place->pid);
		hist_label_put_priority(b, (int64_t)place->prio, raw);
		hist_strbuf_char(b, ']');
	} else if (place->has_pid) {
		hist_strbuf_printf(b, ", pid %" PRIu64, place->pid);
	}
}

/* The other saved fields, by their names. */
static void worst_line_put_fields(struct hist_strbuf *b, const struct hist_worst *worst,
				  unsigned int flags)
{
	struct hist_worst_field field;
	const char *at = worst->saved;
	size_t left = worst->saved_len;

	while (hist_worst_next_field(&at, &left, &field)) {
		if (hist_worst_is_place(&field))
			continue;
		hist_strbuf_str(b, ", ");
		hist_escape(b, field.name, field.name_len, flags);
		hist_strbuf_str(b, ": ");
		if (field.is_number)
			hist_strbuf_number(b, field.number, field.is_signed);
		else
			hist_escape(b, field.text, field.text_len, flags);
	}
}

void worst_line_put(struct hist_strbuf *b, const struct hist_series_info *info,
		    const struct hist_worst_list *list, const struct hist_worst *worst,
		    unsigned int flags)
{
	struct hist_worst_place place;

	if (!worst->exact)
		hist_strbuf_str(b, "at most ");
	hist_unit_put(b, worst->value, false, list->unit);
	if (worst->exact) {
		hist_worst_get_place(worst, &place);
		if (place.has_time) {
			hist_strbuf_str(b, " at ");
			hist_label_put_time(b, place.time + (info->timeline ?
							     info->timeline->offset : 0),
					    hist_clock_is_ns(info->def.clock));
		}
		if (place.has_cpu)
			hist_strbuf_printf(b, ", CPU %" PRIu64, place.cpu);
		worst_line_put_task(b, &place, info->def.schema->keys[0].shows_numbers, flags);
		worst_line_put_fields(b, worst, flags);
	}
	if (info->def.schema->nkeys > 1 || hist_grouping_axis(list->grouping) < 0) {
		hist_strbuf_str(b, ", ");
		hist_grouping_label(b, list->grouping, worst->group, flags | HIST_LABEL_KEYS);
	}
}
