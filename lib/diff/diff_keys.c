// SPDX-License-Identifier: LGPL-2.1
/*
 * diff_keys.c - match the keys of one histogram on both sides: common, new, vanished,
 * renamed
 *
 * A key is one group of the common table, or several.  Groups with hits on only one side
 * are matched again by their stripped labels (hist_key_normalize_label()).  The sum of all keys is
 * one more key.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/diff/diff_private.h"
#include "lib/diff/key_budgets.h"
#include "lib/diff/key_metrics.h"
#include "lib/diff/key_normalize.h"

/* A group with hits on one side only, or a key that consists of such groups. */
struct one_sided {
	uint32_t group, stripped;
	bool in_base;
};

struct keys {
	struct hist_key_metrics *s;
	struct hist_hist_result *h;
	struct one_sided *singles;
	uint32_t nsingles;
	struct hist_table *words; /* its strings are the stripped labels */
	uint32_t *groups;	  /* has room for all groups */
};

void diff_clear_key(struct hist_key_result *key)
{
	free(key->label);
	free(key->old_label);
	free(key->metrics);
	memset(key, 0, sizeof(*key));
}

static char *diff_keys_make_label(const struct keys *k, uint32_t group)
{
	struct hist_strbuf b = { 0 };

	hist_grouping_label(&b, k->s->grouping, group, 0);
	return hist_strbuf_string(&b);
}

/*
 * has_few - true if a key has fewer hits than min-hits
 * With an axis both sides need min-hits, to compare their distributions.  A rate needs min-hits
 * on one side.
 */
static bool has_few(const struct hist_key_metrics *s, const struct hist_key_result *key,
		    const struct hist_gate *gate)
{
	uint64_t most = key->base_hits > key->new_hits ? key->base_hits : key->new_hits;
	uint64_t least = key->base_hits < key->new_hits ? key->base_hits : key->new_hits;

	if (s->axis < 0 || key->presence == HIST_NEW || key->presence == HIST_VANISHED)
		return most < gate->min_hits;
	return least < gate->min_hits;
}

/* Takes ownership of @label and @old_label, even on failure. */
static int diff_keys_add_key(struct keys *k, const uint32_t *groups, uint32_t n, char *label,
			     char *old_label)
{
	struct hist_gate gate = k->s->options->gate;
	struct hist_hist_result *h = k->h;
	struct hist_key_result key = { .label = label, .old_label = old_label };
	bool is_kept, wanted;
	int ret = 0;

	if (!label) {
		free(old_label);
		return -ENOMEM;
	}
	hist_key_metrics_set_hits(k->s, &key, groups, n);
	if (old_label)
		key.presence = HIST_RENAMED;
	else if (!key.base_hits)
		key.presence = HIST_NEW;
	else if (!key.new_hits)
		key.presence = HIST_VANISHED;
	h->appeared += key.presence == HIST_NEW;
	h->vanished += key.presence == HIST_VANISHED;
	h->renamed += key.presence == HIST_RENAMED;
	h->keys_total++;
	hist_key_budgets_resolve(k->s, key.label);
	hist_thresholds_apply(k->s->options->thresholds, &gate, k->s->name, key.label, NULL);
	key.few = has_few(k->s, &key, &gate);
	wanted = gate.worse != HIST_WORSE_NONE ||
		 hist_thresholds_names_metric(k->s->options->thresholds, k->s->name, key.label,
					      NULL);
	h->wanted |= wanted;
	if (wanted && h->presence == HIST_BOTH)
		h->to_decide += diff_key_weight(&key);
	h->few += key.few;
	/* budgets apply to keys with few hits, too */
	if (!key.few || hist_key_budgets_possible(k->s))
		ret = hist_key_metrics_compute(k->s, &key, groups, n, !key.few);
	/* the sum of all keys is the first */
	is_kept = !ret && (!key.few || hist_key_budgets_decide(&key, !h->nkeys || !h->keys->whole));
	if (is_kept)
		ret = array_add(&h->keys, h->nkeys, sizeof(*h->keys));
	if (is_kept && !ret)
		h->keys[h->nkeys++] = key;
	else
		diff_clear_key(&key);
	return ret;
}

/* Add the sum of all keys, measured and listed first. */
static int add_whole(struct keys *k, uint32_t n)
{
	struct hist_hist_result *h = k->h;
	struct hist_key_result *key;
	uint32_t g;

	if (array_add(&h->keys, 0, sizeof(*h->keys)))
		return -ENOMEM;
	for (g = 0; g < n; g++)
		k->groups[g] = g;
	key = memset(&h->keys[h->nkeys++], 0, sizeof(*key));
	key->whole = true;
	key->label = strdup(DIFF_WHOLE);
	if (!key->label)
		return -ENOMEM;
	hist_key_budgets_resolve(k->s, key->label);
	hist_key_metrics_set_hits(k->s, key, k->groups, n);
	/*
	 * With an axis the whole is not gated: a different mix of keys would look like a
	 * different distribution.  Rates add up.
	 */
	return hist_key_metrics_compute(k->s, key, k->groups, n, k->s->axis < 0);
}

