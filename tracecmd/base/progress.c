// SPDX-License-Identifier: GPL-2.0
/*
 * progress.c - a progress line on the terminal
 */
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "tracecmd/base/progress.h"

void progress_begin(struct progress *p, bool quiet)
{
	p->on = !quiet && isatty(STDERR_FILENO);
	p->width = 0;
}

/* Blanks erase the rest of the old line: escape sequences would not work on all terminals. */
void progress_show(struct progress *p, const char *fmt, ...)
{
	char line[256];
	va_list ap;
	int n;

	if (!p->on)
		return;
	va_start(ap, fmt);
	n = vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	fprintf(stderr, "\r%s%*s", line, n < p->width ? p->width - n : 0, "");
	fflush(stderr);
	p->width = n;
}

void progress_end(struct progress *p)
{
	if (p->width)
		fprintf(stderr, "\r%*s\r", p->width, "");
	p->width = 0;
}
