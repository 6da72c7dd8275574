// SPDX-License-Identifier: GPL-2.0
/*
 * programs.c - report, diff and replay as whole programs, beside what others would do
 *
 *	bench-programs report BIN DIR PEERS	report and diff
 *	bench-programs replay BIN DIR		replay
 *	bench-programs latency BIN DIR		replay of latencies, and of a full table
 *	bench-programs many BIN DIR		files of many histograms
 *
 * DIR has base.dat, new.dat and axis.dat, which bench-report made; or long.dat and packed.dat, made
 * by events_make.py; or wakeups.dat, calls.dat and full.dat, made by bench-reshape; or replay-1000,
 * replay-4000 and what they write.  PEERS is where peers.py is.  Of each group the programs run in
 * turns, and CPU time counts, of the program and of all it started, the start of it included.
 */
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <fcntl.h>
#include <unistd.h>

#include "utest/bench/bench.h"

#define WORDS_MAX 32
#define MB 1e6
/* Noise of what has no peer in the same run, and of memory. */
#define ONE_MACHINE 0.1
#define PAGES 0.05

extern char **environ;

static const char *bin, *dir, *peers;

struct program {
	const char *words; /* of the program, or behind "sh:" for a shell */
	long peak;	   /* KiB */
};

/* {B}, {D} and {P} become the arguments; {R} our report. */
static char *filled(const char *words)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	bench_must(f ? 0 : -ENOMEM, "command");
	for (; *words; words++) {
		if (words[0] != '{' || !words[1] || words[2] != '}') {
			fputc(*words, f);
			continue;
		}
		if (words[1] == 'R')
			fprintf(f, "%s/trace-cmd hist report", bin);
		else
			fputs(words[1] == 'B' ? bin : words[1] == 'D' ? dir : peers, f);
		words += 2;
	}
	bench_must(fclose(f), "command");
	return text;
}

static void run(void *arg)
{
	struct program *p = arg;
	bool shell = !strncmp(p->words, "sh:", 3);
	char *text = filled(p->words + (shell ? 3 : 0)), *out = filled("{D}/out"), *word, *save;
	char *words[WORDS_MAX + 1] = { "sh", "-c", text };
	posix_spawn_file_actions_t actions;
	unsigned int n = 0;
	struct rusage used;
	int status;
	pid_t pid;

	for (word = shell ? NULL : strtok_r(text, " ", &save); word && n < WORDS_MAX;
	     word = strtok_r(NULL, " ", &save))
		words[n++] = word;
	if (!shell)
		words[n] = NULL;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 1, out, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	bench_must(posix_spawnp(&pid, words[0], &actions, NULL, words, environ), words[0]);
	posix_spawn_file_actions_destroy(&actions);
	bench_must(wait4(pid, &status, 0, &used) < 0 ? errno : 0, words[0]);
	/* of diff 4 is a verdict */
	bench_must(WIFEXITED(status) && WEXITSTATUS(status) != 2 && WEXITSTATUS(status) < 126 ?
		   0 : -EIO, p->words);
	p->peak = used.ru_maxrss;
	free(text);
	free(out);
}

static double written(void)
{
	char *out = filled("{D}/out");
	struct stat st;

	bench_must(stat(out, &st) ? errno : 0, out);
	free(out);
	return st.st_size;
}

/* How many times as long ours takes as another program; @most 0: no goal. */
static void beside(const char *what, const char *ours, const char *name, const char *other, double most)
{
	struct program programs[] = { { ours, 0 }, { other, 0 } };
	struct bench_case cases[] = {
		{ "ours", run, &programs[0], 0, 0 },
		{ "other", run, &programs[1], 0, 0 },
	};
	struct bench_ratio ratio;

	bench_run(cases, 2, 15);
	ratio = bench_slower(&cases[0], &cases[1]);
	bench_row(what, bench_text("%.1f ms", cases[0].best * 1e3),
		  bench_text("%s %.1f ms", name, cases[1].best * 1e3), ratio,
		  most > 0 ? bench_text("at most %gx", most) : "", ratio.value <= most);
}

