// SPDX-License-Identifier: LGPL-2.1
/*
 * view_diff_junit.c - a comparison as JUnit XML
 *
 * The format follows the xunit plugin of Jenkins (junit-10.xsd) and the test reports of
 * GitLab: a suite for each histogram, a case for each key.  Regressed is a failure,
 * incomparable is an error, inconclusive is skipped.  A histogram that is incomparable does
 * not have keys; one case with the name of the histogram has the reason.  Notes are a suite
 * without cases, unless only they explain the verdict of the comparison.
 *
 * XML 1.0 does not allow control characters, not even as references.  Names are already
 * escaped (label.h); in other text each control character becomes '?'.
 */
#include <errno.h>

#include "lib/base/reason.h"
#include "lib/diff/diff_text.h"
#include "lib/diff/view_diff.h"
#include "lib/report/xml.h"

static void put_attribute(struct hist_strbuf *b, const char *name, const char *value)
{
	hist_strbuf_printf(b, " %s=\"", name);
	xml_str(b, value);
	hist_strbuf_char(b, '"');
}

/* The element of each verdict; "" if the verdict is good. */
static const char *const elements[] = {
	[HIST_PASS] = "",
	[HIST_IMPROVED] = "",
	[HIST_INCONCLUSIVE] = "skipped",
	[HIST_REGRESSED] = "failure",
	[HIST_INCOMPARABLE] = "error",
};

/* Write the metric that caused the verdict, in one line. */
static void put_reason(struct hist_strbuf *b, const struct hist_key_result *k, double confidence)
{
	unsigned int i;

	for (i = 0; i < k->nmetrics; i++) {
		if (k->metrics[i].verdict != k->verdict ||
		    !(k->metrics[i].gated || k->metrics[i].has_budget))
			continue;
		diff_put_metric(b, &k->metrics[i], k, confidence);
		return;
	}
	hist_strbuf_str(b, hist_significance_verdict_name(k->verdict));
}

static void put_case(struct hist_strbuf *b, struct hist_strbuf *line,
		     const struct hist_hist_result *h, const struct hist_key_result *k,
		     double confidence)
{
	const char *element = elements[k->verdict];

	hist_strbuf_str(b, "    <testcase");
	put_attribute(b, "name", k->label);
	put_attribute(b, "classname", h->name);
	hist_strbuf_str(b, ">\n");
	if (*element) {
		line->len = 0;
		put_reason(line, k, confidence);
		hist_strbuf_printf(b, "      <%s type=\"%s\" message=\"", element,
				   hist_significance_verdict_name(k->verdict));
		xml_text(b, line);
		hist_strbuf_str(b, "\"/>\n");
	}
	hist_strbuf_str(b, "      <system-out>");
	line->len = 0;
	diff_put_metrics(line, "", k, confidence);
	xml_text(b, line);
	hist_strbuf_str(b, "</system-out>\n    </testcase>\n");
}

static void put_lone_case(struct hist_strbuf *b, const struct hist_hist_result *h)
{
	const char *element = elements[h->verdict], *hint;

	hist_strbuf_str(b, "    <testcase");
	put_attribute(b, "name", h->name);
	put_attribute(b, "classname", h->name);
	if (!*element) {
		hist_strbuf_str(b, "/>\n");
		return;
	}
	hist_strbuf_printf(b, ">\n      <%s type=\"%s\" message=\"", element,
			   hist_significance_verdict_name(h->verdict));
	xml_put(b, h->why, reason_split_hint(h->why, &hint));
	hist_strbuf_str(b, *hint ? "\">hint: " : "\">");
	xml_str(b, hint);
	hist_strbuf_printf(b, "</%s>\n    </testcase>\n", element);
}

struct tally {
	uint32_t tests, of[HIST_INCOMPARABLE + 1]; /* by verdict */
};

static void count_histogram(struct tally *t, const struct hist_hist_result *h)
{
	uint32_t i;

	for (i = 0; i < h->nkeys; i++)
		t->of[h->keys[i].verdict]++;
	t->of[h->verdict] += !h->nkeys;
	t->tests += h->nkeys ? h->nkeys : 1;
}

