// SPDX-License-Identifier: GPL-2.0
/*
 * dispatch_main.c - the program trace-cmd, which precedes the stock one in PATH
 *
 * `trace-cmd hist VERB` becomes trace-cmd-hist, and everything else the stock trace-cmd.
 *
 * Invariant: this program needs only the C library.  It starts on a machine that lacks a library
 * of trace-cmd-hist, and `trace-cmd record` still works on such a machine.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/suggest.h"
#include "lib/check/check.h"
#include "tracecmd/base/command.h"
#include "tracecmd/base/dispatch.h"
#include "tracecmd/base/message.h"
#include "tracecmd/verbs.h"

#define HIST_PROGRAM "trace-cmd-hist"
#define NAME_OF(verb) #verb,

static const char *const verbs[] = { VERBS(NAME_OF) };

#define NVERBS (sizeof(verbs) / sizeof(verbs[0]))

static bool is_hist(int argc, char **argv)
{
	return argc >= 2 && !strcmp(argv[1], "hist");
}

static bool is_verb(const char *name)
{
	size_t i;

	for (i = 0; i < NVERBS; i++) {
		if (!strcmp(name, verbs[i]))
			return true;
	}
	return false;
}

/* True for `trace-cmd hist VERB`, `trace-cmd hist`, and requests for help. */
static bool dispatch_is_hist(int argc, char **argv)
{
	if (!is_hist(argc, argv))
		return false;
	return argc == 2 || !strcmp(argv[2], "-h") || !strcmp(argv[2], "--help") ||
	       !strcmp(argv[2], "--version") || !strcmp(argv[2], COMPLETE_WORD) ||
	       is_verb(argv[2]);
}

/* The verb that the mistyped argv[2] is probably meant to be; NULL, also if it names a file. */
static const char *dispatch_find_mistyped(int argc, char **argv)
{
	if (!is_hist(argc, argv) || argc < 3 || argv[2][0] == '-' || !access(argv[2], F_OK))
		return NULL;
	return hist_suggest(argv[2], verbs, NVERBS);
}

/*
 * Become the trace-cmd-hist next to this program, otherwise one in PATH.
 * @argv: argv[0] is replaced by the name of the program.
 */
static int dispatch_exec_hist(char **argv)
{
	char path[DISPATCH_PATH_MAX];
	bool known = dispatch_path_of(path, HIST_PROGRAM);

	argv[0] = (char *)HIST_PROGRAM;
	errno = ENOENT;
	if (known)
		execv(path, argv);
	if (errno == ENOENT)
		execvp(HIST_PROGRAM, argv);
	if (errno == ENOENT)
		message_error(HIST_PROGRAM ": not found\nreinstall trace-cmd-hist");
	else
		message_error_errno(HIST_PROGRAM, -errno);
	return EXIT_TROUBLE;
}

/* The file of `trace-cmd hist [-i FILE] [-P] [FILE]`, as the stock trace-cmd chooses it. */
static const char *old_form_file(int argc, char **argv)
{
	const char *file = "trace.dat";
	int i;

	for (i = 2; i < argc; i++) {
		if (!strcmp(argv[i], "-i") && i + 1 < argc)
			return argv[i + 1];
		if (!strncmp(argv[i], "-i", 2) && argv[i][2])
			return argv[i] + 2;
		if (argv[i][0] != '-')
			file = argv[i];
	}
	return file;
}

/* Ask trace-cmd-hist, without its messages; false if it does not start. */
static bool dispatch_is_hist_file(const char *file)
{
	char *asked[] = { NULL, (char *)OLD_FORM, (char *)file, NULL };
	int status = 0, null;
	pid_t child = fork();

	if (!child) {
		null = open("/dev/null", O_WRONLY);
		if (null >= 0)
			dup2(null, STDERR_FILENO);
		dispatch_exec_hist(asked);
		_exit(EXIT_DONE);
	}
	return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
	       WEXITSTATUS(status) == OLD_FORM_IS_HIST;
}

int main(int argc, char **argv)
{
	const char *verb, *file;

	if (argc < 1)
		return message_refuse(EXIT_TROUBLE, "argv[0] is missing");
	if (dispatch_is_hist(argc, argv))
		return dispatch_exec_hist(argv + 1);
	verb = dispatch_find_mistyped(argc, argv);
	if (verb)
		return message_refuse(EXIT_TROUBLE, "%s: no such command or file\n"
				      "did you mean \"%s\"?", argv[2], verb);
	file = old_form_file(argc, argv);
	if (is_hist(argc, argv) && dispatch_is_hist_file(file))
		return message_refuse(EXIT_TROUBLE, "%s: the file has histograms but no events\n"
				      "run 'trace-cmd hist report %s'", file, file);
	return dispatch_exec_stock(argv);
}
