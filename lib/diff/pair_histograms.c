// SPDX-License-Identifier: LGPL-2.1
/*
 * pair_histograms.c - find the histogram of each recording that belongs to the same trigger
 *
 * Triggers are compared by their "meaning": the expression is parsed, parts that do not
 * affect what is counted are dropped (size, sort order, name, state), and it is printed again.
 * Triggers that differ only in the buckets of their keys are a pair, too: their rows can be merged
 * into common buckets (diff_histogram.c), or the histograms are incomparable.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/diff/diff_private.h"
#include "lib/expr/expr_parts.h"
#include "lib/expr/expr_tree.h"
#include "lib/hist/saved_fields.h"

enum part { PART_KEYS, PART_VALUES, PART_REST, PARTS, PART_UNBUCKETED };

/*
 * print_part - print only @part of @expr; PARTS: the whole meaning
 * PART_UNBUCKETED: the whole meaning without the buckets of keys.
 * What keeps the worst (HIST_VALUE_WORST) does not change what is counted, and is left out.
 * Other fields of @expr are cleared during the call, but the buckets for good.
 */
static char *print_part(struct hist_expr *expr, enum part part)
{
	struct hist_expr all = *expr;
	struct hist_node *key;
	unsigned int i;
	char *text;

	for (i = 0; part == PART_UNBUCKETED && i < expr->keys.n; i++) {
		key = expr->keys.field[i].tree;
		if (key && (key->modifier == HIST_MOD_LOG2 || key->modifier == HIST_MOD_BUCKETS)) {
			key->modifier = HIST_MOD_NONE;
			key->bucket = 0;
		}
	}

	if (saved_is_worst(expr)) {
		expr->nclauses = expr->nvariables = expr->nactions = 0;
		expr->clock = NULL;
	}
	expr->sorts.n = 0;
	expr->size = 0;
	expr->name = NULL;
	expr->paused = expr->continued = expr->cleared = false;
	if (part < PARTS && part != PART_KEYS)
		expr->keys.n = 0;
	if (part < PARTS && part != PART_VALUES) {
		expr->values.n = 0;
		expr->nohitcount = false;
	}
	if (part < PARTS && part != PART_REST) {
		expr->nvariables = expr->nactions = 0;
		expr->clock = NULL;
		expr->filter = NULL;
	}
	text = hist_expr_print(expr);
	*expr = all;
	return text;
}

/* What a trigger counts, with and without the buckets of its keys. */
struct meaning {
	char *whole, *unbucketed;
};

static void meaning_clear(struct meaning *m)
{
	free(m->whole);
	free(m->unbucketed);
	memset(m, 0, sizeof(*m));
}

/* A trigger that does not parse is compared as text. */
static int make_meaning(struct meaning *m, const char *trigger)
{
	struct hist_expr *expr;
	int ret;

	ret = hist_expr_parse(&expr, trigger, NULL);
	if (ret == -ENOMEM)
		return ret;
	if (ret) {
		m->whole = strdup(trigger);
		m->unbucketed = strdup(trigger);
	} else {
		m->whole = print_part(expr, PARTS);
		m->unbucketed = print_part(expr, PART_UNBUCKETED);
		hist_expr_free(expr);
	}
	return m->whole && m->unbucketed ? 0 : -ENOMEM;
}

/* The text of print_part() without the prefix "hist:". */
static const char *part_words(const char *text)
{
	text += strlen("hist:");
	text += *text == ':' || *text == ' ';
	return *text ? text : "none";
}

/* Set pair->why to "the keys differ: "A" and "B"" for the first part that differs. */
static int pair_explain_difference(struct hist_pair *pair, const char *trigger)
{
	static const char *const names[PARTS] = { "keys", "values", "filters or actions" };
	struct hist_expr *a = NULL, *b = NULL;
	char *ta = NULL, *tb = NULL;
	unsigned int part;
	int ret, shown;

	ret = hist_expr_parse(&a, pair->trigger, NULL);
	if (!ret)
		ret = hist_expr_parse(&b, trigger, NULL);
	for (part = 0; !ret && part < PARTS; part++) {
		free(ta);
		free(tb);
		ta = print_part(a, part);
		tb = print_part(b, part);
		if (!ta || !tb)
			ret = -ENOMEM;
		else if (strcmp(ta, tb))
			break;
	}
	if (ret != -ENOMEM) {
		shown = 90;
		if (ret || part == PARTS)
			snprintf(pair->why, sizeof(pair->why),
				 "the triggers differ: \"%.*s\" and \"%.*s\"", shown, pair->trigger,
				 shown, trigger);
		else
			snprintf(pair->why, sizeof(pair->why),
				 "the %s differ: \"%.*s\" and \"%.*s\"", names[part], shown,
				 part_words(ta), shown, part_words(tb));
		ret = 0;
	}
	free(ta);
	free(tb);
	hist_expr_free(a);
	hist_expr_free(b);
	return ret;
}

