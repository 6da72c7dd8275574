// SPDX-License-Identifier: GPL-2.0
/*
 * text_render.c - see text_render.h
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/expr/expr.h"
#include "lib/histfile/hist_text.h"
#include "utest/unit/lib/histfile/text_render.h"

static void escape(FILE *out, const char *s, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++) {
		if (s[i] >= ' ' && s[i] <= '~' && s[i] != '"' && s[i] != '\\')
			fputc(s[i], out);
		else
			fprintf(out, "\\x%02x", (unsigned char)s[i]);
	}
}

void render_string(FILE *out, const char *s, size_t len)
{
	fputc('"', out);
	escape(out, s, len);
	fputc('"', out);
}

static void render_id(FILE *out, const struct hist_table *table, uint64_t id)
{
	const char *s;
	size_t len;

	s = hist_table_string(table, id > UINT32_MAX ? HIST_NO_STRING : id, &len);
	render_string(out, s, len);
}

void render_rows(FILE *out, const struct hist_table *table, const struct hist_snapshot *snap)
{
	const struct hist_schema *schema = hist_table_schema(table);
	uint32_t e;
	unsigned int i;

	for (e = 0; e < snap->nentries; e++) {
		const struct hist_cell *cells = hist_table_cells(table, e);

		for (i = 0; i < schema->nkeys; i++) {
			if (hist_key_is_text(schema->keys[i].kind))
				fputs("- ", out);
			else
				fprintf(out, "%" PRIu64 " ", cells[i].num);
			if (hist_key_has_string(schema->keys[i].kind))
				render_id(out, table, cells[i].str);
			else
				fputc('-', out);
			fputc(' ', out);
		}
		fputc('|', out);
		for (i = 0; i < schema->nvalues; i++) {
			uint64_t v = snap->values[(size_t)e * schema->nvalues + i];

			fputc(' ', out);
			if (hist_value_is_text(schema->values[i].kind))
				render_id(out, table, v);
			else
				fprintf(out, "%" PRIu64, v);
		}
		fputc('\n', out);
	}
}

static int render_block(const struct hist_text_block *block, const struct hist_event *event,
			FILE *out, uint32_t *flags, struct hist_error *error)
{
	char *trigger = strndup(block->trigger, block->trigger_len);
	struct hist_text_parser *parser = NULL;
	struct hist_schema *schema = NULL;
	struct hist_snapshot snap = { 0 };
	struct hist_table *table = NULL;
	struct hist_expr *expr = NULL;
	int ret;

	ret = trigger ? hist_expr_parse(&expr, trigger, NULL) : -ENOMEM;
	if (!ret)
		ret = hist_schema_make(&schema, expr, event);
	if (!ret) {
		table = hist_table_new(schema);
		parser = table ? hist_text_parser_new(table) : NULL;
		ret = parser ? hist_text_parse(parser, block, &snap, error) : -ENOMEM;
	}
	if (!ret && flags)
		*flags |= snap.flags;
	if (!ret && out) {
		fputs("block ", out);
		escape(out, trigger, strlen(trigger));
		fprintf(out, "\npaused %d hits %" PRIu64 " entries %" PRIu64 " dropped %" PRIu64
			" rows %" PRIu32 "\n", !!(snap.flags & HIST_SNAP_PAUSED), snap.hits,
			snap.entries, snap.dropped, snap.nentries);
		render_rows(out, table, &snap);
	}
	hist_text_parser_free(parser);
	hist_table_free(table);
	hist_schema_free(schema);
	hist_expr_free(expr);
	hist_snapshot_clear(&snap);
	free(trigger);
	return ret;
}

int text_render(const char *text, size_t len, const struct hist_event *event, FILE *out,
		uint32_t *flags, struct hist_error *error)
{
	struct hist_text_block block;
	char *copy = malloc(len);
	size_t pos = 0;
	int ret;

	if (flags)
		*flags = 0;
	if (!copy && len)
		return -ENOMEM;
	if (len)
		memcpy(copy, text, len);
	while ((ret = hist_text_next_block(copy, len, &pos, &block)) == 1) {
		ret = render_block(&block, event, out, flags, error);
		if (ret)
			break;
	}
	free(copy);
	return ret;
}
