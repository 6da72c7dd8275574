// SPDX-License-Identifier: GPL-2.0
/*
 * recorder.c - run a recording from the set-up to the last snapshot
 *
 * The session sets the triggers and removes them on every path. One loop waits for the timer,
 * signals and the end of the command. Each tick reads all histograms once and takes a snapshot of
 * each. Histograms are never cleared: the hits of an interval are the difference of two snapshots.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/text.h"
#include "tracecmd/base/command.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/progress.h"
#include "tracecmd/base/signals.h"
#include "tracecmd/base/timer.h"
#include "tracecmd/output/listener_sink.h"
#include "tracecmd/output/output_file.h"
#include "tracecmd/output/rotating_output.h"
#include "tracecmd/output/trace_meta.h"
#include "tracecmd/record/capture.h"
#include "tracecmd/record/page_record.h"
#include "tracecmd/record/recorder.h"
#include "tracecmd/record/stacks.h"
#include "tracecmd/record/stock_record.h"
#include "tracecmd/record/workload.h"
#include "tracecmd/session/session.h"
#include "tracecmd/session/session_messages.h"

/* Time in s for the command to end after the signal that ended the recording. */
#define WORKLOAD_GRACE_S 5

struct recorder {
	struct plan *plan;
	struct session session;
	struct sinks sinks; /* output or files, and listener, as far as the plan has them */
	struct output output;
	struct rotation rotation;
	struct rotating_output files;
	struct listener_sink listener;
	struct trace_meta contents; /* of each file of @sinks */
	struct stock_record stock;
	struct page_record pages; /* instead of @stock */
	struct stacks stacks;
	struct capture capture;
	struct workload workload;
	struct progress progress;
	int signals, ticks, deadline;
	bool stopped; /* by --on-threshold stop */
	int reported; /* the signal that was sent to end the command, or 0 */
	uint64_t started; /* CLOCK_MONOTONIC */
	uint32_t snapshots;
	uint64_t set_up_hits, set_up_dropped; /* values of the first snapshot */
	uint64_t missed; /* intervals without a snapshot */
};

/* Check everything that can be checked before the first change. */
static int recorder_check_plan(struct recorder *r)
{
	const char *command = r->plan->command ? r->plan->command[0] : NULL;
	int ret = command ? workload_find(command) : 0;

	if (ret)
		return message_error_errno(command, ret);
	ret = sinks_run(&r->sinks, SINK_CHECK);
	if (!ret)
		ret = session_check(&r->session, r->plan);
	if (!ret && r->plan->record_events)
		ret = page_record_check(r->session.target);
	if (!ret && r->plan->stacks && r->plan->record_events &&
	    !stacks_fit(r->session.sources, r->session.nsources))
		ret = message_refuse(-EINVAL, "--stacks: neither sched:sched_switch nor "
				     "sched:sched_waking is recorded\nadd -e sched:sched_switch");
	if (!ret)
		ret = capture_check(&r->capture, r->plan, &r->session);
	if (!ret)
		ret = sinks_run(&r->sinks, SINK_CONNECT);
	return ret;
}

static int recorder_define(struct recorder *r)
{
	struct session *s = &r->session;
	struct traced_hist *h = NULL;

	while ((h = traced_event_next_hist(s->sources, s->nsources, h))) {
		struct hist_definition def = {
			.event = h->source->title,
			.trigger = h->asked,
			.engine = s->counter->ops->name,
			.clock = s->instance.clock,
			.instance = s->instance.name,
			.uname = s->target->uname,
			.host = s->target->host,
		};

		h->number = sinks_define(&r->sinks, &def, h->table);
		if (h->number < 0)
			return h->number;
	}
	return 0;
}

static int begin_files(struct recorder *r)
{
	struct session *s = &r->session;
	int ret;

	ret = trace_meta_read(&r->contents, &s->counter->set, r->capture.events,
			      r->capture.nevents, s->instance.clock_text);
	if (ret)
		message_error_errno("event formats", ret);
	else
		ret = sinks_begin(&r->sinks, &r->contents.dat);
	return ret ? ret : recorder_define(r);
}

