// SPDX-License-Identifier: GPL-2.0
/*
 * keys_load.c - events of all kinds of keys, for data/keys.dat (keys_dat.sh)
 *
 *	keys_load FIFO DONE
 *
 * Waits until somebody opens FIFO for writing and closes it, makes its events in
 * one go, then the file DONE, and waits to be killed.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void wait_for(const char *fifo)
{
	int fd = open(fifo, O_RDONLY);
	char c;

	while (fd >= 0 && read(fd, &c, 1) > 0)
		;
	close(fd);
}

static void send_signals(void)
{
	union sigval value = { .sival_int = 1 };
	int i;

	signal(SIGUSR1, SIG_IGN);
	signal(SIGUSR2, SIG_IGN);
	for (i = 0; i < 3; i++)
		syscall(SYS_tgkill, getpid(), getpid(), SIGUSR1); /* code -6 */
	for (i = 0; i < 5; i++)
		sigqueue(getpid(), i & 1 ? SIGUSR1 : SIGUSR2, value); /* code -1 */
	for (i = 0; i < 2; i++)
		kill(getpid(), SIGUSR2); /* code 0 */
}

static void make_calls(void)
{
	char buf[256];
	int null = open("/dev/null", O_RDWR), zero = open("/dev/zero", O_RDONLY), pair[2], i;

	for (i = 1; i < 200; i += 7)
		if (read(zero, buf, i) < 0 || write(null, buf, i) < 0)
			exit(1);
	for (i = 0; i < 9; i++) {
		close(-1);	   /* -9 */
		open("/none", i); /* -2 */
		if (read(null, buf, 1) || lseek(-1, 0, 0) != -1)
			exit(1);
	}
	for (i = 0; i < 4; i++) {
		if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
			exit(1);
		close(pair[0]);
		close(pair[1]);
	}
	close(null);
	close(zero);
}

/* Names with what has a meaning in filters. */
static void make_tasks(void)
{
	static const char *const names[] = { "plain", "a\"b", "it's", "a b", "x\\y", "a,b", "\\" };
	unsigned int i;
	pid_t pid;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		prctl(PR_SET_NAME, names[i]);
		pid = fork();
		if (!pid)
			_exit(0);
		waitpid(pid, NULL, 0);
	}
	prctl(PR_SET_NAME, "keys_load");
	for (i = 0; i < 3; i++) {
		pid = fork();
		if (!pid)
			execl(i ? "/bin/true" : "/bin/sh", i ? "true" : "sh", "-c", ":", (char *)NULL);
		waitpid(pid, NULL, 0);
	}
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	wait_for(argv[1]);
	make_calls();
	send_signals();
	make_tasks();
	close(open(argv[2], O_WRONLY | O_CREAT, 0666));
	for (;;)
		pause();
}
