// SPDX-License-Identifier: GPL-2.0
/*
 * kernel_counter.c - counter that uses hist triggers and reads their files at each tick
 *
 * An event has one `hist` file for all of its histograms, and one `hist_raw` file if the kernel has
 * the patches of kernel-patches/.  A tick reads one of the two files per event, so all histograms
 * of an event have the same moment.
 *
 * Hidden histograms are helpers of a latency, which are not recorded.  The table of END has a hit
 * for each END that found its START, so the kernel's totals tell all pairs that never close:
 *   STARTs without END = hits of START - hits of END
 *   ENDs without START = hits of the trigger that counts all ENDs - hits of END
 *   below zero         = hits of the hidden trigger of the synthetic event
 * Reading these totals means reading whole hist files.  A recording therefore spends at most a
 * hundredth of its time on it: the numbers of a snapshot may be older than the snapshot, except
 * those of the last one.
 *
 * The kernel prints the same text for the worst of a row until its maximum rises.  The completed
 * text of each text is therefore remembered, and END is read only for new texts.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/worst.h"
#include "lib/base/array.h"
#include "lib/base/strbuf.h"
#include "lib/base/text.h"
#include "lib/histfile/hist_text.h"
#include "lib/query/function_field.h"
#include "lib/query/latency_expand.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/timer.h"
#include "tracecmd/target/target_path.h"
#include "tracecmd/trigger/kernel_counter.h"
#include "tracecmd/trigger/traced_event.h"

/* The time between two reads of the totals, as a multiple of the time of a read. */
#define PAIRS_REST 100
/* START and END have at most two hidden triggers, and so has the synthetic event. */
#define PAIRS_HELPERS 4

/* --- the totals of hidden histograms --- */

/* Of a hidden histogram: the kernel's totals. */
struct traced_totals {
	uint64_t hits, dropped;
};

/*
 * The number of the hidden histogram of @s that @block shows, or -1.  It has a name, or a first
 * variable, that is unique.
 */
static int kernel_find_helper(const struct traced_event *s, const struct hist_text_block *block)
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
static void kernel_find_total(const struct hist_text_block *block, const char *end,
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

/*
 * Read the totals of all hidden histograms of @s.
 * @totals: for @s->nhelpers.  0, or the -errno of the read, without a message; all are then 0.
 */
static int kernel_read_totals(const struct traced_event *s, struct hist_target *t,
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
		i = kernel_find_helper(s, &block);
		if (i < 0)
			continue;
		kernel_find_total(&block, buf.data + pos, "\n    Dropped: ", &totals[i].dropped);
		kernel_find_total(&block, buf.data + pos, "\n    Hits: ", &totals[i].hits);
	}
	free(buf.data);
	return ret;
}

/* --- the pairs of a latency that never close --- */

/* Of one source with the histograms of a latency; zeroed at first. */
struct latency_pairs {
	uint64_t due; /* timer_now() */
	uint64_t losses[HIST_LOSS_KINDS];
};

struct traced_event *kernel_find_of_pair(struct traced_event *source, enum query_role role)
{
	if (!source->plan || source->plan->role != QUERY_PAIRS)
		return NULL;
	/* START comes first, so there always is one */
	do {
		source--;
	} while (source->plan->role != role && source->plan->role != QUERY_START);
	return source->plan->role == role ? source : NULL;
}

/*
 * Read the totals of START first: a pair that closes meanwhile is not told as one that never does.
 * What is told is then too small by the pairs of this time, and exact when nothing is counted any
 * more.
 */
static int kernel_read_pairs(struct latency_pairs *p, struct traced_event *source,
			     struct hist_target *t)
{
	struct traced_event *start = kernel_find_of_pair(source, QUERY_START);
	struct traced_event *end = kernel_find_of_pair(source, QUERY_END);
	struct traced_totals below[PAIRS_HELPERS], starts[PAIRS_HELPERS], ends[PAIRS_HELPERS];
	uint64_t matched, all;
	int ret;

