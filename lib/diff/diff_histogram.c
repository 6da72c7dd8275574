// SPDX-License-Identifier: LGPL-2.1
/*
 * diff_histogram.c - compare one histogram of both sides, if it is comparable
 *
 * A histogram that is not comparable gets the verdict incomparable with a reason.  This is
 * not an error.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/worst.h"
#include "lib/base/text.h"
#include "lib/diff/diff_private.h"
#include "lib/diff/key_metrics.h"
#include "lib/diff/key_normalize.h"
#include "lib/diff/recording_sample.h"
#include "lib/hist/key_names.h"
#include "lib/label/label.h"
#include "lib/stats/batch_means.h"

/* The comparison of one pair in progress. */
struct diff_pair_state {
	struct diff_state *c;
	struct hist_hist_result *h;
	const struct hist_pair *pair;
	struct hist_key_normalizer *match;
	struct hist_recording_sample *samples; /* of each file; nblocks 0: not in the file */
	const struct hist_definition *first;
};

static int diff_histogram_set_incomparable(struct hist_hist_result *h)
{
	h->verdict = HIST_INCOMPARABLE;
	return 0;
}

static const struct hist_definition *diff_histogram_get_definition(const struct diff_pair_state *p,
								   unsigned int file)
{
	int hist = p->pair->hists[file];

	return hist < 0 ? NULL : &hist_series_info(p->c->files[file], hist)->def;
}

static struct hist_side_result *side_of(const struct diff_pair_state *p, unsigned int file)
{
	return file < p->c->nbase ? &p->h->base : &p->h->new_;
}

/* Count the files that have the histogram, on each side. */
static void count_runs(struct diff_pair_state *p)
{
	struct hist_hist_result *h = p->h;
	struct diff_state *c = p->c;
	unsigned int i;

	for (i = 0; i < c->nfiles; i++)
		side_of(p, i)->runs += p->pair->hists[i] >= 0;
	h->presence = !h->base.runs ? HIST_NEW : !h->new_.runs ? HIST_VANISHED : HIST_BOTH;
	if (h->base.runs && h->base.runs < c->nbase)
		diff_add_reason(h, "only %u of %u BASE files contain this histogram", h->base.runs,
				c->nbase);
	if (h->new_.runs && h->new_.runs < c->nfiles - c->nbase)
		diff_add_reason(h, "only %u of %u NEW files contain this histogram", h->new_.runs,
				c->nfiles - c->nbase);
}

static bool same_key(const struct hist_key_desc *a, const struct hist_key_desc *b)
{
	/* the kind is unknown before the first row */
	return a->kind == HIST_KEY_UNKNOWN || b->kind == HIST_KEY_UNKNOWN ||
	       (hist_bucket_is_same(a, b) && a->is_signed == b->is_signed);
}

/* False, with the reason in h->why, if two recordings count different things. */
static bool same_shape(struct hist_hist_result *h, const struct hist_definition *a,
		       const struct hist_definition *b)
{
	const struct hist_schema *sa = a->schema, *sb = b->schema;
	unsigned int i;

	if (sa->nkeys != sb->nkeys || hist_schema_columns(sa) != hist_schema_columns(sb)) {
		diff_add_reason(h, "the kernels show different keys or values for the same "
				   "trigger");
		return false;
	}
	for (i = 0; i < sa->nkeys; i++) {
		if (same_key(&sa->keys[i], &sb->keys[i]))
			continue;
		diff_add_reason(h, "the type or bucket size of the key %s differs between BASE and "
				"NEW", sa->keys[i].name);
		return false;
	}
	for (i = 0; i < hist_schema_columns(sa); i++) {
		if (sa->values[i].kind == sb->values[i].kind &&
		    !strcmp(sa->values[i].name, sb->values[i].name))
			continue;
		diff_add_reason(h, "the name or type of the value %s differs between BASE and "
				"NEW", sa->values[i].name);
		return false;
	}
	if (strcmp(a->clock, b->clock)) {
		diff_add_reason(h, "the clocks \"%s\" and \"%s\" differ\n"
				"record both sides with -C mono", a->clock, b->clock);
		return false;
	}
	return true;
}

/* Note different counting engines: counts are comparable, overhead and losses differ. */
static void diff_histogram_note_engines(const struct diff_pair_state *p)
{
	const char *names[4] = { 0 };
	const struct hist_definition *def;
	unsigned int i, k, n = 0;

	for (i = 0; i < p->c->nfiles; i++) {
		def = diff_histogram_get_definition(p, i);
		for (k = 0; def && k < n && strcmp(names[k], def->engine); k++)
			;
		if (def && k == n && n < 3)
			names[n++] = def->engine;
	}
	if (n > 1)
		diff_add_reason(p->h, "the histogram was counted by different engines: %s, "
				      "%s%s%s", names[0], names[1],
				n > 2 ? ", " : "", n > 2 ? names[2] : "");
}

