// SPDX-License-Identifier: LGPL-2.1
/*
 * saved_fields.c - the text of the lines that onmax() and onchange() print below a row, with signs
 *
 * The kernel prints each number as u64; hist_text_row.c reads its text.
 */
#include <inttypes.h>
#include <string.h>

#include "lib/base/strbuf.h"
#include "lib/expr/expr_parts.h"
#include "lib/hist/saved_fields.h"

bool saved_is_worst(const struct hist_expr *expr)
{
	const struct hist_action *action;
	unsigned int i, tracked = 0;
	bool worst = false;

	for (i = 0; i < expr->nactions; i++) {
		action = &expr->actions[i];
		if (action->handler == HIST_ONMATCH)
			continue;
		tracked++;
		worst |= action->handler == HIST_ONMAX && action->kind == HIST_ACTION_SAVE &&
			 !strncmp(action->subject, "$worst", strlen("$worst"));
	}
	return worst && tracked == 1;
}

void saved_print_number(struct hist_strbuf *b, const struct hist_saved_desc *saved, uint64_t value)
{
	unsigned int unused = 64 - 8 * saved->sign_size;

	if (saved->sign_size)
		hist_strbuf_printf(b, "%10" PRId64, (int64_t)(value << unused) >> unused);
	else
		hist_strbuf_printf(b, "%10" PRIu64, value);
}