	if (source->nhelpers > PAIRS_HELPERS || start->nhelpers > PAIRS_HELPERS ||
	    end->nhelpers > PAIRS_HELPERS)
		return -E2BIG;
	ret = kernel_read_totals(start, t, starts);
	if (!ret)
		ret = kernel_read_totals(end, t, ends);
	if (!ret)
		ret = kernel_read_totals(source, t, below);
	if (ret)
		return ret;
	matched = ends[0].hits + ends[0].dropped;
	all = end->nhelpers > 1 ? ends[1].hits : matched;
	hist_loss_set_unmatched(p->losses, starts[0].hits > matched ? starts[0].hits - matched : 0,
				all > matched ? all - matched : 0, source->plan->usual_starts,
				source->plan->usual_ends);
	if (source->plan->pairs.guarded)
		p->losses[HIST_LOSS_BELOW_ZERO] = below[0].hits;
	return 0;
}

/*
 * Set the losses of all snapshots of @source.
 * @last: read the totals in any case.  Does nothing if @source does not belong to a latency.
 * Totals that cannot be read keep their last value.
 */
static void kernel_update_pairs(struct latency_pairs *p, struct traced_event *source,
				struct hist_target *t, bool last)
{
	uint64_t begin = timer_now();
	unsigned int h, k;

	if (!kernel_find_of_pair(source, QUERY_START))
		return;
	if (last || begin >= p->due) {
		kernel_read_pairs(p, source, t);
		p->due = timer_now() + PAIRS_REST * (timer_now() - begin);
	}
	for (h = 0; h < source->nhists; h++) {
		for (k = HIST_LOSS_UNMATCHED_STARTS; k <= HIST_LOSS_BELOW_ZERO; k++)
			source->hists[h].snap.losses[k] = p->losses[k];
	}
}

/* --- who ran before, for the worst --- */

/* The completed texts of one histogram of the synthetic event. */
struct worst_texts {
	uint64_t generation; /* of the table whose strings are numbered */
	uint32_t *joined; /* by the number of a text: 1 + the number of the completed text, or 0 */
	uint32_t room;
};

struct worst_join {
	/* the histogram of END */
	struct hist_table *table;
	struct hist_text_parser *parser;
	struct hist_snapshot snap;
	uint64_t lift; /* WORST_JOIN_LIFT if END adds it, or 0 */
	uint64_t unit; /* of the latency, in that of END: 1, or 1000 */
	bool is_read;  /* in this call of kernel_join_worst() */
	struct target_buf buf;
	struct hist_strbuf text;
	struct worst_texts *texts; /* of each histogram of the source */
	unsigned int ntexts;
};

/* What identifies a hit in both histograms. */
struct worst_hit {
	uint64_t max, cpu, pid;
};

static void worst_join_read_hit(const char *at, size_t left, struct worst_hit *hit)
{
	struct hist_worst_field field;

	*hit = (struct worst_hit){ 0 };
	while (hist_worst_next_field(&at, &left, &field)) {
		if (text_equals(field.name, field.name_len, "max"))
			hit->max = field.number;
		else if (text_equals(field.name, field.name_len, "cpu"))
			hit->cpu = field.number;
		else if (text_equals(field.name, field.name_len, "common_pid"))
			hit->pid = field.number;
	}
}

static int worst_join_new(struct worst_join **join, const struct traced_event *source,
			  const struct traced_event *end)
{
	struct worst_join *j = calloc(1, sizeof(*j));
	struct hist_schema *schema = NULL;

	*join = j;
	if (!j || hist_schema_make(&schema, end->triggers[0].expr, end->event))
		return -ENOMEM;
	j->table = hist_table_new(schema);
	hist_schema_free(schema);
	if (strstr(end->triggers[0].expr->text, "+" WORST_JOIN_LIFT "-"))
		j->lift = strtoull(WORST_JOIN_LIFT, NULL, 10);
	j->unit = strstr(end->triggers[0].expr->text, "=common_timestamp/1000-") ? 1000 : 1;
	j->parser = j->table ? hist_text_parser_new(j->table) : NULL;
	j->texts = calloc(source->nhists, sizeof(*j->texts));
	j->ntexts = source->nhists;
	return j->parser && j->texts ? 0 : -ENOMEM;
}

