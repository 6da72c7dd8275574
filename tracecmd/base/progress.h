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
	int width; /* of the line on the terminal; 0: no line */
};

void progress_begin(struct progress *p, bool quiet);
/* Replace the line. */
void progress_show(struct progress *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Erase the line; call this before anything else is printed. */
void progress_end(struct progress *p);

#endif
