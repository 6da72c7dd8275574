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
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/base/duration.h"
#include "lib/base/text.h"
#include "lib/replay/recorded_source.h"
#include "lib/replay/replay_recording.h"
#include "lib/ringbuf/events.h"
#include "tracecmd/base/command.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/progress.h"
#include "tracecmd/base/signals.h"
#include "tracecmd/output/output_file.h"
#include "tracecmd/output/trace_meta.h"
#include "tracecmd/plan/plan.h"
#include "tracecmd/plan/plan_options.h"
#include "tracecmd/report/report.h"
#include "tracecmd/session/session.h"
#include "tracecmd/session/session_messages.h"
#include "tracecmd/session/sql.h"
#include "tracecmd/target/target_recording.h"
#include "tracecmd/trigger/counter.h"
#include "tracecmd/trigger/trigger_program.h"

/*
 * The caller sets the members up to @data before the first operation, and @recording before the
 * tick.
 */
struct replay_counter {
	struct counter counter; /* first */
	struct hist_events *events;
	unsigned int buffer;
	uint64_t interval_ns; /* 0: only at the end */
	unsigned int threads; /* 0: one for each CPU */
	/* hist_replay.progress; called with @data */
	int (*progress)(void *data, uint64_t done, uint64_t all);
	void *data;

	struct hist_replay_recording recording; /* with the series, where moments go */
	struct hist_engine *engine;		/* from attach() on */
	struct hist_replay_result result;	/* of the tick */
	uint64_t *drops; /* of the helpers of each event of the set; NULL: not known */
};

struct replay_options {
	struct plan
		plan; /* first, for plan_apply_option(); output NULL: print the report instead */
	const char *file;
	const char *buffer;   /* name; NULL: see choose_buffer() */
	unsigned int threads; /* 0: one for each CPU of this machine */
};

static struct replay_counter *replay_counter_from(struct counter *c)
{
	return (struct replay_counter *)c;
}

/* A recording has one clock: triggers do not request another one. */
static int replay_counter_check(struct counter *c)
{
	struct replay_counter *r = replay_counter_from(c);
	const char *clock = hist_events_buffer(r->events, r->buffer)->clock, *wanted;
	const struct trigger_set *set = &c->set;
	unsigned int e, h;

	for (e = 0; e < set->nsources; e++) {
		const struct traced_event *s = &set->sources[e];

		for (h = 0; h < s->nhelpers + s->nhists; h++) {
			wanted = s->triggers[h].expr->clock;
			if (wanted && strcmp(wanted, clock))
				return message_refuse(-EINVAL,
						      "%s: clock=%s: the events were recorded "
						      "with the clock \"%s\"\n"
						      "remove 'clock=' from the trigger",
						      s->full_name, wanted, clock);
		}
	}
	return counter_check_engine(c);
}

static int replay_counter_set_pids(struct replay_counter *r)
{
	const char *at = r->counter.set.plan->pids;
	size_t n = 0;
	uint32_t *pids;
	char *end;
	int ret;

	if (!at)
		return 0;
	pids = calloc(strlen(at) + 1, sizeof(*pids));
	if (!pids)
		return message_error_memory();
	for (;; at = end) {
		unsigned long pid = strtoul(at, &end, 10);

		if (end == at)
			break;
		pids[n++] = pid;
	}
	ret = hist_engine_set_pids(r->engine, pids, n);
	free(pids);
	return ret ? message_error_memory() : 0;
}

static int replay_counter_attach(struct counter *c)
{
	struct replay_counter *r = replay_counter_from(c);
	struct hist_engine_machine machine;
	int ret;

	hist_replay_fill_machine(&machine, r->events, r->buffer);
	ret = trigger_program_compile(&r->engine, &c->set, &machine);
	return ret ? ret : replay_counter_set_pids(r);
}

