// SPDX-License-Identifier: GPL-2.0
/*
 * report.c - `trace-cmd hist report`
 *
 * Choose (report_pick.c), open the output (report_file.c), walk and show
 * (report_walk.c), and tell at the end what was not in order with the file.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "report.h"

static int begin(struct report *r)
{
	const struct report_options *o = r->options;
	struct hist_writer_options w = {
		.view = o->view,
		.nquantiles = o->nquantiles,
		.top = o->top,
		.max_series = o->max_series,
	};
	const struct hist_series_info **hists;
	unsigned int i;
	int ret;

	ret = report_file_open(&r->file, o->out);
	if (ret)
		return ret;
	text_style(&r->style, r->file.f, o->colour);
	/* lines that belong together are not for a writer */
	if (o->list && o->format->create == hist_writer_text)
		return 0;
	w.f = r->file.f;
	w.style = r->style;
	memcpy(w.quantiles, o->quantiles, sizeof(w.quantiles));
	hists = calloc(r->picks.n + 1, sizeof(*hists));
	for (i = 0; hists && i < r->picks.n; i++)
		hists[i] = r->picks.hists[i].info;
	w.hists = hists;
	w.nhists = r->picks.n;
	r->writer = hists ? o->format->create(&w) : NULL;
	free(hists);
	if (r->writer)
		return 0;
	return report_file_close(&r->file, false, -ENOMEM);
}

static int show_all(struct report *r)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < r->picks.n; i++)
		r->incomplete |= r->picks.hists[i].missing;
	if (r->options->list)
		return report_list(r);
	for (i = 0; i < r->picks.n && !ret && !r->error; i++) {
		const struct report_hist *h = &r->picks.hists[i];

		hist_writer_histogram(r->writer, h->info, h->name);
		if (h->missing)
			hist_writer_histogram_end(r->writer);
		else
			ret = report_walk(r, h);
	}
	return ret;
}

/* What the file itself lacks stands in the list too, at its end. */
static void end_list(struct report *r)
{
	char words[256];

	if (hist_damage_words(hist_series_damage(r->series), words, sizeof(words)))
		fprintf(r->file.f, "# note: %s\n", words);
}

/* Ends the document, unless writing has failed before.  0, or -errno after a message. */
static int end_writer(struct report *r)
{
	char why[256];
	int ret;

	ret = hist_writer_free(r->writer, r->error ? NULL : hist_series_damage(r->series), why,
			       sizeof(why));
	r->writer = NULL;
	if (!ret)
		return r->error;
	if (*why)
		complain("%s: %s", r->options->file, why);
	r->told = *why != '\0';
	return ret;
}

static int finish(struct report *r, int ret)
{
	const struct hist_series_damage *damage = hist_series_damage(r->series);
	bool damaged = damage->bad_sections || damage->lost_snapshots;
	int status = EXIT_DONE, closed, error = r->error;
	char words[256];

	if (r->writer)
		error = end_writer(r);
	else if (!error)
		end_list(r);
	closed = report_file_close(&r->file, !ret && !r->told, r->told ? 0 : error);
	/* the reader has seen enough */
	if (closed == -EPIPE)
		return EXIT_DONE;
	if (closed || r->told || r->incomplete || damaged)
		status = EXIT_TROUBLE;
	if (ret) {
		complain("%s: %s", r->options->file, strerror(-ret));
		status = EXIT_TROUBLE;
	}
	if (hist_damage_words(damage, words, sizeof(words)))
		complain("%s: %s%s", r->options->file, damaged ? "damaged: " : "", words);
	return status;
}

static int report(const struct report_options *options)
{
	struct report r = { .options = options };
	int status = EXIT_TROUBLE, ret;
	char why[256];

	ret = hist_series_open(&r.series, options->file, why, sizeof(why));
	if (ret) {
		/* the file's own trouble has a sentence, that of the system has a name */
		complain("%s: %s", options->file, ret == -EINVAL || ret == -EBADMSG ||
			 ret == -ENODATA ? why : strerror(-ret));
		return EXIT_TROUBLE;
	}
	if (!report_pick(&r.picks, r.series, options) && !begin(&r))
		status = finish(&r, show_all(&r));
	hist_rows_free(&r.rows);
	report_picks_clear(&r.picks);
	hist_series_free(r.series);
	return status;
}

int cmd_report(int argc, char **argv)
{
	struct report_options options;
	int ret, status = EXIT_TROUBLE;

	ret = report_options_parse(&options, argc, argv);
	if (ret == 1)
		status = EXIT_DONE;
	else if (!ret)
		status = report(&options);
	report_options_clear(&options);
	return status;
}
