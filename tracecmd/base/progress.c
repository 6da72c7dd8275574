// SPDX-License-Identifier: GPL-2.0
/*
 * progress.c - a progress line on the terminal
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "lib/base/text.h"
#include "tracecmd/base/progress.h"
#include "tracecmd/base/timer.h"

void progress_begin(struct progress *p, bool quiet)
{
	p->on = !quiet && isatty(STDERR_FILENO);
	p->width = 0;
}

/* Blanks erase the rest of the old line: escape sequences would not work on all terminals. */
static void progress_print_line(struct progress *p, const char *fmt, ...)
{
	char line[256];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	fprintf(stderr, "\r%s%*s", line, n < p->width ? p->width - n : 0, "");
	fflush(stderr);
	p->width = n;
}

void progress_show(struct progress *p, uint64_t elapsed_ns, uint32_t snapshots, uint64_t hits,
		   uint64_t entries, uint64_t dropped)
{
	uint64_t tenths = elapsed_ns / (NSEC_PER_SEC / 10);

	if (p->on)
		progress_print_line(p,
				    "%" PRIu64 ".%" PRIu64 " s  %u snapshot%s  %" PRIu64 " hit%s  %"
				    PRIu64 " %s  %" PRIu64 " dropped", tenths / 10, tenths % 10,
				    snapshots, text_plural(snapshots), hits, text_plural(hits),
				    entries, entries == 1 ? "entry" : "entries", dropped);
}

void progress_show_part(struct progress *p, uint64_t done, uint64_t all)
{
	unsigned int percent = all ? (double)done / all * 100 : 100;

	if (!p->on || (p->width && p->percent == percent))
		return;
	progress_print_line(p, "%u %%", percent);
	p->percent = percent;
}

void progress_end(struct progress *p)
{
	if (p->width)
		fprintf(stderr, "\r%*s\r", p->width, "");
	p->width = 0;
}