/* A capture of hist triggers has instances of its own, and sets the triggers there. */
static int set_up_stacks(struct recorder *r)
{
	struct session *s = &r->session;
	const struct capture *c = &r->capture;
	int ret;

	if (!r->plan->stacks)
		return 0;
	ret = stacks_load(&r->stacks, s->target);
	if (ret || !(r->plan->record_events || s->counter->ops->engine))
		return ret;
	ret = stacks_set(s->target, s->instance.dir, s->sources, s->nsources, s->undo);
	return ret ? ret : stacks_set(s->target, s->instance.dir, c->events, c->nevents,
					      s->undo);
}

/* Make all changes on the target. */
static int set_up(struct recorder *r)
{
	const struct plan *plan = r->plan;
	struct session *s = &r->session;
	int ret;

	ret = sinks_run(&r->sinks, SINK_OPEN);
	if (ret)
		return ret;
	r->signals = signals_catch();
	if (r->signals < 0)
		return message_error_errno("signals", r->signals);
	ret = session_begin(s);
	if (!ret)
		ret = capture_begin(&r->capture);
	if (!ret)
		session_report_buffer(s);
	if (!ret && s->counts_marks && !plan->quiet)
		message_note(
			"ftrace:print: the histogram counts writes to trace_marker of instance %s, "
			"so snapshot markers are not written",
			s->instance.name);
	if (!ret && plan->record_events)
		ret = page_record_is_needed(s->counter, r->capture.keeps) ?
		      page_record_start(&r->pages, s->counter, plan->output, &r->output.file.place,
					&r->stacks) :
		      stock_record_start(&r->stock, &s->counter->set, &r->output.file.place);
	if (!ret)
		ret = set_up_stacks(r);
	if (!ret && plan->command) {
		/* the command can write to the trace_marker of this instance */
		setenv("TRACE_CMD_HIST_INSTANCE", s->instance.name, 1);
		ret = workload_fork(&r->workload, plan->command);
		if (ret)
			message_error_errno(plan->command[0], ret);
		s->command = r->workload.pid;
	}
	if (!ret && plan->only_command) {
		ret = workload_hold(&r->workload);
		if (ret)
			message_error("-F: cannot wait for the start of %s: ptrace: %s\nleave out "
				      "-F, and use a filter such as -f 'comm == \"NAME\"'",
				      plan->command[0], strerror(-ret));
	}
	if (!ret)
		ret = session_attach(s);
	return ret ? ret : begin_files(r);
}

static void recorder_write_marker(struct recorder *r, const struct traced_event *s, unsigned int h)
{
	const struct hist_snapshot *snap = &s->hists[h].snap;
	char text[512];

	if (r->session.counts_marks)
		return;
	snprintf(text, sizeof(text),
		 "hist-snapshot: %s#%u seq=%u hits=%" PRIu64 " entries=%" PRIu64 " dropped=%" PRIu64
		 "\n", s->title, h, snap->seq, snap->hits, snap->entries, snap->dropped);
	instance_mark(&r->session.instance, r->session.target, text);
}

static int recorder_add_event(void *arg, struct traced_event *s)
{
	struct recorder *r = arg;
	unsigned int h;
	int ret = 0;

	for (h = 0; h < s->nhists && !ret; h++) {
		struct hist_snapshot *snap = &s->hists[h].snap;

		snap->seq = r->snapshots;
		snap->missed = r->missed;
		ret = sinks_add(&r->sinks, s->hists[h].number, snap);
		if (!ret)
			recorder_write_marker(r, s, h);
	}
	return ret;
}

/* Difference to the first snapshot; the whole value if the histogram was cleared since. */
static uint64_t since_set_up(uint64_t now, uint64_t set_up)
{
	return now >= set_up ? now - set_up : now;
}

