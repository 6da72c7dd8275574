// SPDX-License-Identifier: GPL-2.0
/*
 * task_calls.c - a family of tasks, each of which makes a known number of system calls
 *
 *	task_calls N [FIFO]
 *
 * Five tasks call getppid() N times: the first thread, a second one, a child, its child, and a
 * child that is forked when the others have begun.  With FIFO, the first four are made, "ready" is
 * printed, and they begin after FIFO was opened and closed by a writer.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int n, gate[2];

static void make_calls(void)
{
	int i;

	for (i = 0; i < n; i++)
		syscall(SYS_getppid);
}

/* Returns when the last writer has closed the gate. */
static void await_gate(void)
{
	char c;

	while (read(gate[0], &c, 1) > 0)
		;
}

static void *thread_main(void *arg)
{
	await_gate();
	make_calls();
	return arg;
}

static void child_main(int ready)
{
	pid_t pid;

	close(gate[1]);
	pid = fork();
	if (pid && write(ready, "r", 1) != 1)
		_exit(1);
	await_gate();
	make_calls();
	if (pid)
		waitpid(pid, NULL, 0);
	_exit(0);
}

int main(int argc, char **argv)
{
	pthread_t thread;
	int ready[2], fifo;
	char c;

	n = argc > 1 ? atoi(argv[1]) : 0;
	if (pipe(gate) || pipe(ready))
		return 1;
	if (!fork())
		child_main(ready[1]);
	if (read(ready[0], &c, 1) != 1 || pthread_create(&thread, NULL, thread_main, NULL))
		return 1;
	if (argc > 2) {
		puts("ready");
		fflush(stdout);
		fifo = open(argv[2], O_RDONLY);
		if (fifo < 0 || read(fifo, &c, 1) < 0)
			return 1;
	}
	close(gate[1]);
	make_calls();
	if (!fork()) {
		make_calls();
		_exit(0);
	}
	pthread_join(thread, NULL);
	while (wait(NULL) > 0)
		;
	return 0;
}