static int add_single(struct keys *k, uint32_t group, bool in_base, const char *label)
{
	struct one_sided *p;
	struct hist_strbuf b = { 0 };
	int ret;

	if (array_add(&k->singles, k->nsingles, sizeof(*k->singles)))
		return -ENOMEM;
	p = &k->singles[k->nsingles];
	*p = (struct one_sided){ .group = group, .in_base = in_base };
	hist_key_normalize_label(&b, label, strlen(label));
	ret = b.error ? b.error : hist_table_intern(k->words, b.data ? b.data : "", b.len,
						    &p->stripped);
	hist_strbuf_free(&b);
	k->nsingles += !ret;
	return ret;
}

/* Order by stripped label, then base before new, then by the order of the table. */
static int compare_singles(const void *pa, const void *pb)
{
	const struct one_sided *a = pa, *b = pb;

	if (a->stripped != b->stripped)
		return a->stripped < b->stripped ? -1 : 1;
	if (a->in_base != b->in_base)
		return a->in_base ? -1 : 1;
	return a->group < b->group ? -1 : a->group > b->group;
}

/* The name of @n groups: the label of one group, or the common stripped label of several. */
static char *diff_keys_make_name(struct keys *k, const struct one_sided *singles, uint32_t n)
{
	if (n == 1)
		return diff_keys_make_label(k, singles->group);
	return strdup(hist_table_string(k->words, singles->stripped, NULL));
}

/* Add the keys of one run of singles with the same stripped label. */
static int add_singles(struct keys *k, const struct one_sided *singles, uint32_t n)
{
	uint32_t in_base = 0, i;
	char *old;
	int ret = 0;

	while (in_base < n && singles[in_base].in_base)
		in_base++;
	for (i = 0; i < n; i++)
		k->groups[i] = singles[i].group;
	if (in_base && in_base < n) {
		old = diff_keys_make_name(k, singles, in_base);
		return old ? diff_keys_add_key(k, k->groups, n,
					       diff_keys_make_name(k, singles + in_base,
								   n - in_base), old) : -ENOMEM;
	}
	for (i = 0; i < n && !ret; i++)
		ret = diff_keys_add_key(k, &singles[i].group, 1,
					diff_keys_make_label(k, singles[i].group), NULL);
	return ret;
}

static int diff_keys_add_all_groups(struct keys *k, uint32_t n)
{
	struct hist_key_result hits = { 0 };
	uint32_t g, i, end;
	char *label;
	int ret = 0;

	for (g = 0; g < n && !ret; g++) {
		hist_key_metrics_set_hits(k->s, &hits, &g, 1);
		if (!hits.base_hits && !hits.new_hits)
			continue;
		label = diff_keys_make_label(k, g);
		if (!label)
			return -ENOMEM;
		if (hits.base_hits && hits.new_hits) {
			ret = diff_keys_add_key(k, &g, 1, label, NULL);
			continue;
		}
		ret = add_single(k, g, hits.base_hits != 0, label);
		free(label);
	}
	if (k->nsingles)
		qsort(k->singles, k->nsingles, sizeof(*k->singles), compare_singles);
	for (i = 0; i < k->nsingles && !ret; i = end) {
		for (end = i; end < k->nsingles &&
			      k->singles[end].stripped == k->singles[i].stripped; end++)
			;
		ret = add_singles(k, k->singles + i, end - i);
	}
	return ret;
}

int diff_compare_keys(struct hist_key_metrics *s, struct hist_hist_result *h,
		      const struct hist_key_normalizer *match)
{
	uint32_t n = hist_grouping_count(s->grouping);
	struct keys k = { .s = s, .h = h };
	int ret = 0;

	k.words = hist_table_new(hist_table_schema(hist_key_normalize_table(match)));
	k.groups = malloc((n ? n : 1) * sizeof(*k.groups));
	if (!k.words || !k.groups)
		ret = -ENOMEM;
	if (!ret && n > 1)
		ret = add_whole(&k, n);
	if (!ret)
		ret = diff_keys_add_all_groups(&k, n);
	/* the limits of a histogram without hits */
	if (!ret && !h->keys_total)
		hist_key_budgets_resolve(s, DIFF_WHOLE);
	hist_table_free(k.words);
	free(k.groups);
	free(k.singles);
	return ret;
}
