// SPDX-License-Identifier: GPL-2.0
/*
 * top.c - `trace-cmd hist top`
 *
 * One loop waits for the timer, signals and keys.  Each tick reads all histograms into the model
 * and draws the model; each key changes the model and draws it.  A paused display does not read:
 * the kernel continues to count, and the first interval after the pause includes it.
 *
 * Histograms of other programs (--attach) become sources like those of the session, so that both
 * are read in the same way.  They are only read: the kernel is not changed.  The hist file is
 * searched for histograms once, at the start.
 *
 * Invariant: every exit calls top_tear_down(), also after a signal, an error, or the loss of the
 * terminal.
 */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/duration.h"
#include "lib/hist/regroup.h"
#include "tracecmd/base/command.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/options.h"
#include "tracecmd/base/signals.h"
#include "tracecmd/base/text_style.h"
#include "tracecmd/base/timer.h"
#include "tracecmd/plan/plan.h"
#include "tracecmd/plan/plan_options.h"
#include "tracecmd/session/session.h"
#include "tracecmd/target/target_open.h"
#include "tracecmd/top/top_model.h"
#include "tracecmd/top/top_screen.h"
#include "tracecmd/top/top_view.h"
#include "tracecmd/trigger/traced_event.h"

/* Initialize with zeros. */
struct top_feed {
	struct session session;
	bool attached;		/* to histograms of other programs: the session has no undo log */
	struct target_buf text; /* the hist file that was read last, if attached */
	/* By number in the model: the merged rows of --bucket, or NULL. */
	struct hist_regroup **regroups;
	unsigned int nregroups;
};

#define INSTANCES "instances/"

/* Split "INSTANCE/SYS:EVENT" into the instance, of @len bytes, and the event. */
static int top_feed_split_name(const char *what, int *len, const char **event)
{
	const char *colon = strchr(what, ':'), *slash = colon ? strchr(what, '/') : NULL;

	*len = slash ? slash - what : 0;
	*event = slash ? slash + 1 : what;
	if (slash && (!*len || what[0] == '.' || slash > colon))
		return message_refuse(-EINVAL, "--attach %s: must be [INSTANCE/]SYS:EVENT", what);
	return 0;
}

/* One block of the hist file as a histogram of the source. */
static int top_feed_add_block(struct traced_event *source, const struct hist_text_block *block)
{
	struct traced_hist *h = traced_event_new_hist(source, false);

	return h ? traced_event_learn_block(h, block) : -ENOMEM;
}

static int find_blocks(struct traced_event *source, const struct target_buf *text)
{
	struct hist_text_block block;
	size_t pos = 0;
	int ret;

	while ((ret = hist_text_next_block(text->data, text->len, &pos, &block)) == 1) {
		ret = top_feed_add_block(source, &block);
		if (ret)
			break;
	}
	return ret ? message_refuse(ret, "%s: cannot parse the hist file: %s", source->full_name,
				    strerror(-ret))
		   : 0;
}

static int open_hist(struct traced_event *source, struct hist_target *t, const char *what)
{
	int ret = traced_reader_open(source, t);

	if (!ret)
		return 0;
	if (ret != -ENOENT)
		return message_error_errno(what, ret);
	return message_refuse(ret, "--attach %s: no hist file\ncheck the name of the instance",
			      what);
}

