// SPDX-License-Identifier: LGPL-2.1
/*
 * hist_text.c - parse a `hist` file, block by block, into table and snapshot
 *
 * A file has a block for each trigger.  A block begins with its header and ends at the next header
 * that follows a complete "Totals:" part.  The totals are required so that a file name with a
 * header line cannot start a block.
 *
 * The schema determines what must come next, so rows are read left to right without a search
 * (hist_text_row.c).  The totals are searched from the end, where the kernel prints them, so that
 * no name can forge them.  The number of rows must match the totals; otherwise a name has forged a
 * row.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/text.h"
#include "lib/histfile/hist_text.h"
#include "lib/histfile/hist_text_private.h"

static const char header[] = "# event histogram\n#\n# trigger info: ";

/* Between two blocks: three newlines, the first of which ends "Dropped: N". */
static const char *block_end(const char *at, const char *end)
{
	static const char gap[] = "\n\n\n# event histogram\n#\n# trigger info: ";
	const char *found, *c;

	while ((found = memmem(at, end - at, gap, sizeof(gap) - 1))) {
		for (c = found; c > at && c[-1] >= '0' && c[-1] <= '9'; c--)
			;
		if (c < found && c - at > 13 && !memcmp(c - 13, "    Dropped: ", 13))
			return found + 1;
		at = found + 1;
	}
	return end;
}

int hist_text_next_block(const char *text, size_t len, size_t *pos, struct hist_text_block *block)
{
	const char *at = text + *pos, *end = text + len, *nl;

	while (at < end && *at == '\n')
		at++;
	if (at == end)
		return 0;
	if (!text_starts_with(at, end - at, header))
		return -EBADMSG;
	at += sizeof(header) - 1;
	nl = memmem(at, end - at, "\n#\n\n", 4);
	if (!nl)
		return -EBADMSG;

	block->trigger = at;
	block->trigger_len = nl - at;
	block->paused = text_ends_with(at, nl - at, " [paused]");
	if (block->paused || text_ends_with(at, nl - at, " [active]"))
		block->trigger_len -= strlen(" [active]");
	block->rows = nl + 4;
	block->end = block_end(block->rows, end);
	*pos = block->end - text;
	return 1;
}

/* See hist_text_row.c.  Texts of a kernel with names that imitate rows need far fewer steps. */
#define STEPS_LEAST (1u << 24)
#define STEPS_PER_BYTE 32

static const char totals_title[] = "\nTotals:\n";

#define TOTALS_TITLE_LEN (sizeof(totals_title) - 1)

struct hist_text_parser *hist_text_parser_new_part(struct hist_table *table,
						   const struct hist_text_part *part)
{
	struct hist_text_parser *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->table = table;
	p->part = part;
	p->schema = part ? part->schema : hist_table_schema(table);
	if (hist_text_make_tokens(p)) {
		hist_text_parser_free(p);
		return NULL;
	}
	return p;
}

struct hist_text_parser *hist_text_parser_new(struct hist_table *table)
{
	return hist_text_parser_new_part(table, NULL);
}

void hist_text_parser_free(struct hist_text_parser *p)
{
	unsigned int i;

	if (!p)
		return;
	for (i = 0; i < HIST_KEYS_MAX; i++)
		free(p->before[i].text);
	for (i = 0; i < HIST_VALUES_MAX; i++)
		free(p->value[i].text);
	free(p->close.text);
	free(p->met);
	hist_strbuf_free(&p->saved);
	hist_strbuf_free(&p->taken);
	free(p);
}

/* Set the error to the final failure, with its line. */
static void hist_text_explain_failure(const struct hist_text_parser *p, struct hist_error *error)
{
	unsigned int line = 1;
	const char *c;

	for (c = p->text; c < p->failed_at; c++)
		line += *c == '\n';
	hist_error_set(error, -EBADMSG, "line %u of the rows: %s", line, p->failure);
}

/* Find the start of the totals; only newlines may follow them. */
static const char *find_totals(const char *start, const char *end)
{
	/* the title, three lines of 13 and at most 20 digits, and some newlines */
	const char *at = end - start > 160 ? end - 160 : start, *found = NULL;

	while ((at = memmem(at, end - at, totals_title, TOTALS_TITLE_LEN)))
		found = at++;
	return found;
}

