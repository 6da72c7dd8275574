// SPDX-License-Identifier: GPL-2.0
/*
 * diff.c - `trace-cmd hist diff`
 *
 * The whole comparison ends before the first byte is written.  An error of a file therefore
 * does not leave a partial result.
 */
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/text_file.h"
#include "tracecmd/base/command.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/output_stream.h"
#include "tracecmd/base/text_style.h"
#include "tracecmd/diff/diff.h"
#include "tracecmd/diff/diff_options.h"

static int read_thresholds(struct hist_thresholds **thresholds, const struct diff_options *o)
{
	const char *path = o->thresholds;
	struct hist_error error = { 0 };
	char *text;
	unsigned int line;
	size_t size;
	int ret;

	if (o->metric) {
		ret = hist_thresholds_judge_only(thresholds, o->metric, o->compare.gate.worse);
		return ret ? message_error_memory() : 0;
	}
	if (!path)
		return 0;
	ret = text_file_read(&text, &size, path, &error);
	if (ret)
		return message_report_of(ret, &error, "%s", path);
	ret = hist_thresholds_parse(thresholds, text, size, &line, &error);
	free(text);
	if (ret == -EINVAL)
		message_report_of(ret, &error, "%s:%u", path, line);
	else if (ret)
		message_error_errno(path, ret);
	return ret;
}

/* In the order of diff_options.format; NULL: text, with a style. */
static int (*const formats[])(FILE *f, const struct hist_comparison *c) = {
	NULL, hist_diff_write_json, hist_diff_write_markdown, hist_diff_write_junit,
	hist_diff_write_ktap,
};

static int write_result(const struct diff_options *o, const struct hist_comparison *c)
{
	struct hist_view_style style = { 0 };
	struct output_stream file;
	int ret;

	ret = output_stream_open(&file, o->out);
	if (ret)
		return ret;
	if (formats[o->format]) {
		ret = formats[o->format](file.f, c);
	} else {
		text_style_detect(&style, file.f, TEXT_COLOUR_AUTO);
		ret = hist_diff_write_text(file.f, c, &style);
	}
	return output_stream_close(&file, !ret, ret);
}

static int diff_exit_status(const struct hist_comparison *c, bool strict)
{
	switch (c->verdict) {
	case HIST_REGRESSED:
		return EXIT_REGRESSED;
	case HIST_INCOMPARABLE:
		return EXIT_INCOMPARABLE;
	case HIST_INCONCLUSIVE:
		return strict || c->undecided ? EXIT_INCONCLUSIVE : EXIT_DONE;
	default:
		return EXIT_DONE;
	}
}

static int diff_run_comparison(struct diff_options *o)
{
	struct hist_thresholds *thresholds = NULL;
	struct hist_comparison *c = NULL;
	int status = EXIT_TROUBLE, ret;
	struct hist_error error = { 0 };

	if (read_thresholds(&thresholds, o))
		return EXIT_TROUBLE;
	o->compare.thresholds = thresholds;
	o->compare.thresholds_name = o->thresholds;
	ret = hist_diff_compare(&c, &o->base, &o->new_, &o->compare, &error);
	if (ret) {
		message_report(ret, &error);
	} else {
		ret = write_result(o, c);
		/* a reader that closes the pipe early does not change the verdict */
		if (!ret || ret == -EPIPE)
			status = diff_exit_status(c, o->strict);
	}
	hist_diff_free(c);
	hist_thresholds_free(thresholds);
	return status;
}

/*
 * keep_memory - keep freed memory in the process
 * Each file needs about the memory of the previous one.  Memory that is returned to the kernel
 * would be faulted in again, page by page.
 */
static void keep_memory(void)
{
#ifdef M_MMAP_THRESHOLD
	mallopt(M_MMAP_THRESHOLD, 16 << 20);
	mallopt(M_TRIM_THRESHOLD, 32 << 20);
#endif
}

int cmd_diff(int argc, char **argv)
{
	int ret, status = EXIT_TROUBLE;
	struct diff_options options;

	keep_memory();
	ret = diff_options_parse(&options, argc, argv);
	if (ret == 1)
		status = EXIT_DONE;
	else if (!ret)
		status = diff_run_comparison(&options);
	diff_options_clear(&options);
	return status;
}