static void recorder_show_progress(struct recorder *r)
{
	uint64_t hits = 0, entries = 0, dropped = 0;
	struct traced_hist *h = NULL;

	while ((h = traced_event_next_hist(r->session.sources, r->session.nsources, h))) {
		hits += h->snap.hits;
		entries += h->snap.entries;
		dropped += h->snap.dropped;
	}
	if (r->snapshots == 1) {
		r->set_up_hits = hits;
		r->set_up_dropped = dropped;
	}
	/* the first snapshot is taken before the start time is set */
	progress_show(&r->progress, r->started ? timer_now() - r->started : 0, r->snapshots,
		      since_set_up(hits, r->set_up_hits), entries,
		      since_set_up(dropped, r->set_up_dropped));
}

static int recorder_take_snapshots(struct recorder *r, bool last)
{
	int ret;

	ret = sinks_begin_interval(&r->sinks, last);
	if (!ret)
		ret = session_tick(&r->session, recorder_add_event, r);
	if (ret)
		return ret;
	r->snapshots++;
	recorder_show_progress(r);
	return 0;
}

static int recorder_start_timers(struct recorder *r)
{
	r->started = timer_now();
	r->ticks = timer_open(r->plan->interval_ns, r->plan->interval_ns);
	if (r->ticks < 0)
		return message_error_errno("timer", r->ticks);
	r->deadline = timer_open(r->plan->duration_ns, 0);
	return r->deadline < 0 ? message_error_errno("timer", r->deadline) : 0;
}

/* Forward a signal that ends the recording to the command, if the command has not got it. */
static bool pass_signal(struct recorder *r)
{
	bool forward = false;
	int sig = signals_ending(r->signals, &forward);

	if (sig && forward)
		workload_signal(&r->workload, sig);
	if (sig)
		r->reported = sig;
	return sig;
}

/* Take snapshots until the command ends, a signal arrives, or the duration is over. */
static int recorder_take_intervals(struct recorder *r)
{
	struct pollfd fds[5 + SINKS_MAX] = {
		{ .fd = r->signals, .events = POLLIN },
		{ .fd = r->ticks, .events = POLLIN },
		{ .fd = r->deadline, .events = POLLIN },
		{ .fd = session_task_fd(&r->session), .events = POLLIN },
		{ .events = POLLIN }, /* of the capture */
	};
	bool noted;
	uint64_t ticks;
	int n, ret, wait;

	for (;;) {
		sinks_poll(&r->sinks, fds + 5);
		/* a wait for the target may already have read a signal from the descriptor */
		noted = signals_are_pending();
		fds[4].fd = capture_fd(&r->capture);
		wait = capture_wait_ms(&r->capture);
		wait = wait < 0 ? page_record_wait_ms(&r->pages) : wait;
		n = poll(fds, 5 + r->sinks.n, noted ? 0 : wait >= 0 ? wait :
			 session_keepalive_ms(&r->session));
		if (n < 0 && errno != EINTR)
			return message_error_errno("poll", -errno);
		if (!n && !noted && wait < 0) {
			ret = session_keepalive(&r->session);
			if (ret)
				return ret;
		}
		if (pass_signal(r) || (r->plan->command && workload_ended(&r->workload)))
			return 0;
		if (fds[2].revents) {
			workload_signal(&r->workload, SIGTERM);
			r->reported = SIGTERM;
			return 0;
		}
		ret = sinks_check(&r->sinks, fds + 5);
		if (!ret && fds[3].revents)
			ret = session_follow_tasks(&r->session);
		if (!ret && capture_is_due(&r->capture, fds[4].revents))
			ret = capture_follow(&r->capture, &r->stopped);
		if (!ret)
			ret = page_record_follow(&r->pages);
		if (ret)
			return ret;
		if (r->stopped) {
			workload_signal(&r->workload, SIGTERM);
			r->reported = SIGTERM;
			return 0;
		}
		if (read(r->ticks, &ticks, sizeof(ticks)) != sizeof(ticks))
			continue;
		r->missed += ticks - 1;
		ret = recorder_take_snapshots(r, false);
		if (ret)
			return ret;
	}
}