void kernel_free_worst_join(struct worst_join *j)
{
	unsigned int i;

	if (!j)
		return;
	for (i = 0; j->texts && i < j->ntexts; i++)
		free(j->texts[i].joined);
	free(j->texts);
	hist_text_parser_free(j->parser);
	hist_table_free(j->table);
	hist_snapshot_clear(&j->snap);
	hist_strbuf_free(&j->text);
	free(j->buf.data);
	free(j);
}

/* Read the histogram of END. A text that cannot be parsed has no rows: a task chose its name so. */
static int worst_join_read(struct worst_join *j, const struct traced_event *end,
			   struct hist_target *t)
{
	struct hist_text_block block;
	size_t pos = 0;
	int ret;

	j->is_read = true;
	hist_table_clear(j->table);
	hist_snapshot_clear(&j->snap);
	ret = target_readf(t, &j->buf, "%s/hist", end->dir);
	if (ret)
		return ret;
	while (hist_text_next_block(j->buf.data, j->buf.len, &pos, &block) == 1) {
		if (kernel_find_helper(end, &block) != 0)
			continue;
		ret = hist_text_parse(j->parser, &block, &j->snap, NULL);
		if (ret == -EBADMSG)
			hist_snapshot_clear(&j->snap);
		return ret == -EBADMSG ? 0 : ret;
	}
	return 0;
}

/* Did END save @hit?  The latency in us is the difference of two rounded times. */
static bool worst_join_is_hit(const struct worst_join *j, const struct worst_hit *end,
			      const struct worst_hit *hit)
{
	uint64_t value = (end->max - j->lift) / j->unit;

	return end->cpu == hit->cpu && end->pid == hit->pid &&
	       (value == hit->max || (j->unit > 1 && value + 1 == hit->max));
}

/* The text that END saved with @hit, from "  prev_prio" on, or NULL. */
static const char *worst_join_find(const struct worst_join *j, const struct worst_hit *hit,
				   size_t *len)
{
	const struct hist_schema *schema = hist_table_schema(j->table);
	struct worst_hit other;
	const char *text, *tail;
	uint32_t e;

	for (e = 0; e < j->snap.nentries; e++) {
		text = hist_table_string(
			j->table, j->snap.values[(size_t)(e + 1) * schema->nvalues - 1], len);
		tail = memmem(text, *len, "  prev_prio: ", strlen("  prev_prio: "));
		worst_join_read_hit(text, *len, &other);
		if (!tail || !worst_join_is_hit(j, &other, hit))
			continue;
		*len -= tail - text;
		return tail;
	}
	return NULL;
}

/* Find the text that completes the text @id of @table, and remember it. */
static int worst_join_complete(struct worst_join *j, struct worst_texts *texts,
			       struct hist_table *table, uint32_t id)
{
	struct worst_hit hit;
	const char *text, *tail;
	uint32_t new = id;
	size_t len;
	int ret = 0;

	text = hist_table_string(table, id, &len);
	worst_join_read_hit(text, len, &hit);
	hist_strbuf_add(hist_strbuf_clear(&j->text), text, len);
	/* END has rows of 0, too: those that never had a START */
	tail = hit.max ? worst_join_find(j, &hit, &len) : NULL;
	if (tail) {
		hist_strbuf_add(&j->text, tail, len);
		ret = j->text.error ? -ENOMEM
				    : hist_table_intern(table, j->text.data, j->text.len, &new);
	}
	if (!ret)
		ret = array_grow_zeroed(&texts->joined, &texts->room,
					(size_t)(id > new ? id : new) + 1, sizeof(*texts->joined));
	if (ret)
		return ret;
	texts->joined[id] = texts->joined[new] = new + 1;
	return 0;
}

