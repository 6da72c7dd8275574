// SPDX-License-Identifier: LGPL-2.1
/*
 * diff_text.c - numbers and metrics as text, for all output formats of `diff`
 *
 * Invariant: an interval of buckets is never printed as a point.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/reason.h"
#include "lib/base/text.h"
#include "lib/diff/diff_text.h"

/* At most three digits without trailing zeros, or all of a whole number: 1.52, 12.3, 8500. */
static void put_digits(struct hist_strbuf *b, double v)
{
	double size = fabs(v);
	int digits = size >= 100 ? 0 : size >= 10 ? 1 : 2;
	char text[64];
	size_t len;

	if (size && size < 0.1)
		snprintf(text, sizeof(text), "%.3g", v);
	else
		snprintf(text, sizeof(text), "%.*f", digits, v);
	len = strlen(text);
	if (memchr(text, '.', len) && !memchr(text, 'e', len)) {
		while (text[len - 1] == '0')
			len--;
		if (text[len - 1] == '.')
			len--;
	}
	hist_strbuf_add(b, text, len);
}

void diff_put_number(struct hist_strbuf *b, double v, enum hist_unit unit)
{
	static const char *const thousands[] = { "", " k", " M", " G", " T", " P", " E" };
	bool has_unit = unit != HIST_UNIT_NONE;
	enum hist_unit next;
	unsigned int i = 0, step;

	/*
	 * a number that rounds to 1000 is 1 of the next unit; counts of four digits are not scaled
	 */
	for (; !has_unit && i < 6 && fabs(v) >= (i ? 999.5 : 9999.5); i++)
		v /= 1000;
	for (; (next = hist_unit_next(unit, &step)) && fabs(v) >= step - 0.5; unit = next)
		v /= step;
	put_digits(b, v);
	if (has_unit)
		hist_strbuf_char(b, ' ');
	hist_strbuf_str(b, has_unit ? hist_unit_name(unit) : thousands[i]);
}

void diff_put_change(struct hist_strbuf *b, double change)
{
	char text[32];

	if (isnan(change)) {
		hist_strbuf_char(b, '?');
	} else if (isinf(change)) {
		hist_strbuf_str(b, "from 0");
	} else if (change >= 9) {
		hist_strbuf_str(b, "x ");
		put_digits(b, change + 1);
	} else {
		snprintf(text, sizeof(text), "%+.1f %%", change * 100);
		/* a change of zero does not have a sign */
		hist_strbuf_str(b,
				strcmp(text, "-0.0 %") && strcmp(text, "+0.0 %") ? text : "0.0 %");
	}
}

void diff_put_changes(struct hist_strbuf *b, double low, double high)
{
	diff_put_change(b, low);
	if (low != high) {
		hist_strbuf_str(b, " .. ");
		diff_put_change(b, high);
	}
}

/* A share of all numbers, "0.12 %". */
static void put_share(struct hist_strbuf *b, double share)
{
	put_digits(b, share * 100);
	hist_strbuf_str(b, " %");
}

static void put_value(struct hist_strbuf *b, const struct hist_metric_result *m, double v)
{
	if (m->kind == HIST_METRIC_EXCEED)
		put_share(b, v);
	else
		diff_put_number(b, v, m->unit);
}

void diff_put_side(struct hist_strbuf *b, const struct hist_metric_result *m, double low,
		   double high)
{
	if (isnan(low) || isnan(high)) {
		hist_strbuf_char(b, '-');
		return;
	}
	put_value(b, m, low);
	if (high != low) {
		hist_strbuf_str(b, " .. ");
		put_value(b, m, high);
	}
}

void diff_put_placed(struct hist_strbuf *b, const struct hist_metric_result *m)
{
	const struct hist_change *c = &m->change;

	if (!m->gated || !c->is_placed || (c->resolvable && c->low == c->high))
		return;
	hist_strbuf_str(b, ", about ");
	diff_put_change(b, c->placed);
}

void diff_put_boundary(struct hist_strbuf *b, const struct hist_metric_result *m)
{
	const struct hist_change *c = &m->change;

	hist_strbuf_str(b, "above ");
	diff_put_number(b, c->edge, m->unit);
	hist_strbuf_char(b, ' ');
	put_share(b, c->base_share);
	hist_strbuf_str(b, " -> ");
	put_share(b, c->new_share);
}

