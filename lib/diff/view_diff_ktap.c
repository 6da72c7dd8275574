// SPDX-License-Identifier: LGPL-2.1
/*
 * view_diff_ktap.c - a comparison as KTAP version 1
 *
 * A histogram is a test, and each of its keys a subtest.  Diagnostic lines before a result
 * show the metrics of its verdict.  Inconclusive is SKIP, because nothing was decided;
 * incomparable and regressed are "not ok".  A last test, "comparison", has the verdict of the
 * comparison if no histogram has it.
 *
 * A description may have any character except '#', which begins a directive, and a newline.  A '#'
 * is therefore written as "%23", as in URLs, and '%' as "%25".
 *
 * Source: Documentation/dev-tools/ktap.rst and tools/testing/kunit/kunit_parser.py of Linux.
 */
#include <errno.h>

#include "lib/diff/diff_text.h"
#include "lib/diff/view_diff.h"

static void diff_ktap_put_name(struct hist_strbuf *b, const char *s)
{
	for (; *s; s++) {
		if (*s == '#' || *s == '%')
			hist_strbuf_printf(b, "%%%02X", *s);
		else
			hist_strbuf_char(b, *s);
	}
}

static void put_result(struct hist_strbuf *b, unsigned int number, const char *name,
		       enum hist_verdict verdict)
{
	bool bad = verdict == HIST_REGRESSED || verdict == HIST_INCOMPARABLE;

	hist_strbuf_printf(b, "%s %u ", bad ? "not ok" : "ok", number);
	diff_ktap_put_name(b, name);
	if (verdict == HIST_INCONCLUSIVE)
		hist_strbuf_str(b, " # SKIP inconclusive");
	hist_strbuf_char(b, '\n');
}

static void diff_ktap_put_key(struct hist_strbuf *b, const struct hist_key_result *k,
			      unsigned int number,
			      double confidence)
{
	diff_put_metrics(b, "  # ", k, confidence);
	hist_strbuf_str(b, "  ");
	put_result(b, number, k->label, k->verdict);
}

static void diff_ktap_put_histogram(struct hist_strbuf *b, const struct hist_hist_result *h,
				    unsigned int number, double confidence)
{
	uint32_t i;

	if (h->nkeys)
		hist_strbuf_printf(b, "  KTAP version 1\n  1..%u\n", h->nkeys);
	diff_put_losses(b, "  # ", h);
	if (diff_put_counts(b, "  # ", h))
		hist_strbuf_char(b, '\n');
	diff_put_hidden(b, "  # ", h, "\n");
	for (i = 0; i < h->nkeys; i++)
		diff_ktap_put_key(b, &h->keys[i], i + 1, confidence);
	if (*h->why)
		diff_put_why(b, "# ", h->why);
	put_result(b, number, h->name, h->verdict);
}

int hist_diff_write_ktap(FILE *f, const struct hist_comparison *c)
{
	bool more = c->verdict != HIST_PASS && !diff_verdict_is_explained(c);
	struct hist_strbuf b = { 0 }, line = { 0 };
	unsigned int i;

	hist_strbuf_printf(&b, "KTAP version 1\n1..%u\n", c->nhists + more);
	for (i = 0; i < c->nnotes; i++)
		diff_put_why(&b, "# ", c->notes[i]);
	for (i = 0; i < c->nhists; i++)
		diff_ktap_put_histogram(&b, &c->hists[i], i + 1, c->judge.confidence);
	if (more)
		put_result(&b, i + 1, DIFF_COMPARISON, c->verdict);
	return diff_put_end(f, &b, &line);
}
