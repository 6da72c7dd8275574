/* SPDX-License-Identifier: GPL-2.0 */
/*
 * progress.h - a progress line on the terminal
 *
 * The line is printed only if stderr is a terminal and @quiet is false.
 */
#ifndef TRACECMD_BASE_PROGRESS_H
#define TRACECMD_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	bool on;
	int width;	      /* of the line on the terminal; 0: no line */
	unsigned int percent; /* of the last progress_show_part() */
};

void progress_begin(struct progress *p, bool quiet);
/* Sums over all histograms; @elapsed_ns since the start. */
void progress_show(struct progress *p, uint64_t elapsed_ns, uint32_t snapshots, uint64_t hits,
		   uint64_t entries, uint64_t dropped);
/* "42 %", for work of a known size. */
void progress_show_part(struct progress *p, uint64_t done, uint64_t all);
/* Erase the line; call this before anything else is printed. */
void progress_end(struct progress *p);

#endif
