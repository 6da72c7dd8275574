/* SPDX-License-Identifier: GPL-2.0 */
/*
 * progress.h - the line that lives at the bottom of a terminal
 *
 * Silent when stderr is no terminal, or when asked to be.
 */
#ifndef TRACECMD_BASE_PROGRESS_H
#define TRACECMD_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	bool on;
	int width;	      /* of the line that is shown; 0: none is */
	unsigned int percent; /* shown last, by progress_show_part() */
};

void progress_begin(struct progress *p, bool quiet);
/* Sums over all histograms; @elapsed_ns since the start. */
void progress_show(struct progress *p, uint64_t elapsed_ns, uint32_t snapshots, uint64_t hits,
		   uint64_t entries, uint64_t dropped);
/* Of work that is known from the start: "42 %". */
void progress_show_part(struct progress *p, uint64_t done, uint64_t all);
/* Wipes the line, before anything else is printed. */
void progress_end(struct progress *p);

#endif
