/* SPDX-License-Identifier: GPL-2.0 */
/*
 * verbs.h - list of the verbs of `trace-cmd hist`, each with its line of help
 *
 * Two programs use the list: trace-cmd-hist runs the verbs, and trace-cmd passes them on to it.
 * Each verb declares its cmd_VERB() in a header of its name.
 */
#ifndef TRACECMD_VERBS_H
#define TRACECMD_VERBS_H

/* X(TITLE, VERB, HELP): a TITLE that is not NULL begins a group. */
#define VERBS(X) \
	X("Record", record, "record histograms of kernel events into a trace.dat file") \
	X(NULL, replay, "count the recorded events of a trace.dat file") \
	X(NULL, top, "watch histograms live on the terminal") \
	X("Show", report, "show the histograms of a trace.dat file") \
	X(NULL, diff, "compare recordings, and show regressions") \
	X("Look up", list, "list events, fields, presets, hist triggers and kernel features") \
	X(NULL, help, "show the help of a command") \
	X("Other machines", listen, "let another machine record the events of this machine") \
	X(NULL, connect, "connect standard input and output to a listener (listen -p)") \
	X("Clean up", cleanup, "remove what a killed recording left in the kernel")

/*
 * The stock program has `trace-cmd hist [-i FILE] [-P] [FILE]`, which counts the events of FILE.
 * Its only message is a number if FILE has histograms and no events.  Therefore trace-cmd, which
 * cannot read files, runs `trace-cmd-hist old-form FILE` first.  Exit status OLD_FORM_IS_HIST:
 * FILE is such a file.
 */
#define OLD_FORM "old-form"
#define OLD_FORM_IS_HIST 1

/*
 * Bash completion runs `trace-cmd hist complete-word`, which prints what a word can be, and no
 * messages.  The help does not list it.
 */
#define COMPLETE_WORD "complete-word"

#endif