static int top_feed_attach_event(struct top_feed *feed, const char *what, enum plan_read how)
{
	struct session *s = &feed->session;
	struct traced_event *source = &s->sources[s->nsources];
	const char *event;
	int ret, len;

	ret = top_feed_split_name(what, &len, &event);
	if (ret)
		return ret;
	s->nsources++;
	ret = traced_event_find(source, s->target, event);
	if (ret)
		return ret;
	if (asprintf(&source->dir, "%s%.*s%sevents/%s/%s", len ? INSTANCES : "", len, what,
		     len ? "/" : "", source->system, source->name) < 0) {
		source->dir = NULL;
		return message_error_errno("--attach", -ENOMEM);
	}
	ret = open_hist(source, s->target, what);
	if (!ret)
		ret = session_set_names(s, source);
	if (ret)
		return ret;
	ret = traced_reader_read_text(source, s->target, &feed->text);
	if (ret)
		return message_error_errno(what, ret);
	ret = find_blocks(source, &feed->text);
	if (!ret && !source->nhists)
		ret = message_refuse(-ENOENT,
				     "--attach %s: the event has no hist trigger\n"
				     "use -e to add one",
				     what);
	return ret ? ret : traced_reader_open_raw(source, s->target, source->dir, how);
}

static int attach_all(struct top_feed *feed, const struct plan *plan,
		      const struct option_words *attach)
{
	struct hist_error error = { 0 };
	unsigned int i;
	int ret;

	feed->attached = true;
	ret = target_open(&feed->session.target, plan->ntargets ? plan->targets[0] : NULL, &error);
	if (ret)
		return message_report(ret, &error);
	feed->session.sources = calloc(attach->n, sizeof(*feed->session.sources));
	if (!feed->session.sources)
		return message_error_errno("--attach", -ENOMEM);
	for (i = 0; i < attach->n && !ret; i++)
		ret = top_feed_attach_event(feed, attach->words[i], plan->read);
	return ret;
}

/*
 * Start the plan, or attach to "[INSTANCE/]SYS:EVENT" of @attach if it has words.  Options such as
 * --latency become events of the plan.  Call top_feed_close() in any case, before the plan is
 * cleared.
 */
static int top_feed_open(struct top_feed *feed, struct plan *plan,
			 const struct option_words *attach)
{
	struct session *s = &feed->session;
	int ret;

	if (attach->n)
		return attach_all(feed, plan, attach);
	ret = session_check(s, plan);
	if (!ret)
		ret = session_begin(s);
	if (!ret)
		ret = session_attach(s);
	return ret ? ret : session_release(s);
}

/* A helper histogram of a chain is not shown. */
static bool top_feed_hist_is_shown(const struct top_feed *feed, unsigned int e, unsigned int h)
{
	return feed->attached || !feed->session.plan->query.events[e].hists[h].hidden;
}

/* "INSTANCE/SYS:EVENT#1" into @buf. */
static void top_feed_format_name(const struct top_feed *feed, unsigned int e, unsigned int h,
				 char *buf, size_t len)
{
	const struct traced_event *source = &feed->session.sources[e];
	const char *name = source->full_name, *instance = "";
	char number[16] = "";

	if (feed->attached && !strncmp(source->dir, INSTANCES, strlen(INSTANCES)))
		instance = source->dir + strlen(INSTANCES);
	if (!feed->attached && feed->session.plan->query.events[e].title)
		name = feed->session.plan->query.events[e].title;
	if (source->nhists > 1)
		snprintf(number, sizeof(number), "#%u", h);
	snprintf(buf, len, "%.*s%s%s%s", (int)strcspn(instance, "/"), instance,
		 *instance ? "/" : "", name, number);
}

/* Set *@shown to the table of the rows that are shown: @table, or that of its merged rows. */
static int top_feed_regroup(struct top_feed *feed, struct hist_buckets *buckets, const char *name,
			    struct hist_table *table, struct hist_table **shown)
{
	struct hist_error error = { 0 };
	struct hist_regroup *regroup = NULL;
	struct hist_schema *schema;
	int ret;

	*shown = table;
	if (array_add(&feed->regroups, feed->nregroups, sizeof(struct hist_regroup *)))
		return message_error_memory();
	schema = hist_schema_copy(hist_table_schema(table));
	ret = schema ? hist_buckets_set(buckets, schema, &error) : -ENOMEM;
	if (ret == 1) {
		regroup = hist_regroup_new(schema);
		ret = regroup ? 0 : -ENOMEM;
	}
	hist_schema_free(schema);
	if (ret)
		return message_report_of(ret, &error, "--bucket: %s", name);
	feed->regroups[feed->nregroups++] = regroup;
	if (regroup)
		*shown = regroup->table;
	return 0;
}

