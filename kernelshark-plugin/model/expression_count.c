// SPDX-License-Identifier: GPL-2.0
/*
 * expression_count.c - count the events of a window with the engine, into a recording
 *
 * The result is written to memory as a trace.dat file, as `trace-cmd hist replay` does
 * for its report, and opened like any other file. Therefore the views do not depend on
 * its origin.
 *
 * Invariant: snapshot 0 is empty and times ascend, so the difference between the first
 * and the last snapshot covers the whole window.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kernelshark-plugin/model/expression_private.h"
#include "lib/base/text.h"
#include "lib/label/label.h"
#include "lib/replay/replay_recording.h"

/* A histogram of the result. */
struct expression_hist {
	struct hist_table *table;
	struct hist_snapshot snap;
};

struct expression_run {
	struct expression *e;
	const struct expression_window *window;
	uint64_t to; /* after the end of the window */
	bool by_time; /* compute the progress from the columns of the window */
	expression_progress *progress;
	void *data;
	unsigned int done;

	struct expression_hist *hists; /* those that are shown */
	unsigned int nhists;
	uint64_t unsaved;
	struct hist_replay_result result;

	int fd;
	struct tracedat_writer *dat;
	struct hist_series_writer *series;
	struct hist_replay_recording recording;
};

static const struct hist_events_buffer *expression_get_buffer(const struct expression_run *c)
{
	return hist_events_buffer(c->e->events, c->e->buffer);
}

static int expression_report_progress(struct expression_run *c)
{
	return !c->progress || c->progress(c->data, c->done, c->hists[0].snap.hits) ? 0
										    : -ECANCELED;
}

static int expression_check_progress(void *data, uint64_t done, uint64_t all)
{
	struct expression_run *c = data;

	if (!c->by_time)
		c->done = all && done < all ? done * 1000.0 / all : 1000;
	return expression_report_progress(c);
}

/* Count the hits of START and END that their tables had no room for: the pairs are missing. */
static void expression_count_unsaved(struct expression_run *c, const struct hist_run *run)
{
	unsigned int i;

	c->unsaved = 0;
	for (i = 0; i < c->e->ntriggers; i++)
		if (!c->e->counters[i].title)
			c->unsaved += hist_engine_count_dropped(run, c->e->counters[i].counter);
}

static int expression_record_snapshot(void *data, const struct hist_replay_moment *at)
{
	struct expression_run *c = data;
	struct hist_replay_moment moment = *at;
	uint64_t time;
	int ret;

	/* events lost before the first snapshot are also lost in the window */
	if (!c->recording.written)
		moment.lost = 0;
	ret = hist_replay_record(&c->recording, &moment);
	if (ret)
		return ret;
	/* START and END need the order of time, which is one run */
	if (moment.nruns == 1)
		expression_count_unsaved(c, moment.runs[0]);
	time = c->hists[0].snap.time;
	if (c->by_time)
		c->done = time <= c->window->from ? 0 : time >= c->to ? 1000 :
			  (time - c->window->from) * 1000.0 / (c->to - c->window->from);
	return expression_report_progress(c);
}

/* Add the requested formats of @system, so that the formats of one system are adjacent. */
static size_t expression_add_formats(const struct expression_run *c, const char *system,
				     struct tracedat_format *formats)
{
	const struct hist_event *event;
	const char *text;
	unsigned int i;
	size_t n = 0, len;

	for (i = 0; i < c->e->nknown; i++) {
		event = c->e->known[i];
		if (strcmp(event->system, system) ||
		    hist_events_format(c->e->events, system, event->name, &text, &len))
			continue;
		formats[n++] =
			(struct tracedat_format){ .system = system, .text = text, .len = len };
	}
	return n;
}

static int expression_create_file(struct expression_run *c)
{
	const struct hist_events_machine *machine = hist_events_machine(c->e->events);
	struct tracedat_contents contents = {
		.machine = {
			.uname = machine->uname,
			.cpus = machine->cpus,
			.page_size = machine->page_size,
			.long_size = machine->user_long_size,
			.big_endian = machine->layout.big_endian,
		},
		.header_page = machine->header_page,
		.header_event = machine->header_event,
		.compression = HIST_COMPRESS_NONE,
	};
	const char *clock = expression_get_buffer(c)->clock, *system;
	struct tracedat_format *formats;
	char *clock_text = NULL;
	unsigned int i, k;
	int ret = -ENOMEM;

	formats = calloc(c->e->nknown + 1, sizeof(*formats));
	if (!formats || asprintf(&clock_text, "[%s]", clock) < 0)
		goto out;
	contents.machine.trace_clock = clock_text;
	contents.formats = formats;
	for (i = 0; i < c->e->nknown; i++) {
		system = c->e->known[i]->system;
		for (k = 0; k < i && strcmp(c->e->known[k]->system, system); k++)
			;
		if (k == i)
			contents.nformats += expression_add_formats(c, system,
								    formats + contents.nformats);
	}
	ret = tracedat_create(&c->dat, c->fd, &contents);
	if (!ret)
		ret = hist_series_writer_new(&c->series, c->dat);
out:
	free(clock_text);
	free(formats);
	return ret;
}

