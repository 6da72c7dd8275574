// SPDX-License-Identifier: GPL-2.0
/*
 * helper_totals.c - the totals of the hidden histograms of an event
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracecmd/target/target_path.h"
#include "tracecmd/trigger/helper_totals.h"

int helper_totals_find(const struct traced_event *s, const struct hist_text_block *block)
{
	const struct hist_clause *clause;
	const struct hist_expr *expr;
	unsigned int i;
	char name[128];
	size_t len;

	for (i = 0; i < s->nhelpers; i++) {
		expr = s->triggers[i].expr;
		clause = expr->clauses;
		if (expr->name)
			len = snprintf(name, sizeof(name), ":name=%s:", expr->name);
		else
			len = clause ? snprintf(name, sizeof(name), "%.*s",
						(int)strcspn(clause->text, "=") + 1, clause->text)
				     : 0;
		if (len && len < sizeof(name) &&
		    memmem(block->trigger, block->trigger_len, name, len))
			return i;
	}
	return -1;
}

/* The total "\n    NAME: " of the block that ends at @end; unchanged without it. */
static void helper_totals_find_number(const struct hist_text_block *block, const char *end,
				      const char *name, uint64_t *total)
{
	const size_t len = strlen(name);
	const char *at;

	/* search backwards: the totals follow the rows, so names cannot forge them */
	for (at = end; at > block->trigger && strncmp(at, name, len); at--)
		;
	if (at > block->trigger)
		*total = strtoull(at + len, NULL, 10);
}

int helper_totals_read(const struct traced_event *s, struct hist_target *t,
			     struct traced_totals *totals)
{
	struct hist_text_block block;
	struct target_buf buf = { 0 };
	size_t pos = 0;
	int ret = 0, i;

	memset(totals, 0, s->nhelpers * sizeof(*totals));
	if (s->nhelpers && s->dir)
		ret = target_readf(t, &buf, "%s/hist", s->dir);
	while (!ret && buf.data && hist_text_next_block(buf.data, buf.len, &pos, &block) == 1) {
		i = helper_totals_find(s, &block);
		if (i < 0)
			continue;
		helper_totals_find_number(&block, buf.data + pos,
					  "\n    Dropped: ", &totals[i].dropped);
		helper_totals_find_number(&block, buf.data + pos, "\n    Hits: ", &totals[i].hits);
	}
	free(buf.data);
	return ret;
}
