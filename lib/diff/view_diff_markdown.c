// SPDX-License-Identifier: LGPL-2.1
/*
 * view_diff_markdown.c - a comparison as GitHub's markdown
 *
 * The text is for a job summary or a comment: the verdict, a table of the keys that did
 * not pass plainly, and a folded table of all other keys.  Names are in <code>, and each
 * character with a meaning in markdown or HTML is a numeric reference.  A task named "@all"
 * therefore does not notify users, and one named "|" or "</details>" stays in its cell.
 *
 * Source: GitHub Flavored Markdown Spec 0.29: entity references never form structure.
 */
#include <errno.h>

#include "lib/base/reason.h"
#include "lib/base/text.h"
#include "lib/diff/diff_text.h"
#include "lib/diff/view_diff.h"

static const char *const marks[] = {
	[HIST_PASS] = ":white_check_mark: ",
	[HIST_IMPROVED] = ":tada: ",
	[HIST_INCONCLUSIVE] = ":grey_question: ",
	[HIST_REGRESSED] = ":x: ",
	[HIST_INCOMPARABLE] = ":no_entry: ",
};

static void diff_markdown_put_escaped(struct hist_strbuf *b, const char *s, size_t len)
{
	static const char structure[] = "\\`*_[]<>#!|~&@:$";

	for (; len--; s++) {
		if (memchr(structure, *s, sizeof(structure) - 1))
			hist_strbuf_printf(b, "&#%u;", *s);
		else
			hist_strbuf_char(b, *s == '\n' ? ' ' : *s);
	}
}

static void diff_markdown_put_text(struct hist_strbuf *b, const char *s)
{
	diff_markdown_put_escaped(b, s, strlen(s));
}

/* Write @why, and its hint in a line of its own; @prefix begins each line. */
static void diff_markdown_put_why(struct hist_strbuf *b, const char *prefix, const char *why)
{
	const char *hint;

	diff_markdown_put_escaped(b, why, reason_split_hint(why, &hint));
	if (*hint) {
		hist_strbuf_printf(b, "<br>\n%s**Hint:** ", prefix);
		diff_markdown_put_text(b, hint);
	}
	hist_strbuf_str(b, "\n\n");
}

static void put_code(struct hist_strbuf *b, const char *s)
{
	hist_strbuf_str(b, "<code>");
	diff_markdown_put_text(b, s);
	hist_strbuf_str(b, "</code>");
}

static void put_key_cell(struct hist_strbuf *b, const struct hist_key_result *k)
{
	put_code(b, k->label);
	if (k->presence == HIST_RENAMED) {
		hist_strbuf_str(b, " was ");
		put_code(b, k->old_label);
	} else if (k->presence != HIST_BOTH) {
		hist_strbuf_printf(b, " (%s)", diff_presence_name(k->presence));
	}
}

/* Write @line, the text of a diff_put_*() function, and empty it. */
static void diff_markdown_put_line(struct hist_strbuf *b, struct hist_strbuf *line)
{
	hist_strbuf_fail(b, line->error);
	diff_markdown_put_escaped(b, line->data, line->len);
	line->len = 0;
}

static void put_small(struct hist_strbuf *b, struct hist_strbuf *line)
{
	hist_strbuf_str(b, "<br><sub>");
	diff_markdown_put_line(b, line);
	hist_strbuf_str(b, "</sub>");
}

static void diff_markdown_put_test(struct hist_strbuf *b, struct hist_strbuf *line,
				   const struct hist_metric_result *m)
{
	const struct hist_change *c = &m->change;

	if (c->resolvable)
		diff_put_changes(line, c->low, c->high);
	else
		hist_strbuf_str(line, "buckets too wide");
	diff_put_placed(line, m);
	diff_markdown_put_line(b, line);
	if (c->resolvable && diff_has_ci(c)) {
		diff_put_change(line, c->ci_low);
		hist_strbuf_str(line, " .. ");
		diff_put_change(line, c->ci_high);
		put_small(b, line);
	}
	if (c->has_edge) {
		diff_put_boundary(line, m);
		put_small(b, line);
	}
}

