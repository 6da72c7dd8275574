// SPDX-License-Identifier: GPL-2.0
/*
 * main.c - the program trace-cmd-hist: run a verb, or print help
 *
 * `trace-cmd hist VERB` becomes `trace-cmd-hist VERB`: see dispatch_main.c.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/suggest.h"
#include "lib/check/check.h"
#include "lib/series/series.h"
#include "lib/tracedat/tracedat.h"
#include "tracecmd/base/command.h"
#include "tracecmd/base/message.h"
#include "tracecmd/verbs.h"

static int help_run(int argc, char **argv);

static const struct command help_command = {
	.name = "help",
	.help = "show the help of a command",
	.run = help_run,
};

#define ENTRY(verb) &verb##_command,
#define NAME_OF(verb) #verb,

static const struct command *const verbs[] = { VERBS(ENTRY) };
static const char *const names[] = { VERBS(NAME_OF) };
static const struct command *const unlisted[] = { &complete_command, &version_command };

#define NVERBS (sizeof(verbs) / sizeof(verbs[0]))
#define NUNLISTED (sizeof(unlisted) / sizeof(unlisted[0]))

/* NULL if none of the @n commands has the name. */
static const struct command *main_find_command(const struct command *const *commands, size_t n,
					       const char *name)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	}
	return NULL;
}

/* Bash completion reads the list of commands: four blanks, the name, blanks, the line of help. */
static void main_print_help(void)
{
	size_t i;

	puts("usage: trace-cmd hist COMMAND [OPTIONS]\n"
	     "\n"
	     "Record, show and compare histograms of kernel events.");
	for (i = 0; i < NVERBS; i++) {
		if (verbs[i]->title)
			printf("\n%s:\n", verbs[i]->title);
		printf("    %-8s  %s\n", verbs[i]->name, verbs[i]->help);
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
static int main_run_verb(int argc, char **argv)
{
	static const char *const options[] = { "--help", "--version" };
	const struct command *verb = main_find_command(verbs, NVERBS, argv[0]);
	const char *near, *what;

	if (verb)
		return verb->run(argc, argv);
	what = argv[0][0] == '-' ? "option" : "command";
	near = argv[0][0] == '-'
		       ? hist_suggest(argv[0], options, sizeof(options) / sizeof(*options))
		       : hist_suggest(argv[0], names, NVERBS);
	if (near)
		message_error("%s: unknown %s\ndid you mean \"%s\"?", argv[0], what, near);
	else
		message_error("%s: unknown %s\nrun 'trace-cmd hist help'", argv[0], what);
	return EXIT_TROUBLE;
}

static int help_run(int argc, char **argv)
{
	char option[] = "--help=all";
	char *args[] = { argv[1], option, NULL };

	if (argc > 1 && argv[1][0] != '-')
		return main_run_verb(2, args);
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
	const struct command *command;

	if (argc < 1 || !strcmp(argv[0], "-h") || !strcmp(argv[0], "--help")) {
		main_print_help();
		return EXIT_DONE;
	}
	if (!strcmp(argv[0], OLD_FORM) && argc == 2)
		return is_file_of_ours(argv[1]) ? OLD_FORM_IS_HIST : EXIT_DONE;
	command = main_find_command(unlisted, NUNLISTED, argv[0]);
	if (command)
		return command->run(argc, argv);
	return main_run_verb(argc, argv);
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

static void main_ignore_signal(int sig)
{
	(void)sig;
}

/* Make a file that is too large (ulimit -f) an error of write(2) instead of a signal. */
static void main_catch_file_size(void)
{
	/* a handler, as started programs would inherit SIG_IGN */
	struct sigaction action = { .sa_handler = main_ignore_signal, .sa_flags = SA_RESTART },
			 before;

	if (!sigaction(SIGXFSZ, NULL, &before) && before.sa_handler == SIG_DFL)
		sigaction(SIGXFSZ, &action, NULL);
}

int main(int argc, char **argv)
{
	if (argc < 1)
		return message_refuse(EXIT_TROUBLE, "argv[0] is missing");
	main_catch_file_size();
	return main_check_flush(main_run_command(argc - 1, argv + 1));
}