bool diff_has_ci(const struct hist_change *c)
{
	return c->tested && !isnan(c->ci_low);
}

static void diff_text_put_test(struct hist_strbuf *b, const struct hist_metric_result *m,
			       double confidence)
{
	const struct hist_change *c = &m->change;

	hist_strbuf_str(b, ": ");
	if (!c->resolvable) {
		hist_strbuf_str(b, "the buckets are too wide to show a change");
	} else {
		diff_put_changes(b, c->low, c->high);
		if (diff_has_ci(c)) {
			hist_strbuf_printf(b, " (%g %% CI ", confidence * 100);
			diff_put_change(b, c->ci_low);
			hist_strbuf_str(b, " .. ");
			diff_put_change(b, c->ci_high);
			hist_strbuf_char(b, ')');
		}
	}
	diff_put_placed(b, m);
	if (c->has_edge) {
		hist_strbuf_str(b, ", ");
		diff_put_boundary(b, m);
	}
}

void diff_put_why(struct hist_strbuf *b, const char *prefix, const char *why)
{
	const char *hint;
	int len = reason_split_hint(why, &hint);

	hist_strbuf_printf(b, "%s%.*s\n", prefix, len, why);
	if (*hint)
		hist_strbuf_printf(b, "%shint: %s\n", prefix, hint);
}

void diff_put_metric(struct hist_strbuf *b, const struct hist_metric_result *m,
		     const struct hist_key_result *key, double confidence)
{
	const struct hist_change *c = &m->change;
	const char *hint;

	hist_strbuf_str(b, m->name);
	hist_strbuf_str(b, ": ");
	if (key->presence != HIST_NEW) {
		diff_put_side(b, m, c->base_low, c->base_high);
		hist_strbuf_str(b, " -> ");
	}
	if (key->presence == HIST_VANISHED)
		hist_strbuf_str(b, "removed");
	else
		diff_put_side(b, m, c->new_low, c->new_high);
	if (m->has_budget) {
		hist_strbuf_str(b, ", budget ");
		put_value(b, m, m->budget);
	} else if (key->presence == HIST_BOTH || key->presence == HIST_RENAMED) {
		diff_text_put_test(b, m, confidence);
	}
	if (!m->gated && !m->has_budget)
		return;
	hist_strbuf_str(b, ": ");
	hist_strbuf_str(b, hist_significance_verdict_name(m->verdict));
	if (*m->why) {
		hist_strbuf_str(b, ": ");
		hist_strbuf_add(b, m->why, reason_split_hint(m->why, &hint));
	}
}

void diff_put_metrics(struct hist_strbuf *b, const char *prefix, const struct hist_key_result *key,
		      double confidence)
{
	const char *hint, *last = "";
	unsigned int i;

	if (key->presence == HIST_RENAMED)
		hist_strbuf_printf(b, "%swas %s\n", prefix, key->old_label);
	else if (key->presence != HIST_BOTH)
		hist_strbuf_printf(b, "%s%s key\n", prefix, diff_presence_name(key->presence));
	for (i = 0; i < key->nmetrics; i++) {
		hist_strbuf_str(b, prefix);
		diff_put_metric(b, &key->metrics[i], key, confidence);
		hist_strbuf_char(b, '\n');
	}
	for (i = 0; i < key->nmetrics; i++) {
		reason_split_hint(key->metrics[i].why, &hint);
		if (!*hint || !strcmp(hint, last))
			continue;
		hist_strbuf_printf(b, "%shint: %s\n", prefix, hint);
		last = hint;
	}
}

const char *diff_presence_name(enum hist_presence presence)
{
	static const char *const names[] = {
		[HIST_BOTH] = "both", [HIST_NEW] = "added", [HIST_VANISHED] = "removed",
		[HIST_RENAMED] = "renamed",
	};

	return names[presence];
}

