// SPDX-License-Identifier: GPL-2.0
/*
 * stock_record.c - run stock `trace-cmd record` next to a recording, for --events
 *
 * It records the events of the session's instance into a separate file.  At the end the histogram
 * sections are added to that file (stock_record_merge()).  If the recorder is killed, the stock
 * program gets a SIGINT and completes its file.
 *
 * The program does not read a CPU that is plugged in and comes online while it runs.  The events of
 * such a CPU stay in its ring buffer: a warning has their number.
 *
 * The program is ready when the kernel reports its events as enabled. A child that ends before that
 * has failed and has printed the reason to stderr.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "helper/local/target.h"
#include "lib/base/text.h"
#include "lib/series/series.h"
#include "lib/tracedat/tracedat.h"
#include "tracecmd/base/dispatch.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/outfile.h"
#include "tracecmd/base/timer.h"
#include "tracecmd/record/recorder_parts.h"
#include "tracecmd/target/cpu_pages.h"
#include "tracecmd/target/target_path.h"

#define READY_TIMEOUT_S 60

struct stock_record {
	const struct trigger_set *set; /* NULL: not started */
	pid_t pid;		       /* 0: not running */
	char *file;		       /* "trace.dat.events", in @dir */
	int dir;	/* descriptor of the directory @dir_name while it exists, otherwise -1 */
	int parent;	/* the directory of the output file; valid while @dir is */
	char *dir_name; /* in @parent; only this user can use the directory */
	bool *absent;	/* by CPU: it had no ring buffer when the program started */
};

/* Without -P: the stock program keeps the list of tasks that the instance already has. */
static char **make_arguments(char *stock, const struct trigger_set *set, char *file)
{
	char **argv = calloc(2 * (size_t)set->nsources + 16, sizeof(*argv));
	unsigned int n = 0, i;

	if (!argv)
		return NULL;
	argv[n++] = stock;
	argv[n++] = "record";
	argv[n++] = "-q";
	argv[n++] = "-o";
	argv[n++] = file;
	argv[n++] = "-B";
	argv[n++] = set->instance->name;
	for (i = 0; i < set->nsources; i++) {
		argv[n++] = "-e";
		argv[n++] = set->sources[i].full_name;
	}
	return argv;
}

static void stock_record_exec_child(char **argv, int dir)
{
	sigset_t none;
	int null = open("/dev/null", O_RDWR);

	/* discard its stdout; it reports errors on stderr */
	if (null >= 0) {
		dup2(null, 0);
		dup2(null, 1);
	}
	/* keep Ctrl-C from the child: the recorder ends it after the last snapshot */
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGINT);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (!fchdir(dir))
		execv(argv[0], argv);
	_exit(127);
}

/* True if the program has enabled the event; NULL: the ring buffer, which it starts at last. */
static bool is_on(const struct trigger_set *set, const struct traced_event *s)
{
	const char *dir = set->instance->dir;
	struct target_buf buf = { 0 };
	bool on;

	if (s)
		on = !target_readf(set->target, &buf, "%s/events/%s/%s/enable", dir, s->system,
				   s->name);
	else
		on = !target_readf(set->target, &buf, "%s/tracing_on", dir);
	on = on && buf.len && buf.data[0] == '1';
	free(buf.data);
	return on;
}

static int wait_ready(struct stock_record *r, const struct trigger_set *set)
{
	const struct timespec pause = { .tv_nsec = 10000000 };
	uint64_t start = timer_now();
	unsigned int i = 0;

	while (i <= set->nsources) {
		if (is_on(set, i < set->nsources ? &set->sources[i] : NULL)) {
			i++;
			continue;
		}
		if (waitpid(r->pid, NULL, WNOHANG) == r->pid) {
			r->pid = 0;
			return message_refuse(-ECHILD, "--events: 'trace-cmd record' failed\n"
				      "see its messages above");
		}
		if (timer_now() - start > READY_TIMEOUT_S * NSEC_PER_SEC)
			return message_refuse(-ETIMEDOUT, "--events: 'trace-cmd record' did "
					      "not start within %d s", READY_TIMEOUT_S);
		nanosleep(&pause, NULL);
	}
	return 0;
}

/*
 * The stock recorder follows symbolic links, and its files for each CPU have names that can be
 * guessed.  Therefore it writes into a directory of its own.
 */
