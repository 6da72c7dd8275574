/* SPDX-License-Identifier: GPL-2.0 */
/*
 * verbs.h - list of the verbs of `trace-cmd hist`, each with its line of help
 *
 * Two programs use the list: trace-cmd-hist runs the verbs, and trace-cmd passes them on to it.
 * command.h declares cmd_VERB() of each.
 */
#ifndef TRACECMD_VERBS_H
#define TRACECMD_VERBS_H

#define VERBS(X) \
	X(record, "record histograms of kernel events into a trace.dat file") \
	X(report, "show the histograms of a trace.dat file") \
	X(diff, "compare recordings, and show what got worse") \
	X(replay, "count the recorded events of a trace.dat file") \
	X(top, "watch histograms live on the terminal") \
	X(list, "list what can be counted, and what is counted now") \
	X(cleanup, "remove what a killed record left in the kernel") \
	X(listen, "serve a record --target on another machine") \
	X(connect, "connect stdin and stdout to a listen with a key") \
	X(help, "show the help of a command")

/*
 * The stock program has `trace-cmd hist [-i FILE] [-P] [FILE]`, which counts the events of FILE.
 * Its only message is a number if FILE has histograms and no events.  Therefore trace-cmd, which
 * cannot read files, runs `trace-cmd-hist old-form FILE` first.  Exit status OLD_FORM_IS_HIST:
 * FILE is such a file.
 */
#define OLD_FORM "old-form"
#define OLD_FORM_IS_HIST 1

#endif
