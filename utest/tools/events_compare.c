// SPDX-License-Identifier: GPL-2.0
/*
 * events_compare.c - our reader of events beside libtracecmd, on the same file
 *
 *   events_compare FILE...
 *
 * Of each buffer and CPU: the same events in the same order, with the same times and bytes and the
 * same numbers of lost ones before them.  The same formats; the same symbols at and
 * behind the addresses in the file; the same comms of all tasks that events are of.
 * Prints what was compared, or where they first differ; exit status 0 or 1.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event-parse.h>
#include <trace-cmd.h>

#include "lib/ringbuf/events.h"

struct counts {
	unsigned long events, lost, pids, addresses, formats, buffers, moved;
};

static const char *file;

static int differ(const char *what, const char *where, unsigned long long ours,
		  unsigned long long theirs)
{
	printf("%s: %s of %s: %llu, libtracecmd %llu\n", file, what, where, ours, theirs);
	return 1;
}

/* Our walk of one CPU, event by event. */
struct intervals_state {
	struct hist_events_pages *pages;
	struct hist_ring_page page;
	const unsigned char *data;
	uint32_t len;
	uint64_t lost; /* before this event; in its page before it, if it is the first */
	bool begun;
};

static int next(struct intervals_state *w)
{
	int ret;

	w->lost = 0;
	while (!w->begun || !hist_ring_page_next(&w->page, &w->data, &w->len)) {
		if (w->begun && w->page.damaged)
			return -EBADMSG;
		ret = hist_events_pages_next(w->pages, &w->page);
		if (ret != 1)
			return ret;
		w->begun = true;
		w->lost = w->page.lost;
	}
	return 1;
}

static int compare_comm(struct hist_events *events, struct tep_handle *tep,
			struct tep_record *record, struct counts *counts)
{
	int pid = tep_data_pid(tep, record);
	const char *ours = hist_events_comm(events, pid), *theirs;

	theirs = tep_data_comm_from_pid(tep, pid);
	counts->pids++;
	if (!strcmp(ours ? ours : "<...>", theirs))
		return 0;
	printf("%s: comm of %d: %s, libtracecmd %s\n", file, pid, ours ? ours : "-", theirs);
	return 1;
}

/* @time: of our event, as the recording wants it shown */
static int compare_event(const struct intervals_state *w, uint64_t time, struct tep_record *record,
			 const char *where, struct counts *counts)
{
	/* there -1 is some, and 0 of a page that lost none */
	long long lost = w->lost == HIST_RING_PAGE_LOST_SOME ? -1 : (long long)w->lost;

	counts->events++;
	counts->lost += lost != 0;
	counts->moved += time != w->page.time;
	if (time != record->ts)
		return differ("time", where, time, record->ts);
	if (w->len != (uint32_t)record->size)
		return differ("length", where, w->len, record->size);
	if (memcmp(w->data, record->data, w->len))
		return differ("bytes", where, 0, 0);
	if (lost != record->missed_events)
		return differ("lost events", where, lost, record->missed_events);
	return 0;
}

static int compare_cpu(struct hist_events *events, unsigned int buffer, unsigned int cpu,
		       struct tracecmd_input *handle, struct counts *counts)
{
	struct tep_handle *tep = tracecmd_get_tep(handle);
	struct intervals_state w = { 0 };
	struct tep_record *record;
	char where[80];
	int ret = 0, more;

	if (hist_events_pages_open(&w.pages, events, buffer, cpu))
		return differ("pages", "a CPU", 0, 1);
	while (!ret) {
		more = next(&w);
		record = tracecmd_read_data(handle, cpu);
		snprintf(where, sizeof(where), "event %lu, buffer %u, CPU %u", counts->events,
			 buffer, cpu);
		if (more < 0 || (more == 1) != !!record)
			ret = differ("an event", where, more, !!record);
		if (ret || !record)
			break;
		ret = compare_event(&w, hist_events_time(events, buffer, cpu, w.page.time), record,
				    where, counts);
		if (!ret)
			ret = compare_comm(events, tep, record, counts);
		tracecmd_free_record(record);
	}
	hist_events_pages_free(w.pages);
	return ret;
}

static int compare_buffer(struct hist_events *events, unsigned int buffer,
			  struct tracecmd_input *handle, struct counts *counts)
{
	unsigned int cpu, cpus = hist_events_buffer(events, buffer)->cpus;
	int ret = 0;

	counts->buffers++;
	for (cpu = 0; cpu < cpus && !ret; cpu++)
		ret = compare_cpu(events, buffer, cpu, handle, counts);
	return ret;
}

static int compare_buffers(struct hist_events *events, struct tracecmd_input *handle,
			   struct counts *counts)
{
	int n = tracecmd_buffer_instances(handle), i, ret;
	struct tracecmd_input *instance;

