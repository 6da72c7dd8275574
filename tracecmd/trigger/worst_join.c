// SPDX-License-Identifier: GPL-2.0
/*
 * worst_join.c - add who ran before to the largest values that a latency keeps
 *
 * The kernel prints the same text for a row until its maximum rises, so the completed text of each
 * text is remembered, and END is read only for new texts.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/worst.h"
#include "lib/base/array.h"
#include "lib/base/strbuf.h"
#include "lib/base/text.h"
#include "lib/histfile/hist_text.h"
#include "lib/query/latency_worst.h"
#include "tracecmd/base/message.h"
#include "tracecmd/target/target_path.h"
#include "tracecmd/trigger/helper_totals.h"
#include "tracecmd/trigger/kernel_counter.h"

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
	bool is_read; /* in this call of worst_join_apply() */
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

void worst_join_free(struct worst_join *j)
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
		if (helper_totals_find(end, &block) != 0)
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
		ret = j->text.error ? -ENOMEM :
		      hist_table_intern(table, j->text.data, j->text.len, &new);
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

int worst_join_apply(struct worst_join **join, struct traced_event *source,
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
