/* SPDX-License-Identifier: GPL-2.0 */
/*
 * workload.h - the COMMAND that a recording is made of
 *
 * It is forked early and waits, so that it runs not one instruction of its own
 * before the triggers are set.
 */
#ifndef TRACECMD_RECORD_WORKLOAD_H
#define TRACECMD_RECORD_WORKLOAD_H

#include <stdbool.h>
#include <sys/types.h>

struct workload {
	pid_t pid;  /* 0: none, or reaped */
	int start;  /* write end: one byte lets it go */
	int failed; /* read end: the errno of a failed exec; end of file when it worked */
	int status; /* exit status, 128 + signal, once it has ended */
};

/* 0 if @name can be run, else -errno (as execvp(3) would find). */
int workload_find(const char *name);

/* Forks; the signal mask of the child is emptied.  0 or -errno. */
int workload_fork(struct workload *w, char **argv);
/* Lets it go.  0, or the -errno of execvp(3). */
int workload_start(struct workload *w);
/* True when it has ended (then status is set); never blocks. */
bool workload_ended(struct workload *w);
void workload_signal(struct workload *w, int sig);
/* Kills one that was never started; closes. */
void workload_clear(struct workload *w);

#endif
