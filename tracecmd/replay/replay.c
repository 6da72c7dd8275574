// SPDX-License-Identifier: GPL-2.0
/*
 * replay.c - `trace-cmd hist replay`: open the file, count its events, write or print the result
 *
 * The file replaces the machine (target_recording.h), so the plan is checked as for a
 * recording.  Its histograms become a program of the user-space engine, which counts the
 * events.  The counts go into a trace.dat file, as those of a recording do.  Without -o this
 * file does not have a name, and is printed as `report` does it, after all else was freed.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/base/text.h"
#include "lib/replay/recorded_source.h"
#include "tracecmd/base/command.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/progress.h"
#include "tracecmd/base/signals.h"
#include "tracecmd/output/output_file.h"
#include "tracecmd/output/trace_meta.h"
#include "tracecmd/replay/replay.h"
#include "tracecmd/replay/replay_counter.h"
#include "tracecmd/replay/replay_options.h"
#include "tracecmd/report/report.h"
#include "tracecmd/session/session.h"
#include "tracecmd/session/session_messages.h"
#include "tracecmd/session/sql.h"
#include "tracecmd/target/target_recording.h"

struct replayer {
	struct replay_options *options;
	struct recorded_source source;
	struct sql_source sql;
	struct hist_events *events;
	unsigned int buffer;
	struct session session;
	struct replay_counter counter;
	struct output output;
	struct progress progress;
	int signals;
	int printed; /* the file to print, or -1 */
	bool is_incomplete; /* events that the file should contain are missing */
};

static bool has_events(const struct hist_events *events, unsigned int buffer)
{
	return hist_events_buffer(events, buffer)->bytes > 0;
}

/* Write the names of the buffers except the top-level one, which needs no -B, as a list. */
static void name_buffers(const struct hist_events *events, char *text, size_t size)
{
	unsigned int i;
	size_t len = 0;

	*text = '\0';
	for (i = 1; i < hist_events_nbuffers(events) && len < size; i++) {
		if (has_events(events, i))
			len += snprintf(text + len, size - len, "%s\"%s\"", len ? ", " : "",
					hist_events_buffer(events, i)->name);
	}
}

/* The buffer of -B; otherwise the top-level one, or if it is empty the only one with events. */
static int choose_buffer(struct replayer *r)
{
	const char *wanted = r->options->buffer, *file = r->options->file;
	unsigned int i, n = hist_events_nbuffers(r->events), found = 0;
	char names[256];

	for (i = 0; i < n; i++) {
		if (wanted && !strcmp(wanted, hist_events_buffer(r->events, i)->name)) {
			r->buffer = i;
			return 0;
		}
		if (has_events(r->events, i)) {
			if (!found++)
				r->buffer = i;
			if (!i && !wanted)
				return 0;
		}
	}
	name_buffers(r->events, names, sizeof(names));
	if (wanted)
		message_error("-B %s: %s has no buffer with this name\n%s%s", wanted, file,
			      *names ? "use one of these: " : "do not use -B for this file", names);
	else if (found > 1)
		message_error("%s: several buffers contain events\nselect one with -B: %s", file,
			      names);
	return wanted || found > 1 ? -EINVAL : 0;
}

static void replay_open_source(struct replayer *r)
{
	struct query_source *source = &r->source.source;

	recorded_source_init(&r->source, r->events, r->buffer, r->options->file);
	sql_source_init(&r->sql, r->session.target);
	source->sql = &r->sql.sql;
	source->tasks = plan_task_option(&r->options->plan);
	r->session.recorded = source;
}

static int replay_show_progress(void *data, uint64_t done, uint64_t all)
{
	struct replayer *r = data;
	bool forward;

	if (signals_ending(r->signals, &forward))
		return -EINTR;
	progress_show_part(&r->progress, done, all);
	return 0;
}