void hist_pairs_clear(struct hist_pairs *pairs)
{
	unsigned int i;

	for (i = 0; i < pairs->n; i++) {
		free(pairs->pairs[i].name);
		free(pairs->pairs[i].event);
		free(pairs->pairs[i].trigger);
		free(pairs->pairs[i].meaning);
		free(pairs->pairs[i].unbucketed);
		free(pairs->pairs[i].hists);
	}
	free(pairs->pairs);
	memset(pairs, 0, sizeof(*pairs));
}

static int add_pair(struct hist_pairs *pairs, struct hist_series *const *files, unsigned int n,
		    unsigned int file, unsigned int hist, struct meaning *meaning)
{
	const struct hist_definition *def = &hist_series_info(files[file], hist)->def;
	struct hist_pair *p;
	unsigned int i;

	if (array_add(&pairs->pairs, pairs->n, sizeof(*p)))
		return -ENOMEM;
	p = memset(&pairs->pairs[pairs->n++], 0, sizeof(*p));
	p->name = hist_series_name(files[file], hist);
	p->event = strdup(def->event);
	p->trigger = strdup(def->trigger);
	p->schema = def->schema;
	p->hists = malloc(n * sizeof(*p->hists));
	if (!p->name || !p->event || !p->trigger || !p->hists)
		return -ENOMEM;
	for (i = 0; i < n; i++)
		p->hists[i] = -1;
	p->hists[file] = hist;
	p->meaning = meaning->whole;
	p->unbucketed = meaning->unbucketed;
	memset(meaning, 0, sizeof(*meaning));
	return 0;
}

/* How much two triggers of a pair have in common. */
enum likeness { LIKE_WHOLE, LIKE_UNBUCKETED, LIKE_EVENT, LIKENESSES };

/* True if the rows of both can be merged into common buckets. */
static bool pair_has_common_buckets(const struct hist_schema *a, const struct hist_schema *b)
{
	struct hist_key_desc common;
	unsigned int k;

	if (a->nkeys != b->nkeys)
		return false;
	for (k = 0; k < a->nkeys; k++)
		if (a->keys[k].kind != b->keys[k].kind &&
		    !hist_bucket_find_common(&a->keys[k], &b->keys[k], &common))
			return false;
	return true;
}

static bool pair_is_like(const struct hist_pair *p, const struct meaning *meaning,
			 const struct hist_schema *schema, enum likeness like)
{
	switch (like) {
	case LIKE_WHOLE:
		return !strcmp(p->meaning, meaning->whole);
	case LIKE_UNBUCKETED:
		return !strcmp(p->unbucketed, meaning->unbucketed) &&
		       pair_has_common_buckets(p->schema, schema);
	default:
		return true;
	}
}

/* The first pair of this event without @file that is like @def. */
static struct hist_pair *pair_find_unmatched(struct hist_pairs *pairs, unsigned int file,
					     const struct hist_definition *def,
					     const struct meaning *meaning, enum likeness like)
{
	struct hist_pair *p;
	unsigned int i;

	for (i = 0; i < pairs->n; i++) {
		p = &pairs->pairs[i];
		if (p->hists[file] < 0 && !strcmp(p->event, def->event) &&
		    pair_is_like(p, meaning, def->schema, like))
			return p;
	}
	return NULL;
}

/* Pair those that are alike in this way; a meaning is cleared if its histogram has a pair. */
static int pair_match_file(struct hist_pairs *pairs, struct hist_series *series, unsigned int file,
			   struct meaning *meanings, enum likeness like)
{
	const struct hist_definition *def;
	struct hist_pair *p;
	unsigned int h;
	int ret = 0;

	for (h = 0; h < hist_series_count(series) && !ret; h++) {
		if (!meanings[h].whole)
			continue;
		def = &hist_series_info(series, h)->def;
		p = pair_find_unmatched(pairs, file, def, &meanings[h], like);
		if (!p)
			continue;
		p->hists[file] = h;
		if (like == LIKE_EVENT && !*p->why)
			ret = pair_explain_difference(p, def->trigger);
		meaning_clear(&meanings[h]);
	}
	return ret;
}

static int add_file(struct hist_pairs *pairs, struct hist_series *const *files, unsigned int n,
		    unsigned int file)
{
	unsigned int count = hist_series_count(files[file]), h;
	struct meaning *meanings = calloc(count + 1, sizeof(*meanings));
	enum likeness like;
	int ret = meanings ? 0 : -ENOMEM;

	for (h = 0; h < count && !ret; h++)
		ret = make_meaning(&meanings[h], hist_series_info(files[file], h)->def.trigger);
	for (like = 0; like < LIKENESSES && !ret; like++)
		ret = pair_match_file(pairs, files[file], file, meanings, like);
	for (h = 0; h < count && !ret; h++)
		if (meanings[h].whole)
			ret = add_pair(pairs, files, n, file, h, &meanings[h]);
	for (h = 0; meanings && h < count; h++)
		meaning_clear(&meanings[h]);
	free(meanings);
	return ret;
}

int hist_pairs_make(struct hist_pairs *pairs, struct hist_series *const *files, unsigned int n)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < n && !ret; i++)
		ret = add_file(pairs, files, n, i);
	if (ret)
		hist_pairs_clear(pairs);
	return ret;
}