/* Add the histograms to the model, in the order in which they are read; @raw_names: --raw-names. */
static int top_feed_introduce(struct top_feed *feed, struct top_model *m, bool raw_names,
			      struct hist_buckets *buckets)
{
	struct hist_error error = { 0 };
	struct hist_table *shown;
	const struct session *s = &feed->session;
	struct hist_schema *schema;
	unsigned int e, h, k;
	char name[600];
	int ret;

	for (e = 0; e < s->nsources; e++) {
		const struct traced_event *source = &s->sources[e];

		for (h = 0; h < source->nhists; h++) {
			if (!top_feed_hist_is_shown(feed, e, h))
				continue;
			top_feed_format_name(feed, e, h, name, sizeof(name));
			schema = hist_table_schema(source->hists[h].table);
			for (k = 0; raw_names && k < schema->nkeys; k++)
				schema->keys[k].shows_numbers = true;
			m->clock = s->instance.clock;
			ret = top_feed_regroup(feed, buckets, name, source->hists[h].table, &shown);
			if (ret)
				return ret;
			ret = top_model_add_hist(m, name, source->hists[h].asked, shown);
			if (ret)
				return message_error_errno(name, ret);
		}
	}
	ret = hist_buckets_check(buckets, "--bucket", &error);
	return ret ? message_report(ret, &error) : 0;
}

/* The state of one read: the model, and the number of the next histogram in it. */
struct feed_state {
	struct top_feed *feed;
	struct top_model *model;
	unsigned int number;
};

static int top_feed_add_event(void *arg, struct traced_event *source)
{
	struct feed_state *f = arg;
	unsigned int e = source - f->feed->session.sources, h;
	const struct hist_snapshot *snap;
	struct hist_regroup *regroup;
	uint64_t now = timer_now();
	int ret = 0;

	for (h = 0; h < source->nhists && !ret; h++) {
		if (!top_feed_hist_is_shown(f->feed, e, h))
			continue;
		snap = &source->hists[h].snap;
		regroup = f->feed->regroups[f->number];
		if (regroup) {
			ret = hist_regroup_update(regroup, source->hists[h].table, snap);
			snap = &regroup->snap;
		}
		if (!ret)
			ret = top_model_feed(f->model, f->number++, snap, now);
		if (ret)
			message_error_errno(source->full_name, ret);
	}
	return ret;
}

/* Histograms of other programs are not paused. */
static int read_attached(struct top_feed *feed, struct traced_event *source)
{
	struct hist_target *t = feed->session.target;
	int ret;

	do {
		ret = traced_reader_fetch(source, t, &feed->text);
		ret = ret ? message_error_errno(source->full_name, ret)
			  : traced_reader_take(source, t, &feed->text);
	} while (ret == -EAGAIN);
	return ret;
}

/* Read all histograms into the model. */
static int top_feed_read(struct top_feed *feed, struct top_model *m)
{
	struct feed_state f = { feed, m, 0 };
	struct session *s = &feed->session;
	unsigned int e;
	int ret = 0;

	if (!feed->attached)
		return session_tick(s, top_feed_add_event, &f);
	for (e = 0; !ret && e < s->nsources; e++) {
		ret = read_attached(feed, &s->sources[e]);
		if (!ret)
			ret = top_feed_add_event(&f, &s->sources[e]);
	}
	return ret;
}

static int top_feed_close(struct top_feed *feed)
{
	unsigned int i;

	for (i = 0; i < feed->nregroups; i++)
		hist_regroup_free(feed->regroups[i]);
	free(feed->regroups);
	free(feed->text.data);
	return session_close(&feed->session);
}