static void put_suite(struct hist_strbuf *b, struct hist_strbuf *line,
		      const struct hist_hist_result *h, double confidence)
{
	struct tally t = { 0 };
	uint32_t i;

	count_histogram(&t, h);
	hist_strbuf_str(b, "  <testsuite");
	put_attribute(b, "name", h->name);
	hist_strbuf_printf(b, " tests=\"%u\" failures=\"%u\" errors=\"%u\" skipped=\"%u\" "
			      "time=\"%.3f\">\n", t.tests, t.of[HIST_REGRESSED],
			   t.of[HIST_INCOMPARABLE], t.of[HIST_INCONCLUSIVE], h->new_.seconds);
	hist_strbuf_str(b, "    <properties>\n      <property name=\"trigger\"");
	put_attribute(b, "value", h->trigger);
	hist_strbuf_str(b, "/>\n    </properties>\n");
	for (i = 0; i < h->nkeys; i++)
		put_case(b, line, h, &h->keys[i], confidence);
	if (!h->nkeys)
		put_lone_case(b, h);
	line->len = 0;
	if (diff_put_counts(line, "", h))
		hist_strbuf_char(line, '\n');
	diff_put_hidden(line, "", h, "\n");
	diff_put_losses(line, "", h);
	if (h->nkeys && *h->why)
		diff_put_why(line, "", h->why);
	if (line->len) {
		hist_strbuf_str(b, "    <system-out>");
		xml_text(b, line);
		hist_strbuf_str(b, "</system-out>\n");
	}
	hist_strbuf_str(b, "  </testsuite>\n");
}

/*
 * Write the notes; the format does not have an element for them.  If no histogram has the verdict
 * of the comparison, a case has it, because the notes explain it.
 */
static void diff_junit_put_notes(struct hist_strbuf *b, struct hist_strbuf *line,
				 const struct hist_comparison *c, const struct tally *t)
{
	unsigned int i;

	if (!c->nnotes && !t->tests)
		return;
	hist_strbuf_printf(b,
			   "  <testsuite name=\"notes\" tests=\"%u\" failures=\"%u\" "
			   "errors=\"%u\" skipped=\"%u\" time=\"0\">\n",
			   t->tests, t->of[HIST_REGRESSED], t->of[HIST_INCOMPARABLE],
			   t->of[HIST_INCONCLUSIVE]);
	if (t->tests)
		hist_strbuf_printf(b, "    <testcase name=\"" DIFF_COMPARISON "\" "
				   "classname=\"notes\">\n      <%s type=\"%s\" message=\"see the "
				   "notes\"/>\n    </testcase>\n", elements[c->verdict],
				   hist_significance_verdict_name(c->verdict));
	hist_strbuf_str(b, "    <system-out>");
	line->len = 0;
	for (i = 0; i < c->nnotes; i++)
		diff_put_why(line, "", c->notes[i]);
	xml_text(b, line);
	hist_strbuf_str(b, "</system-out>\n  </testsuite>\n");
}

int hist_diff_write_junit(FILE *f, const struct hist_comparison *c)
{
	struct hist_strbuf b = { 0 }, line = { 0 };
	struct tally t = { 0 }, notes = { 0 };
	unsigned int i;

	if (*elements[c->verdict] && !diff_verdict_is_explained(c))
		notes.tests = notes.of[c->verdict] = 1;
	t = notes;
	for (i = 0; i < c->nhists; i++)
		count_histogram(&t, &c->hists[i]);
	hist_strbuf_printf(&b,
			   "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
			   "<testsuites name=\"trace-cmd hist diff\" tests=\"%u\" failures=\"%u\" "
			   "errors=\"%u\">\n",
			   t.tests, t.of[HIST_REGRESSED], t.of[HIST_INCOMPARABLE]);
	for (i = 0; i < c->nhists; i++)
		put_suite(&b, &line, &c->hists[i], c->judge.confidence);
	diff_junit_put_notes(&b, &line, c, &notes);
	hist_strbuf_str(&b, "</testsuites>\n");
	return diff_put_end(f, &b, &line);
}