/* The finest buckets of key @k that all files have.  False: they do not differ, or none fit. */
static bool diff_histogram_find_buckets(const struct diff_pair_state *p, unsigned int k,
					struct hist_key_desc *common)
{
	const struct hist_key_desc *key;
	const struct hist_definition *def;
	bool differ = false, any = false;
	unsigned int i;

	for (i = 0; i < p->c->nfiles; i++) {
		def = diff_histogram_get_definition(p, i);
		key = def && k < def->schema->nkeys ? &def->schema->keys[k] : NULL;
		if (!key || key->kind == HIST_KEY_UNKNOWN)
			continue;
		if (!any)
			*common = *key;
		any = true;
		if (same_key(common, key))
			continue;
		differ = true;
		if (!hist_bucket_find_common(common, key, common))
			return false;
	}
	return differ;
}

/* Have all files show @buckets.  -EINVAL with @error set, -ENOMEM. */
static int diff_histogram_regroup(struct diff_pair_state *p, struct hist_buckets *buckets,
				  struct hist_error *error)
{
	struct diff_state *c = p->c;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < c->nfiles && !ret; i++) {
		if (p->pair->hists[i] < 0)
			continue;
		ret = hist_series_regroup(c->files[i], p->pair->hists[i], buckets, error);
		if (ret == -EINVAL)
			hist_error_prefix(error, ret, "%s: %s: ", c->names[i], p->pair->name);
	}
	return ret;
}

/*
 * Merge rows into the buckets of --bucket, and then into those that all files have.
 * 1: they cannot be merged, with the reason in h->why.
 */
static int diff_histogram_agree_buckets(struct diff_pair_state *p)
{
	struct hist_buckets *asked = p->c->options->buckets;
	struct hist_key_desc common;
	bool used = true;
	struct hist_buckets agreed = { .keys = &common, .used = &used, .n = 1 };
	char words[160];
	unsigned int k;
	int ret = asked ? diff_histogram_regroup(p, asked, p->c->error) : 0;
	struct hist_error why = { 0 };

	if (ret == -EINVAL)
		return hist_error_prefix(p->c->error, ret, "--bucket: ");
	for (k = 0; k < HIST_KEYS_MAX && !ret; k++) {
		if (!diff_histogram_find_buckets(p, k, &common))
			continue;
		ret = diff_histogram_regroup(p, &agreed, &why);
		if (ret == -EINVAL) {
			diff_add_reason(p->h, "the recordings have different buckets; %s",
					why.what);
			return 1;
		}
		if (ret)
			break;
		hist_bucket_format(words, sizeof(words), &common);
		diff_add_reason(p->h, "the recordings have different buckets, and were compared "
				"with those of %s", words);
	}
	return ret;
}

/* Check all definitions against the first one that rows made complete. */
static bool check_shapes(struct diff_pair_state *p)
{
	const struct hist_definition *def, *any = NULL;
	unsigned int i;

	for (i = 0; i < p->c->nfiles; i++) {
		def = diff_histogram_get_definition(p, i);
		if (!def)
			continue;
		if (any && !same_shape(p->h, any, def))
			return false;
		if (!any || (!p->first && hist_schema_is_settled(def->schema)))
			any = def;
		if (!p->first && hist_schema_is_settled(def->schema))
			p->first = def;
	}
	if (!p->first)
		p->first = any;
	diff_histogram_note_engines(p);
	return true;
}