struct top_options {
	struct plan plan; /* first, for plan_option_rows */
	struct option_words attach; /* "[INSTANCE/]SYS:EVENT"; strings are argv's */
	uint64_t count; /* refreshes; 0: no limit */
	bool raw_names;
	bool batch;
	enum top_view view; /* OPTION_NOT_GIVEN: see set_up_model() */
	const char *sort; /* NULL: the default of the keys */
	struct hist_buckets buckets;
};

static int top_options_parse_count(void *to, const struct option_row *row, char *text)
{
	struct top_options *o = to;

	(void)row;
	if (!duration_parse_count(&o->count, text, UINT64_MAX) && o->count)
		return 0;
	return message_refuse(-EINVAL, "-n %s: must be a number of refreshes, 1 or more", text);
}

static const struct option_row rows[] = {
	OPTION_GROUP("What to count"),
	{ 0, "attach", "[INSTANCE/]SYS:EVENT", options_take_word,
	  offsetof(struct top_options, attach),
	  "watch the existing histograms of this event" },
	OPTION_RARE,
	{ 'c', NULL, NULL, NULL, offsetof(struct top_options, plan.with_children),
	  "with -P, include threads and child processes" },
	OPTION_GROUP("When"),
	OPTION_RARE,
	{ 'n', NULL, "COUNT", top_options_parse_count, 0, "stop after COUNT refreshes" },
	OPTION_GROUP("Output"),
	{ 0, "view", "table|bars|heatmap|summary", options_take_choice,
	  offsetof(struct top_options, view),
	  "choose the initial view (default summary)" },
	{ 'b', "batch", NULL, NULL, offsetof(struct top_options, batch),
	  "print plain text (default if not on a terminal)" },
	OPTION_RARE,
	OPTION_BUCKET(offsetof(struct top_options, buckets)),
	{ 0, "sort", "COLUMN", NULL, offsetof(struct top_options, sort),
	  "sort by this column, such as hitcount/s.descending" },
	{ 0, "raw-names", NULL, NULL, offsetof(struct top_options, raw_names),
	  "show numbers and addresses instead of names" },
	OPTION_GROUP("Other"),
	OPTION_HELP,
	{ 0 },
};

static const struct options_spec spec = {
	.verb = "top",
	.usage =
	"usage: trace-cmd hist top -e SYS:EVENT -k KEYS [OPTIONS]\n"
	"       trace-cmd hist top --attach [INSTANCE/]SYS:EVENT... [OPTIONS]\n"
	"\n"
	"Start hist triggers, and show their histograms live.  Press h for help.\n",
	.rows = plan_option_rows,
	.more_rows = rows,
	.indent = 2,
	.column = 23,
	.more =
	"\n"
	"Examples:\n"
	"  trace-cmd hist top -e sched:sched_switch -k next_comm -i 500ms\n"
	"  trace-cmd hist top --preset wakeup-latency --view heatmap\n"
	"  trace-cmd hist top --attach sched:sched_switch\n",
	.stop = true,
};

static int top_options_check_conflicts(const struct top_options *o)
{
	const struct plan *plan = &o->plan;

	if (!plan->interval_ns)
		return message_refuse(-EINVAL, "-i 0: the interval must be greater than 0");
	if (!o->attach.n && plan->with_children && !plan->pids)
		return message_refuse(-EINVAL, "-c: needs -P\nadd -P PID");
	if (!o->attach.n)
		return plan_check(plan);
	if (plan->query.nevents || plan->query.ndynevents)
		return message_refuse(-EINVAL,
				      "--attach %s: cannot be combined with options that "
				      "start histograms\nremove -e and its options",
				      o->attach.words[0]);
	if (plan->cgroup || plan->exclude_self)
		return message_refuse(-EINVAL, "--attach %s: cannot be combined with --%s",
				      o->attach.words[0], plan->cgroup ? "cgroup" : "exclude-self");
	if (plan->instance || plan->clock || plan->pids || plan->with_children)
		return message_refuse(-EINVAL, plan->instance ? "--attach %s: cannot be combined "
				      "with %s\nuse --attach INSTANCE/SYS:EVENT" :
				      "--attach %s: cannot be combined with %s", o->attach.words[0],
				      plan->instance ? "-B" : plan->clock ? "-C" :
				      plan->pids ? "-P" : "-c");
	return 0;
}

