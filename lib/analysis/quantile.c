// SPDX-License-Identifier: LGPL-2.1
/*
 * quantile.c - percentiles of bucketed data, as intervals
 *
 * Counts are summed from the least bucket up, in 128 bits, so that the 64-bit counts of a hostile
 * file cannot overflow.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/analysis/quantile.h"
#include "lib/base/saturate.h"
#include "lib/base/wide.h"

static struct hist_wide count_all(const struct hist_distribution *d)
{
	struct hist_wide n = { 0 };
	uint32_t i;

	for (i = 0; i < d->n; i++)
		n = hist_wide_add(n, hist_wide(d->buckets[i].count));
	return n;
}

int hist_quantile(const struct hist_distribution *d, uint32_t p, struct hist_quantile *q)
{
	struct hist_wide n = count_all(d), rank, seen = { 0 };
	uint64_t rest;
	uint32_t i;

	if (p > HIST_QUANTILE_ONE)
		return -EINVAL;
	if (!n.high && !n.low)
		return -ENODATA;
	rank = hist_wide_div(hist_wide_add(hist_wide_scale(n, p), hist_wide(HIST_QUANTILE_ONE - 1)),
			     HIST_QUANTILE_ONE, &rest);
	if (!rank.high && !rank.low)
		rank = hist_wide(1);
	for (i = 0; i < d->n - 1; i++) {
		seen = hist_wide_add(seen, hist_wide(d->buckets[i].count));
		if (!hist_wide_is_less(seen, rank))
			break;
	}
	q->low = d->buckets[i].ge;
	q->high = d->buckets[i].le;
	return 0;
}

/* Parse "99.9" percent into millionths; false for other text and above 100. */
static bool parse_percentage(uint32_t *p, const char **text)
{
	const char *s = *text;
	uint32_t v = 0, unit = HIST_QUANTILE_ONE / 100;

	if (*s < '0' || *s > '9')
		return false;
	for (; *s >= '0' && *s <= '9'; s++) {
		v = v * 10 + (*s - '0');
		if (v > 100)
			return false;
	}
	v *= unit;
	if (*s == '.') {
		s++;
		if (*s < '0' || *s > '9')
			return false;
		for (; *s >= '0' && *s <= '9'; s++) {
			unit /= 10;
			if (!unit && *s != '0')
				return false;
			v += unit * (*s - '0');
		}
	}
	*p = v;
	*text = s;
	return v <= HIST_QUANTILE_ONE;
}

int hist_quantiles_parse(uint32_t *result, const char *text)
{
	uint32_t p[HIST_QUANTILES_MAX], one;
	int n = 0, i;

	for (;;) {
		if (!parse_percentage(&one, &text))
			return -EINVAL;
		for (i = n; i && p[i - 1] > one; i--)
			;
		if (!i || p[i - 1] != one) {
			if (n == HIST_QUANTILES_MAX)
				return -EINVAL;
			memmove(p + i + 1, p + i, (n - i) * sizeof(*p));
			p[i] = one;
			n++;
		}
		if (!*text)
			break;
		if (*text++ != ',')
			return -EINVAL;
	}
	memcpy(result, p, n * sizeof(*p));
	return n;
}

void hist_quantile_name(char *name, uint32_t p)
{
	uint32_t percent = HIST_QUANTILE_ONE / 100;
	int len = snprintf(name, HIST_QUANTILE_NAME, "p%u.%04u", p / percent % 1000, p % percent);

	while (name[len - 1] == '0')
		len--;
	name[name[len - 1] == '.' ? len - 1 : len] = '\0';
}

void hist_quantile_exceedance(const struct hist_distribution *d, uint64_t limit, uint64_t *at_least,
			      uint64_t *at_most)
{
	uint64_t sign = d->is_signed ? UINT64_C(1) << 63 : 0;
	const struct hist_bucket *b;
	uint32_t i;

	*at_least = 0;
	*at_most = 0;
	for (i = 0; i < d->n; i++) {
		b = &d->buckets[i];
		if ((b->le ^ sign) > (limit ^ sign))
			*at_most = saturating_add(*at_most, b->count);
		if ((b->ge ^ sign) > (limit ^ sign))
			*at_least = saturating_add(*at_least, b->count);
	}
}
