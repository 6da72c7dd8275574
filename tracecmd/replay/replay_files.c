// SPDX-License-Identifier: GPL-2.0
/*
 * replay_files.c - the message if several files are given to `trace-cmd hist replay`
 *
 * Several files cannot be counted together: event numbers, fields and symbols belong to
 * one kernel, and therefore also the keys of a histogram.  Files have only time in common,
 * and `report` shows several recordings on one time line.
 */
#include <stdbool.h>
#include <stddef.h>

#include "lib/ringbuf/events.h"
#include "tracecmd/base/command.h"
#include "tracecmd/replay/replay_files.h"

/* The name that @host has for the machine of @guest, or NULL. */
static const char *name_of_guest(const struct hist_events *host, const struct hist_events *guest)
{
	uint64_t id = hist_events_machine(guest)->trace_id;
	const struct hist_events_guest *g;
	unsigned int i;

	for (i = 0; id && (g = hist_events_guest(host, i)); i++) {
		if (g->trace_id == id)
			return g->name;
	}
	return NULL;
}

static bool told_guest(const char *host_path, const struct hist_events *host, const char *path,
		       const struct hist_events *guest)
{
	const char *name = name_of_guest(host, guest);

	if (!name)
		return false;
	complain("%s: recorded in \"%s\", a guest of %s: a histogram is of one kernel's events: replay "
		 "each file with -o FILE, and show both, in the times of the host, with trace-cmd hist "
		 "report FILE FILE", path, name, host_path);
	return true;
}

void replay_refuse_files(const char *first, const char *second)
{
	struct hist_events *a = NULL, *b = NULL;
	char why[256];
	bool told = false;

	if (!hist_events_open(&a, first, why, sizeof(why)) &&
	    !hist_events_open(&b, second, why, sizeof(why)))
		told = told_guest(first, a, second, b) || told_guest(second, b, first, a);
	if (!told && a && b)
		complain("%s: replay counts one file: a histogram is of one kernel's events: replay each "
			 "file with -o FILE, and show both with trace-cmd hist report FILE FILE", second);
	else if (!told)
		complain("%s: replay counts one file: what does this mean behind %s?", second, first);
	hist_events_free(a);
	hist_events_free(b);
}