static int worst_join_hist(struct worst_join *j, struct worst_texts *texts, struct traced_hist *h,
			   const struct traced_event *end, struct hist_target *t)
{
	const struct hist_schema *schema = hist_table_schema(h->table);
	int worst = hist_schema_worst(schema), ret = 0;
	uint64_t *value;
	uint32_t e;

	if (worst < 0)
		return 0;
	if (texts->generation != hist_table_generation(h->table)) {
		free(texts->joined);
		texts->joined = NULL;
		texts->room = 0;
		texts->generation = hist_table_generation(h->table);
	}
	for (e = 0; !ret && e < h->snap.nentries; e++) {
		value = &h->snap.values[(size_t)e * schema->nvalues + worst];
		if (*value >= texts->room || !texts->joined[*value]) {
			if (!j->is_read)
				ret = worst_join_read(j, end, t);
			if (!ret)
				ret = worst_join_complete(j, texts, h->table, *value);
		}
		if (!ret)
			*value = texts->joined[*value] - 1;
	}
	return ret;
}

int kernel_join_worst(struct worst_join **join, struct traced_event *source,
		      const struct traced_event *end, struct hist_target *t)
{
	unsigned int h;
	int ret = *join ? 0 : worst_join_new(join, source, end);

	if (!ret)
		(*join)->is_read = false;
	for (h = 0; !ret && h < source->nhists; h++)
		ret = worst_join_hist(*join, &(*join)->texts[h], &source->hists[h], end, t);
	return ret ? message_error_errno(end->full_name, ret) : 0;
}

/* --- the counter --- */

struct kernel_counter {
	struct counter counter;
	struct target_buf text; /* content of the last file read */
	struct worst_join **joins; /* of each source, or NULL */
	struct latency_pairs *pairs; /* of each source */
	bool is_last; /* nothing is counted any more */
};

static int kernel_counter_check(struct counter *c)
{
	unsigned int e;
	int ret = 0;

	for (e = 0; !ret && e < c->set.nsources; e++)
		ret = traced_reader_check_raw(&c->set.sources[e], c->set.target, c->set.plan->read);
	return ret;
}

static int kernel_attach(struct counter *c)
{
	const struct trigger_set *set = &c->set;
	struct traced_event *source;
	struct kernel_counter *k = (struct kernel_counter *)c;
	unsigned int e;
	int ret;

	k->joins = calloc(set->nsources, sizeof(*k->joins));
	k->pairs = calloc(set->nsources, sizeof(*k->pairs));
	if (!k->joins || !k->pairs)
		return message_error_memory();
	for (e = 0; e < set->nsources; e++) {
		source = &set->sources[e];
		ret = traced_event_attach(source, set->target, set->undo,
					  counter_event_dir(set, source));
		if (!ret && source->nhists)
			ret = traced_reader_open_raw(source, set->target, source->dir,
						    set->plan->read);
		if (ret)
			return ret;
	}
	for (e = 0; e < set->nsources; e++) {
		ret = traced_event_attach_switches(&set->sources[e], set->target, set->undo);
		if (ret)
			return ret;
	}
	ret = instance_settle_clock(set->instance, set->target, set->undo);
	if (!ret)
		counter_begin_writes(c);
	return ret;
}

static int kernel_read(struct counter *c, struct traced_event *source)
{
	struct kernel_counter *k = (struct kernel_counter *)c;
	struct target_buf *text = &k->text;
	const struct query_pairs *pairs;
	struct counter_moment moment;
	uint64_t begin = timer_now();
	int ret;

	ret = traced_reader_fetch(source, c->set.target, text);
	if (ret)
		return message_error_errno(source->full_name, ret);
	ret = counter_take_moment(c, begin, &moment);
	if (!ret)
		ret = traced_reader_take(source, c->set.target, text);
	if (!ret)
		counter_stamp(c, source, &moment);
	pairs = source->plan ? query_get_pairs(source->plan) : NULL;
	if (!ret && pairs && pairs->end_saves)
		ret = kernel_join_worst(&k->joins[source - c->set.sources], source,
					kernel_find_of_pair(source, QUERY_END), c->set.target);
	if (!ret)
		kernel_update_pairs(&k->pairs[source - c->set.sources], source, c->set.target,
				    k->is_last);
	return ret;
}

static int kernel_tick(struct counter *c, counter_take take, void *arg)
{
	unsigned int e;
	int ret = 0;

	for (e = 0; !ret && e < c->set.nsources; e++) {
		if (!c->set.sources[e].nhists)
			continue;
		/* -EAGAIN: hist_raw lacks a name; read again, as text */
		do {
			ret = kernel_read(c, &c->set.sources[e]);
		} while (ret == -EAGAIN);
		if (!ret)
			ret = take(arg, &c->set.sources[e]);
	}
	return ret;
}