static int parse_totals(struct hist_text_parser *p, const char *end, struct hist_snapshot *snap)
{
	const struct {
		const char *name;
		uint64_t *value;
	} lines[] = {
		{ "    Hits: ", &snap->hits },
		{ "    Entries: ", &snap->entries },
		{ "    Dropped: ", &snap->dropped },
	};
	unsigned int i;

	p->at = p->end + TOTALS_TITLE_LEN;
	p->end = end;
	for (i = 0; i < 3; i++) {
		size_t len = strlen(lines[i].name);

		if (!text_have(p, p->at, lines[i].name, len))
			return hist_text_fail(p, "expected \"%s\"", lines[i].name + 4);
		p->at += len;
		if (!text_decimal(p, lines[i].value) || p->at >= p->end || *p->at++ != '\n')
			return hist_text_fail(p, "a number is missing after \"%s\"",
					      lines[i].name + 4);
	}
	while (p->at < p->end && *p->at == '\n')
		p->at++;
	return p->at == p->end ? 0 : hist_text_fail(p, "unexpected text after the totals");
}

/* Read the text about the last snapshot() as one line (track_data_snapshot_print()). */
static int read_note(struct hist_text_parser *p, struct hist_snapshot *snap)
{
	const char *at = p->at + strlen(HIST_TEXT_NOTE);
	bool tab = false, gap = false;
	int ret;

	snap->flags &= ~HIST_SNAP_TAKEN;
	if (!p->may_have_note || !text_have(p, p->at, HIST_TEXT_NOTE, strlen(HIST_TEXT_NOTE)))
		return 0;
	p->taken.len = 0;
	for (; at < p->end; at++) {
		if (*at == ' ' || *at == '\t' || *at == '\n') {
			gap = true;
			tab |= *at == '\t';
			continue;
		}
		if (gap && p->taken.len)
			hist_strbuf_str(&p->taken, tab ? ", " : " ");
		gap = tab = false;
		hist_strbuf_char(&p->taken, *at);
	}
	ret = p->taken.error;
	/* a title without text is ignored */
	if (ret || !p->taken.len)
		return ret;
	ret = hist_table_intern(p->table, p->taken.data, p->taken.len, &snap->taken);
	if (!ret)
		snap->flags |= HIST_SNAP_TAKEN;
	return ret;
}

/* True if a value in vals= is an expression; names of fields do not contain these characters. */
static bool has_expression(const char *trigger, size_t len)
{
	const char *vals = memmem(trigger, len, ":vals=", 6), *end = trigger + len;

	for (vals = vals ? vals + 6 : end; vals < end && *vals != ':'; vals++) {
		if (strchr("+-*/$", *vals))
			return true;
	}
	return false;
}

static int hist_text_parse_block(struct hist_text_parser *p, const struct hist_text_block *block,
		    struct hist_snapshot *snap)
{
	uint64_t rows, hits = snap->hits;
	int ret;

	p->text = p->at = block->rows;
	p->steps = STEPS_LEAST + STEPS_PER_BYTE * (uint64_t)(block->end - block->rows);
	p->ambiguous = p->joined = 0;
	p->hitcount = hist_schema_hitcount(p->schema);
	p->shrunk = 0;
	p->may_have_note = memmem(block->trigger, block->trigger_len, ".snapshot(", 10);
	p->may_have_more = has_expression(block->trigger, block->trigger_len);
	p->end = find_totals(block->rows, block->end);
	if (!p->end)
		return hist_text_fail(
			p, "the totals are missing: the hist file was not read to its end");
	/* generation 0 marks unused memory */
	if (++p->generation == 0) {
		if (p->met)
			memset(p->met, 0, p->met_room * sizeof(*p->met));
		p->generation = 1;
	}
	ret = hist_text_read_rows(p, snap, &rows);
	if (ret)
		return ret;
	ret = read_note(p, snap);
	if (!ret)
		ret = parse_totals(p, block->end, snap);
	if (!ret)
		ret = hist_snapshot_grow(snap, p->schema, hist_table_entries(p->table));
	if (ret)
		return ret;
	/* The numbers of rows and entries differ: a name forged a row or hid one. */
	snap->flags &= ~(HIST_SNAP_AMBIGUOUS | HIST_SNAP_PAUSED | HIST_SNAP_RESET);
	if (p->shrunk || snap->hits < hits)
		snap->flags |= HIST_SNAP_RESET;
	if (p->ambiguous || rows != snap->entries)
		snap->flags |= HIST_SNAP_AMBIGUOUS;
	if (block->paused)
		snap->flags |= HIST_SNAP_PAUSED;
	if (p->part)
		snap->entries -= p->joined;
	snap->losses[HIST_LOSS_CUT_KEYS] = hist_snapshot_count_cut(snap, p->table);
	return 0;
}

int hist_text_parse(struct hist_text_parser *p, const struct hist_text_block *block,
		    struct hist_snapshot *snap, struct hist_error *error)
{
	int ret = hist_text_parse_block(p, block, snap);

	if (ret == -EBADMSG)
		hist_text_explain_failure(p, error);
	return ret;
}
