// SPDX-License-Identifier: LGPL-2.1
/*
 * events_names.c - the names in a trace.dat file: symbols of the kernel, and comms of tasks
 *
 * Each list is read at its first lookup, because this takes longer than the rest of opening a
 * file.  The thread that looks up first reads the list under the lock; a list that is ready does
 * not change any more, and needs no lock.
 *
 * Layout of the symbols: u32 size, then the text of /proc/kallsyms.  Layout of the comms: u64
 * size, then one line "PID COMM\n" for each task, as in saved_cmdlines at the end of the recording.
 * The kernel keeps 128 tasks by default; trace-cmd may raise this to 100,000.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/ringbuf/events_private.h"

/* The kernel of a distribution has 7 MB with 150,000 symbols. */
#define SYMBOLS_MAX (64u << 20)
#define SYMBOLS_AT 4

#define COMMS_MAX (16u << 20)
#define COMMS_AT 8

/*
 * Handle the failed read of names: damage leaves addresses and pids without names, and any other
 * error is kept for hist_events_names_error().  Returns -ENOENT, or @ret.
 */
static int fail_names(struct hist_events *events, int ret)
{
	if (ret == -EBADMSG)
		return -ENOENT;
	__atomic_store_n(&events->names_error, ret, __ATOMIC_RELAXED);
	return ret;
}

int hist_events_names_error(const struct hist_events *events)
{
	return __atomic_load_n(&events->names_error, __ATOMIC_RELAXED);
}

static int take_symbols(struct hist_events *events, char *data, size_t len)
{
	int ret = len < SYMBOLS_AT ? -EBADMSG
				   : hist_kallsyms_parse(&events->symbols, data + SYMBOLS_AT,
							 len - SYMBOLS_AT);

	free(data);
	return ret;
}

static int read_symbols(struct hist_events *events)
{
	return events->kallsyms.size
		       ? events_part_take(events, &events->kallsyms, SYMBOLS_MAX, take_symbols)
		       : hist_kallsyms_parse(&events->symbols, "", 0);
}

static bool names_are_ready(const bool *ready)
{
	return __atomic_load_n(ready, __ATOMIC_ACQUIRE);
}

static void set_ready(bool *ready)
{
	__atomic_store_n(ready, true, __ATOMIC_RELEASE);
}

static void ready_symbols(struct hist_events *events)
{
	int ret;

	pthread_mutex_lock(&events->names_lock);
	if (!events->symbols_ready) {
		ret = read_symbols(events);
		if (ret)
			events->symbols_error = fail_names(events, ret);
		set_ready(&events->symbols_ready);
	}
	pthread_mutex_unlock(&events->names_lock);
}

int hist_events_symbol(struct hist_events *events, uint64_t address, struct hist_symbol *symbol)
{
	if (!names_are_ready(&events->symbols_ready))
		ready_symbols(events);
	return events->symbols_error ? events->symbols_error
				     : hist_kallsyms_find(events->symbols, address, symbol);
}

const char *hist_events_next_function(struct hist_events *events, size_t *i)
{
	if (!names_are_ready(&events->symbols_ready))
		ready_symbols(events);
	return events->symbols_error || !events->symbols ? NULL :
	       hist_kallsyms_next_function(events->symbols, i);
}

/* By pid; equal pids stay in the order of the file. */
static int events_names_compare(const void *a, const void *b)
{
	const struct events_comm *x = a, *y = b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

/* Parse @len bytes of text, which a NUL follows. */
static void take_lines(struct events_comms *c, size_t len)
{
	char *line, *nl, *space, *end = c->text + len;
	unsigned long long pid;

	for (line = c->text + COMMS_AT; line < end; line = nl + 1) {
		nl = memchr(line, '\n', end - line);
		if (!nl)
			nl = end;
		*nl = '\0';
		pid = strtoull(line, &space, 10);
		if (space == line || *space != ' ' || pid > UINT32_MAX)
			continue;
		c->list[c->n++] = (struct events_comm){ pid, space + 1 - c->text };
	}
}

static int take_comms(struct hist_events *events, char *data, size_t len)
{
	struct events_comms *c = &events->comms;
	size_t lines = 0, i;

	c->text = data;
	for (i = 0; i < len; i++)
		lines += c->text[i] == '\n';
	c->list = malloc((lines + 1) * sizeof(*c->list));
	if (!c->list)
		return -ENOMEM;
	if (len > COMMS_AT)
		take_lines(c, len);
	qsort(c->list, c->n, sizeof(*c->list), events_names_compare);
	return 0;
}

static int read_comms(struct hist_events *events)
{
	return events->cmdlines.size
		       ? events_part_take(events, &events->cmdlines, COMMS_MAX, take_comms)
		       : 0;
}

static void ready_comms(struct hist_events *events)
{
	int ret;

	pthread_mutex_lock(&events->names_lock);
	if (!events->comms.ready) {
		ret = read_comms(events);
		if (ret)
			fail_names(events, ret);
		set_ready(&events->comms.ready);
	}
	pthread_mutex_unlock(&events->names_lock);
}

const char *hist_events_comm(struct hist_events *events, uint32_t pid)
{
	struct events_comms *c = &events->comms;
	size_t low = 0, high, mid;

	/* pid 0 is not in any list: trace_find_cmdline() */
	if (!pid)
		return "<idle>";
	if (!names_are_ready(&c->ready))
		ready_comms(events);
	/* find the end of this pid's comms */
	high = c->n;
	while (low < high) {
		mid = low + (high - low) / 2;
		if (c->list[mid].pid <= pid)
			low = mid + 1;
		else
			high = mid;
	}
	return low && c->list[low - 1].pid == pid ? c->text + c->list[low - 1].at : NULL;
}

void events_names_free(struct hist_events *events)
{
	hist_kallsyms_free(events->symbols);
	free(events->comms.text);
	free(events->comms.list);
}