static int stock_record_make_dir(struct stock_record *r, const struct file_place *output)
{
	int ret;

	r->dir = outfile_make_dir(output, r->file, &r->dir_name);
	if (r->dir < 0) {
		ret = r->dir;
		r->dir = -1;
		return ret;
	}
	/* duplicate: the descriptor of @output is closed earlier */
	r->parent = fcntl(output->dir, F_DUPFD_CLOEXEC, 3);
	return r->parent < 0 ? message_error_errno(r->file, -errno) : 0;
}

static int find_absent_cpus(struct stock_record *r, const struct trigger_set *set)
{
	struct hist_target *t = set->target;
	char path[TARGET_PATH_MAX];
	unsigned int cpu;
	int fd;

	r->set = set;
	r->absent = calloc(t->cpus, sizeof(*r->absent));
	if (!r->absent)
		return message_error_memory();
	for (cpu = 0; cpu < t->cpus; cpu++) {
		snprintf(path, sizeof(path), "%s/per_cpu/cpu%u/trace_pipe_raw", set->instance->dir,
			 cpu);
		fd = t->ops->descriptor(t, path);
		r->absent[cpu] = fd >= 0 && cpu_pages_is_absent(fd);
		if (fd >= 0)
			close(fd);
	}
	return 0;
}

static void report_absent_cpus(const struct stock_record *r)
{
	static const char entries[] = "entries: ";
	struct hist_target *t = r->set->target;
	struct target_buf buf = { 0 };
	uint64_t events;
	unsigned int cpu;
	const char *at;

	for (cpu = 0; cpu < t->cpus; cpu++) {
		if (!r->absent[cpu] ||
		    target_readf(t, &buf, "%s/per_cpu/cpu%u/stats", r->set->instance->dir, cpu))
			continue;
		at = strstr(buf.data, entries);
		events = at ? strtoull(at + strlen(entries), NULL, 10) : 0;
		if (events)
			message_warning(
				"--events: at least %" PRIu64 " event%s of CPU %u, which came "
				"online during the recording, %s not in the file",
				events, text_plural(events), cpu, events == 1 ? "is" : "are");
	}
	free(buf.data);
}

/* Start the program and wait until all events are enabled in the instance. */
static int stock_record_start(void *part, struct recorder_common *common)
{
	const struct trigger_set *set = &common->session.counter->set;
	const struct file_place *output = &common->output.file.place;
	struct stock_record *r = part;
	char *stock, **argv = NULL;
	int ret = 0;

	if (!common->plan->record_events || common->takes_pages)
		return 0;
	r->set = set;
	r->dir = -1;
	stock = dispatch_find_stock();
	if (!stock)
		return message_refuse(-ENOENT, "--events: the stock trace-cmd was not found in "
				      "PATH\ninstall the package trace-cmd");
	ret = find_absent_cpus(r, set);
	if (ret)
		goto out;
	if (asprintf(&r->file, "%s.events", output->name) < 0)
		r->file = NULL;
	if (r->file)
		argv = make_arguments(stock, set, r->file);
	if (!argv) {
		ret = message_error_memory();
		goto out;
	}
	ret = stock_record_make_dir(r, output);
	if (ret)
		goto out;
	r->pid = fork();
	if (r->pid < 0) {
		ret = -errno;
		r->pid = 0;
		message_error("--events: %s", strerror(-ret));
		goto out;
	}
	if (!r->pid)
		stock_record_exec_child(argv, r->dir);
	ret = wait_ready(r, set);
out:
	free(stock);
	free(argv);
	return ret;
}

/* End the program with SIGINT and wait for it.  Its file is then complete. */
static int stock_record_stop(struct stock_record *r)
{
	int status;

	if (!r->pid)
		return 0;
	kill(r->pid, SIGINT);
	if (waitpid(r->pid, &status, 0) != r->pid)
		return -errno;
	r->pid = 0;
	report_absent_cpus(r);
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	return message_refuse(-ECHILD, "--events: 'trace-cmd record' failed\n"
				      "see its messages above");
}

/* Copy all snapshots of histogram @hist from @from to @to. */
static int stock_record_copy_hist(struct hist_series *from, unsigned int hist,
				  struct hist_series_writer *to, struct hist_cursor **cursor)
{
	const struct hist_series_info *info = hist_series_info(from, hist);
	const struct hist_snapshot *snap;
	int ret, number;

