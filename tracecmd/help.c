// SPDX-License-Identifier: GPL-2.0
/*
 * help.c - what `trace-cmd hist` says of itself, and the command `help`
 *
 * Bash completion reads the table of commands that is printed here: four spaces,
 * the name, spaces, the line of help.
 */
#include <stdio.h>
#include <string.h>

#include "lib/base/suggest.h"
#include "lib/check/check.h"
#include "tracecmd/help.h"

#define MAX_COMMANDS 32

void print_help(void)
{
	const struct command *command;

	puts("usage: trace-cmd hist COMMAND [OPTIONS]\n"
	     "\n"
	     "Histograms that the kernel counts itself, recorded as they grow, in trace.dat.\n"
	     "\n"
	     "commands:");
	for (command = commands; command->name; command++)
		printf("    %-8s  %s\n", command->name, command->help);
	puts("\n"
	     "`trace-cmd hist COMMAND -h` tells the options of a command.\n"
	     "\n"
	     "example:\n"
	     "    trace-cmd hist record -e kmem:kmalloc -k call_site.sym -v bytes_req -d 5\n"
	     "    trace-cmd hist report\n"
	     "\n"
	     "The old form, a histogram of the events in a trace.dat file, works as before:\n"
	     "    trace-cmd hist [-i file] [-P] [file]");
}

const struct command *find_command(const char *name)
{
	const struct command *command;

	for (command = commands; command->name; command++) {
		if (!strcmp(command->name, name))
			return command;
	}
	return NULL;
}

/* The name of the command that @name is probably meant to be, or NULL. */
static const char *suggest_command(const char *name)
{
	const char *names[MAX_COMMANDS];
	size_t n;

	for (n = 0; n < MAX_COMMANDS && commands[n].name; n++)
		names[n] = commands[n].name;
	return hist_suggest(name, names, n);
}

int complain_unknown(const char *name)
{
	const char *near = suggest_command(name);

	if (near)
		complain("%s: no such command: did you mean \"%s\"?", name, near);
	else
		complain("%s: no such command: see trace-cmd hist help", name);
	return EXIT_TROUBLE;
}

int cmd_help(int argc, char **argv)
{
	const struct command *command;
	char option[] = "-h";
	char *args[] = { argv[0], option, NULL };

	if (argc > 1 && argv[1][0] != '-') {
		command = find_command(argv[1]);
		if (!command)
			return complain_unknown(argv[1]);
		args[0] = argv[1];
		return command->run(2, args);
	}
	print_help();
	return EXIT_DONE;
}
