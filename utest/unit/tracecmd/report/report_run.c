// SPDX-License-Identifier: GPL-2.0
/*
 * report_run.c - run `trace-cmd hist report` on made-up files
 *
 * Files are made by report_fixture.c from the text a kernel would have printed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "tracecmd/base/command.h"
#include "utest/unit/alloc_fail.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tracecmd/report/report_fixture.h"
#include "utest/unit/tracecmd/report/report_run.h"

#define ARGS_MAX 12
#define SEC 1000000000ull

/* mkdtemp() fills in the template anew for each suite. */

char *report_out, *report_err;
int report_status;
const char *report_columns;
long report_alloc_fail = -1, report_alloc_seen;

char *report_slurp(const char *name)
{
	FILE *f = fopen(name, "r");
	char *text = NULL;
	size_t len = 0;

	if (!f || getdelim(&text, &len, EOF, f) < 0) {
		free(text);
		text = strdup("");
	}
	if (f)
		fclose(f);
	return text;
}

/* For the parent. */
static void alloc_seen(long n)
{
	FILE *f = fopen("allocations", "w");

	if (f) {
		fprintf(f, "%ld", n);
		fclose(f);
	}
}

/* The child's work; does not return. */
static void child(char **argv, const char *locale, int sink)
{
	int argc = 0, code;

	if (sink >= 0)
		dup2(sink, STDOUT_FILENO);
	else if (!freopen("out", "w", stdout))
		_exit(99);
	if (!freopen("err", "w", stderr))
		_exit(99);
	setenv("LC_ALL", locale, 1);
	setenv("COLUMNS", report_columns ? report_columns : "72", 1);
	while (argv[argc])
		argc++;
	alloc_fail_after(report_alloc_fail);
	code = report_command.run(argc, argv);
	alloc_seen(alloc_fail_seen());
	alloc_fail_after(-1);
	fflush(NULL);
	exit(code);
}

/* @line: words, separated by blanks.  @sink: standard output, or -1 to have it in out. */
void report_run_to(const char *line, const char *locale, int sink)
{
	char *argv[ARGS_MAX] = { (char *)"report" }, *words = strdup(line), *save, *word, *seen;
	int n = 1, wstatus;
	pid_t pid;

	for (word = strtok_r(words, " ", &save); word && n < ARGS_MAX - 1;
	     word = strtok_r(NULL, " ", &save))
		argv[n++] = word;
	fflush(NULL);
	unlink("out");
	unlink("err");
	pid = fork();
	if (!pid)
		child(argv, locale, sink);
	CU_ASSERT_EQUAL_FATAL(waitpid(pid, &wstatus, 0), pid);
	report_status = WIFEXITED(wstatus) ? WEXITSTATUS(wstatus) : -WTERMSIG(wstatus);
	free(words);
	free(report_out);
	free(report_err);
	report_out = report_slurp("out");
	report_err = report_slurp("err");
	seen = report_slurp("allocations");
	report_alloc_seen = atol(seen);
	free(seen);
	unlink("allocations");
}

void report_run(const char *line)
{
	report_run_to(line, "C.UTF-8", -1);
}

void report_expect(const char *line, const char *out, const char *err, int status)
{
	if (strcmp(report_out, out) || strcmp(report_err, err) || report_status != status)
		fprintf(stderr, "\nreport %s\n--- out:\n%s--- err:\n%s--- status %d\n", line,
			report_out, report_err, report_status);
	CU_ASSERT_STRING_EQUAL(report_out, out);
	CU_ASSERT_STRING_EQUAL(report_err, err);
	CU_ASSERT_EQUAL(report_status, status);
}

/* --- files --- */

struct read_of {
	struct hist_snapshot snap;
	const char *rows;
	unsigned int hits, entries, dropped;
};

static int add(struct report_fixture *f, int hist, const char *trigger, const struct read_of *r)
{
	char text[4096];
	int len;

	len = snprintf(text, sizeof(text),
		       "# event histogram\n#\n# trigger info: %s [active]\n#\n\n%s\nTotals:\n"
		       "    Hits: %u\n    Entries: %u\n    Dropped: %u\n", trigger, r->rows,
		       r->hits, r->entries, r->dropped);
	return report_fixture_add(f, hist, &r->snap, text, len);
}

#define SYM(addr, name) "{ call_site: [" addr "] " name " } "
#define KFREE SYM("ffffffff81000010", "kfree                                        ")
#define KFREE2 SYM("ffffffff81000020", "kfree                                        ")
#define OPEN SYM("ffffffff8100ff00", "do_sys_open                                  ")