/* Returns 0, -errno with c->why set, or 1: incomparable, with the reason in h->why. */
static int diff_histogram_read_recording(struct diff_pair_state *p, unsigned int file)
{
	struct hist_side_result *side = side_of(p, file);
	struct hist_recording_sample *s = &p->samples[file];
	struct diff_state *c = p->c;
	uint64_t dropped;
	unsigned int k;
	double share;
	int ret;

	ret = hist_recording_sample_read(s, c->files[file], p->pair->hists[file], p->match,
					 p->h->base.runs < 2 && p->h->new_.runs < 2,
					 c->options->skip_ns);
	if (ret == -ENODATA) {
		diff_add_reason(p->h,
				"%s: fewer than two intact snapshots%s\nrecord longer, or with a "
				"shorter interval (-i)",
				c->names[file], c->options->skip_ns ? " after --skip" : "");
		return 1;
	}
	if (ret) {
		hist_error_set(c->error, ret, "%s: %s", c->names[file], strerror(-ret));
		return ret;
	}
	side->replicates += s->nblocks;
	side->blocks |= s->nblocks > 1;
	side->seconds += s->seconds;
	side->hits += s->hits;
	side->dropped += s->dropped;
	side->missed += s->missed;
	side->events_lost += s->events_lost;
	side->probe_misses += s->probe_misses;
	for (k = 0; k < HIST_LOSS_KINDS; k++)
		side->losses[k] += s->losses[k];
	side->reset |= s->reset;
	side->stopped |= s->stopped;
	side->misses_unknown |= s->misses_unknown;
	dropped = s->dropped + s->events_lost + s->probe_misses + hist_loss_sum_hits(s->losses);
	share = dropped ? dropped / ((double)dropped + s->hits) : 0;
	if (share <= c->options->max_dropped)
		return 0;
	diff_add_reason(
		p->h,
		s->probe_misses ? "%s: %.3g %% of the hits were missed by the probe, lost or "
				  "dropped, which is "
				  "more than --max-dropped allows\nprobe a function that is called "
				  "less often, "
				  "or raise MAXACTIVE"
		: s->events_lost
			? "%s: %.3g %% of the hits were dropped, or lost before they were counted, "
			  "which is more than --max-dropped allows\nuse --engine kernel, or a "
			  "larger "
			  "ring buffer for a replay"
			: "%s: the kernel dropped %.3g %% of the hits, which is more than "
			  "--max-dropped allows\nrecord fewer distinct keys, or use -R with a "
			  "larger "
			  "size=",
		c->names[file], share * 100);
	return 1;
}

/* Collect the blocks of the files of one side, and extend them to the entries of all files. */
static int diff_histogram_gather_blocks(const struct diff_pair_state *p, struct hist_replicates *r,
					unsigned int from,
					unsigned int to)
{
	const struct hist_table *table = hist_key_normalize_table(p->match);
	struct hist_batch *block;
	unsigned int i, b;
	int ret = 0;

	r->blocks = calloc((to - from) * HIST_BATCHES_MAX + 1, sizeof(*r->blocks));
	if (!r->blocks)
		return -ENOMEM;
	for (i = from; i < to; i++) {
		for (b = 0; b < p->samples[i].nblocks && !ret; b++) {
			block = &p->samples[i].blocks[b];
			ret = hist_snapshot_grow(&block->counts, hist_table_schema(table),
						 hist_table_entries(table));
			r->blocks[r->n++] = block;
		}
	}
	return ret;
}

static bool has_entry(const struct hist_replicates *r, uint32_t entry, unsigned int nvalues)
{
	unsigned int i, v;

	for (i = 0; i < r->n; i++)
		for (v = 0; v < nvalues; v++)
			if (r->blocks[i]->counts.values[(size_t)entry * nvalues + v])
				return true;
	return false;
}

/*
 * same_addresses - check if the addresses of both sides are from one boot
 * Addresses of different boots are not comparable.  If both sides have addresses and almost
 * none is common, the boots differ.
 */
static bool same_addresses(struct diff_pair_state *p, const struct hist_key_metrics *s)
{
	const struct hist_table *table = hist_key_normalize_table(p->match);
	uint32_t n = hist_table_entries(table), e;
	uint64_t in_base, in_new, both;
	unsigned int k;
	bool b, w;

	for (k = 0; k < s->schema->nkeys; k++) {
		in_base = in_new = both = 0;
		for (e = 0; e < n; e++) {
			if (!hist_key_normalize_is_address(p->match, k,
							   &hist_table_cells(table, e)[k]))
				continue;
			b = has_entry(&s->base, e, s->schema->nvalues);
			w = has_entry(&s->new_, e, s->schema->nvalues);
			in_base += b;
			in_new += w;
			both += b && w;
		}
		if (!in_base || !in_new || both * 2 >= (in_base < in_new ? in_base : in_new))
			continue;
		diff_add_reason(
			p->h,
			"the key %s contains addresses, which change with each boot\n"
			"record the key with .sym, or compare recordings from the same boot",
			s->schema->keys[k].name);
		return false;
	}
	return true;
}

static bool is_pid(const struct hist_key_desc *key)
{
	size_t len = strlen(key->name);

	return (key->kind == HIST_KEY_NUM || key->kind == HIST_KEY_HEX) && len >= 3 &&
	       !strcmp(key->name + len - 3, "pid");
}