	ret = hist_cursor_open(cursor, from, hist, info->first_seq);
	if (ret)
		return ret;
	/* the writer looks at the table, which lives as long as the cursor */
	number =
		hist_series_define(to, &info->def, (struct hist_table *)hist_cursor_table(*cursor));
	if (number < 0)
		return number;
	while ((ret = hist_cursor_next(*cursor, &snap)) == 1) {
		ret = hist_series_add(to, number, snap);
		if (ret)
			return ret;
	}
	return ret;
}

/*
 * Merge the histograms of the file and the events of a stock recording
 * @events_file: finished trace.dat in the directory @dir of the same disk; the histograms are added
 * to it, and it then replaces the file.
 * @buffer: name of the buffer that becomes its top-level buffer, or NULL.
 * On failure the file does not change.
 */
static int stock_record_merge(struct output *o, int dir, const char *events_file,
			      const char *buffer)
{
	struct hist_series_writer *to = NULL;
	struct tracedat_writer *dat = NULL;
	struct hist_cursor **cursors = NULL;
	struct hist_series *from = NULL;
	unsigned int i, n = 0;
	struct hist_error error = { 0 };
	int fd, ret;

	fd = outfile_reopen_in(dir, events_file);
	if (fd < 0)
		return fd;
	ret = hist_series_open_fd(&from, o->file.fd, o->file.path, &error);
	if (ret) {
		message_report_of(ret, &error, "%s", o->file.path);
		goto out;
	}
	ret = tracedat_attach(&dat, fd);
	/* link first, so that each section is valid as soon as it is written */
	if (!ret)
		ret = buffer ? tracedat_link_top(dat, buffer) : -ENOENT;
	/* other versions of stock trace-cmd may have a different file layout */
	if (ret == -ENOENT)
		ret = tracedat_link(dat);
	if (!ret)
		ret = hist_series_writer_new(&to, dat);
	if (!ret) {
		n = hist_series_count(from);
		cursors = calloc(n, sizeof(struct hist_cursor *));
		ret = cursors ? 0 : -ENOMEM;
	}
	for (i = 0; i < n && !ret; i++)
		ret = stock_record_copy_hist(from, i, to, &cursors[i]);
	if (!ret)
		ret = hist_series_finish(to);
	if (ret)
		message_error_errno(events_file, ret);
	else
		ret = outfile_replace(&o->file, dir, events_file, fd);
out:
	hist_series_writer_free(to);
	for (i = 0; i < n && cursors; i++)
		hist_cursor_free(cursors[i]);
	free(cursors);
	tracedat_writer_free(dat);
	hist_series_free(from);
	close(fd);
	return ret;
}

static int stock_record_join(void *part, struct recorder_common *common)
{
	struct stock_record *r = part;
	int ret;

	if (!r->file)
		return 0;
	ret = stock_record_stop(r);
	if (ret)
		return ret;
	return stock_record_merge(&common->output, r->dir, r->file,
				  common->plan->instance ? NULL : common->session.instance.name);
}

/* Remove the directory with its files, which have no directories. */
static void stock_record_remove_dir(struct stock_record *r)
{
	struct target_buf names = { 0 };
	const char *name;

	if (!target_list_names(r->dir, &names)) {
		for (name = names.data; name < names.data + names.len; name += strlen(name) + 1)
			unlinkat(r->dir, name, 0);
	}
	free(names.data);
	close(r->dir);
	if (r->parent >= 0) {
		unlinkat(r->parent, r->dir_name, AT_REMOVEDIR);
		close(r->parent);
	}
	free(r->dir_name);
}

/* End the program, if it runs, and remove its file, if it exists. */
static void stock_record_clear(void *part)
{
	struct stock_record *r = part;

	if (!r->set)
		return;
	stock_record_stop(r);
	if (r->dir >= 0)
		stock_record_remove_dir(r);
	free(r->absent);
	free(r->file);
}

const struct recorder_part_ops stock_record_part = {
	.size = sizeof(struct stock_record),
	.phase = {
		[RECORDER_START] = stock_record_start,
		[RECORDER_JOIN] = stock_record_join,
	},
	.clear = stock_record_clear,
};