static int replay_check(struct replayer *r)
{
	struct replay_options *o = r->options;
	struct hist_error error = { 0 };
	int ret;

	ret = o->plan.output ? outfile_check_path(o->plan.output) : 0;
	if (ret)
		return ret;
	ret = hist_events_open(&r->events, o->file, &error);
	if (ret)
		return message_report_of(ret, &error, "%s", o->file);
	ret = choose_buffer(r);
	if (!ret && target_recording_new(&r->session.target, r->events, r->buffer))
		ret = message_error_memory();
	if (ret)
		return ret;
	r->session.names = hist_machine_names_new(hist_events_machine(r->events)->uname);
	if (!r->session.names || hist_replay_read_names(r->session.names, o->file))
		return message_error_memory();
	o->plan.clock = hist_events_buffer(r->events, r->buffer)->clock;
	o->plan.recording = o->file;
	r->counter.events = r->events;
	r->counter.buffer = r->buffer;
	r->counter.interval_ns = o->plan.interval_ns;
	r->counter.threads = o->threads;
	r->counter.progress = replay_show_progress;
	r->counter.data = r;
	r->session.counter = &r->counter.counter;
	replay_open_source(r);
	return session_check(&r->session, &o->plan);
}

/* Open an unnamed output file, to print it. */
static int open_nameless(struct replayer *r)
{
	r->output.file = (struct outfile){
		.path = r->options->file,
		.place.dir = -1,
		.place.fd = -1,
		.older = -1,
		.fd = memfd_create("trace-cmd-hist", MFD_CLOEXEC),
	};
	return r->output.file.fd >= 0 ? 0 : message_error_errno("memory", -errno);
}

static int begin_output(struct replayer *r)
{
	const struct plan *plan = &r->options->plan;
	struct session *s = &r->session;
	struct target_buf clock = { 0 };
	struct trace_meta contents;
	int ret;

	if (plan->output)
		ret = outfile_open(&r->output.file, plan->output, false);
	else
		ret = open_nameless(r);
	if (ret)
		return ret;
	if (s->target->ops->read(s->target, "trace_clock", &clock))
		return message_error_memory();
	ret = trace_meta_read(&contents, &r->counter.counter.set, NULL, 0, clock.data);
	if (ret == -ENOENT)
		message_error("%s: damaged: the formats of ftrace's own events are missing",
			      r->options->file);
	else if (ret)
		message_error_errno(r->options->file, ret);
	else
		ret = r->output.sink.ops->begin(&r->output.sink, &contents.dat);
	trace_meta_clear(&contents);
	free(clock.data);
	if (ret)
		return ret;
	r->counter.recording.series = r->output.sink.series;
	ret = replay_counter_define(&r->counter);
	return ret ? message_error_errno(r->options->file, ret) : 0;
}

static void tell_result(const struct replayer *r)
{
	const struct hist_replay_result *result = &r->counter.result;
	const char *file = r->options->file;

	if (hist_events_machine(r->events)->host_trace_id)
		message_note("%s: recorded in a guest; the times in this buffer are %s", file,
			     r->buffer ? "times of the guest" : "times of the host");
	if (result->lost)
		message_warning("%s: at least %" PRIu64
				" event%s lost during the recording, so the "
				"counts are too low\nrecord with a larger ring buffer",
				file, result->lost, result->lost == 1 ? " was" : "s were");
	else if (result->gaps)
		message_warning("%s: events were lost at %" PRIu64
				" place%s during the recording, so the "
				"counts are too low\nrecord with a larger ring buffer",
				file, result->gaps, text_plural(result->gaps));
	if (result->counts.no_stack)
		message_warning("%s: %" PRIu64 " hit%s without a recorded stack %s not included in "
				"any row\nrecord with 'trace-cmd record -T'",
				file, result->counts.no_stack, text_plural(result->counts.no_stack),
				result->counts.no_stack == 1 ? "is" : "are");
}

/* Tell why a histogram is empty: the reader must not take it for a result. */
static void tell_empty(const struct replayer *r)
{
	struct traced_hist *h = NULL;
	uint64_t absent;

	while ((h = traced_event_next_hist(r->session.sources, r->session.nsources, h))) {
		absent = h->snap.losses[HIST_LOSS_ABSENT_EVENTS];
		if (absent)
			message_warning("%s: %" PRIu64 " %s", h->source->title, absent,
					absent == 1
						? hist_loss_traits(HIST_LOSS_ABSENT_EVENTS)->one
						: hist_loss_traits(HIST_LOSS_ABSENT_EVENTS)->many);
		else if (!h->snap.hits)
			message_warning("%s: no event in the recording matches", h->source->title);
	}
}