/* One program beside the scan of the same files. */
static void beside_scan(const char *what, const char *ours, const char *limit, double most)
{
	beside(what, ours, "decompress", limit, most);
}

/* The same done by others: how many times as long they take, and at least should. */
static void beside_peers(const char *what, const char *ours, const char *const (*others)[2],
			 unsigned int n, unsigned int least)
{
	const char *goal = least ? bench_text("at least %ux", least) : "";
	struct program programs[4] = { { ours, 0 } };
	struct bench_case cases[4] = { { "ours", run, &programs[0], 0, 0 } };
	unsigned int i;

	for (i = 0; i < n; i++) {
		programs[i + 1].words = others[i][1];
		cases[i + 1] = (struct bench_case){ others[i][0], run, &programs[i + 1], 0, 0 };
	}
	bench_run(cases, n + 1, 1);
	for (i = 1; i <= n; i++)
		bench_row(i == 1 ? what : "  the same", bench_text("%.1f ms", cases[0].best * 1e3),
			  bench_text("%s %.0f ms", cases[i].name, cases[i].best * 1e3),
			  bench_faster(&cases[0], &cases[i]), goal,
			  cases[i].best >= least * cases[0].best);
}

static void output(const char *format, unsigned int least)
{
	bool metrics = !strcmp(format, "openmetrics");
	char *words = strdup(bench_text("{R} {D}/base.dat --intervals --format %s%s", format,
					metrics ? " --max-series 200000 --time-offset 1" : ""));
	struct program program = { words, 0 };
	struct bench_case one = { "ours", run, &program, 0, 0 };
	double speed;

	bench_must(words ? 0 : -ENOMEM, "command");
	bench_run(&one, 1, 3);
	speed = written() / one.best / MB;
	bench_row(bench_text("report --intervals --format %s", format),
		  bench_text("%.0f MB/s", speed), bench_text("of %.0f MB", written() / MB),
		  (struct bench_ratio){ speed / least, ONE_MACHINE, true },
		  bench_text("%u MB/s", least), speed >= least);
	free(words);
}

/*
 * What the program needs more than it does to print its help.  Pages of a file that are mapped
 * count, as they do in all that tells of a process; they are at most two MiB for each thread.
 */
static void memory(const char *what, const char *words, bool goal)
{
	struct program help = { "{R} --help", 0 }, ours = { words, 0 };
	double more;

	run(&help);
	run(&ours);
	more = (ours.peak - help.peak) / 1024.0;
	bench_row(bench_text("memory of %s", what), bench_text("%.1f MiB", more),
		  bench_text("help %.1f MiB", help.peak / 1024.0),
		  (struct bench_ratio){ more / 8, PAGES, false }, goal ? "8 MiB" : "", more <= 8);
}

/* One event of those of a file; and the memory for files of any size. */
static int replays(void)
{
	static const char ours[] = "{B}/trace-cmd hist replay -q --threads 1 -e sched:sched_switch "
				   "-k next_pid {D}/long.dat";
	static const char *const peers_of_one[][2] = {
		{ "report -F | mawk",
		  "sh:/usr/bin/trace-cmd report -N -i {D}/long.dat -F sched/sched_switch | "
		  "mawk '/sched_switch/ { sub(/.*next_pid=/, \"\"); n[$1]++ } "
		  "END { for (k in n) print k, n[k] }'" },
	};

	beside_peers("replay of one event of three, 100 MB", ours, peers_of_one, 1, 60);
	memory("replay of 100 MB", ours, true);
	memory("replay of 100 MB in zstd, 2 threads",
	       "{B}/trace-cmd hist replay -q --threads 2 -e raw_syscalls:sys_enter "
	       "-k common_pid,id {D}/packed.dat", true);
	return bench_status();
}

