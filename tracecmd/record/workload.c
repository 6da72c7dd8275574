// SPDX-License-Identifier: GPL-2.0
/*
 * workload.c - fork the COMMAND of a recording, and start it after the triggers are set
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tracecmd/base/signals.h"
#include "tracecmd/record/workload.h"

static void workload_exec_child(char **argv, int start, int failed)
{
	char go;
	int err;

	/* the pipe closes without a byte if the recorder is killed: do not run the command */
	if (read(start, &go, 1) != 1)
		_exit(127);
	signals_reset_child();
	execvp(argv[0], argv);
	err = errno;
	if (write(failed, &err, sizeof(err)) < 0)
		_exit(126);
	_exit(127);
}

/*
 * Fork with the name WORKLOAD_NAME, as perf(1) does: what the process does before its exec is then
 * told apart from the recorder.  A process that renames itself could do so after the triggers are
 * set.
 */
static pid_t workload_fork_named(void)
{
	char own[16];
	bool named = !prctl(PR_GET_NAME, own) && !prctl(PR_SET_NAME, WORKLOAD_NAME);
	pid_t pid = fork();
	int err = errno;

	if (pid && named)
		prctl(PR_SET_NAME, own);
	errno = err;
	return pid;
}

int workload_fork(struct workload *w, char **argv)
{
	int start[2] = { -1, -1 }, failed[2] = { -1, -1 }, ret;

	memset(w, 0, sizeof(*w));
	ret = pipe2(start, O_CLOEXEC) || pipe2(failed, O_CLOEXEC) ? -errno : 0;
	if (!ret) {
		w->pid = workload_fork_named();
		if (!w->pid) {
			close(start[1]);
			workload_exec_child(argv, start[0], failed[1]);
		}
		ret = w->pid < 0 ? -errno : 0;
	}
	close(start[0]);
	close(failed[1]);
	if (ret) {
		close(start[1]);
		close(failed[0]);
		start[1] = failed[0] = -1;
		w->pid = 0;
	}
	w->start = start[1];
	w->failed = failed[0];
	return ret;
}

int workload_hold(struct workload *w)
{
	if (ptrace(PTRACE_SEIZE, w->pid, NULL, PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL))
		return -errno;
	w->held = true;
	return 0;
}

static void workload_set_status(struct workload *w, int status)
{
	w->pid = 0;
	w->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Wait for the exec of a held command, and pass on signals that arrive before. */
static void workload_await_exec(struct workload *w)
{
	int status;

	for (;;) {
		if (waitpid(w->pid, &status, 0) != w->pid) {
			if (errno == EINTR)
				continue;
			return;
		}
		if (!WIFSTOPPED(status)) {
			w->held = false;
			workload_set_status(w, status);
			return;
		}
		if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXEC << 8))
			return;
		ptrace(PTRACE_CONT, w->pid, NULL, status >> 16 ? 0L : (long)WSTOPSIG(status));
	}
}

void workload_release(struct workload *w, bool run)
{
	if (!w->held)
		return;
	if (!run)
		workload_signal(w, SIGKILL);
	ptrace(PTRACE_DETACH, w->pid, NULL, NULL);
	w->held = false;
}

int workload_start(struct workload *w)
{
	ssize_t n;
	int err;

	if (write(w->start, "g", 1) != 1)
		return -errno;
	close(w->start);
	w->start = -1;
	if (w->held)
		workload_await_exec(w);
	do
		n = read(w->failed, &err, sizeof(err));
	while (n < 0 && errno == EINTR);
	close(w->failed);
	w->failed = -1;
	return n == sizeof(err) ? -err : 0;
}

bool workload_ended(struct workload *w)
{
	int status;

	if (!w->pid)
		return true;
	if (waitpid(w->pid, &status, WNOHANG) != w->pid)
		return false;
	workload_set_status(w, status);
	return true;
}

void workload_signal(struct workload *w, int sig)
{
	if (w->pid)
		kill(w->pid, sig);
}

void workload_clear(struct workload *w)
{
	bool started = w->start < 0;

	if (w->start >= 0)
		close(w->start);
	if (w->failed >= 0)
		close(w->failed);
	w->start = w->failed = -1;
	/* the process ends by itself after the pipe is closed */
	if (w->pid && !started)
		waitpid(w->pid, NULL, 0);
	w->pid = 0;
}
