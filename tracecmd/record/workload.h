/* SPDX-License-Identifier: GPL-2.0 */
/*
 * workload.h - start and watch the COMMAND of a recording
 *
 * The command's process is forked early and waits, so that COMMAND does not run before the triggers
 * are set.
 */
#ifndef TRACECMD_RECORD_WORKLOAD_H
#define TRACECMD_RECORD_WORKLOAD_H

#include <stdbool.h>
#include <sys/types.h>

/* The name of the process before its exec. At most 15 bytes: the kernel keeps no more. */
#define WORKLOAD_NAME "trace-cmd-exec"

struct workload {
	pid_t pid;  /* 0: none, or reaped */
	int start;  /* write end of a pipe: one byte starts the command */
	int failed; /* read end of a pipe: errno of a failed exec; end of file after success */
	bool held;  /* the command stops when it starts */
	int status; /* after the end: exit status, or 128 + signal */
};

/* Fork the process; its signal mask is empty. 0 or -errno. */
int workload_fork(struct workload *w, char **argv);
/*
 * workload_hold - let the command stop at its start, until workload_release()
 * Call it between workload_fork() and workload_start(). The process is traced by ptrace(2) until
 * the release, and is killed if this process ends before. 0 or -errno.
 */
int workload_hold(struct workload *w);
/*
 * Start the command. 0, or the -errno of execvp(3). A held command has then replaced the program
 * of its process, and has not run.
 */
int workload_start(struct workload *w);
/* Let a held command run. @run false: kill it. */
void workload_release(struct workload *w, bool run);
/* True if the command has ended; @w->status is then set. Never blocks. */
bool workload_ended(struct workload *w);
void workload_signal(struct workload *w, int sig);
/* End the process if the command was never started, and close the descriptors. */
void workload_clear(struct workload *w);

#endif
