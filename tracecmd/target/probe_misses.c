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
#include <stdlib.h>
#include <string.h>

#include "tracecmd/target/probe_misses.h"

/* Tries to read both files between two changes of others. */
#define TRIES 3

/* The words of a line at *@at, which moves on to the next line; false at the end. */
static bool next_line(const char **at, const char **line, size_t *len)
{
	while (**at == '\n')
		(*at)++;
	if (!**at)
		return false;
	*line = *at;
	*len = strcspn(*at, "\n");
	*at += *len;
	return true;
}

/* "p:GROUP/NAME ...", "r16:GROUP/NAME ..."; false: something else. */
static bool split_event(const char *line, size_t len, const char **system, size_t *system_len,
			const char **name, size_t *name_len)
{
	size_t head = strcspn(line, " \t\n");
	const char *colon = memchr(line, ':', head < len ? head : len), *slash;

	if (!colon)
		return false;
	slash = memchr(colon, '/', line + head - colon);
	if (!slash)
		return false;
	*system = colon + 1;
	*system_len = slash - *system;
	*name = slash + 1;
	*name_len = line + head - *name;
	return true;
}

static bool is(const char *s, size_t len, const char *word)
{
	return strlen(word) == len && !memcmp(s, word, len);
}

bool probe_misses_sum(const char *events, const char *profile, const char *system,
		      const char *name, uint64_t *sum)
{
	const char *line, *row, *s, *n, *word, *end;
	size_t len, row_len, s_len, n_len, word_len;
	bool found = false;

	*sum = 0;
	while (next_line(&events, &line, &len)) {
		if (!split_event(line, len, &s, &s_len, &n, &n_len) ||
		    !next_line(&profile, &row, &row_len))
			return false;
		word = row + strspn(row, " \t");
		word_len = strcspn(word, " \t\n");
		if (word_len != n_len || memcmp(word, n, n_len))
			return false;
		if (!is(s, s_len, system) || !is(n, n_len, name))
			continue;
		/* the last number of the line */
		for (end = row + row_len; end > word + word_len && end[-1] != ' '; end--)
			;
		*sum += strtoull(end, NULL, 10);
		found = true;
	}
	return found && !next_line(&profile, &row, &row_len);
}

/* Does a line of @events, which may have others than probes, make this probe? */
static bool lists(const char *events, const char *system, const char *name)
{
	const char *line, *s, *n;
	size_t len, s_len, n_len;

	while (next_line(&events, &line, &len)) {
		if (strchr("prft", line[0]) && split_event(line, len, &s, &s_len, &n, &n_len) &&
		    is(s, s_len, system) && is(n, n_len, name))
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
		found = events.data && profile.data &&
			probe_misses_sum(events.data, profile.data, system, name, sum);
		if (!found && !(events.data && lists(events.data, system, name)))
			break;
	}
	free(events.data);
	free(profile.data);
	return found;
}

/* -errno: cannot be read. */
static int is_listed(struct hist_target *t, const char *file, const char *system, const char *name)
{
	struct target_buf events = { 0 };
	int ret = t->ops->read(t, file, &events);

	if (!ret)
		ret = events.data && lists(events.data, system, name);
	free(events.data);
	return ret;
}

void probe_misses_begin(struct probe_misses *m, struct hist_target *t, const char *system,
			const char *name)
{
	int listed = is_listed(t, "dynamic_events", system, name);

	/* before 5.0 */
	if (listed < 0)
		listed = is_listed(t, "kprobe_events", system, name) > 0 ||
			 is_listed(t, "uprobe_events", system, name) > 0;
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
	/* the probe was removed and made anew */
	if (sum < m->before)
		m->before = 0;
	if (sum - m->before > m->count)
		m->count = sum - m->before;
}