/*
 * top_options_parse - parse the command line; argv[0] is "top"
 * 0; 1 after the help was printed; -errno after a message on stderr.
 * Call top_options_clear() in any case.
 */
static int top_options_parse(struct top_options *o, int argc, char **argv)
{
	int ret;

	memset(o, 0, sizeof(*o));
	o->plan.interval_ns = NSEC_PER_SEC;
	o->view = OPTION_NOT_GIVEN;
	ret = options_parse(&spec, o, argc, argv);
	if (ret)
		return ret;
	if (optind < argc)
		return message_refuse(-EINVAL, "%s: top does not run a command\n"
				      "run the command in another terminal", argv[optind]);
	if (o->plan.ntargets > 1)
		return message_refuse(-EINVAL, "--target %s: top can show only one target\n"
				      "run another top for this target", o->plan.targets[1]);
	return top_options_check_conflicts(o);
}

static void top_options_clear(struct top_options *o)
{
	plan_clear(&o->plan);
	free(o->attach.words);
	hist_buckets_clear(&o->buckets);
	memset(o, 0, sizeof(*o));
}

/* Width of text output without $COLUMNS. */
#define BATCH_TABLE_COLUMNS 512
#define BATCH_COLUMNS 100

static unsigned int top_batch_columns(const struct top_model *m, const struct top_hist *h)
{
	switch (top_shown_view(m, h)) {
	case TOP_TABLE:
	case TOP_SUMMARY:
		return BATCH_TABLE_COLUMNS;
	default:
		return BATCH_COLUMNS;
	}
}

struct top {
	struct top_options options;
	struct top_feed feed;
	struct top_model model;
	struct top_canvas canvas;
	struct top_screen *screen; /* NULL: batch */
	bool utf8;
	int signals, resizes, ticks, deadline;
	uint64_t started, refreshes;
};

static int catch_resizes(void)
{
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGWINCH);
	sigprocmask(SIG_BLOCK, &set, NULL);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return fd < 0 ? -errno : fd;
}

static int top_read_feed(struct top *t)
{
	t->model.elapsed_ns = timer_now() - t->started;
	return top_feed_read(&t->feed, &t->model);
}

/*
 * top_write - write @data to the descriptor @to, until a signal arrives
 * A reader that does not read cannot block the program.  0; -EINTR: a signal is pending, and only
 * a part may be written; -errno of write(2).
 */
static int top_write(int fd, int to, const char *data, size_t len)
{
	struct pollfd fds[] = {
		{ .fd = fd, .events = POLLIN },
		{ .fd = to, .events = POLLOUT },
	};
	ssize_t n;

	while (len) {
		n = poll(fds, 2, -1);
		if (n >= 0 && (fds[0].revents || signals_are_pending()))
			return -EINTR;
		/*
		 * a pipe that is ready has room for PIPE_BUF bytes, so that write(2) does not block
		 */
		if (n >= 0)
			n = write(to, data, len < PIPE_BUF ? len : PIPE_BUF);
		if (n < 0 && errno != EINTR && errno != EAGAIN)
			return -errno;
		data += n > 0 ? n : 0;
		len -= n > 0 ? n : 0;
	}
	return 0;
}