bool diff_put_loss(struct hist_strbuf *b, const struct hist_side_result *side)
{
	const struct {
		uint64_t n;
		const char *noun; /* NULL: not counted */
		const char *words;
	} losses[] = {
		{ side->dropped, "hit", "dropped" },
		{ side->events_lost, "event", "lost" },
		{ side->probe_misses, "hit", "missed by the probe" },
		{ side->missed, "snapshot", "not taken" },
		{ side->reset, NULL, "cleared by another program during the recording" },
		{ side->stopped, NULL,
		  "paused or stopped by another program or trigger during the recording" },
		{ side->misses_unknown, NULL, "probe misses unknown" },
	};
	const char *comma = "";
	unsigned int i, k;

	for (i = 0; i < sizeof(losses) / sizeof(*losses); i++) {
		if (!losses[i].n)
			continue;
		hist_strbuf_str(b, comma);
		if (losses[i].noun)
			hist_strbuf_printf(b, "%" PRIu64 " %s%s ", losses[i].n, losses[i].noun,
					   text_plural(losses[i].n));
		hist_strbuf_str(b, losses[i].words);
		comma = ", ";
	}
	for (k = 0; k < HIST_LOSS_KINDS; k++) {
		if (!side->losses[k] || !hist_loss_traits(k)->one)
			continue;
		hist_strbuf_printf(b, "%s%" PRIu64 " %s", comma, side->losses[k],
				   hist_loss_traits(k)->words);
		comma = ", ";
	}
	return *comma;
}

void diff_put_losses(struct hist_strbuf *b, const char *prefix, const struct hist_hist_result *h)
{
	const struct hist_side_result *sides[] = { &h->base, &h->new_ };
	unsigned int i;
	size_t start;

	for (i = 0; i < 2; i++) {
		start = b->len;
		hist_strbuf_printf(b, "%s%s: ", prefix, i ? "new" : "base");
		if (diff_put_loss(b, sides[i]))
			hist_strbuf_char(b, '\n');
		else if (!b->error)
			b->len = start;
	}
}

/* The number of keys that are not in h->keys.  The whole is not a key. */
static uint32_t diff_text_count_hidden(const struct hist_hist_result *h)
{
	return h->keys_total - (h->nkeys - (h->nkeys && h->keys[0].whole));
}

bool diff_verdict_is_explained(const struct hist_comparison *c)
{
	unsigned int i;

	for (i = 0; i < c->nhists; i++)
		if (c->hists[i].verdict == c->verdict)
			return true;
	return false;
}

/* The number of keys with too few hits that are not in h->keys: no budget judged them. */
static uint32_t diff_text_count_few(const struct hist_hist_result *h)
{
	uint32_t few = h->few, k;

	for (k = 0; k < h->nkeys; k++)
		few -= h->keys[k].few;
	return few;
}

uint32_t diff_count_unshown(const struct hist_hist_result *h)
{
	uint32_t hidden = diff_text_count_hidden(h), few = diff_text_count_few(h);

	return hidden > few ? hidden - few : 0;
}

bool diff_put_counts(struct hist_strbuf *b, const char *prefix, const struct hist_hist_result *h)
{
	const char *comma = ":";
	unsigned int k;
	const struct {
		uint32_t n;
		const char *words;
	} counts[] = {
		{ h->counts[HIST_REGRESSED], "regressed" },
		{ h->counts[HIST_INCONCLUSIVE], "inconclusive" },
		{ h->counts[HIST_IMPROVED], "improved" },
		{ h->counts[HIST_PASS], "pass" },
		{ diff_text_count_few(h), "with too few hits" },
		{ h->appeared, "added" },
		{ h->vanished, "removed" },
		{ h->renamed, "renamed" },
	};

	if (!h->keys_total)
		return false;
	hist_strbuf_printf(b, "%s%" PRIu32 " key%s", prefix, h->keys_total,
			   text_plural(h->keys_total));
	for (k = 0; k < sizeof(counts) / sizeof(*counts); k++) {
		if (!counts[k].n)
			continue;
		hist_strbuf_printf(b, "%s %" PRIu32 " %s", comma, counts[k].n, counts[k].words);
		comma = ",";
	}
	return true;
}

void diff_put_hidden(struct hist_strbuf *b, const char *prefix, const struct hist_hist_result *h,
		     const char *end)
{
	uint32_t hidden = diff_text_count_hidden(h);

	if (hidden)
		hist_strbuf_printf(b, "%s%" PRIu32 " more %s not shown%s", prefix, hidden,
				   hidden == 1 ? "key is" : "keys are", end);
}

int diff_put_end(FILE *f, struct hist_strbuf *b, struct hist_strbuf *line)
{
	int ret;

	hist_strbuf_fail(b, line->error);
	ret = hist_strbuf_flush(b, f);
	hist_strbuf_free(b);
	hist_strbuf_free(line);
	return ret;
}
