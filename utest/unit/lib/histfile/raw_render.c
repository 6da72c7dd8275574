// SPDX-License-Identifier: GPL-2.0
/*
 * raw_render.c - see raw_render.h
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/expr/expr.h"
#include "lib/histfile/hist_text.h"
#include "utest/unit/lib/histfile/raw_render.h"
#include "utest/unit/lib/histfile/text_render.h"

struct rendering {
	const struct hist_raw *raw;
	const struct hist_raw_block *block;
	const struct hist_text_block *text; /* or NULL */
	const struct hist_kallsyms *symbols;
	struct hist_table *table;
	struct hist_raw_reader *reader;
	struct hist_snapshot snap;
};

static int read_raw(struct rendering *r, struct hist_error *error)
{
	return hist_raw_read(r->reader, r->symbols, r->raw, r->block, &r->snap, error);
}

/* The text into the same table, and forgotten but for its names. */
static int learn(struct rendering *r)
{
	struct hist_text_parser *parser = hist_text_parser_new(r->table);
	int ret = parser ? hist_text_parse(parser, r->text, &r->snap, NULL) : -ENOMEM;

	hist_text_parser_free(parser);
	hist_snapshot_clear(&r->snap);
	return ret;
}

static int read_block(struct rendering *r, struct hist_error *error)
{
	int ret;

	r->reader = hist_raw_reader_new(r->table);
	ret = r->reader ? read_raw(r, error) : -ENOMEM;
	if (ret == -ENOENT && r->text) {
		ret = learn(r);
		if (!ret)
			ret = read_raw(r, error);
	}
	if (!ret)
		ret = read_raw(r, error);
	return ret;
}

static void write_block(const struct rendering *r, const char *trigger, FILE *out)
{
	fprintf(out, "block %s\npaused %d hits %" PRIu64 " entries %" PRIu64 " dropped %" PRIu64
		" rows %" PRIu32 "\n", trigger, !!(r->snap.flags & HIST_SNAP_PAUSED), r->snap.hits,
		r->snap.entries, r->snap.dropped, r->snap.nentries);
	render_rows(out, r->table, &r->snap);
}

static int render_block(struct rendering *r, FILE *out, struct hist_error *error)
{
	char *trigger = strndup(r->block->trigger, r->block->trigger_len);
	struct hist_schema *schema = NULL;
	struct hist_expr *expr = NULL;
	int ret;

	ret = trigger ? hist_expr_parse(&expr, trigger, NULL) : -ENOMEM;
	if (!ret)
		ret = hist_schema_make(&schema, expr, NULL);
	if (!ret) {
		r->table = hist_table_new(schema);
		ret = !r->table ? -ENOMEM : hist_raw_can_read(schema) ? read_block(r, error) : 0;
	}
	if (!ret && out)
		write_block(r, trigger, out);
	hist_raw_reader_free(r->reader);
	hist_table_free(r->table);
	hist_snapshot_clear(&r->snap);
	hist_schema_free(schema);
	hist_expr_free(expr);
	free(trigger);
	return ret;
}

int raw_render(const void *data, size_t len, const char *text, size_t text_len,
	       const struct hist_kallsyms *symbols, FILE *out, struct hist_error *error)
{
	struct hist_text_block text_block;
	struct hist_raw_block block;
	size_t pos = 0, text_pos = 0;
	struct hist_raw raw;
	void *copy;
	int ret;

	copy = malloc(len ? len : 1);
	if (!copy)
		return -ENOMEM;
	if (len)
		memcpy(copy, data, len);
	ret = hist_raw_open(&raw, copy, len);
	while (!ret && hist_raw_next_block(&raw, &pos, &block)) {
		struct rendering r = { .raw = &raw, .block = &block, .symbols = symbols };

		if (text && hist_text_next_block(text, text_len, &text_pos, &text_block) == 1)
			r.text = &text_block;
		ret = render_block(&r, out, error);
	}
	free(copy);
	return ret;
}