static const char kmalloc[] = "hist:keys=call_site.sym:vals=bytes_req";
static const struct read_of kmalloc_reads[] = {
	{ { .seq = 0, .time = 100 * SEC, .read_ns = 11 },
	  KFREE "hitcount:          1  bytes_req:         10\n", 1, 1, 0 },
	{ { .seq = 1, .time = 101 * SEC + 499, .read_ns = 12, .missed = 1 },
	  KFREE "hitcount:          1  bytes_req:         10\n"
	  OPEN "hitcount:          4  bytes_req:          0\n", 5, 2, 0 },
	{ { .seq = 2, .time = 102 * SEC + 500000000, .read_ns = 13, .missed = 3 },
	  KFREE "hitcount:          3  bytes_req:         50\n"
	  OPEN "hitcount:          4  bytes_req:          0\n"
	  KFREE2 "hitcount:          1  bytes_req:       1000\n", 8, 3, 2 },
};

static const char lat[] = "hist:keys=lat.log2";
static const struct read_of lat_reads[] = {
	{ { .seq = 0, .time = 100 * SEC }, "{ lat: ~ 2^9  } hitcount:          8\n"
					   "{ lat: ~ 2^11 } hitcount:          1\n", 9, 2, 0 },
};

/* names fill a column of 50 bytes */
#define PAD45 "                                             "

static const char comm[] = "hist:keys=comm:sort=comm";
static const struct read_of comm_reads[] = {
	{ { .seq = 0, .time = 100 * SEC },
	  "{ comm: x\033[2J" PAD45 " } hitcount:          3\n"
	  "{ comm: \303\274" PAD45 "    } hitcount:          1\n",
	  4, 2, 0 },
};

static int make_main(void)
{
	struct report_fixture *f = report_fixture_new("main.dat", HIST_COMPRESS_ZSTD);
	unsigned int i;

	if (!f || report_fixture_define(f, "kmem:kmalloc", kmalloc, "mono", NULL) != 0 ||
	    report_fixture_define(f, "sched:lat", lat, "mono", NULL) != 1 ||
	    report_fixture_define(f, "sched:lat", comm, "mono", NULL) != 2)
		return -1;
	for (i = 0; i < 3; i++)
		if (add(f, 0, kmalloc, &kmalloc_reads[i]))
			return -1;
	if (add(f, 1, lat, lat_reads) || add(f, 2, comm, comm_reads))
		return -1;
	return report_fixture_close(f, 1);
}

/* A clock that counts no ns, a histogram that was cleared, no mark of the end. */
static const char pid[] = "hist:keys=pid:size=128";
static const struct read_of pid_reads[] = {
	{ { .seq = 0, .time = 1000 }, "{ pid:          1 } hitcount:          2\n"
				      "{ pid:          3 } hitcount:          2\n", 4, 2, 0 },
	{ { .seq = 1, .time = 2000, .flags = HIST_SNAP_RESET },
	  "{ pid:          3 } hitcount:          1\n", 1, 1, 0 },
	{ { .seq = 2, .time = 3000 }, "{ pid:          3 } hitcount:          5\n", 5, 1, 0 },
};

static int make_reset(void)
{
	struct report_fixture *f = report_fixture_new("reset.dat", HIST_COMPRESS_NONE);
	unsigned int i;

	if (!f || report_fixture_define(f, "a:b", pid, "counter", NULL))
		return -1;
	for (i = 0; i < 3; i++)
		if (add(f, 0, pid, &pid_reads[i]))
			return -1;
	return report_fixture_close(f, 0);
}

/* Rows and Entries of 0 disagree; 2 is missing, and with it the news of a clearing. */
static const struct read_of gap_reads[] = {
	{ { .seq = 0, .time = 1000 }, "{ pid:          1 } hitcount:          2\n", 2, 2, 0 },
	{ { .seq = 1, .time = 2000 }, "{ pid:          1 } hitcount:          7\n", 7, 1, 0 },
	{ { .seq = 3, .time = 3000 }, "{ pid:          1 } hitcount:          3\n", 3, 1, 0 },
};

static int make_gap(void)
{
	struct report_fixture *f = report_fixture_new("gap.dat", HIST_COMPRESS_ZSTD);
	unsigned int i;

	if (!f || report_fixture_define(f, "a:b", pid, "counter", NULL))
		return -1;
	for (i = 0; i < 3; i++)
		if (add(f, 0, pid, &gap_reads[i]))
			return -1;
	return report_fixture_close(f, 1);
}

int report_set_up(void)
{
	return test_dir_enter() || make_main() || make_reset() || make_gap() ? -1 : 0;
}

int report_tear_down(void)
{
	free(report_out);
	free(report_err);
	report_out = report_err = NULL;
	return test_dir_leave();
}
