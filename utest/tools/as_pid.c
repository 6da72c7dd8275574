// SPDX-License-Identifier: GPL-2.0
/*
 * as_pid.c - as_pid PID COMMAND [ARG...]: run a command as the task with this ID
 *
 * clone3() takes the ID that the caller asks for (set_tid, Linux 5.5) and leaves the kernel's
 * counter alone, so that a task of the system never gets a number of the tests: a range that
 * begins at ns_last_pid is also open to a kworker.  Needs CAP_SYS_ADMIN.
 *
 * Exit status: that of the command, 128 + its signal, or 125 if it cannot be started.
 */
#include <linux/sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOT_STARTED 125

int main(int argc, char **argv)
{
	pid_t want = argc < 3 ? 0 : atoi(argv[1]), child;
	struct clone_args args = {
		.exit_signal = SIGCHLD, .set_tid = (uintptr_t)&want, .set_tid_size = 1,
	};
	int status;

	if (want <= 0) {
		fprintf(stderr, "usage: as_pid PID COMMAND [ARG...]\n");
		return NOT_STARTED;
	}
	/* as fork(); the child only calls exec() */
	child = syscall(SYS_clone3, &args, sizeof(args));
	if (!child) {
		execvp(argv[2], argv + 2);
		perror(argv[2]);
		_exit(NOT_STARTED);
	}
	if (child < 0 || waitpid(child, &status, 0) != child) {
		fprintf(stderr, "as_pid %d: ", (int)want);
		perror(NULL);
		return NOT_STARTED;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