	if (n + 1 != (int)hist_events_nbuffers(events))
		return differ("buffers", "all", hist_events_nbuffers(events), n + 1);
	ret = compare_buffer(events, 0, handle, counts);
	for (i = 0; i < n && !ret; i++) {
		if (strcmp(tracecmd_buffer_instance_name(handle, i),
			   hist_events_buffer(events, i + 1)->name))
			return differ("name", "a buffer", i, i);
		instance = tracecmd_buffer_instance_handle(handle, i);
		if (!instance)
			return differ("opening", "a buffer", i, i);
		ret = compare_buffer(events, i + 1, instance, counts);
		tracecmd_close(instance);
	}
	return ret;
}

/* It has one more, "blktrace", which is in no file. */
static int compare_formats(struct hist_events *events, struct tep_handle *tep,
			   struct counts *counts)
{
	const char *system, *text, *found;
	size_t len, found_len;
	struct tep_event *theirs;
	char name[128];
	int id;

	for (; hist_events_format_at(events, counts->formats, &system, &text, &len);
	     counts->formats++) {
		if (sscanf(text, "name: %127s ID: %d", name, &id) != 2)
			return differ("format", system, counts->formats, 0);
		theirs = tep_find_event_by_name(tep, system, name);
		if (!theirs || theirs->id != id)
			return differ("id", name, id, theirs ? theirs->id : -1);
		if (hist_events_format(events, system, name, &found, &found_len) || found != text ||
		    found_len != len)
			return differ("text", name, 0, 0);
	}
	return 0;
}

static int compare_symbol(struct hist_events *events, struct tep_handle *tep, uint64_t address,
			  struct counts *counts)
{
	const char *theirs = tep_find_function(tep, address), *ours;
	struct hist_symbol symbol;

	counts->addresses++;
	/* there all that is behind the kernel's end lies in _end, and a module is no part of it */
	if (hist_events_symbol(events, address, &symbol))
		return theirs && strcmp(theirs, "_end") ? differ("symbol", theirs, 0, address) : 0;
	/* and nothing behind the last one */
	if (!theirs && !symbol.size)
		return 0;
	ours = symbol.name;
	/* what compilers leave in modules: the kernel looks at none of them */
	if (theirs && !strncmp(theirs, ".L", 2))
		return strncmp(ours, ".L", 2) ? 0 : differ("a mark", theirs, 0, address);
	if (!theirs || strncmp(ours, theirs, strlen(theirs)) ||
	    (ours[strlen(theirs)] && ours[strlen(theirs)] != ' '))
		return differ(ours, theirs ? theirs : "none", address, symbol.offset);
	return symbol.offset == address - tep_find_function_address(tep, address)
		       ? 0 : differ("offset", theirs, symbol.offset, address);
}

/* All addresses of 64-bit kernels that @events are likely to have, at steps. */
static int compare_symbols(struct hist_events *events, struct tep_handle *tep,
			   struct counts *counts)
{
	uint64_t address = UINT64_C(0xffffffff80000000);
	struct hist_symbol symbol;
	int ret = 0;

	if (hist_events_symbol(events, UINT64_C(0xffffffffffff0000), &symbol))
		address = UINT64_C(0xffffffffffff0000);
	for (; !ret && address < UINT64_C(0xffffffffffff0000); address += 0x3fc1)
		ret = compare_symbol(events, tep, address, counts);
	return ret;
}

static int compare(const char *path)
{
	struct counts counts = { 0 };
	struct tracecmd_input *handle;
	struct hist_events *events;
	struct hist_error error = { 0 };
	int ret;

	file = path;
	if (hist_events_open(&events, path, &error)) {
		printf("%s: %s\n", path, hist_error_what(&error, -EINVAL));
		return 1;
	}
	handle = tracecmd_open(path, TRACECMD_FL_LOAD_NO_PLUGINS);
	if (!handle) {
		printf("%s: libtracecmd does not open it\n", path);
		hist_events_free(events);
		return 1;
	}
	ret = compare_formats(events, tracecmd_get_tep(handle), &counts);
	if (!ret)
		ret = compare_symbols(events, tracecmd_get_tep(handle), &counts);
	if (!ret)
		ret = compare_buffers(events, handle, &counts);
	if (!ret)
		printf("%s: %lu buffers, %lu events, %lu gaps, %lu comms, %lu addresses, %lu formats%s\n",
		       path, counts.buffers, counts.events, counts.lost, counts.pids,
		       counts.addresses, counts.formats,
		       counts.moved == counts.events && counts.events ? ", all times moved"
		       : counts.moved ? ", times moved" : "");
	tracecmd_close(handle);
	hist_events_free(events);
	return ret;
}

int main(int argc, char **argv)
{
	int i, ret = 0;

	if (argc < 2) {
		fputs("usage: events_compare FILE...\n", stderr);
		return 2;
	}
	for (i = 1; i < argc; i++)
		ret |= compare(argv[i]);
	return ret;
}
