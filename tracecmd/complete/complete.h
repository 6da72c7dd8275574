/* SPDX-License-Identifier: GPL-2.0 */
/*
 * complete.h - print what a word of a command line can be, for bash completion
 *
 * The completion script knows options and their values from --help.  It asks this command for the
 * values that depend on files and events, and for those that the help does not list:
 *
 *	trace-cmd hist complete-word [-i FILE]... [-e EVENT]... [-k KEYS] [-v VALS]
 *		[--percentiles LIST] [--tracing DIR] VALUE TEXT
 *
 * VALUE is what the help calls the value, such as KEYS, and TEXT is the part that was typed.  Each
 * line of the output is a whole word that begins with TEXT.  FILE that is missing or damaged is
 * skipped, and an unknown VALUE has no words.
 *
 * The words can come from a hostile file, and a shell runs what a word contains: characters that
 * are special to a shell are never printed, except the blanks of a metric, which the script quotes.
 */
#ifndef TRACECMD_COMPLETE_COMPLETE_H
#define TRACECMD_COMPLETE_COMPLETE_H

/* argv[0] is the name of the command.  The exit status (command.h). */
int complete_run(int argc, char **argv);

#endif
