/* SPDX-License-Identifier: GPL-2.0 */
/*
 * process_mark.h - find and end the processes that a program has started and left
 *
 * The program gets an environment variable with a value of its own, which its children inherit,
 * also if their parent is gone.  A process group of its own would stop ssh(1) when it asks the
 * terminal for a password.  A process that has made itself a daemon, in another session, does not
 * count: it is meant to stay, such as the master connection of ssh(1).
 */
#ifndef TRACECMD_BASE_PROCESS_MARK_H
#define TRACECMD_BASE_PROCESS_MARK_H

#define PROCESS_MARK_ENV "TRACE_CMD_HIST_STARTED"

struct process_mark {
	char text[64]; /* "NAME=VALUE"; "": none */
};

/* Set the variable of this process before fork(2), or remove it after that. */
void process_mark_set(struct process_mark *mark);
void process_mark_unset(void);

/* Send @sig (0: none) to all processes with the mark, and return their number; 0 without /proc. */
unsigned int process_mark_signal(const struct process_mark *mark, int sig);

#endif
