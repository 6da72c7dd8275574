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
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/text.h"
#include "tracecmd/base/command.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/progress.h"
#include "tracecmd/base/signals.h"
#include "tracecmd/base/timer.h"
#include "tracecmd/output/listener_sink.h"
#include "tracecmd/output/metrics.h"
#include "tracecmd/output/rotating_output.h"
#include "tracecmd/record/record.h"
#include "tracecmd/record/recorder_parts.h"
#include "tracecmd/record/workload.h"
#include "tracecmd/session/session_messages.h"
#include "tracecmd/target/target_path.h"

/* Time in s for the command to end after the signal that ended the recording. */
#define WORKLOAD_GRACE_S 5

/*
 * In the order of the calls.  The pages of the recording are before the episodes in the file, and
 * the symbols are after both.
 */
static const struct recorder_part_ops *const recorder_parts[] = {
	&page_record_part,
	&stock_record_part,
	&capture_part,
	&stacks_part,
};

#define NPARTS (sizeof(recorder_parts) / sizeof(*recorder_parts))

struct recorder {
	struct recorder_common common;
	void *parts[NPARTS];
	struct sinks sinks; /* output or files, and listener, as far as the plan has them */
	struct rotation rotation;
	struct rotating_output files;
	struct listener_sink listener;
	struct metrics_server metrics;
	struct workload workload;
	struct progress progress;
	int signals, ticks, deadline;
	int reported; /* the signal that was sent to end the command, or 0 */
	uint64_t started; /* CLOCK_MONOTONIC */
	uint32_t snapshots;
	uint64_t set_up_hits, set_up_dropped; /* values of the first snapshot */
	uint64_t missed; /* intervals without a snapshot */
};

static int recorder_make_parts(struct recorder *r)
{
	unsigned int i;

	for (i = 0; i < NPARTS; i++) {
		/* not NULL for a part without a state */
		r->parts[i] = calloc(1, recorder_parts[i]->size + 1);
		if (!r->parts[i])
			return message_error_memory();
	}
	return 0;
}

/* Run one phase of all parts; stop at the first failure. */
static int recorder_run_parts(struct recorder *r, enum recorder_phase phase)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < NPARTS; i++) {
		if (recorder_parts[i]->phase[phase])
			ret = recorder_parts[i]->phase[phase](r->parts[i], &r->common);
	}
	return ret;
}

/* Fill NPARTS elements of @fds for poll().  The longest time in ms that poll() may wait, or -1. */
static int recorder_poll_parts(const struct recorder *r, struct pollfd *fds)
{
	int least = -1, wait;
	unsigned int i;

	for (i = 0; i < NPARTS; i++) {
		const struct recorder_part_ops *ops = recorder_parts[i];

		fds[i].fd = ops->fd ? ops->fd(r->parts[i]) : -1;
		fds[i].events = POLLIN;
		wait = ops->wait_ms ? ops->wait_ms(r->parts[i]) : -1;
		if (least < 0 || (wait >= 0 && wait < least))
			least = wait;
	}
	return least;
}

static int recorder_follow_parts(struct recorder *r, const struct pollfd *fds)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < NPARTS; i++) {
		if (recorder_parts[i]->follow)
			ret = recorder_parts[i]->follow(r->parts[i], &r->common, fds[i].revents);
	}
	return ret;
}

static void recorder_free_parts(struct recorder *r)
{
	unsigned int i;

	for (i = 0; i < NPARTS; i++) {
		if (r->parts[i] && recorder_parts[i]->free)
			recorder_parts[i]->free(r->parts[i], &r->common);
		free(r->parts[i]);
	}
}

static int recorder_check_executable(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return -errno;
	if (S_ISDIR(st.st_mode))
		return -EACCES;
	return access(path, X_OK) ? -errno : 0;
}

/* 0 if execvp(3) would find an executable file @name, otherwise -errno. */
static int recorder_find_command(const char *name)
{
	const char *path = getenv("PATH"), *colon;
	char file[PATH_MAX];
	int ret, best = -ENOENT;

	if (strchr(name, '/'))
		return recorder_check_executable(name);
	if (!path)
		path = "/bin:/usr/bin";
	for (;; path = colon + 1) {
		colon = strchrnul(path, ':');
		snprintf(file, sizeof(file), "%.*s%s%s", (int)(colon - path), path,
			 colon > path ? "/" : "", name);
		ret = recorder_check_executable(file);
		if (!ret)
			return 0;
		if (ret == -EACCES)
			best = ret;
		if (!*colon)
			return best;
	}
}

