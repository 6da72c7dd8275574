// SPDX-License-Identifier: LGPL-2.1
/*
 * diff_limits.c - the limits and settings that were asked for, and those that nothing fits
 *
 * A limit of the options or of the thresholds must be judged: by the samples of a key in each
 * histogram whose keys it applies to.  A limit that later sections replace for every key that it
 * matches was not asked for.
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/diff/diff_private.h"
#include "lib/diff/key_budgets.h"

int diff_limits_init(struct diff_state *c)
{
	const struct hist_thresholds *t = c->options->thresholds;
	unsigned int n = 0, line;
	const char *text;

	while (t && !hist_thresholds_section(t, n, &text, &line))
		n++;
	c->limits = calloc(hist_thresholds_limits(t), sizeof(*c->limits));
	c->sections = calloc(n + 1, sizeof(*c->sections));
	return c->limits && c->sections ? 0 : -ENOMEM;
}

int diff_limits_begin(struct diff_state *c, struct hist_key_metrics *s)
{
	s->sections = c->sections;
	s->limits = calloc(hist_thresholds_limits(c->options->thresholds), sizeof(*s->limits));
	return s->limits ? 0 : -ENOMEM;
}

void diff_limits_end(struct diff_state *c, struct hist_key_metrics *s, struct hist_hist_result *h)
{
	unsigned int i, n = hist_thresholds_limits(c->options->thresholds);

	for (i = 0; s->limits && i < n; i++) {
		h->limits_judged |= s->limits[i].judged;
		h->limits_open |= s->limits[i].fits && !s->limits[i].judged;
		c->limits[i].fits |= s->limits[i].fits;
		c->limits[i].misfits |= s->limits[i].misfits;
		c->limits[i].misfits_unit |= s->limits[i].misfits_unit;
	}
	free(s->limits);
	s->limits = NULL;
}

/* What is wrong with a limit that nothing fits. */
static const char *diff_limits_explain(const struct hist_limit_use *use)
{
	return use->misfits_unit ? "the budget has no effect, because no histogram measures a time"
				 : "the budget has no effect, because no histogram has an axis";
}

/* Note that the limit @id, named @where, has no effect; the first one is in c->error. */
static int diff_limits_note_misfit(struct diff_state *c, unsigned int id, const char *where)
{
	const struct hist_limit_use *use = &c->limits[id];

	if (use->fits || !use->misfits)
		return 0;
	if (!c->unmatched)
		hist_error_set(c->error, -EINVAL, "%s: %s", where, diff_limits_explain(use));
	c->unmatched = true;
	return diff_add_note(c->c, "%s: %s", where, diff_limits_explain(use));
}

/* Note each limit that has no effect. */
static int diff_limits_note_misfits(struct diff_state *c)
{
	const struct hist_thresholds *t = c->options->thresholds;
	struct hist_thresholds_setting s;
	unsigned int i, k, line;
	const char *text;
	char where[256];
	int ret;

	ret = diff_limits_note_misfit(c, 0, "--max");
	for (i = 1; i < HIST_LIMIT_FILE && !ret; i++)
		ret = diff_limits_note_misfit(c, i, "--exceed");
	for (i = 0; t && !hist_thresholds_section(t, i, &text, &line); i++) {
		for (k = 0; !ret && !hist_thresholds_setting(t, i, k, &s); k++) {
			snprintf(where, sizeof(where), "%s:%u: %s", c->options->thresholds_name,
				 s.line, s.name);
			if (s.is_limit)
				ret = diff_limits_note_misfit(c, s.limit, where);
		}
	}
	return ret;
}

int diff_limits_check(struct diff_state *c)
{
	unsigned int i, n = hist_thresholds_limits(c->options->thresholds);
	bool fits = false;
	int ret;

	/* the limits of a histogram that is not comparable are unknown */
	for (i = 0; i < c->c->nhists; i++)
		if (c->c->hists[i].verdict == HIST_INCOMPARABLE)
			return 0;
	ret = diff_limits_note_misfits(c);
	for (i = 0; i < n; i++)
		fits |= c->limits[i].fits;
	return ret ? ret : c->unmatched && !fits ? -EDOM : 0;
}

/*
 * True if a key of @section is there.  If the keys of a histogram were not measured, any may be.
 */
static bool diff_limits_any_key(const struct diff_state *c, unsigned int section)
{
	const struct hist_hist_result *h = c->c->hists;
	unsigned int i;

	for (i = 0; i < c->c->nhists && !c->sections[section]; i++, h++)
		if (!h->keys_total &&
		    hist_thresholds_match_hist(c->options->thresholds, section, h->name, NULL))
			return true;
	return c->sections[section];
}

/* True if a metric of a key of @section matches @pattern, or if its keys were not measured. */
static bool diff_limits_any_metric(const struct diff_state *c, unsigned int section,
				    const char *pattern)
{
	bool measured = false;
	unsigned int i, m;
	uint32_t k;

	for (i = 0; i < c->c->nhists; i++) {
		const struct hist_hist_result *h = &c->c->hists[i];

		for (k = 0; k < h->nkeys; k++) {
			if (!hist_thresholds_match_hist(c->options->thresholds, section, h->name,
							h->keys[k].label))
				continue;
			measured = true;
			for (m = 0; m < h->keys[k].nmetrics; m++)
				if (!fnmatch(pattern, h->keys[k].metrics[m].name, 0))
					return true;
		}
	}
	return !measured;
}

/* Add a note for each setting of @section whose pattern of metrics matches nothing. */
static int diff_limits_note_settings(struct diff_state *c, unsigned int section)
{
	struct hist_thresholds_setting s;
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && !hist_thresholds_setting(c->options->thresholds, section, i, &s); i++) {
		if (!s.metric || diff_limits_any_metric(c, section, s.metric))
			continue;
		c->unmatched |= s.gates;
		ret = s.line ? diff_add_note(c->c, "%s:%u: no metric matches %s.%s",
					     c->options->thresholds_name, s.line, s.name,
					     s.metric) :
			       diff_add_note(c->c, "--metric %s: no metric has this name",
					     s.metric);
	}
	return ret;
}

/* True if @section asks for a verdict about a histogram that is compared or might have been. */
static bool diff_limits_is_asked(const struct diff_state *c, unsigned int section)
{
	const struct hist_thresholds *t = c->options->thresholds;
	struct hist_thresholds_setting s;
	bool chosen = !c->options->nevents, asks = false;
	unsigned int i;

	for (i = 0; i < c->c->nhists; i++) {
		chosen |= hist_thresholds_match_hist(t, section, c->c->hists[i].name, NULL);
		/* the verdict about it is incomparable */
		if (c->c->hists[i].verdict == HIST_INCOMPARABLE)
			return false;
	}
	for (i = 0; !hist_thresholds_setting(t, section, i, &s); i++)
		asks |= s.is_limit || (s.metric && s.gates);
	return chosen && asks;
}

int diff_limits_note(struct diff_state *c)
{
	const char *text;
	unsigned int i, line;
	int ret = 0;

	for (i = 0; c->options->thresholds && !ret &&
		    !hist_thresholds_section(c->options->thresholds, i, &text, &line); i++) {
		if (!c->sections[i])
			c->unmatched |= diff_limits_is_asked(c, i);
		if (diff_limits_any_key(c, i))
			ret = diff_limits_note_settings(c, i);
		else
			ret = diff_add_note(c->c, "%s:%u: no histogram or key matches [%s]",
					    c->options->thresholds_name, line, text);
	}
	return ret;
}
