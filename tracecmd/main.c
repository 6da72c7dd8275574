// SPDX-License-Identifier: GPL-2.0
/*
 * main.c - the program trace-cmd-hist: run a verb, or print help
 *
 * `trace-cmd hist VERB` becomes `trace-cmd-hist VERB`: see dispatch_main.c.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/suggest.h"
#include "lib/check/check.h"
#include "lib/series/series.h"
#include "lib/tracedat/tracedat.h"
#include "tracecmd/base/command.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/signals.h"
#include "tracecmd/complete/complete.h"
#include "tracecmd/diff/diff.h"
#include "tracecmd/list/list.h"
#include "tracecmd/record/record.h"
#include "tracecmd/replay/replay.h"
#include "tracecmd/report/report.h"
#include "tracecmd/serve/cleanup.h"
#include "tracecmd/serve/connect.h"
#include "tracecmd/serve/listen.h"
#include "tracecmd/top/top.h"
#include "tracecmd/verbs.h"
#include "tracecmd/version.h"

static int cmd_help(int argc, char **argv);

#define ENTRY(title, verb, help) { title, #verb, cmd_##verb, help },
#define NAME_OF(title, verb, help) #verb,

static const struct command {
	const char *title; /* of the group that the command begins, or NULL */
	const char *name;
	int (*run)(int argc, char **argv); /* argv[0] is the verb; returns the exit status */
	const char *help; /* one line */
} commands[] = { VERBS(ENTRY) };

static const char *const names[] = { VERBS(NAME_OF) };

#define NCOMMANDS (sizeof(commands) / sizeof(commands[0]))

/* Bash completion reads the list of commands: four blanks, the name, blanks, the line of help. */
static void main_print_help(void)
{
	size_t i;

	puts("usage: trace-cmd hist COMMAND [OPTIONS]\n"
	     "\n"
	     "Record, show and compare histograms of kernel events.");
	for (i = 0; i < NCOMMANDS; i++) {
		if (commands[i].title)
			printf("\n%s:\n", commands[i].title);
		printf("    %-8s  %s\n", commands[i].name, commands[i].help);
	}
	puts("\n"
	     "Run 'trace-cmd hist COMMAND -h' for the options of a command.\n"
	     "\n"
	     "Examples:\n"
	     "    trace-cmd hist record -e kmem:kmalloc -k call_site.sym -v bytes_req -d 5\n"
	     "    trace-cmd hist report\n"
	     "    trace-cmd hist list --presets\n"
	     "\n"
	     "The hist command of the stock trace-cmd still counts recorded events:\n"
	     "    trace-cmd hist [-i file] [-P] [file]\n"
	     "\n"
	     "See trace-cmd-hist(1).");
}

/* Run the verb argv[0]. */
static int run_verb(int argc, char **argv)
{
	static const char *const options[] = { "--help", "--version" };
	const char *near, *what;
	size_t i;

	for (i = 0; i < NCOMMANDS; i++) {
		if (!strcmp(commands[i].name, argv[0]))
			return commands[i].run(argc, argv);
	}
	what = argv[0][0] == '-' ? "option" : "command";
	near = argv[0][0] == '-'
		       ? hist_suggest(argv[0], options, sizeof(options) / sizeof(*options))
		       : hist_suggest(argv[0], names, NCOMMANDS);
	if (near)
		message_error("%s: unknown %s\ndid you mean \"%s\"?", argv[0], what, near);
	else
		message_error("%s: unknown %s\nrun 'trace-cmd hist help'", argv[0], what);
	return EXIT_TROUBLE;
}

static int cmd_help(int argc, char **argv)
{
	char option[] = "--help=all";
	char *args[] = { argv[1], option, NULL };

	if (argc > 1 && argv[1][0] != '-')
		return run_verb(2, args);
	main_print_help();
	return EXIT_DONE;
}

/* True if @file has histograms and no events, so that only `trace-cmd hist report` can show it. */
static bool is_file_of_ours(const char *file)
{
	struct hist_series *series;
	bool ours;

	if (hist_series_open(&series, file, NULL))
		return false;
	ours = !tracedat_has_events(hist_series_file(series));
	hist_series_free(series);
	return ours;
}

/* argv[0] is the command. */
static int main_run_command(int argc, char **argv)
{
	if (argc < 1 || !strcmp(argv[0], "-h") || !strcmp(argv[0], "--help")) {
		main_print_help();
		return EXIT_DONE;
	}
	if (!strcmp(argv[0], "--version")) {
		version_print();
		return EXIT_DONE;
	}
	if (!strcmp(argv[0], OLD_FORM) && argc == 2)
		return is_file_of_ours(argv[1]) ? OLD_FORM_IS_HIST : EXIT_DONE;
	if (!strcmp(argv[0], COMPLETE_WORD))
		return complete_run(argc, argv);
	return run_verb(argc, argv);
}

/* The exit status, which is not 0 if standard output could not be written, as on a full disk. */
static int main_check_flush(int status)
{
	if (fflush(stdout) || ferror(stdout)) {
		message_error("standard output: %s", strerror(errno));
		if (status == EXIT_DONE)
			status = EXIT_TROUBLE;
	}
	return status;
}

int main(int argc, char **argv)
{
	if (argc < 1)
		return message_refuse(EXIT_TROUBLE, "argv[0] is missing");
	signals_file_size();
	return main_check_flush(main_run_command(argc - 1, argv + 1));
}