static void put_change_cell(struct hist_strbuf *b, struct hist_strbuf *line,
			    const struct hist_metric_result *m, const struct hist_key_result *k)
{
	if (m->has_budget) {
		hist_strbuf_str(line, "budget ");
		diff_put_side(line, m, m->budget, m->budget);
		diff_markdown_put_line(b, line);
	} else if (k->presence == HIST_NEW || k->presence == HIST_VANISHED) {
		hist_strbuf_str(b, diff_presence_name(k->presence));
	} else {
		diff_markdown_put_test(b, line, m);
	}
}

static void diff_markdown_put_row(struct hist_strbuf *b, struct hist_strbuf *line,
				  const struct hist_metric_result *m,
				  const struct hist_key_result *k)
{
	const char *hint;

	hist_strbuf_str(b, "| ");
	/* the label only in the first row of a key */
	if (m == k->metrics)
		put_key_cell(b, k);
	hist_strbuf_str(b, " | ");
	diff_markdown_put_text(b, m->name);
	hist_strbuf_str(b, " | ");
	diff_put_side(line, m, m->change.base_low, m->change.base_high);
	diff_markdown_put_line(b, line);
	hist_strbuf_str(b, " | ");
	diff_put_side(line, m, m->change.new_low, m->change.new_high);
	diff_markdown_put_line(b, line);
	hist_strbuf_str(b, " | ");
	put_change_cell(b, line, m, k);
	hist_strbuf_str(b, " | ");
	if (m->gated || m->has_budget) {
		hist_strbuf_str(b, marks[m->verdict]);
		hist_strbuf_str(b, hist_significance_verdict_name(m->verdict));
		if (*m->why) {
			hist_strbuf_str(b, ": ");
			diff_markdown_put_escaped(b, m->why, reason_split_hint(m->why, &hint));
		}
	} else {
		hist_strbuf_char(b, '-');
	}
	hist_strbuf_str(b, " |\n");
}

static bool diff_markdown_key_is_plain(const struct hist_key_result *k)
{
	return k->verdict == HIST_PASS && k->presence == HIST_BOTH;
}

/*
 * Write the table of the keys for which diff_markdown_key_is_plain() equals @plain, if there are
 * any.
 */
static void put_table(struct hist_strbuf *b, struct hist_strbuf *line,
		      const struct hist_hist_result *h, double confidence, bool plain)
{
	uint32_t i, n = 0;
	unsigned int j;

	for (i = 0; i < h->nkeys; i++)
		n += diff_markdown_key_is_plain(&h->keys[i]) == plain;
	if (!n)
		return;
	/* rows that are only shown have no verdict */
	if (plain && h->counts[HIST_PASS])
		hist_strbuf_printf(b, "<details><summary>%u passed</summary>\n\n",
				   h->counts[HIST_PASS]);
	else if (plain)
		hist_strbuf_str(b, "<details><summary>not judged</summary>\n\n");
	hist_strbuf_printf(b,
			   "| key | metric | base | new | change (%g %% CI) | verdict |\n"
			   "|---|---|--:|--:|--:|---|\n",
			   confidence * 100);
	for (i = 0; i < h->nkeys; i++)
		for (j = 0; diff_markdown_key_is_plain(&h->keys[i]) == plain &&
		     j < h->keys[i].nmetrics; j++)
			diff_markdown_put_row(b, line, &h->keys[i].metrics[j], &h->keys[i]);
	hist_strbuf_char(b, '\n');
	if (plain)
		hist_strbuf_str(b, "</details>\n\n");
}

/* Write the hints of all metrics, each once. */
static void put_hints(struct hist_strbuf *b, struct hist_strbuf *line,
		      const struct hist_hist_result *h)
{
	const char *hint;
	unsigned int j;
	uint32_t i;

	for (i = 0; i < h->nkeys; i++) {
		for (j = 0; j < h->keys[i].nmetrics; j++) {
			reason_split_hint(h->keys[i].metrics[j].why, &hint);
			if (!*hint ||
			    (line->len && memmem(line->data, line->len, hint, strlen(hint))))
				continue;
			hist_strbuf_str(line, line->len ? "; " : "");
			hist_strbuf_str(line, hint);
		}
	}
	if (!line->len)
		return;
	hist_strbuf_str(b, "**Hint:** ");
	diff_markdown_put_line(b, line);
	hist_strbuf_str(b, "\n\n");
}

