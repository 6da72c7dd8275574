// SPDX-License-Identifier: GPL-2.0
/*
 * main.c - the program trace-cmd-hist, also called trace-cmd
 *
 * As trace-cmd-hist the first argument is the command.  As trace-cmd (a link,
 * before the stock one in PATH) `hist COMMAND` is ours and everything else the
 * stock one's: see dispatch.c.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "dispatch.h"
#include "help.h"

const struct command commands[] = {
	{ "record", cmd_record, "record histograms of kernel events into a trace.dat file" },
	{ "report", cmd_report, "show the histograms of a trace.dat file" },
	{ "diff", cmd_diff, "compare recordings, and tell what got worse" },
	{ "replay", cmd_replay, "count the recorded events of a trace.dat file" },
	{ "top", cmd_top, "watch histograms live on the terminal" },
	{ "list", cmd_list, "tell what can be counted here, and what is" },
	{ "cleanup", cmd_cleanup, "remove what a killed record left in the kernel" },
	{ "listen", cmd_listen, "serve a record --target on another machine" },
	{ "connect", cmd_connect, "lead stdin and stdout to a listen with a key" },
	{ "help", cmd_help, "tell about a command" },
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
	const char *verb;

	if (argc < 1) {
		complain("called without a name");
		return EXIT_TROUBLE;
	}
	if (!dispatch_is_trace_cmd(argv[0]))
		return flushed(run(argc - 1, argv + 1));
	if (dispatch_is_ours(argc, argv))
		return flushed(run(argc - 2, argv + 2));
	verb = dispatch_mistyped(argc, argv);
	if (verb) {
		complain("%s: no such command or file: did you mean \"%s\"?", argv[2], verb);
		return EXIT_TROUBLE;
	}
	return dispatch_exec_stock(argv);
}