/* Add the histograms of the set to the series of r->recording.  0, or -errno without a message. */
static int replay_counter_define(struct replay_counter *r)
{
	const struct trigger_set *set = &r->counter.set;
	struct traced_hist *h = NULL;
	int ret = 0;

	r->recording.events = r->events;
	r->recording.buffer = r->buffer;
	r->recording.has_wall = hist_events_machine(r->events)->has_date;
	while (!ret && (h = traced_event_next_hist(set->sources, set->nsources, h)))
		ret = hist_replay_define(&r->recording, &(struct hist_replay_hist){
								.event = h->source->title,
								.trigger = h->expr->text,
								.counter = h->counter,
								.table = h->table,
								.snap = &h->snap,
							});
	return ret;
}

/* START and END need the order of time, which is one run. */
static int replay_counter_find_drops(struct replay_counter *r, struct hist_run *run)
{
	const struct trigger_set *set = &r->counter.set;
	unsigned int e;

	free(r->drops);
	r->drops = calloc(set->nsources, sizeof(*r->drops));
	if (!r->drops)
		return -ENOMEM;
	for (e = 0; e < set->nsources; e++)
		r->drops[e] = trigger_program_count_drops(&set->sources[e], run);
	return 0;
}

static int replay_counter_record(void *data, const struct hist_replay_moment *moment)
{
	struct replay_counter *r = data;
	int ret = hist_replay_record(&r->recording, moment);

	return ret || !moment->at_end || moment->nruns > 1
		       ? ret
		       : replay_counter_find_drops(r, moment->runs[0]);
}

static int replay_counter_progress(void *data, uint64_t done, uint64_t all)
{
	struct replay_counter *r = data;

	return r->progress(r->data, done, all);
}

static int replay_counter_tick(struct counter *c, counter_take take, void *arg)
{
	struct replay_counter *r = replay_counter_from(c);
	struct hist_replay replay = {
		.buffer = r->buffer,
		.to = UINT64_MAX,
		.interval = r->interval_ns,
		.threads = r->threads,
		.snapshot = replay_counter_record,
		.progress = replay_counter_progress,
		.data = r,
	};
	unsigned int e;
	int ret = hist_replay_run(&replay, r->events, r->engine, &r->result);

	for (e = 0; !ret && e < c->set.nsources; e++) {
		if (c->set.sources[e].nhists)
			ret = take(arg, &c->set.sources[e]);
	}
	return ret;
}

/* All events are counted. */
static void replay_counter_pause(struct counter *c)
{
	(void)c;
}

static void replay_counter_report_loss(struct counter *c)
{
	struct replay_counter *r = replay_counter_from(c);
	unsigned int e;

	for (e = 0; r->drops && e < c->set.nsources; e++)
		counter_report_helper_drops(&c->set.sources[e], r->drops[e]);
}

static void replay_counter_free(struct counter *c)
{
	struct replay_counter *r = replay_counter_from(c);

	hist_engine_free(r->engine);
	hist_replay_clear(&r->recording);
	free(r->drops);
}

/* Set the operations.  The session frees what they allocate, but not @r. */
static void replay_counter_init(struct replay_counter *r)
{
	static const struct counter_ops ops = {
		.name = "replay",
		.engine = true,
		.check = replay_counter_check,
		.attach = replay_counter_attach,
		.tick = replay_counter_tick,
		.pause = replay_counter_pause,
		.report_loss = replay_counter_report_loss,
		.free = replay_counter_free,
	};

	*r = (struct replay_counter){ .counter.ops = &ops };
}

static int set_threads(void *to, const struct option_row *row, char *text)
{
	uint64_t n;

	(void)row;
	if (duration_parse_count(&n, text, 1024) || !n)
		return message_refuse(-EINVAL, "--threads %s: must be a number from 1 to 1024",
				      text);
	((struct replay_options *)to)->threads = n;
	return 0;
}