/* Wait up to WORKLOAD_GRACE_S for a command that was sent a signal. */
static bool wait_workload(struct recorder *r)
{
	struct pollfd fd = { .fd = r->signals, .events = POLLIN };
	uint64_t end = timer_now() + WORKLOAD_GRACE_S * NSEC_PER_SEC, now;
	bool forward;

	while (!workload_ended(&r->workload)) {
		now = timer_now();
		if (now >= end)
			return false;
		poll(&fd, 1, (end - now) / 1000000 + 1);
		signals_ending(r->signals, &forward);
	}
	return true;
}

/*
 * Kill a command that ignores SIGTERM, like timeout(1) with -k. A command that ignores another
 * signal may do so on purpose, such as a shell with SIGINT: it is not killed.
 */
static void end_workload(struct recorder *r)
{
	if (wait_workload(r))
		return;
	if (r->reported == SIGTERM) {
		message_warning("%s: still running %d s after SIGTERM, so record sends SIGKILL",
				r->plan->command[0], WORKLOAD_GRACE_S);
		workload_signal(&r->workload, SIGKILL);
		if (wait_workload(r))
			return;
	}
	message_warning("%s: still running as process %d, and no longer recorded",
			r->plan->command[0], r->workload.pid);
}

/* With -F, what the process did before it became the command is not counted. */
static int start_command(struct recorder *r)
{
	int ret = workload_start(&r->workload);

	if (ret)
		return message_error_errno(r->plan->command[0], ret);
	if (r->plan->only_command && r->workload.pid)
		ret = session_add_task(&r->session, r->workload.pid);
	workload_release(&r->workload, !ret);
	return ret;
}

static bool recorder_rotates(const struct plan *plan)
{
	return plan->output && (plan->rotate_ns || plan->rotate_bytes);
}

/* The file of the recording, or the current one. */
static const struct sink *recorder_file(const struct recorder *r)
{
	return recorder_rotates(r->plan) ? &r->files.sink : &r->output.sink;
}

static int recorder_end_file(void *arg, struct tracedat_writer *dat)
{
	struct recorder *r = arg;

	return capture_end_file(&r->capture, dat, &r->stopped);
}

static int recorder_next_file(void *arg, const struct outfile *file)
{
	struct recorder *r = arg;

	return capture_next_file(&r->capture, file);
}

/* The current file; NULL: only a listener. */
static const struct outfile *recorder_outfile(const struct recorder *r)
{
	return !r->plan->output ? NULL :
	       recorder_rotates(r->plan) ? &r->files.file : &r->output.file;
}

/* Append all events, the episodes, and the symbols of the stacks in both. */
static int append_events(struct recorder *r)
{
	struct tracedat_writer *dat = recorder_file(r)->dat;
	int ret = 0;

	if (r->pages.spool)
		ret = page_record_stop(&r->pages, dat);
	if (ret >= 0)
		ret = capture_finish(&r->capture, dat);
	if (ret < 0 || !r->stacks.text.len)
		return ret;
	ret = tracedat_append_symbols(dat, r->stacks.text.data, r->stacks.text.len);
	if (!ret)
		ret = tracedat_link_buffers(dat);
	return ret ? message_error_errno(recorder_file(r)->name, ret) : 0;
}

static int recorder_run_phases(struct recorder *r)
{
	int ret, captured;

	ret = recorder_take_snapshots(r, false);
	if (!ret)
		ret = session_release(&r->session);
	if (!ret)
		ret = sinks_run(&r->sinks, SINK_PUBLISH);
	if (!ret)
		ret = capture_start(&r->capture, recorder_outfile(r), &r->contents.dat);
	if (!ret && r->plan->command)
		ret = start_command(r);
	if (!ret)
		ret = recorder_start_timers(r);
	if (!ret)
		ret = recorder_take_intervals(r);
	if (ret)
		pass_signal(r);
	end_workload(r);
	if (ret)
		return ret;

	session_pause(&r->session);
	ret = recorder_take_snapshots(r, true);
	session_report_helper_drops(&r->session);
	/* the histograms are completed even if there is no room for the episodes */
	captured = append_events(r);
	if (!ret)
		ret = sinks_end(&r->sinks);
	ret = ret ? ret : captured;
	if (!ret && r->stock.file) {
		ret = stock_record_stop(&r->stock);
		if (!ret)
			ret = output_join(&r->output, r->stock.dir, r->stock.file,
					  r->plan->instance ? NULL : r->session.instance.name);
	}
	return ret;
}