static int print_all(struct top *t)
{
	const char *columns = getenv("COLUMNS");
	unsigned int width = columns ? strtoul(columns, NULL, 10) : 0, all, i;
	char *text = NULL;
	size_t len = 0;
	FILE *f;
	int ret = 0;

	f = open_memstream(&text, &len);
	if (!f)
		return message_error_memory();
	if (width < TOP_LEAST_COLUMNS || width > 4096)
		width = 0;
	for (i = 0; i < t->model.nhists && !ret; i++) {
		t->model.current = i;
		all = top_batch_columns(&t->model, &t->model.hists[i]);
		ret = top_print(&t->model, f, width ? width : all, t->utf8);
		fputc('\n', f);
	}
	if (fclose(f) && !ret)
		ret = -ENOMEM;
	if (!ret)
		ret = top_write(t->signals, STDOUT_FILENO, text, len);
	free(text);
	/* top_watch_keys() reads the signal */
	if (ret == -EINTR)
		return 0;
	return ret ? message_error_errno("standard output", ret) : 0;
}

static int top_show_screen(struct top *t)
{
	int ret;

	if (!t->screen)
		return print_all(t);
	ret = top_draw(&t->model, &t->canvas);
	if (ret)
		return message_error_errno("display", ret);
	top_screen_show(t->screen, &t->canvas);
	return 0;
}

static int top_resize_canvas(struct top *t)
{
	struct signalfd_siginfo info;
	int ret;

	while (read(t->resizes, &info, sizeof(info)) == sizeof(info))
		;
	ret = top_screen_size(&t->canvas);
	return ret ? message_error_errno("terminal", ret) : top_show_screen(t);
}

/* Returns 1 if the user quits. */
static int top_handle_keys(struct top *t)
{
	bool was_paused = t->model.paused, any = false;
	int32_t key;

	while (top_screen_key(&key)) {
		any = true;
		if (!top_handle_key(&t->model, key, top_page_rows(&t->model, &t->canvas)))
			return 1;
	}
	if (was_paused && !t->model.paused) {
		int ret = top_read_feed(t);

		if (ret)
			return ret;
	}
	return any ? top_show_screen(t) : 0;
}

/* Returns 1 after the last refresh of -n. */
static int top_refresh_model(struct top *t)
{
	uint64_t ticks;
	int ret;

	if (read(t->ticks, &ticks, sizeof(ticks)) != sizeof(ticks) || t->model.paused)
		return 0;
	t->model.missed += ticks - 1;
	ret = top_read_feed(t);
	if (!ret)
		ret = top_show_screen(t);
	if (ret)
		return ret;
	t->refreshes++;
	return t->options.count && t->refreshes >= t->options.count;
}

/* Refresh until a key, a signal, -d or -n ends the program. */
static int top_watch_keys(struct top *t)
{
	enum { SIGNALS, TICKS, DEADLINE, TASKS, RESIZES, KEYS, FDS };
	struct pollfd fds[FDS] = {
		[SIGNALS] = { .fd = t->signals, .events = POLLIN },
		[TICKS] = { .fd = t->ticks, .events = POLLIN },
		[DEADLINE] = { .fd = t->deadline, .events = POLLIN },
		[TASKS] = { .fd = session_task_fd(&t->feed.session), .events = POLLIN },
		[RESIZES] = { .fd = t->screen ? t->resizes : -1, .events = POLLIN },
		[KEYS] = { .fd = t->screen ? STDIN_FILENO : -1, .events = POLLIN },
	};
	bool forward, noted;
	int n, ret = 0;

	while (!ret) {
		/* a signal that a wait for the target has read is no longer in the descriptor */
		noted = signals_are_pending();
		n = poll(fds, FDS, noted ? 0 : session_keepalive_ms(&t->feed.session));
		if (n < 0) {
			if (errno == EINTR)
				continue;
			return message_error_errno("poll", -errno);
		}
		if (!n && !noted)
			ret = session_keepalive(&t->feed.session);
		if (signals_ending(t->signals, &forward) || fds[DEADLINE].revents)
			return 0;
		if (fds[KEYS].revents & (POLLHUP | POLLERR | POLLNVAL))
			return 0; /* the terminal was closed */
		if (fds[TASKS].revents)
			ret = session_follow_tasks(&t->feed.session);
		if (!ret && fds[RESIZES].revents)
			ret = top_resize_canvas(t);
		if (!ret && fds[KEYS].revents)
			ret = top_handle_keys(t);
		if (!ret && fds[TICKS].revents)
			ret = top_refresh_model(t);
	}
	return ret > 0 ? 0 : ret;
}