static int expression_define_hists(struct expression_run *c)
{
	const struct expression *e = c->e;
	struct expression_hist *h;
	unsigned int i;
	int ret = 0;

	c->hists = calloc(e->ntriggers, sizeof(*c->hists));
	if (!c->hists)
		return -ENOMEM;
	c->recording.events = e->events;
	c->recording.buffer = e->buffer;
	c->recording.series = c->series;
	for (i = 0; !ret && i < e->ntriggers; i++) {
		if (!e->counters[i].title)
			continue;
		h = &c->hists[c->nhists++];
		h->table = hist_table_new(hist_engine_schema(e->engine, e->counters[i].counter));
		ret = !h->table ? -ENOMEM :
		      hist_replay_define(&c->recording, &(struct hist_replay_hist){
			.event = e->counters[i].title,
			.trigger = e->triggers[i].expr->text,
			.counter = e->counters[i].counter,
			.table = h->table,
			.snap = &h->snap,
		});
	}
	return ret;
}

static int expression_count_events(struct expression_run *c)
{
	const struct expression_window *w = c->window;
	struct hist_replay replay = {
		.buffer = c->e->buffer,
		.from = w->from,
		.to = c->to,
		.threads = w->threads,
		.snapshot = expression_record_snapshot,
		.progress = expression_check_progress,
		.data = c,
	};
	int ret;

	c->by_time = w->columns && c->to != UINT64_MAX && c->to > w->from &&
		     hist_clock_is_ns(expression_get_buffer(c)->clock);
	if (c->by_time)
		replay.interval = (c->to - w->from) / w->columns + 1;
	ret = hist_replay_run(&replay, c->e->events, c->e->engine, &c->result);
	return ret ? ret : hist_series_finish(c->series);
}

static int expression_reopen_recording(const struct expression_run *c, struct recording **r,
				       struct hist_error *error)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", c->fd);
	return recording_open(r, path, error);
}

static void expression_clear_counting(struct expression_run *c)
{
	hist_replay_clear(&c->recording);
	hist_series_writer_free(c->series);
	tracedat_writer_free(c->dat);
	while (c->nhists--) {
		hist_table_free(c->hists[c->nhists].table);
		hist_snapshot_clear(&c->hists[c->nhists].snap);
	}
	free(c->hists);
	if (c->fd >= 0)
		close(c->fd);
}

int expression_count(struct expression *e, const struct expression_window *window,
		     expression_progress *progress, void *data, struct expression_result *result,
		     struct hist_error *error)
{
	struct expression_run c = {
		.e = e,
		.window = window,
		.to = window->to == UINT64_MAX ? UINT64_MAX : window->to + 1,
		.progress = progress,
		.data = data,
	};
	struct recording *r = NULL;
	int ret;

	c.fd = memfd_create("kernelshark-hist", MFD_CLOEXEC);
	ret = c.fd < 0 ? -errno : expression_create_file(&c);
	if (!ret)
		ret = expression_define_hists(&c);
	if (!ret)
		ret = expression_report_progress(&c);
	if (!ret)
		ret = expression_count_events(&c);
	if (!ret)
		ret = expression_reopen_recording(&c, &r, error);
	if (!ret)
		*result = (struct expression_result){
			.recording = r,
			.hits = c.hists[0].snap.hits,
			.unsaved = c.unsaved,
			.lost = c.hists[0].snap.events_lost,
			/* each gap of unknown size counts as one */
			.lost_more = c.hists[0].snap.events_lost > c.result.lost,
			.replay = c.result,
		};
	expression_clear_counting(&c);
	return ret;
}

static void add_time(struct hist_strbuf *b, uint64_t ns)
{
	hist_strbuf_printf(b, "%" PRIu64 ".%06" PRIu64, ns / 1000000000, ns % 1000000000 / 1000);
}

void expression_describe(struct hist_strbuf *b, unsigned int hist,
			 const struct expression_window *window,
			 const struct expression_result *result)
{
	const struct recorded_hist *h = &result->recording->hists[hist];
	const uint64_t hits = h->n ? h->snapshots[h->n - 1].hits : 0;

	hist_strbuf_printf(b, "%" PRIu64 " %s event%s", hits, h->info->def.event,
			   text_plural(hits));
	if (window->from || window->to != UINT64_MAX) {
		hist_strbuf_str(b, ", ");
		add_time(b, window->from);
		hist_strbuf_str(b, " to ");
		add_time(b, window->to);
	}
	if (result->lost)
		hist_strbuf_printf(b, ", %" PRIu64 "%s event%s lost", result->lost,
				   result->lost_more ? " or more" : "",
				   result->lost == 1 && !result->lost_more ? "" : "s");
	else
		hist_strbuf_str(b, ", none lost");
}

bool expression_get_note(const struct expression_result *result, unsigned int i, char *buf,
			 size_t len)
{
	const struct {
		uint64_t n;
		const char *one, *many;
	} notes[] = {
		{ result->replay.damage.missing_pages, "page of events is missing",
		  "pages of events are missing" },
		{ result->replay.damage.missing_bytes, "byte of compressed events is missing",
		  "bytes of compressed events are missing" },
		{ result->replay.damage.damaged_pages, "damaged page was skipped",
		  "damaged pages were skipped" },
		{ result->replay.counts.damaged,
		  "event shorter than the event format requires was skipped",
		  "events shorter than the event format requires were skipped" },
		{ result->unsaved,
		  "hit of a trigger that is not shown, such as START or END of a latency, did not "
		  "fit "
		  "in its table",
		  "hits of triggers that are not shown, such as START and END of a latency, did "
		  "not fit "
		  "in their tables" },
		{ result->replay.counts.no_stack,
		  "hit without a recorded stack is not included in any row",
		  "hits without a recorded stack are not included in any row" },
	};
	unsigned int k;

	for (k = 0; k < sizeof(notes) / sizeof(*notes); k++) {
		if (!notes[k].n || i--)
			continue;
		snprintf(buf, len, "%" PRIu64 " %s", notes[k].n,
			 notes[k].n == 1 ? notes[k].one : notes[k].many);
		return true;
	}
	return false;
}