/* Check everything that can be checked before the first change. */
static int recorder_check_plan(struct recorder *r)
{
	struct plan *plan = r->common.plan;
	const char *command = plan->command ? plan->command[0] : NULL;
	int ret = command ? recorder_find_command(command) : 0;

	if (ret)
		return message_error_errno(command, ret);
	ret = sinks_run(&r->sinks, SINK_CHECK);
	if (!ret)
		ret = session_check(&r->common.session, plan);
	if (!ret)
		ret = recorder_run_parts(r, RECORDER_CHECK);
	if (!ret)
		ret = sinks_run(&r->sinks, SINK_CONNECT);
	return ret;
}

static int recorder_define(struct recorder *r)
{
	struct session *s = &r->common.session;
	struct traced_hist *h = NULL;

	while ((h = traced_event_next_hist(s->sources, s->nsources, h))) {
		char *joined = traced_event_list_triggers(h);
		struct hist_definition def = {
			.event = h->source->title,
			.trigger = h->asked,
			.engine = s->counter->ops->name,
			.clock = s->instance.clock,
			.instance = s->instance.name,
			.uname = s->target->uname,
			.host = s->target->host,
			.joined = joined,
		};

		h->number = joined ? sinks_define(&r->sinks, &def, h->table) :
				     message_error_memory();
		free(joined);
		if (h->number < 0)
			return h->number;
	}
	return 0;
}

static int recorder_begin_files(struct recorder *r)
{
	struct recorder_common *c = &r->common;
	struct session *s = &c->session;
	int ret;

	ret = trace_meta_read(&c->contents, &s->counter->set, c->captured, c->ncaptured,
			      s->instance.clock_text);
	if (ret)
		return message_error_errno("event formats", ret);
	ret = sinks_begin(&r->sinks, &c->contents.dat);
	return ret ? ret : recorder_define(r);
}

/* Fork the command, which waits. */
static int recorder_fork_command(struct recorder *r)
{
	const struct plan *plan = r->common.plan;
	struct session *s = &r->common.session;
	int ret;

	/* the command can write to the trace_marker of this instance */
	setenv("TRACE_CMD_HIST_INSTANCE", s->instance.name, 1);
	ret = workload_fork(&r->workload, plan->command);
	s->command = r->workload.pid;
	if (ret)
		return message_error_errno(plan->command[0], ret);
	ret = plan->only_command ? workload_hold(&r->workload) : 0;
	if (ret)
		message_error("-F: cannot wait for the start of %s: ptrace: %s\nleave out "
			      "-F, and use a filter such as -f 'comm == \"NAME\"'",
			      plan->command[0], strerror(-ret));
	return ret;
}

static bool recorder_takes_snapshot(const struct hist_expr *expr)
{
	unsigned int i;

	for (i = 0; i < expr->nactions; i++) {
		if (expr->actions[i].kind == HIST_ACTION_SNAPSHOT)
			return true;
	}
	return false;
}

/* Warn about a snapshot() action in an instance that is removed at the end. */
static void recorder_report_buffer(const struct session *s)
{
	struct traced_hist *h = NULL;

	while (s->instance.made && (h = traced_event_next_hist(s->sources, s->nsources, h))) {
		if (!recorder_takes_snapshot(h->expr))
			continue;
		message_warning("%s: snapshot(): the snapshot is removed with the instance %s when "
				"the recording ends\n"
				"create an instance with mkdir, and select it with -B",
				h->source->title, s->instance.name);
		return;
	}
}