/* What the file should contain but does not: the output is incomplete.  Returns true if so. */
static bool tell_damage(const struct replayer *r)
{
	const struct hist_events_damage *damage = &r->counter.result.damage;
	const struct {
		enum hist_loss_kind kind;
		uint64_t n;
	} losses[] = {
		{ HIST_LOSS_MISSING_PAGES, damage->missing_pages },
		{ HIST_LOSS_MISSING_BYTES, damage->missing_bytes },
		{ HIST_LOSS_DAMAGED_PAGES, damage->damaged_pages },
		{ HIST_LOSS_DAMAGED_EVENTS, r->counter.result.counts.damaged },
	};
	const struct hist_loss_traits *traits;
	bool any = false;
	unsigned int i;

	for (i = 0; i < sizeof(losses) / sizeof(*losses); i++) {
		if (!losses[i].n)
			continue;
		any = true;
		traits = hist_loss_traits(losses[i].kind);
		message_error("%s: %" PRIu64 " %s", r->options->file, losses[i].n,
			      losses[i].n == 1 ? traits->one : traits->many);
	}
	return any;
}

/* The counter has recorded its snapshots. */
static int replay_take_event(void *arg, struct traced_event *source)
{
	(void)arg;
	(void)source;
	return 0;
}

static int replay_count(struct replayer *r)
{
	const struct replay_options *o = r->options;
	int ret = session_tick(&r->session, replay_take_event, r);

	progress_end(&r->progress);
	if (ret == -EINTR)
		message_error("%s: interrupted: nothing was written", o->file);
	else if (ret == -ENODATA)
		message_error("%s: the file was truncated while its events were counted", o->file);
	else if (ret)
		message_error_errno(o->file, ret);
	if (ret)
		return ret;
	r->is_incomplete = tell_damage(r);
	/* without events, fail: an empty table would look like a result */
	if (!r->counter.result.first_time && !r->counter.result.last_time)
		return message_refuse(-ENODATA, "%s: no events to count", o->file);
	ret = r->output.sink.ops->end(&r->output.sink);
	if (!ret && o->plan.output)
		ret = outfile_publish(&r->output.file);
	if (ret)
		return ret;
	if (!o->plan.quiet)
		tell_result(r);
	/* also with -q */
	tell_empty(r);
	r->counter.counter.ops->report_loss(&r->counter.counter);
	/* also with -q: most of the result may be missing, and another size= avoids the loss */
	session_report_dropped(&r->session);
	return 0;
}

static int replay_run(struct replayer *r)
{
	const struct plan *plan = &r->options->plan;
	int ret = replay_check(r);

	if (!ret && plan->dry_run)
		return session_print(&r->session);
	if (!ret)
		ret = r->counter.counter.ops->attach(&r->counter.counter);
	if (!ret)
		ret = begin_output(r);
	if (!ret) {
		r->signals = signals_catch();
		progress_begin(&r->progress, plan->quiet);
		ret = replay_count(r);
	}
	if (!ret && !plan->output) {
		r->printed = dup(r->output.file.fd);
		if (r->printed < 0)
			ret = message_error_errno("report", -errno);
	}
	return !ret && r->is_incomplete ? -ENODATA : ret;
}

static void replay_clear(struct replayer *r)
{
	progress_end(&r->progress);
	session_close(&r->session);
	r->output.sink.ops->clear(&r->output.sink);
	hist_events_free(r->events);
	if (r->signals < 0)
		return;
	if (r->printed >= 0)
		signals_release(r->signals);
	else
		signals_close(r->signals);
}

int cmd_replay(int argc, char **argv)
{
	struct replay_options options;
	struct replayer r = { .options = &options, .signals = -1, .printed = -1 };
	int ret = replay_options_parse(&options, argc, argv);

	replay_counter_init(&r.counter);
	if (!ret) {
		output_sink_init(&r.output,
				 options.plan.output ? options.plan.output : options.file);
		ret = replay_run(&r);
		replay_clear(&r);
	}
	if (r.printed >= 0) {
		if (report_print_file(r.printed, options.file) != EXIT_DONE)
			ret = -EIO;
		close(r.printed);
	}
	plan_clear(&options.plan);
	return ret < 0 ? EXIT_TROUBLE : EXIT_DONE;
}