static int set_output(void *to, const struct option_row *row, char *path)
{
	(void)row;
	if (!*path)
		return message_refuse(-EINVAL, "-o: the file name is empty");
	((struct replay_options *)to)->plan.output = path;
	return 0;
}

static const struct option_row rows[] = {
	OPTION_GROUP("What to count"),
	{ 'e', NULL, "SYS:EVENT", plan_apply_option, 0,
	  "choose the event for the following -k, -v, -s, -f and -R" },
	{ 'k', NULL, "KEYS", plan_apply_option, 0,
	  "set the keys: FIELD[.MODIFIER][,...], or stacktrace" },
	{ 'v', NULL, "VALS", plan_apply_option, 0, "sum up these fields, in addition to hitcount" },
	{ 's', NULL, "SORT", plan_apply_option, 0,
	  "sort by keys or values, such as hitcount.descending" },
	{ 'f', NULL, "FILTER", plan_apply_option, 0,
	  "count only events that match, such as 'bytes_req > 100'" },
	{ 'P', NULL, "PID[,PID...]", plan_apply_option, 0, "count only events of these tasks" },
	{ 0, "latency", "START:KEY..END:KEY[:UNIT]", plan_apply_option, 0,
	  "measure the time from START to END, matched by KEY" },
	{ 0, "preset", "NAME[:ARG]", plan_apply_option, 0,
	  "use a preset; see 'trace-cmd hist list --presets'" },
	OPTION_RARE,
	{ 0, "coarse", NULL, NULL, offsetof(struct replay_options, plan.query.coarse),
	  "count with .log2 where a preset, or an option without -k,\n"
	  "counts with .log2=3" },
	{ 0, "function", "GLOB[,GLOB]...", plan_apply_option, 0,
	  "count recorded calls to kernel functions, such as 'vfs_*'" },
	{ 0, "function-latency", "GLOB[,GLOB]...[:UNIT]", plan_apply_option, 0,
	  "measure how long functions took, from recorded\n"
	  "function_graph events" },
	{ 0, "tracer", "TRACER", plan_apply_option, 0,
	  "count the recorded entries of timerlat, osnoise, hwlat,\n"
	  "function:GLOB or function_graph:GLOB" },
	{ 'R', NULL, "TRIGGER", plan_apply_option, 0, "use TRIGGER as is: hist:..." },
	{ 0, "sql", "QUERY", plan_apply_option, 0,
	  "count the events that an SQL query selects, such as\n"
	  "'SELECT next_comm FROM sched_switch'" },
	{ 0, "synthetic", "'NAME TYPE FIELD[; TYPE FIELD]...'", plan_apply_option, 0,
	  "define a synthetic event for use with trace() in -R or\n"
	  "with -e synthetic:NAME" },
	OPTION_GROUP("When"),
	{ 'i', NULL, "INTERVAL", plan_apply_option, 0,
	  "take a snapshot every INTERVAL (default: one at the end)" },
	OPTION_GROUP("Where"),
	{ 'B', NULL, "BUFFER", NULL, offsetof(struct replay_options, buffer),
	  "use this ring buffer (default: the one that has events)" },
	OPTION_RARE,
	{ 0, "threads", "N", set_threads, 0, "use N threads (default: one per CPU)" },
	OPTION_GROUP("Output"),
	{ 'o', NULL, "FILE", set_output, 0,
	  "write the histograms to a trace.dat file for report and diff" },
	{ 'q', "quiet", NULL, NULL, offsetof(struct replay_options, plan.quiet),
	  "print only errors, and warnings about full tables" },
	OPTION_RARE,
	{ 0, "dry-run", NULL, NULL, offsetof(struct replay_options, plan.dry_run),
	  "check the options and print the triggers; count nothing" },
	OPTION_GROUP("Other"),
	OPTION_HELP,
	{ 0 },
};