static int set_up_model(struct top *t)
{
	struct top_model *m = &t->model;
	int ret;

	m->interval_ns = t->options.plan.interval_ns;
	m->view = t->options.view;
	/* a column of the rows is not one of the summary */
	if (t->options.view == OPTION_NOT_GIVEN)
		m->view = t->options.sort ? TOP_TABLE : TOP_SUMMARY;
	m->flags = t->utf8 ? 0 : HIST_ESCAPE_ASCII;
	ret = top_feed_introduce(&t->feed, m, t->options.raw_names, &t->options.buckets);
	if (ret)
		return ret;
	if (t->options.sort && top_sort(m, t->options.sort))
		return message_refuse(-EINVAL, "--sort %s: no such column\n"
				      "use KEY, VALUE or VALUE/s", t->options.sort);
	return 0;
}

static int top_start_timers(struct top *t)
{
	t->ticks = timer_open(t->model.interval_ns, t->model.interval_ns);
	if (t->ticks < 0)
		return message_error_errno("timer", t->ticks);
	t->deadline = timer_open(t->options.plan.duration_ns, 0);
	return t->deadline < 0 ? message_error_errno("timer", t->deadline) : 0;
}

static int top_run_plan(struct top *t)
{
	bool batch = t->options.batch || !isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO);
	int ret;

	if (!batch) {
		ret = top_screen_check();
		if (ret)
			return ret;
	}
	t->signals = signals_catch();
	if (t->signals < 0)
		return message_error_errno("signals", t->signals);
	ret = top_feed_open(&t->feed, &t->options.plan, &t->options.attach);
	if (!ret)
		ret = set_up_model(t);
	t->started = timer_now();
	if (!ret)
		ret = top_read_feed(t);
	if (!ret)
		ret = top_start_timers(t);
	if (ret || batch)
		return ret ? ret : top_watch_keys(t);

	t->resizes = catch_resizes();
	if (t->resizes < 0)
		return message_error_errno("signals", t->resizes);
	ret = top_screen_open(&t->screen);
	t->canvas.utf8 = t->utf8;
	if (!ret)
		ret = top_resize_canvas(t);
	return ret ? ret : top_watch_keys(t);
}

static void close_fd(int fd)
{
	if (fd >= 0)
		close(fd);
}

static int top_tear_down(struct top *t)
{
	int ret;

	top_screen_close(t->screen);
	/* the model refers to the tables of the feed */
	top_model_clear(&t->model);
	ret = top_feed_close(&t->feed);
	top_canvas_clear(&t->canvas);
	if (t->signals >= 0)
		signals_close(t->signals);
	close_fd(t->resizes);
	close_fd(t->ticks);
	close_fd(t->deadline);
	return ret;
}

static int top_run_verb(int argc, char **argv)
{
	struct top t = { .signals = -1, .resizes = -1, .ticks = -1, .deadline = -1 };
	int ret, undone = 0;

	t.utf8 = text_is_utf8();
	ret = top_options_parse(&t.options, argc, argv);
	if (!ret) {
		ret = top_run_plan(&t);
		undone = top_tear_down(&t);
	} else if (ret > 0) {
		ret = 0;
	}
	top_options_clear(&t.options);
	return ret || undone ? EXIT_TROUBLE : EXIT_DONE;
}

const struct command top_command = {
	.name = "top",
	.help = "watch histograms live on the terminal",
	.run = top_run_verb,
};
