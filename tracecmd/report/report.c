// SPDX-License-Identifier: GPL-2.0
/*
 * report.c - `trace-cmd hist report`
 *
 * The steps are: select histograms and snapshots (report_select.c), open the output
 * (output_stream.c), write the snapshots (report_show.c), and report damage of the files.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/loss_notes.h"
#include "tracecmd/base/command.h"
#include "tracecmd/base/message.h"
#include "tracecmd/report/report.h"

static int report_begin_output(struct report *r)
{
	const struct report_options *o = r->options;
	struct hist_writer_options w = o->writer;
	const struct hist_series_info **hists;
	unsigned int i;
	int ret;

	ret = output_stream_open(&r->file, o->out);
	if (ret)
		return ret;
	text_style_detect(&r->style, r->file.f, o->colour);
	/* a text list has aligned columns, which report_list() writes without a writer */
	if (o->list && o->format->writer == &hist_writer_text)
		return 0;
	w.f = r->file.f;
	w.style = r->style;
	hists = calloc(r->picks.n + 1, sizeof(*hists));
	for (i = 0; hists && i < r->picks.n; i++)
		hists[i] = r->picks.hists[i].info;
	w.hists = hists;
	w.nhists = r->picks.n;
	w.episodes = o->episodes ? &r->episodes.list : NULL;
	r->writer = hists ? hist_writer_new(o->format->writer, &w) : NULL;
	free(hists);
	if (r->writer)
		return 0;
	return output_stream_close(&r->file, false, -ENOMEM);
}

static int show_all(struct report *r)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < r->picks.n; i++)
		r->incomplete |= r->picks.hists[i].missing;
	if (r->options->list)
		return report_list(r);
	if (r->options->episodes && r->options->format->needs & REPORT_EPISODES_ONLY)
		return 0;
	for (i = 0; i < r->picks.n && !ret && !r->error; i++) {
		const struct report_hist *h = &r->picks.hists[i];

		hist_writer_histogram(r->writer, h->info, h->name);
		if (h->missing)
			hist_writer_histogram_end(r->writer);
		else
			ret = report_write_hist(r, h);
	}
	return ret;
}

/* Write the damage of the files at the end of the list. */
static void end_list(struct report *r)
{
	const struct report_input *input;
	char words[256];

	for (input = r->inputs.files; input < r->inputs.files + r->inputs.n; input++)
		if (hist_loss_format_damage(hist_series_damage(input->series), words,
					    sizeof(words)))
			message_print_to(r->file.f, "# note: %s%s%s",
					 input->label ? input->path : "",
					 input->label ? ": " : "", words);
}

/* End the document, unless writing failed before.  Returns 0, or -errno after a message. */
static int end_writer(struct report *r)
{
	struct hist_series_damage damage = report_inputs_sum_damage(&r->inputs);
	struct hist_error error = { 0 };
	int ret;

	ret = hist_writer_free(r->writer, r->error ? NULL : &damage, &error);
	r->writer = NULL;
	if (!ret)
		return r->error;
	if (error.err)
		message_report_of(ret, &error, "%s", report_files_name(r->options));
	r->reported = error.err;
	return ret;
}

/* Print a message about the damage of a file; true if data is missing. */
static bool report_report_damage(const struct report_input *input)
{
	const struct hist_series_damage *damage = hist_series_damage(input->series);
	bool incomplete = damage->bad_sections || damage->lost_snapshots;
	bool damaged = incomplete && !damage->refused_sections;
	char words[256];

	if (hist_loss_format_damage(damage, words, sizeof(words)))
		(incomplete ? message_error : message_warning)("%s: %s%s", input->path,
							       damaged ? "damaged: " : "", words);
	return incomplete;
}

static int report_finish_output(struct report *r, int ret)
{
	int status = EXIT_DONE, closed, error = r->error;
	unsigned int i;

	if (r->writer)
		error = end_writer(r);
	else if (!error)
		end_list(r);
	closed = output_stream_close(&r->file, !ret && !r->reported, r->reported ? 0 : error);
	/* a reader that closes the pipe early is not an error */
	if (closed == -EPIPE)
		return EXIT_DONE;
	if (closed || r->reported || r->incomplete)
		status = EXIT_TROUBLE;
	if (ret) {
		message_error("%s: %s", report_files_name(r->options), strerror(-ret));
		status = EXIT_TROUBLE;
	}
	for (i = 0; i < r->inputs.n; i++)
		if (report_report_damage(&r->inputs.files[i]))
			status = EXIT_TROUBLE;
	return status;
}

static int report_run_report(const struct report_options *options)
{
	struct report r = { .options = options };
	int status = EXIT_TROUBLE, ret;

	if (report_inputs_open(&r.inputs, options))
		return EXIT_TROUBLE;
	ret = report_select_hists(&r.picks, &r.inputs, options);
	r.episodes.raw_names = options->raw_names;
	if (!ret && options->episodes)
		ret = report_episodes_find(&r.episodes, &r.picks, &r.inputs, options);
	if (!ret && !report_begin_output(&r))
		status = report_finish_output(&r, show_all(&r));
	hist_rows_free(&r.rows);
	report_episodes_clear(&r.episodes);
	report_picks_clear(&r.picks);
	report_inputs_close(&r.inputs);
	return status;
}

int report_print_file(int fd, const char *name)
{
	char *argv[] = { (char *)"report", (char *)"--", (char *)name, NULL };
	struct report_options options;
	int status = EXIT_TROUBLE;

	if (!report_options_parse(&options, 3, argv)) {
		options.fd = fd;
		status = report_run_report(&options);
	}
	report_options_clear(&options);
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
		status = report_run_report(&options);
	report_options_clear(&options);
	return status;
}