/* The events of latencies in a long file, and a table that is full. */
static int latencies(void)
{
	static const char options[] = "{B}/trace-cmd hist replay -q --threads 1 -o {D}/replayed.dat";

	/*
	 * Printing is another program, and most warnings tell of what is meant.  A shell starts the
	 * walks, too.
	 */
	beside("replay --latency waking..switch, few of 100 MB",
	       bench_text("sh:%s --latency sched:sched_waking:pid..sched:sched_switch:next_pid "
			  "{D}/wakeups.dat 2>/dev/null", options),
	       "walk of what is read", "sh:{B}/bench-events walk wakeups {D}/wakeups.dat", 1.3);
	/* The walk counts two hits; a latency takes four look-ups, and is counted in a third table. */
	beside("replay --latency sys_enter..sys_exit, all of 50 MB",
	       bench_text("sh:%s --latency raw_syscalls:sys_enter:common_pid.."
			  "raw_syscalls:sys_exit:common_pid {D}/calls.dat 2>/dev/null", options),
	       "walk of what is read", "sh:{B}/bench-events walk calls {D}/calls.dat", 4);
	beside("replay of 38,000 keys, and the table is full",
	       bench_text("sh:%s -e raw_syscalls:sys_enter -k id {D}/full.dat 2>/dev/null", options),
	       "size=65536",
	       bench_text("sh:%s -e raw_syscalls:sys_enter -R hist:keys=id:size=65536 {D}/full.dat "
			  "2>/dev/null", options), 1.3);
	return bench_status();
}

/* A program for 4,000 histograms, beside the same for 1,000; at most a second of CPU time. */
static void many_histograms(const char *what, const char *words)
{
	struct program programs[] = { { NULL, 0 }, { NULL, 0 } };
	struct bench_case cases[] = {
		{ "4000", run, &programs[0], 0, 0 },
		{ "1000", run, &programs[1], 0, 0 },
	};
	unsigned int i;

	for (i = 0; i < 2; i++) {
		programs[i].words = bench_text(words, cases[i].name, cases[i].name);
		programs[i].words = strdup(programs[i].words);
	}
	bench_run(cases, 2, 5);
	bench_row(bench_text("%s 4,000 histograms", what), bench_text("%.0f ms", cases[0].best * 1e3),
		  bench_text("1,000 histograms %.0f ms", cases[1].best * 1e3),
		  bench_slower(&cases[0], &cases[1]), "1 s and 6x",
		  cases[0].best <= 1 && cases[0].best <= 6 * cases[1].best);
}

static int many(void)
{
	struct program program;
	struct bench_case one = { "ours", run, &program, 0, 0 };
	static const struct {
		const char *what, *words;
		unsigned int seconds;
	} wide[] = {
		{ "heat maps of 200 histograms in 775 snapshots", "{R} {D}/wide.dat --view heatmap", 1 },
		/* it reads the file twice */
		{ "diff of 200 histograms in 775 snapshots",
		  "{B}/trace-cmd hist diff {D}/wide.dat {D}/wide.dat", 2 },
	};
	unsigned int i;

	many_histograms("replay of", "sh:sh {D}/replay-%s");
	many_histograms("report of", "{R} {D}/%s.dat");
	many_histograms("report --list of", "{R} {D}/%s.dat --list");
	many_histograms("diff of", "{B}/trace-cmd hist diff {D}/%s.dat {D}/%s.dat");
	for (i = 0; i < 2; i++) {
		program.words = wide[i].words;
		bench_run(&one, 1, 5);
		bench_row(wide[i].what, bench_text("%.0f ms", one.best * 1e3), "none",
			  (struct bench_ratio){ one.best, ONE_MACHINE, false },
			  bench_text("%u s", wide[i].seconds), one.best <= wide[i].seconds);
	}
	return bench_status();
}