/* @good: the recording succeeded, so wait until the listener has all of it. */
static int recorder_tear_down(struct recorder *r, bool good)
{
	int ret;

	stock_record_clear(&r->stock);
	capture_clear(&r->capture);
	ret = session_close(&r->session);
	/* the counter may pass pages until it is freed */
	capture_free(&r->capture);
	page_record_clear(&r->pages);
	stacks_clear(&r->stacks);
	if (good)
		sinks_finish(&r->sinks, r->signals);
	sinks_clear(&r->sinks);
	trace_meta_clear(&r->contents);
	workload_clear(&r->workload);
	if (r->signals >= 0)
		signals_close(r->signals);
	if (r->ticks >= 0)
		close(r->ticks);
	if (r->deadline >= 0)
		close(r->deadline);
	return ret;
}

/* Print what was written, and how to see it. */
static void recorder_report_result(const struct recorder *r)
{
	const char *output = r->plan->output;
	char *pattern = recorder_rotates(r->plan) ? rotating_output_pattern(output) : NULL;
	bool usual = output && !pattern && !strcmp(output, "trace.dat");

	if (!output)
		message_print_to(stderr, "%s: %u snapshot%s", r->plan->push, r->snapshots,
				 text_plural(r->snapshots));
	else
		message_print_to(stderr, "%s: %u snapshot%s; see 'trace-cmd hist report%s%s'",
				 pattern ? pattern : output, r->snapshots,
				 text_plural(r->snapshots), usual ? "" : " ",
				 usual ? "" : pattern ? pattern : output);
	free(pattern);
}

int record_run(struct plan *plan)
{
	struct recorder r = {
		.plan = plan,
		.stock.dir = -1,
		.capture.watch = -1,
		.workload.start = -1,
		.workload.failed = -1,
		.signals = -1,
		.ticks = -1,
		.deadline = -1,
	};
	bool reported = false;
	int ret, undone;

	r.capture.stacks = &r.stacks;
	if (recorder_rotates(plan)) {
		r.rotation = (struct rotation){ plan->rotate_ns, plan->rotate_bytes, plan->keep,
						plan->interval_ns, recorder_end_file,
						recorder_next_file, &r };
		rotating_output_init(&r.files, plan->output, &r.rotation);
		sinks_append(&r.sinks, &r.files.sink);
	} else if (plan->output) {
		output_sink_init(&r.output, plan->output);
		sinks_append(&r.sinks, &r.output.sink);
	}
	if (plan->push) {
		listener_sink_init(&r.listener, plan->push);
		r.listener.sink.spare = plan->output;
		sinks_append(&r.sinks, &r.listener.sink);
	}
	ret = recorder_check_plan(&r);
	if (!ret && plan->dry_run) {
		ret = session_check_begin(&r.session);
		if (!ret)
			ret = session_print(&r.session);
		if (!ret)
			capture_print(&r.capture);
		if (!ret && plan->stacks) {
			stacks_print(r.session.sources, r.session.nsources);
			stacks_print(r.capture.events, r.capture.nevents);
		}
	} else if (!ret) {
		progress_begin(&r.progress, plan->quiet);
		reported = r.progress.on;
		r.session.weighs_self = reported;
		ret = set_up(&r);
		if (!ret)
			ret = recorder_run_phases(&r);
	}
	progress_end(&r.progress);
	if (!ret) {
		session_report_dropped(&r.session);
		session_report_losses(&r.session);
		session_report_paused(&r.session);
		session_report_stopped(&r.session);
		session_report_taken(&r.session);
		session_report_self(&r.session);
		capture_report(&r.capture);
	}
	undone = recorder_tear_down(&r, !ret && !plan->dry_run);
	if (ret || undone || r.sinks.lost)
		return EXIT_TROUBLE;
	if (reported)
		recorder_report_result(&r);
	return plan->command && !r.stopped ? r.workload.status : EXIT_DONE;
}
