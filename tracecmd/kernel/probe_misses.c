// SPDX-License-Identifier: GPL-2.0
/*
 * probe_misses.c - count the hits that the kernel missed at the probe of an event
 *
 * A line of kprobe_profile has the event name without its system, the hits and the misses.
 * kprobe_events lists the same probes in the same order, with their systems, so that the n-th
 * lines of both files describe the same probe. Probes may be added or removed between the two
 * reads: the names must agree in all lines, otherwise both files are read again. The misses of
 * several probes of one event are added up.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracecmd/kernel/probe_misses.h"

/* Number of tries to read both files between two changes by other programs. */
#define TRIES 3

/* Room for a name; the kernel's limit is 64 (MAX_EVENT_NAME_LEN). */
#define NAME_ROOM 80
#define NAME_WIDTH "79"

/* The next line that is not empty, or the end of the text. */
static const char *probe_misses_next_line(const char *line)
{
	line = strchrnul(line, '\n');
	return line + strspn(line, "\n");
}

/* "p:SYSTEM/NAME ...", "r16:SYSTEM/NAME ..."; false: something else. */
static bool split_event(const char *line, char system[NAME_ROOM], char name[NAME_ROOM])
{
	return sscanf(line, "%*[^: \t\n]:%" NAME_WIDTH "[^/ \t\n]/%" NAME_WIDTH "[^ \t\n]", system,
		      name) == 2;
}

bool probe_misses_sum(const char *events, const char *profile, const char *system,
		      const char *name, uint64_t *sum)
{
	char s[NAME_ROOM], n[NAME_ROOM], row[NAME_ROOM];
	uint64_t misses;
	bool found = false;

	*sum = 0;
	for (; *events; events = probe_misses_next_line(events),
	     profile = probe_misses_next_line(profile)) {
		if (!split_event(events, s, n) ||
		    sscanf(profile, "%" NAME_WIDTH "s %*u %" SCNu64, row, &misses) != 2 ||
		    strcmp(row, n))
			return false;
		if (strcmp(s, system) || strcmp(n, name))
			continue;
		*sum += misses;
		found = true;
	}
	return found && !*profile;
}

/* True if a line of @events defines this probe; other lines may define other events. */
static bool probe_misses_line_defines(const char *events, const char *system, const char *name)
{
	char s[NAME_ROOM], n[NAME_ROOM];

	for (; *events; events = probe_misses_next_line(events)) {
		if (strchr("prft", *events) && split_event(events, s, n) && !strcmp(s, system) &&
		    !strcmp(n, name))
			return true;
	}
	return false;
}

static bool read_sum(struct hist_target *t, const char *system, const char *name, uint64_t *sum)
{
	struct target_buf events = { 0 }, profile = { 0 };
	unsigned int i;
	bool found = false;

	for (i = 0; i < TRIES && !found; i++) {
		if (t->ops->read(t, "kprobe_events", &events) ||
		    t->ops->read(t, "kprobe_profile", &profile))
			break;
		found = probe_misses_sum(events.data, profile.data, system, name, sum);
		if (!found && !probe_misses_line_defines(events.data, system, name))
			break;
	}
	free(events.data);
	free(profile.data);
	return found;
}

/* -errno: cannot be read. */
static int probe_misses_event_is_listed(struct hist_target *t, const char *file, const char *system,
					const char *name)
{
	struct target_buf events = { 0 };
	int ret = t->ops->read(t, file, &events);

	if (!ret)
		ret = probe_misses_line_defines(events.data, system, name);
	free(events.data);
	return ret;
}

void probe_misses_begin(struct probe_misses *m, struct hist_target *t, const char *system,
			const char *name)
{
	int listed = probe_misses_event_is_listed(t, "dynamic_events", system, name);

	/* before 5.0 */
	if (listed < 0)
		listed = probe_misses_event_is_listed(t, "kprobe_events", system, name) > 0 ||
			 probe_misses_event_is_listed(t, "uprobe_events", system, name) > 0;
	*m = (struct probe_misses){ .kind = PROBE_MISSES_NONE };
	if (listed > 0)
		m->kind = read_sum(t, system, name, &m->before) ? PROBE_MISSES_KNOWN :
								   PROBE_MISSES_UNKNOWN;
}

void probe_misses_update(struct probe_misses *m, struct hist_target *t, const char *system,
			 const char *name)
{
	uint64_t sum;

	if (m->kind != PROBE_MISSES_KNOWN || !read_sum(t, system, name, &sum))
		return;
	/* the probe was removed and created again */
	if (sum < m->before)
		m->before = 0;
	if (sum - m->before > m->count)
		m->count = sum - m->before;
}
