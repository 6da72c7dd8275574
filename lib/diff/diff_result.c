// SPDX-License-Identifier: LGPL-2.1
/*
 * diff_result.c - the result of a comparison: add notes and reasons, weigh keys, free it
 *
 * Invariant: notes and reasons are escaped, except the newline before a hint.
 */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/reason.h"
#include "lib/diff/diff_private.h"
#include "lib/label/label.h"

int diff_add_note(struct hist_comparison *c, const char *fmt, ...)
{
	struct hist_strbuf b = { 0 };
	const char *hint;
	char *text, *safe;
	va_list args;
	size_t len;

	va_start(args, fmt);
	text = hist_error_format(fmt, args, &len, &hint);
	va_end(args);
	if (!text)
		return -ENOMEM;
	hist_escape(&b, text, len, 0);
	if (*hint)
		hist_strbuf_printf(&b, "\n%s", hint);
	free(text);
	safe = hist_strbuf_string(&b);
	if (!safe || array_add(&c->notes, c->nnotes, sizeof(*c->notes))) {
		free(safe);
		return -ENOMEM;
	}
	c->notes[c->nnotes++] = safe;
	return 0;
}

/* Copy @fmt without its hint to @problem.  Arguments may contain newlines, which are escaped. */
static const char *diff_cut_hint(char *problem, size_t size, const char *fmt)
{
	const char *hint;
	int len = reason_split_hint(fmt, &hint);

	snprintf(problem, size, "%.*s", len, fmt);
	return hint;
}

void diff_add_reason(struct hist_hist_result *h, const char *fmt, ...)
{
	char problem[HIST_ESCAPE_SHORT], text[HIST_ESCAPE_SHORT], safe[HIST_ESCAPE_SHORT];
	const char *hint = diff_cut_hint(problem, sizeof(problem), fmt), *old;
	int len = reason_split_hint(h->why, &old);
	bool more = !strstr(old, hint);
	char hints[HIST_ESCAPE_SHORT];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), problem, args);
	va_end(args);
	hist_escape_short(safe, sizeof(safe), text);
	snprintf(hints, sizeof(hints), "%s%s%s", old, more && *old ? "; " : "", more ? hint : "");
	/* the sentences are truncated, so that the hints have room */
	len += snprintf(h->why + len, HIST_ESCAPE_SHORT - len, "%s%s", len ? "; " : "", safe);
	if (len > HIST_ESCAPE_SHORT - 1)
		len = HIST_ESCAPE_SHORT - 1;
	if (*hints)
		snprintf(h->why + len, sizeof(h->why) - len, "\n%s", hints);
}

/* The weight of a key in h->decided and h->to_decide: its hits. */
double diff_key_weight(const struct hist_key_result *key)
{
	/* without hitcount the hits are unknown */
	if (key->base_hits == UINT64_MAX || key->new_hits == UINT64_MAX)
		return 1;
	return (double)key->base_hits + key->new_hits;
}

double hist_diff_metric_size(const struct hist_metric_result *m)
{
	const struct hist_change *c = &m->change;

	if (!m->gated || m->has_budget || isnan(c->low))
		return 0;
	/* the end next to 0, if buckets give an interval */
	return c->low > 0 ? log1p(c->low) : c->high < 0 ? -log1p(c->high) : 0;
}

void diff_clear_key(struct hist_key_result *key)
{
	free(key->label);
	free(key->old_label);
	free(key->metrics);
	memset(key, 0, sizeof(*key));
}

static void diff_clear_side_info(struct hist_side_info *side)
{
	unsigned int i;

	for (i = 0; side->files && i < side->nfiles; i++)
		free(side->files[i]);
	free(side->files);
	free(side->uname);
	free(side->host);
}

void hist_diff_free(struct hist_comparison *c)
{
	struct hist_hist_result *h;
	unsigned int i;
	uint32_t k;

	if (!c)
		return;
	for (i = 0; i < c->nhists; i++) {
		h = &c->hists[i];
		for (k = 0; k < h->nkeys; k++)
			diff_clear_key(&h->keys[k]);
		free(h->keys);
		free(h->name);
		free(h->trigger);
	}
	free(c->hists);
	for (i = 0; i < c->nnotes; i++)
		free(c->notes[i]);
	free(c->notes);
	diff_clear_side_info(&c->base);
	diff_clear_side_info(&c->new_);
	free(c);
}
