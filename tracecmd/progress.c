// SPDX-License-Identifier: GPL-2.0
/*
 * progress.c - one line, written over itself
 */
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "duration.h"
#include "progress.h"

void progress_begin(struct progress *p, bool quiet)
{
	p->on = !quiet && isatty(STDERR_FILENO);
	p->shown = false;
}

void progress_show(struct progress *p, uint64_t elapsed_ns, uint32_t snapshots, uint64_t hits,
		   uint64_t entries, uint64_t dropped)
{
	uint64_t tenths = elapsed_ns / (NSEC_PER_SEC / 10);

	if (!p->on)
		return;
	fprintf(stderr, "\r%" PRIu64 ".%" PRIu64 " s  %u snapshots  %" PRIu64 " hits  %" PRIu64
		" entries  %" PRIu64 " dropped\033[K", tenths / 10, tenths % 10, snapshots, hits,
		entries, dropped);
	fflush(stderr);
	p->shown = true;
}

void progress_show_part(struct progress *p, uint64_t done, uint64_t all)
{
	unsigned int percent = all ? (double)done / all * 100 : 100;

	if (!p->on || (p->shown && p->percent == percent))
		return;
	fprintf(stderr, "\r%u %%\033[K", percent);
	fflush(stderr);
	p->shown = true;
	p->percent = percent;
}

void progress_end(struct progress *p)
{
	if (p->shown)
		fputs("\r\033[K", stderr);
	p->shown = false;
}