/* Set what NEW lacks: numbers that may exceed a budget. */
static void diff_histogram_find_unseen(const struct diff_pair_state *p, struct hist_key_metrics *s)
{
	const struct hist_side_result *side = &p->h->new_;
	unsigned int files = p->c->nfiles - p->c->nbase;

	s->unseen_hits = side->dropped + side->events_lost + side->probe_misses +
			 hist_loss_sum_hits(side->losses);
	if (side->runs < files)
		snprintf(s->unseen, sizeof(s->unseen), "only %u of %u NEW files contain this "
			 "histogram", side->runs, files);
	else if (side->reset || side->stopped)
		snprintf(s->unseen, sizeof(s->unseen), "another program %s the histogram while NEW "
			 "was recorded", side->reset ? "cleared" : "paused");
	else if (s->unseen_hits)
		snprintf(s->unseen, sizeof(s->unseen),
			 "%" PRIu64 " hit%s of NEW %s dropped or lost, "
			 "and may exceed the budget",
			 s->unseen_hits, text_plural(s->unseen_hits),
			 s->unseen_hits == 1 ? "was" : "were");
	if (side->runs < files || side->reset || side->stopped)
		s->unseen_hits = UINT64_MAX;
}

/* Forget the maximum that rows keep. */
static void diff_histogram_drop_tops(struct hist_recording_sample *s)
{
	unsigned int i;

	for (i = 0; i < s->nblocks; i++) {
		free(s->blocks[i].tops);
		s->blocks[i].tops = NULL;
		s->blocks[i].tops_room = 0;
	}
}

/*
 * Find the numbers that budgets limit: those of the axis or, without an axis, the maximum that rows
 * keep.  A file that keeps the maximum of something else does not tell anything about them.
 */
static int diff_histogram_find_numbers(struct diff_pair_state *p, struct hist_key_metrics *s)
{
	const struct hist_key_desc *axis = s->axis < 0 ? NULL : &s->schema->keys[s->axis];
	char field[64] = "", kept[64];
	struct hist_value_desc desc = { .name = field, .kind = HIST_VALUE_SUM };
	const struct hist_definition *def;
	unsigned int i;
	int ret;

	if (axis && !axis->is_signed)
		snprintf(field, sizeof(field), "%s", axis->name);
	for (i = 0; i < p->c->nfiles; i++) {
		def = diff_histogram_get_definition(p, i);
		if (!def || hist_schema_worst(def->schema) < 0)
			continue;
		ret = hist_worst_find_field(kept, sizeof(kept), def->trigger);
		if (ret)
			return ret;
		if (!axis && !*field)
			strcpy(field, kept);
		if (*kept && !strcmp(kept, field))
			s->has_tops = true;
		else
			diff_histogram_drop_tops(&p->samples[i]);
	}
	s->unit = axis ? hist_unit_from_key(axis) : hist_unit_from_value(&desc);
	return 0;
}

/* Allocate s->limits, and set s->sections. */
static int diff_histogram_begin_limits(struct diff_state *c, struct hist_key_metrics *s)
{
	s->sections = c->sections;
	s->limits = calloc(hist_thresholds_limits(c->options->thresholds), sizeof(*s->limits));
	return s->limits ? 0 : -ENOMEM;
}

/* Add s->limits to those of @c, tell @h what was not judged, and free them. */
static void diff_histogram_end_limits(struct diff_state *c, struct hist_key_metrics *s,
				      struct hist_hist_result *h)
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

/* Process IDs make keys that only one side has. */
static void diff_histogram_note_pids(const struct diff_pair_state *p,
				     const struct hist_key_metrics *s)
{
	unsigned int i;

	if (!p->h->vanished || !p->h->appeared)
		return;
	for (i = 0; i < s->schema->nkeys; i++) {
		if ((int)i != s->axis && is_pid(&s->schema->keys[i]))
			diff_add_reason(p->h,
					"the process IDs of the key %s differ from run to run\n"
					"record the key with .execname",
					s->schema->keys[i].name);
	}
}

