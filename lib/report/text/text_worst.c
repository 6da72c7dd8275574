// SPDX-License-Identifier: LGPL-2.1
/*
 * text_worst.c - the lines "worst: 8.2 ms at 12.345678, CPU 1, after dd/123 [120]"
 *
 * There is a line for each group of the histogram, largest value first, up to WORST_LINES.
 */
#include <inttypes.h>

#include "lib/analysis/worst.h"
#include "lib/label/label.h"
#include "lib/report/text/text_view.h"

#define WORST_LINES 5

/* The task that ran then: ", after dd/123 [120]" or ", pid 123". */
static void worst_put_task(struct text_view *t, const struct hist_worst_place *place)
{
	struct hist_strbuf *b = &t->out;

	if (place->has_previous) {
		hist_strbuf_str(b, ", after ");
		hist_escape(b, place->comm, place->comm_len, t->flags);
		hist_strbuf_printf(b, "/%" PRIu64 " [%" PRId64 "]", place->pid,
				   (int64_t)place->prio);
	} else if (place->has_pid) {
		hist_strbuf_printf(b, ", pid %" PRIu64, place->pid);
	}
}

/* The other saved fields, by their names. */
static void worst_put_fields(struct text_view *t, const struct hist_worst *worst)
{
	struct hist_worst_field field;
	const char *at = worst->saved;
	size_t left = worst->saved_len;

	while (hist_worst_next_field(&at, &left, &field)) {
		if (hist_worst_is_place(&field))
			continue;
		hist_strbuf_str(&t->out, ", ");
		hist_escape(&t->out, field.name, field.name_len, t->flags);
		hist_strbuf_str(&t->out, ": ");
		if (field.is_number)
			hist_strbuf_number(&t->out, field.number, field.is_signed);
		else
			hist_escape(&t->out, field.text, field.text_len, t->flags);
	}
}

static void text_put_worst_line(struct text_view *t, const struct hist_worst_list *list,
				const struct hist_worst *worst)
{
	const struct hist_series_info *info = t->view->info;
	struct hist_strbuf *b = &t->out;
	struct hist_worst_place place;

	hist_strbuf_str(b, worst->exact ? "worst: " : "worst: at most ");
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
		worst_put_task(t, &place);
		worst_put_fields(t, worst);
	}
	if (t->schema->nkeys > 1 || hist_grouping_axis(list->grouping) < 0) {
		hist_strbuf_str(b, ", ");
		hist_grouping_label(b, list->grouping, worst->group, t->flags | HIST_LABEL_KEYS);
	}
	hist_strbuf_char(b, '\n');
}

int text_put_worst(struct text_view *t)
{
	struct hist_worst_list list = { 0 };
	uint32_t i;
	int ret;

	ret = hist_worst_select(&list, t->view);
	if (!ret && list.n)
		hist_strbuf_char(&t->out, '\n');
	for (i = 0; !ret && i < list.n && i < WORST_LINES; i++)
		text_put_worst_line(t, &list, &list.list[i]);
	if (!ret && list.n > WORST_LINES)
		hist_strbuf_printf(&t->out, "worst: %" PRIu32 " more\n", list.n - WORST_LINES);
	hist_worst_free(&list);
	return ret;
}
