/* SPDX-License-Identifier: GPL-2.0 */
/*
 * verbs.h - list of the verbs of `trace-cmd hist`
 *
 * Two programs use the list: trace-cmd-hist runs the verbs, and trace-cmd passes them on to it.
 * trace-cmd does not contain the verbs, so the list has only names.  VERB_command (command.h) has
 * the rest.
 */
#ifndef TRACECMD_VERBS_H
#define TRACECMD_VERBS_H

/* In the order of the help. */
#define VERBS(X) \
	X(record) X(replay) X(top) X(report) X(diff) X(list) X(help) X(listen) X(connect) X(cleanup)

/*
 * The stock program has `trace-cmd hist [-i FILE] [-P] [FILE]`, which counts the events of FILE.
 * Its only message is a number if FILE has histograms and no events.  Therefore trace-cmd, which
 * cannot read files, runs `trace-cmd-hist old-form FILE` first.  Exit status OLD_FORM_IS_HIST:
 * FILE is such a file.
 */
#define OLD_FORM "old-form"
#define OLD_FORM_IS_HIST 1

#endif