static int diff_histogram_compute_metrics(struct diff_pair_state *p)
{
	struct hist_key_metrics s = {
		.options = p->c->options, .name = p->h->name,
		.schema = hist_table_schema(hist_key_normalize_table(p->match)),
		.axis_sum = -1, .is_time = hist_clock_is_ns(p->first->clock),
	};
	struct diff_state *c = p->c;
	unsigned int value;
	int ret;

	s.hitcount = hist_schema_hitcount(s.schema);
	s.axis = s.hitcount < 0 ? -1 : hist_axis_key(s.schema);
	if (s.axis >= 0) {
		if (hist_axis_find_sum(s.schema, &value))
			s.axis_sum = value;
	} else if (!s.is_time) {
		diff_add_reason(p->h,
				"the clock %s does not measure time, so rates are not available\n"
				"record with -C mono", p->first->clock);
		return diff_histogram_set_incomparable(p->h);
	}
	s.tested = p->h->base.blocks == p->h->new_.blocks;
	diff_histogram_find_unseen(p, &s);
	ret = diff_histogram_find_numbers(p, &s);
	if (ret)
		goto out;
	ret = diff_histogram_begin_limits(c, &s);
	if (ret)
		goto out;
	ret = diff_histogram_gather_blocks(p, &s.base, 0, c->nbase);
	if (ret)
		goto out;
	ret = diff_histogram_gather_blocks(p, &s.new_, c->nbase, c->nfiles);
	if (ret)
		goto out;
	if (same_addresses(p, &s))
		ret = hist_key_metrics_compare(&s, p->h, p->match);
	else
		diff_histogram_set_incomparable(p->h);
	diff_histogram_note_pids(p, &s);
out:
	diff_histogram_end_limits(c, &s, p->h);
	free(s.base.blocks);
	free(s.new_.blocks);
	return ret;
}

/*
 * Codes are matched by name if all recordings have names: another kernel may have other numbers.
 * Otherwise they are matched by number, and shown with the names of the recordings that have them.
 * Returns a bit for each key that is matched by name.
 */
static unsigned int diff_histogram_choose_names(const struct diff_pair_state *p,
						struct hist_schema *schema)
{
	unsigned int k, i, by_name = 0;
	const struct hist_definition *def;
	const struct hist_key_desc *key;
	bool all;

	for (k = 0; k < schema->nkeys; k++) {
		all = true;
		for (i = 0; i < p->c->nfiles; i++) {
			def = diff_histogram_get_definition(p, i);
			key = def ? &def->schema->keys[k] : NULL;
			if (key && hist_key_shows_names(key))
				schema->keys[k].names = key->names;
			all &= !key || (hist_key_shows_names(key) &&
					hist_key_names_flags(key->names) & HIST_NAMES_CODE);
		}
		by_name |= all ? 1u << k : 0;
	}
	return by_name;
}

static int diff_histogram_compute(struct diff_pair_state *p)
{
	struct hist_schema schema = *p->first->schema;
	unsigned int by_name = diff_histogram_choose_names(p, &schema), i;
	int ret = 0;

	p->match = hist_key_normalize_new(&schema, p->c->offsets, by_name);
	p->samples = calloc(p->c->nfiles + 1, sizeof(*p->samples));
	if (!p->match || !p->samples)
		return -ENOMEM;
	for (i = 0; i < p->c->nfiles; i++) {
		if (p->pair->hists[i] < 0)
			continue;
		ret = diff_histogram_read_recording(p, i);
		if (ret < 0)
			return ret;
		if (ret)
			diff_histogram_set_incomparable(p->h);
	}
	return p->h->verdict == HIST_INCOMPARABLE ? 0 : diff_histogram_compute_metrics(p);
}

int diff_compare_pair(struct diff_state *c, struct hist_hist_result *h,
		      const struct hist_pair *pair)
{
	struct diff_pair_state p = { .c = c, .h = h, .pair = pair };
	unsigned int i;
	int ret;

	count_runs(&p);
	if (*pair->why) {
		diff_add_reason(h, "%s", pair->why);
		return diff_histogram_set_incomparable(h);
	}
	ret = diff_histogram_agree_buckets(&p);
	if (ret)
		return ret < 0 ? ret : diff_histogram_set_incomparable(h);
	if (h->presence == HIST_VANISHED) {
		diff_add_reason(h, "NEW does not contain this histogram\nrecord this histogram in "
				   "NEW too, or select other histograms with -e");
		return diff_histogram_set_incomparable(h);
	}
	if (h->presence == HIST_NEW)
		diff_add_reason(h, "BASE does not contain this histogram: only budgets are "
				"checked");
	if (!check_shapes(&p))
		return diff_histogram_set_incomparable(h);
	ret = diff_histogram_compute(&p);
	for (i = 0; p.samples && i < c->nfiles; i++)
		hist_recording_sample_clear(&p.samples[i]);
	free(p.samples);
	hist_key_normalize_free(p.match);
	return ret;
}