static const struct options_spec spec = {
	.verb = "replay",
	.usage = "usage: trace-cmd hist replay -e SYS:EVENT\n"
		 "           {-R 'hist:...' | -k KEYS [-v VALS] [-s SORT] [-f FILTER]}...\n"
		 "           [OPTIONS] TRACE.DAT\n"
		 "\n"
		 "Count the recorded events of a trace.dat file as hist triggers would.\n"
		 "Without -o, print the histograms as 'trace-cmd hist report' does.\n",
	.rows = rows,
	.indent = 2,
	.more = "\n"
		"Times are seconds, or have a unit: ns, us, ms, s, m, h.\n"
		"\n"
		"Examples:\n"
		"  trace-cmd hist replay -e sched:sched_switch -k next_comm trace.dat\n"
		"  trace-cmd hist replay -e kmem:kmalloc -k call_site.sym -v bytes_req trace.dat\n"
		"  trace-cmd hist replay --preset wakeup-latency -i 1s -o hist.dat trace.dat\n",
};

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
	return message_refuse(true,
			      "%s: recorded in the guest \"%s\" of the machine that recorded "
			      "%s, but replay counts the events of only one kernel\n"
			      "replay each file with -o FILE, then run 'trace-cmd hist "
			      "report FILE FILE'",
			      path, name, host_path);
}

/*
 * Print why two files are not counted together: event numbers, fields and symbols belong to one
 * kernel, and therefore also the keys of a histogram. The message names a host and its guest.
 */
static void refuse_files(const char *first, const char *second)
{
	struct hist_events *a = NULL, *b = NULL;
	bool told = false;

	if (!hist_events_open(&a, first, NULL) && !hist_events_open(&b, second, NULL))
		told = told_guest(first, a, second, b) || told_guest(second, b, first, a);
	if (!told && a && b)
		message_error(
			"%s: replay accepts only one file, because files of different kernels "
			"cannot share a histogram\nreplay each file with -o FILE, then run "
			"'trace-cmd hist "
			"report FILE FILE'",
			second);
	else if (!told)
		message_error("%s: replay accepts only one file, but %s was also given", second,
			      first);
	hist_events_free(a);
	hist_events_free(b);
}

static int replay_options_check_files(struct replay_options *o, int argc, char **argv, int at)
{
	unsigned int i;

	if (at == argc)
		return message_refuse(-EINVAL, "no input file is given\n"
					       "add a trace.dat file with events");
	if (argc - at > 1) {
		refuse_files(argv[at], argv[at + 1]);
		return -EINVAL;
	}
	o->file = argv[at];
	for (i = 0; i < o->plan.query.ndynevents; i++) {
		if (o->plan.query.dynevents[i].kind == QUERY_SYNTHETIC)
			continue;
		return message_refuse(-EOPNOTSUPP,
				      "%s: replay cannot add the probe of this preset "
				      "to a recording\n"
				      "use -e if the event was recorded",
				      o->plan.query.dynevents[i].definition);
	}
	return plan_check(&o->plan);
}

/* Parse like record_options_parse(). Call plan_clear() in any case. */
static int replay_options_parse(struct replay_options *o, int argc, char **argv)
{
	int ret;

	memset(o, 0, sizeof(*o));
	ret = options_parse(&spec, o, argc, argv);
	if (ret)
		return ret;
	return replay_options_check_files(o, argc, argv, optind);
}

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
	unsigned int percent; /* that the progress line shows */
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
	unsigned int percent = all ? (double)done / all * 100 : 100;
	struct replayer *r = data;
	bool forward;

	if (signals_ending(r->signals, &forward))
		return -EINTR;
	if (r->progress.width && r->percent == percent)
		return 0;
	progress_show(&r->progress, "%u %%", percent);
	r->percent = percent;
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

static int replay_run_verb(int argc, char **argv)
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

const struct command replay_command = {
	.name = "replay",
	.help = "count the recorded events of a trace.dat file",
	.run = replay_run_verb,
};