static void diff_markdown_put_side(struct hist_strbuf *b, struct hist_strbuf *line,
				   const char *name,
				   const struct hist_side_result *s)
{
	hist_strbuf_printf(b, "%s: %u run%s", name, s->runs, text_plural(s->runs));
	if (s->blocks)
		hist_strbuf_printf(b, " in %u part%s", s->replicates, text_plural(s->replicates));
	/* an incomparable histogram does not have counts */
	if (s->replicates) {
		hist_strbuf_str(b, ", ");
		diff_put_number(line, s->hits, HIST_UNIT_NONE);
		diff_markdown_put_line(b, line);
		hist_strbuf_str(b, s->hits == 1 ? " hit" : " hits");
	}
	if (diff_put_loss(line, s)) {
		hist_strbuf_str(b, ", **");
		diff_markdown_put_line(b, line);
		hist_strbuf_str(b, "**");
	}
}

static void diff_markdown_put_histogram(struct hist_strbuf *b, struct hist_strbuf *line,
					const struct hist_hist_result *h, double confidence)
{
	hist_strbuf_str(b, "#### ");
	hist_strbuf_str(b, marks[h->verdict]);
	put_code(b, h->name);
	hist_strbuf_printf(b, " %s\n\n", hist_significance_verdict_name(h->verdict));
	if (h->presence != HIST_BOTH)
		hist_strbuf_printf(b, "%s histogram\n\n", diff_presence_name(h->presence));
	if (*h->why)
		diff_markdown_put_why(b, "", h->why);
	diff_markdown_put_side(b, line, "base", &h->base);
	hist_strbuf_str(b, "; ");
	diff_markdown_put_side(b, line, "new", &h->new_);
	hist_strbuf_str(b, "\n\n");
	put_table(b, line, h, confidence, false);
	put_table(b, line, h, confidence, true);
	put_hints(b, line, h);
	if (diff_put_counts(b, "", h))
		hist_strbuf_str(b, ".\n\n");
	diff_put_hidden(b, "", h, ".\n\n");
}

static void diff_markdown_put_files(struct hist_strbuf *b, const char *name,
				    const struct hist_side_info *s)
{
	unsigned int i;

	hist_strbuf_printf(b, "%s:", name);
	for (i = 0; i < s->nfiles; i++) {
		hist_strbuf_char(b, ' ');
		put_code(b, s->files[i]);
	}
	if (*s->host) {
		hist_strbuf_str(b, " on ");
		put_code(b, s->host);
	}
	if (*s->uname) {
		hist_strbuf_str(b, ", ");
		put_code(b, s->uname);
	}
	hist_strbuf_str(b, "<br>\n");
}

int hist_diff_write_markdown(FILE *f, const struct hist_comparison *c)
{
	struct hist_strbuf b = { 0 }, line = { 0 };
	unsigned int i;

	hist_strbuf_printf(&b, "### %strace-cmd hist diff: %s\n\n", marks[c->verdict],
			   hist_significance_verdict_name(c->verdict));
	diff_markdown_put_files(&b, "base", &c->base);
	diff_markdown_put_files(&b, "new", &c->new_);
	hist_strbuf_printf(&b, "threshold %g %%, confidence %g %%\n\n", c->judge.threshold * 100,
			   c->judge.confidence * 100);
	for (i = 0; i < c->nnotes; i++) {
		hist_strbuf_str(&b, "> **Note:** ");
		diff_markdown_put_why(&b, "> ", c->notes[i]);
	}
	for (i = 0; i < c->nhists; i++)
		diff_markdown_put_histogram(&b, &line, &c->hists[i], c->judge.confidence);
	return diff_put_end(f, &b, &line);
}
