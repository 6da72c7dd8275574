// SPDX-License-Identifier: GPL-2.0
/*
 * main.c - the program trace-cmd-hist
 *
 * `trace-cmd hist COMMAND` becomes `trace-cmd-hist COMMAND`: see dispatch_main.c.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tracecmd/base/command.h"
#include "tracecmd/base/signals.h"
#include "tracecmd/help.h"
#include "tracecmd/old_form.h"
#include "tracecmd/verbs.h"

#define ENTRY(verb, help) { #verb, cmd_##verb, help },

const struct command commands[] = {
	VERBS(ENTRY)
	{ NULL, NULL, NULL },
};

/* argv[0] is the command. */
static int run(int argc, char **argv)
{
	const struct command *command;

	if (argc < 1 || !strcmp(argv[0], "-h") || !strcmp(argv[0], "--help")) {
		print_help();
		return EXIT_DONE;
	}
	if (!strcmp(argv[0], "--version")) {
		puts("trace-cmd-hist " VERSION);
		return EXIT_DONE;
	}
	if (!strcmp(argv[0], OLD_FORM) && argc == 2)
		return old_form_is_ours(argv[1]) ? OLD_FORM_IS_OURS : EXIT_DONE;
	command = find_command(argv[0]);
	return command ? command->run(argc, argv) : complain_unknown(argv[0]);
}

/* What was printed into a full disk was not printed. */
static int flushed(int status)
{
	if (fflush(stdout) || ferror(stdout)) {
		complain("standard output: %s", strerror(errno));
		if (status == EXIT_DONE)
			status = EXIT_TROUBLE;
	}
	return status;
}

int main(int argc, char **argv)
{
	if (argc < 1) {
		complain("called without a name");
		return EXIT_TROUBLE;
	}
	signals_file_size();
	return flushed(run(argc - 1, argv + 1));
}