/* Pause an attached trigger. 0, or the -errno of the write to the trigger file; no message. */
static int kernel_pause_trigger(const struct traced_event *source, const struct hist_expr *expr,
				struct hist_target *t)
{
	char *text = hist_expr_insert_word(expr, "pause"), *own = NULL;
	int ret;

	if (text)
		own = function_field_to_kernel(text, source->function_field);
	ret = own ? target_writef(t, own, true, "%s/trigger", source->dir) : -ENOMEM;
	free(own);
	free(text);
	return ret;
}

static int kernel_pause_hist(const struct traced_hist *h, struct hist_target *t)
{
	unsigned int i;
	int ret = 0, one;

	for (i = 0; i < h->ntriggers; i++) {
		one = kernel_pause_trigger(h->source, traced_event_trigger_expr(h, i), t);
		ret = ret ? ret : one;
	}
	return ret;
}

/*
 * Remove the triggers. Call it before the histograms are paused at the end; otherwise an
 * enable_hist trigger could continue them. The undo log removes a trigger that is left.
 */
static void kernel_detach_switches(const struct traced_event *s, struct hist_target *t)
{
	unsigned int i;
	char *text;

	for (i = 0; i < s->nswitches; i++) {
		if (asprintf(&text, "!%s", s->switches[i]->text) < 0)
			break;
		target_writef(t, text, true, "%s/trigger", s->dir);
		free(text);
	}
}

static void kernel_pause(struct counter *c)
{
	const struct trigger_set *set = &c->set;
	struct traced_hist *hist = NULL;
	unsigned int e, h;

	foreign_writes_end(&c->writes);
	for (e = 0; e < set->nsources; e++)
		kernel_detach_switches(&set->sources[e], set->target);
	/* first the helpers with a name=NAME, which count into a histogram of another event */
	for (e = 0; e < set->nsources; e++) {
		for (h = 0; h < set->sources[e].nhelpers; h++) {
			if (set->sources[e].triggers[h].expr->name)
				kernel_pause_hist(&set->sources[e].triggers[h], set->target);
		}
	}
	((struct kernel_counter *)c)->is_last = true;
	while ((hist = traced_event_next_hist(set->sources, set->nsources, hist)))
		hist->stopped = !kernel_pause_hist(hist, set->target) &&
				!instance_get_time(set->instance, set->target, &hist->stopped_at);
}

static void kernel_report_loss(struct counter *c)
{
	const struct traced_event *source;
	struct traced_totals *totals;
	uint64_t drops;
	unsigned int e, i;

	for (e = 0; e < c->set.nsources; e++) {
		source = &c->set.sources[e];
		totals = calloc(source->nhelpers + 1, sizeof(*totals));
		if (!totals) {
			message_error_memory();
			return;
		}
		kernel_read_totals(source, c->set.target, totals);
		for (i = 0, drops = 0; i < source->nhelpers; i++)
			drops += totals[i].dropped;
		counter_report_helper_drops(source, drops);
		free(totals);
	}
}

static void kernel_free(struct counter *c)
{
	struct kernel_counter *k = (struct kernel_counter *)c;
	unsigned int e;

	for (e = 0; k->joins && e < c->set.nsources; e++)
		kernel_free_worst_join(k->joins[e]);
	foreign_writes_end(&c->writes);
	free(k->joins);
	free(k->pairs);
	free(k->text.data);
	free(c);
}

static const struct counter_ops kernel_ops = {
	.name = "kernel",
	.check = kernel_counter_check,
	.attach = kernel_attach,
	.tick = kernel_tick,
	.pause = kernel_pause,
	.report_loss = kernel_report_loss,
	.free = kernel_free,
};

int kernel_counter_new(struct counter **counter)
{
	struct kernel_counter *k = calloc(1, sizeof(*k));

	if (!k)
		return message_error_memory();
	k->counter.ops = &kernel_ops;
	*counter = &k->counter;
	return 0;
}