/* Make all changes on the target. */
static int recorder_set_up(struct recorder *r)
{
	const struct plan *plan = r->common.plan;
	struct session *s = &r->common.session;
	int ret;

	ret = sinks_run(&r->sinks, SINK_OPEN);
	if (ret)
		return ret;
	r->signals = signals_catch();
	if (r->signals < 0)
		return message_error_errno("signals", r->signals);
	ret = session_begin(s);
	if (!ret)
		ret = recorder_run_parts(r, RECORDER_MAKE);
	recorder_report_buffer(s);
	if (ret)
		return ret;
	if (s->counts_marks && !plan->quiet)
		message_note(
			"ftrace:print: the histogram counts writes to trace_marker of instance %s, "
			"so snapshot markers are not written",
			s->instance.name);
	ret = recorder_run_parts(r, RECORDER_START);
	if (!ret && plan->command)
		ret = recorder_fork_command(r);
	if (!ret)
		ret = session_attach(s);
	return ret ? ret : recorder_begin_files(r);
}

static void recorder_write_marker(struct recorder *r, const struct traced_event *s, unsigned int h)
{
	const struct hist_snapshot *snap = &s->hists[h].snap;
	char text[512];

	if (r->common.session.counts_marks)
		return;
	snprintf(text, sizeof(text),
		 "hist-snapshot: %s#%u seq=%u hits=%" PRIu64 " entries=%" PRIu64 " dropped=%" PRIu64
		 "\n", s->title, h, snap->seq, snap->hits, snap->entries, snap->dropped);
	/* ignore errors: the user may have stopped the ring buffer, which then rejects marks */
	target_writef(r->common.session.target, text, true, "%s/trace_marker",
		      r->common.session.instance.dir);
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
static uint64_t recorder_since_set_up(uint64_t now, uint64_t set_up)
{
	return now >= set_up ? now - set_up : now;
}

static void recorder_show_progress(struct recorder *r)
{
	uint64_t hits = 0, entries = 0, dropped = 0, tenths;
	struct traced_hist *h = NULL;

	while ((h = traced_event_next_hist(r->common.session.sources, r->common.session.nsources,
					   h))) {
		hits += h->snap.hits;
		entries += h->snap.entries;
		dropped += h->snap.dropped;
	}
	if (r->snapshots == 1) {
		r->set_up_hits = hits;
		r->set_up_dropped = dropped;
	}
	hits = recorder_since_set_up(hits, r->set_up_hits);
	/* the first snapshot is taken before the start time is set */
	tenths = r->started ? (timer_now() - r->started) / (NSEC_PER_SEC / 10) : 0;
	progress_show(&r->progress,
		      "%" PRIu64 ".%" PRIu64 " s  %u snapshot%s  %" PRIu64 " hit%s  %" PRIu64
		      " %s  %" PRIu64 " dropped",
		      tenths / 10, tenths % 10, r->snapshots, text_plural(r->snapshots), hits,
		      text_plural(hits), entries, entries == 1 ? "entry" : "entries",
		      recorder_since_set_up(dropped, r->set_up_dropped));
}

static int recorder_take_snapshots(struct recorder *r, bool last)
{
	const struct recorder_common *c = &r->common;
	int ret;

	ret = sinks_begin_interval(&r->sinks, last);
	/* an interval may begin the next file */
	r->metrics.metrics.file = c->keeps && c->current ? c->current->path : NULL;
	if (!ret)
		ret = session_tick(&r->common.session, recorder_add_event, r);
	if (ret)
		return ret;
	r->snapshots++;
	recorder_show_progress(r);
	return 0;
}

static int recorder_start_timers(struct recorder *r)
{
	r->started = timer_now();
	r->ticks = timer_open(r->common.plan->interval_ns, r->common.plan->interval_ns);
	if (r->ticks < 0)
		return message_error_errno("timer", r->ticks);
	r->deadline = timer_open(r->common.plan->duration_ns, 0);
	return r->deadline < 0 ? message_error_errno("timer", r->deadline) : 0;
}

/* Forward a signal that ends the recording to the command, if the command has not got it. */
static bool recorder_pass_signal(struct recorder *r)
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
	struct session *session = &r->common.session;
	struct pollfd fds[4 + NPARTS + SINKS_MAX] = {
		{ .fd = r->signals, .events = POLLIN },
		{ .fd = r->ticks, .events = POLLIN },
		{ .fd = r->deadline, .events = POLLIN },
		{ .fd = session_task_fd(session), .events = POLLIN },
	};
	struct pollfd *of_parts = fds + 4, *of_sinks = of_parts + NPARTS;
	bool noted;
	uint64_t ticks;
	int n, ret, wait;

	for (;;) {
		sinks_poll(&r->sinks, of_sinks);
		/* a wait for the target may already have read a signal from the descriptor */
		noted = signals_are_pending();
		wait = recorder_poll_parts(r, of_parts);
		n = poll(fds, 4 + NPARTS + r->sinks.n,
			 noted	     ? 0
			 : wait >= 0 ? wait
				     : session_keepalive_ms(session));
		if (n < 0 && errno != EINTR)
			return message_error_errno("poll", -errno);
		if (!n && !noted && wait < 0) {
			ret = session_keepalive(session);
			if (ret)
				return ret;
		}
		if (recorder_pass_signal(r) ||
		    (r->common.plan->command && workload_ended(&r->workload)))
			return 0;
		if (fds[2].revents) {
			workload_signal(&r->workload, SIGTERM);
			r->reported = SIGTERM;
			return 0;
		}
		ret = sinks_check(&r->sinks, of_sinks);
		if (!ret && fds[3].revents)
			ret = session_follow_tasks(session);
		if (!ret)
			ret = recorder_follow_parts(r, of_parts);
		if (ret)
			return ret;
		if (r->common.stopped) {
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
static bool recorder_wait_workload(struct recorder *r)
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
static void recorder_end_workload(struct recorder *r)
{
	if (recorder_wait_workload(r))
		return;
	if (r->reported == SIGTERM) {
		message_warning("%s: still running %d s after SIGTERM, so record sends SIGKILL",
				r->common.plan->command[0], WORKLOAD_GRACE_S);
		workload_signal(&r->workload, SIGKILL);
		if (recorder_wait_workload(r))
			return;
	}
	message_warning("%s: still running as process %d, and no longer recorded",
			r->common.plan->command[0], r->workload.pid);
}

/* With -F, what the process did before it became the command is not counted. */
static int recorder_start_command(struct recorder *r)
{
	int ret = workload_start(&r->workload);

	if (ret)
		return message_error_errno(r->common.plan->command[0], ret);
	if (r->common.plan->only_command && r->workload.pid)
		ret = session_add_task(&r->common.session, r->workload.pid);
	workload_release(&r->workload, !ret);
	return ret;
}

static bool recorder_rotates(const struct plan *plan)
{
	return plan->output && (plan->rotate_ns || plan->rotate_bytes);
}

static int recorder_end_file(void *arg, struct tracedat_writer *dat)
{
	struct recorder *r = arg;
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < NPARTS; i++) {
		if (recorder_parts[i]->end_file)
			ret = recorder_parts[i]->end_file(r->parts[i], &r->common, dat);
	}
	return ret;
}

static int recorder_next_file(void *arg, const struct outfile *file)
{
	struct recorder *r = arg;
	unsigned int i;
	int ret = 0;

	r->common.current = file;
	for (i = 0; !ret && i < NPARTS; i++) {
		if (recorder_parts[i]->next_file)
			ret = recorder_parts[i]->next_file(r->parts[i], &r->common);
	}
	return ret;
}

static int recorder_run_phases(struct recorder *r)
{
	int ret, appended;

	ret = recorder_take_snapshots(r, false);
	if (!ret)
		ret = session_release(&r->common.session);
	if (!ret)
		ret = sinks_run(&r->sinks, SINK_PUBLISH);
	if (!ret)
		ret = recorder_run_parts(r, RECORDER_WATCH);
	if (!ret && r->common.plan->command)
		ret = recorder_start_command(r);
	if (!ret)
		ret = recorder_start_timers(r);
	if (!ret)
		ret = recorder_take_intervals(r);
	if (ret)
		recorder_pass_signal(r);
	recorder_end_workload(r);
	if (ret)
		return ret;

	session_pause(&r->common.session);
	ret = recorder_take_snapshots(r, true);
	session_report_helper_drops(&r->common.session);
	/* the histograms are completed even if there is no room for the episodes */
	appended = recorder_run_parts(r, RECORDER_APPEND);
	if (!ret)
		ret = sinks_end(&r->sinks);
	ret = ret ? ret : appended;
	return ret ? ret : recorder_run_parts(r, RECORDER_JOIN);
}

/* @good: the recording succeeded, so wait until the listener has all of it. */
static int recorder_tear_down(struct recorder *r, bool good)
{
	unsigned int i;
	int ret;

	for (i = 0; i < NPARTS; i++) {
		if (r->parts[i] && recorder_parts[i]->clear)
			recorder_parts[i]->clear(r->parts[i]);
	}
	ret = session_close(&r->common.session);
	recorder_free_parts(r);
	if (good)
		sinks_finish(&r->sinks, r->signals);
	sinks_clear(&r->sinks);
	trace_meta_clear(&r->common.contents);
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
	const char *output = r->common.plan->output;
	char *pattern = recorder_rotates(r->common.plan) ? rotating_output_pattern(output) : NULL;
	bool usual = output && !pattern && !strcmp(output, "trace.dat");

	if (!output)
		message_print_to(stderr, "%s: %u snapshot%s", r->common.plan->push, r->snapshots,
				 text_plural(r->snapshots));
	else
		message_print_to(stderr, "%s: %u snapshot%s; see 'trace-cmd hist report%s%s'",
				 pattern ? pattern : output, r->snapshots,
				 text_plural(r->snapshots), usual ? "" : " ",
				 usual ? "" : pattern ? pattern : output);
	free(pattern);
}

static void recorder_make_sinks(struct recorder *r)
{
	struct recorder_common *c = &r->common;
	const struct plan *plan = c->plan;

	if (recorder_rotates(plan)) {
		r->rotation = (struct rotation){
			plan->rotate_ns,   plan->rotate_bytes, plan->keep, plan->interval_ns,
			recorder_end_file, recorder_next_file, r
		};
		rotating_output_init(&r->files, plan->output, &r->rotation);
		c->file = &r->files.sink;
		c->current = &r->files.file;
	} else if (plan->output) {
		output_sink_init(&c->output, plan->output);
		c->file = &c->output.sink;
		c->current = &c->output.file;
	}
	if (c->file)
		sinks_append(&r->sinks, c->file);
	if (plan->push) {
		listener_sink_init(&r->listener, plan->push);
		r->listener.sink.spare = plan->output;
		sinks_append(&r->sinks, &r->listener.sink);
	}
	if (plan->metrics_listen) {
		r->metrics.metrics.sink = (struct sink){ .ops = &metrics_server_ops, .spare = true,
							 .name = plan->metrics_listen };
		r->metrics.metrics.fine = plan->metrics_fine;
		sinks_append(&r->sinks, &r->metrics.metrics.sink);
	}
}

/* Print what a recording would set, for --dry-run. */
static int recorder_print(struct recorder *r)
{
	struct hist_error error = { 0 };
	int ret = undo_check(r->common.session.target, &error);

	if (ret)
		return message_report(ret, &error);
	ret = session_print(&r->common.session);
	return ret ? ret : recorder_run_parts(r, RECORDER_PRINT);
}

int record_run(struct plan *plan)
{
	struct recorder r = {
		.common.plan = plan,
		.workload.start = -1,
		.workload.failed = -1,
		.signals = -1,
		.ticks = -1,
		.deadline = -1,
	};
	bool reported = false;
	int ret, undone;

	recorder_make_sinks(&r);
	ret = recorder_make_parts(&r);
	if (!ret)
		ret = recorder_check_plan(&r);
	if (!ret && plan->dry_run) {
		ret = recorder_print(&r);
	} else if (!ret) {
		progress_begin(&r.progress, plan->quiet);
		reported = r.progress.on;
		r.common.session.weighs_self = reported;
		ret = recorder_set_up(&r);
		if (!ret)
			ret = recorder_run_phases(&r);
	}
	progress_end(&r.progress);
	if (!ret) {
		session_report_result(&r.common.session);
		recorder_run_parts(&r, RECORDER_REPORT);
	}
	undone = recorder_tear_down(&r, !ret && !plan->dry_run);
	if (ret || undone || r.sinks.lost)
		return EXIT_TROUBLE;
	if (reported)
		recorder_report_result(&r);
	return plan->command && !r.common.stopped ? r.workload.status : EXIT_DONE;
}
