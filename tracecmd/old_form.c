// SPDX-License-Identifier: GPL-2.0
/*
 * old_form.c - `trace-cmd hist [-i FILE] [-P] [FILE]`, which the stock trace-cmd has
 *
 * The stock program counts the events of a file.  It ends with a number as its only message if
 * the file is a recording with histograms and without events.  trace-cmd asks this before it
 * becomes the stock program, in a process of its own, as it has no library to read files by.
 */
#include <string.h>
#include <tracehist/series.h>
#include <tracehist/tracedat.h>

#include "command.h"
#include "old_form.h"

/* As the stock one chooses it. */
static const char *file_of(int argc, char **argv)
{
	const char *file = "trace.dat";
	int i;

	for (i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "-i") && i + 1 < argc)
			return argv[i + 1];
		if (!strncmp(argv[i], "-i", 2) && argv[i][2])
			return argv[i] + 2;
		if (argv[i][0] != '-')
			file = argv[i];
	}
	return file;
}

bool old_form_is_ours(int argc, char **argv)
{
	const char *file = file_of(argc, argv);
	struct hist_series *series = NULL;
	char why[256];
	bool ours;

	if (hist_series_open(&series, file, why, sizeof(why)))
		return false;
	ours = !tracedat_has_events(hist_series_file(series));
	hist_series_free(series);
	if (ours)
		complain("%s: the file has histograms and no events: run 'trace-cmd hist report %s'",
			 file, file);
	return ours;
}
