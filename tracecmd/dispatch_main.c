// SPDX-License-Identifier: GPL-2.0
/*
 * dispatch_main.c - the program trace-cmd, before the stock one in PATH
 *
 * `trace-cmd hist VERB` becomes trace-cmd-hist, and everything else the stock trace-cmd.
 *
 * Invariant: this program needs the C library only.  It starts on a machine that lacks a
 * library of trace-cmd-hist, and `trace-cmd record` works there as without us.
 */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tracehist/check.h>

#include "command.h"
#include "dispatch.h"
#include "old_form.h"
#include "verbs.h"

#define OURS "trace-cmd-hist"
#define NAME_OF(verb, help) #verb,

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

/* `trace-cmd hist VERB`, `trace-cmd hist`, and asking for help. */
static bool is_ours(int argc, char **argv)
{
	if (!is_hist(argc, argv))
		return false;
	return argc == 2 || !strcmp(argv[2], "-h") || !strcmp(argv[2], "--help") ||
	       !strcmp(argv[2], "--version") || is_verb(argv[2]);
}

/* The verb that `trace-cmd hist VREB` means if the stock one has no such file to show, or NULL. */
static const char *mistyped(int argc, char **argv)
{
	if (!is_hist(argc, argv) || argc < 3 || argv[2][0] == '-' || !access(argv[2], F_OK))
		return NULL;
	return hist_suggest(argv[2], verbs, NVERBS);
}

/*
 * Become the trace-cmd-hist next to this program, or one in PATH if this is a lone copy.
 * @argv: argv[0] makes place for the name of the program.
 */
static int exec_ours(char **argv)
{
	char path[PATH_MAX + sizeof(OURS)];
	ssize_t len = readlink("/proc/self/exe", path, PATH_MAX);
	char *slash = len > 0 ? memrchr(path, '/', len) : NULL;

	argv[0] = (char *)OURS;
	errno = ENOENT;
	if (slash) {
		strcpy(slash + 1, OURS);
		execv(path, argv);
	}
	if (errno == ENOENT)
		execvp(OURS, argv);
	complain(OURS ": %s", errno == ENOENT ? "not found: install trace-cmd-hist again" :
		 strerror(errno));
	return EXIT_TROUBLE;
}

/*
 * True after a message: the file is one that the stock trace-cmd cannot show (old_form.h).
 * A trace-cmd-hist that does not start has no say.
 */
static bool is_old_form_of_ours(char **argv)
{
	char *asked[] = { (char *)OURS, (char *)OLD_FORM };
	int status = 0;
	pid_t child = fork();

	if (!child) {
		/* argv[0] and argv[1], "trace-cmd hist", make place */
		memcpy(argv, asked, sizeof(asked));
		exec_ours(argv);
		_exit(EXIT_DONE);
	}
	return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
	       WEXITSTATUS(status) == EXIT_TROUBLE;
}

int main(int argc, char **argv)
{
	const char *verb;

	if (argc < 1) {
		complain("called without a name");
		return EXIT_TROUBLE;
	}
	if (is_ours(argc, argv))
		return exec_ours(argv + 1);
	verb = mistyped(argc, argv);
	if (verb) {
		complain("%s: no such command or file: did you mean \"%s\"?", argv[2], verb);
		return EXIT_TROUBLE;
	}
	if (is_hist(argc, argv) && is_old_form_of_ours(argv))
		return EXIT_TROUBLE;
	return dispatch_exec_stock(argv);
}
