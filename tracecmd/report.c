// SPDX-License-Identifier: GPL-2.0
/*
 * report.c - `trace-cmd hist report`
 *
 * Choose (report_pick.c), open the output (report_file.c), walk and show
 * (report_walk.c), and tell at the end what was not in order with the file.
 */
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "command.h"
#include "report.h"

#define WIDTH_DEFAULT 80
#define WIDTH_LEAST 40
#define WIDTH_MOST 1000

/* Of the terminal that is written to, or $COLUMNS, or 80. */
static unsigned int line_width(const struct report_file *file)
{
	const char *columns = getenv("COLUMNS");
	unsigned long width = WIDTH_DEFAULT;
	struct winsize size;

	if (!ioctl(fileno(file->f), TIOCGWINSZ, &size) && size.ws_col)
		width = size.ws_col;
	else if (columns && *columns)
		width = strtoul(columns, NULL, 10);
	return width < WIDTH_LEAST ? WIDTH_LEAST : width > WIDTH_MOST ? WIDTH_MOST : width;
}

static int begin(struct report *r)
{
	int ret;

	setlocale(LC_CTYPE, "");
	ret = report_file_open(&r->file, r->options->out);
	if (ret)
		return ret;
	r->style.utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	r->style.width = line_width(&r->file);
	if (!r->options->json)
		return 0;
	r->json = hist_json_new(r->file.f);
	if (r->json)
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

		if (r->json)
			hist_json_histogram(r->json, h->info, h->name);
		if (!h->missing)
			ret = report_walk(r, h);
		if (r->json)
			hist_json_histogram_end(r->json);
	}
	return ret;
}

/* What the file itself lacks stands in the report too, at its end. */
static void end_text(struct report *r)
{
	char words[256];

	if (hist_damage_words(hist_series_damage(r->series), words, sizeof(words)))
		fprintf(r->file.f, "%s# note: %s\n", r->shown && !r->options->list ? "\n" : "", words);
}

static int finish(struct report *r, int ret)
{
	const struct hist_series_damage *damage = hist_series_damage(r->series);
	bool damaged = damage->bad_sections || damage->lost_snapshots;
	int status = EXIT_DONE, closed, error = r->error;
	char words[256];

	if (r->json) {
		closed = hist_json_free(r->json, damage);
		error = error ? error : closed;
		r->json = NULL;
	} else if (!error) {
		end_text(r);
	}
	closed = report_file_close(&r->file, !ret, error);
	/* the reader has seen enough */
	if (closed == -EPIPE)
		return EXIT_DONE;
	if (closed || r->incomplete || damaged)
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
