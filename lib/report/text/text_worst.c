// SPDX-License-Identifier: LGPL-2.1
/*
 * text_worst.c - the lines "worst: 8.2 ms at 12.345678, CPU 1, after dd/123 [120]"
 *
 * There is a line for each group of the histogram, largest value first, up to WORST_LINES.
 */
#include <inttypes.h>

#include "lib/report/text/text_view.h"
#include "lib/report/worst_line.h"

#define WORST_LINES 5

int text_put_worst(struct text_view *t)
{
	struct hist_worst_list list = { 0 };
	uint32_t i;
	int ret;

	ret = hist_worst_select(&list, t->view);
	if (!ret && list.n)
		hist_strbuf_char(&t->out, '\n');
	for (i = 0; !ret && i < list.n && i < WORST_LINES; i++) {
		hist_strbuf_str(&t->out, "worst: ");
		worst_line_put(&t->out, t->view->info, &list, &list.list[i], t->flags);
		hist_strbuf_char(&t->out, '\n');
	}
	if (!ret && list.n > WORST_LINES)
		hist_strbuf_printf(&t->out, "worst: %" PRIu32 " more\n", list.n - WORST_LINES);
	hist_worst_free(&list);
	return ret;
}