static int reports(void)
{
	static const char scan[] = "{B}/bench-report scan {D}/base.dat";
	static const char scan_axis[] = "{B}/bench-report scan {D}/axis.dat";
	static const char *const report_peers[][2] = {
		{ "csv, mawk", "sh:{R} {D}/base.dat --format csv | mawk -f {P}/top.awk" },
		{ "json, python", "sh:{R} {D}/base.dat --format json | /usr/bin/python3 {P}/peers.py top" },
		{ "python alone", "/usr/bin/python3 {P}/peers.py top {D}/base.dat" },
	};
	static const char *const heat_peers[][2] = {
		{ "csv, mawk", "sh:{R} {D}/base.dat --intervals --format csv | mawk -f {P}/heat.awk" },
		{ "json, python",
		  "sh:{R} {D}/base.dat --intervals --format json | /usr/bin/python3 {P}/peers.py heat" },
	};
	static const char *const diff_peers[][2] = {
		{ "csv, mawk",
		  "sh:{ {R} {D}/base.dat --intervals --format csv; echo; "
		  "{R} {D}/new.dat --intervals --format csv; } | mawk -f {P}/diff.awk" },
		{ "json, python",
		  "sh:{R} {D}/base.dat --intervals --format json -o {D}/base.json && "
		  "{R} {D}/new.dat --intervals --format json -o {D}/new.json && "
		  "/usr/bin/python3 {P}/peers.py diff {D}/base.json {D}/new.json" },
	};

	/* It reads the first and the last snapshot, and the start of a program is a third of the time. */
	beside_scan("report --top 20, the last of 600 snapshots", "{R} {D}/base.dat --top 20", scan,
		    4);
	beside_scan("  with all 16,384 rows", "{R} {D}/base.dat", scan, 0);
	beside_scan("report --view heatmap, 16,384 keys", "{R} {D}/base.dat --view heatmap", scan,
		    0);
	/* 512 pictures of 32 lines each: most of the time they are printed, 28 ms in all. */
	beside_scan("report --view heatmap, 512 groups of 32 buckets",
		    "{R} {D}/axis.dat --view heatmap", scan_axis, 4);
	beside_scan("report --view percentiles, 512 groups", "{R} {D}/axis.dat --view percentiles",
		    scan_axis, 4);
	beside_scan("report --format svg --view heatmap, 16,384 keys",
		    "{R} {D}/base.dat --format svg --view heatmap", scan, 0);
	beside_scan("report --format html, 16,384 keys", "{R} {D}/base.dat --format html", scan,
		    0);
	/* The statistics of 16,384 keys. */
	beside_scan("diff of two files", "{B}/trace-cmd hist diff {D}/base.dat {D}/new.dat",
		    "{B}/bench-report scan {D}/base.dat {D}/new.dat", 2.4);
	beside_peers("the 20 largest keys", "{R} {D}/base.dat --top 20", report_peers, 3, 0);
	beside_peers("a heat map of 16,384 keys", "{R} {D}/base.dat --view heatmap", heat_peers, 2, 0);
	beside_peers("diff of two files", "{B}/trace-cmd hist diff {D}/base.dat {D}/new.dat",
		     diff_peers, 2, 0);
	output("text", 200);
	output("csv", 200);
	output("ndjson", 200);
	output("json", 200);
	output("openmetrics", 200);
	memory("report --top 20", "{R} {D}/base.dat --top 20", true);
	memory("report --view heatmap, 512 groups", "{R} {D}/axis.dat --view heatmap", true);
	memory("report --view heatmap, 16,384 keys", "{R} {D}/base.dat --view heatmap", false);
	memory("diff", "{B}/trace-cmd hist diff {D}/base.dat {D}/new.dat", true);
	return bench_status();
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(void);
	} parts[] = {
		{ "report", reports },
		{ "replay", replays },
		{ "latency", latencies },
		{ "many", many },
	};
	unsigned int i;

	if (argc < 4)
		return 2;
	bin = argv[2];
	dir = argv[3];
	peers = argv[4];
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (!strcmp(argv[1], parts[i].name))
			return parts[i].run();
	return 2;
}
