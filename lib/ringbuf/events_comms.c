// SPDX-License-Identifier: LGPL-2.1
/*
 * events_comms.c - read task names, as in saved_cmdlines at the end of the recording
 *
 * Layout: u64 size, then one line "PID COMM\n" for each task.  The kernel keeps 128 tasks by
 * default; trace-cmd may raise this to 100,000.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/ringbuf/events_private.h"

#define COMMS_MAX (16u << 20)
#define SIZE 8 /* bytes of it */

/* By pid, and those of one in the order of the file. */
static int compare(const void *a, const void *b)
{
	const struct events_comm *x = a, *y = b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

/* @len bytes of text, and room for a NUL behind them. */
static void take_lines(struct events_comms *c, size_t len)
{
	char *line, *nl, *space, *end = c->text + len;
	unsigned long long pid;

	/* the size is that of the part, which says it again */
	for (line = c->text + SIZE; line < end; line = nl + 1) {
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

static int read_comms(struct hist_events *events)
{
	struct events_comms *c = &events->comms;
	size_t len, lines = 0, i;
	char *text;
	int ret;

	c->ready = true;
	if (!events->cmdlines.size)
		return 0;
	ret = events_part_read(events, &events->cmdlines, COMMS_MAX, &text, &len);
	if (ret)
		return ret;
	for (i = 0; i < len; i++)
		lines += text[i] == '\n';
	c->text = text;
	c->list = malloc((lines + 1) * sizeof(*c->list));
	if (!c->list)
		return -ENOMEM;
	if (len > SIZE)
		take_lines(c, len);
	qsort(c->list, c->n, sizeof(*c->list), compare);
	return 0;
}

const char *hist_events_comm(struct hist_events *events, uint32_t pid)
{
	struct events_comms *c = &events->comms;
	size_t low = 0, high, mid;
	int ret;

	/* it is in no list, and known all the same: trace_find_cmdline() */
	if (!pid)
		return "<idle>";
	ret = c->ready ? 0 : read_comms(events);
	if (ret) {
		events_names_failed(events, ret);
		events_comms_free(c);
		c->ready = true;
	}
	/* behind the last one of this pid */
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

void events_comms_free(struct events_comms *c)
{
	free(c->text);
	free(c->list);
	*c = (struct events_comms){ 0 };
}
