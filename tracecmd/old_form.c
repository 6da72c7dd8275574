// SPDX-License-Identifier: GPL-2.0
/*
 * old_form.c - `trace-cmd hist [-i FILE] [-P] [FILE]`, which the stock trace-cmd has
 */
#include "lib/series/series.h"
#include "lib/tracedat/tracedat.h"
#include "tracecmd/old_form.h"

bool old_form_is_ours(const char *file)
{
	struct hist_series *series;
	char why[256];
	bool ours;

	if (hist_series_open(&series, file, why, sizeof(why)))
		return false;
	ours = !tracedat_has_events(hist_series_file(series));
	hist_series_free(series);
	return ours;
}
