// SPDX-License-Identifier: GPL-2.0
/*
 * signals.c - signals by signalfd(2)
 */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "signals.h"

static void choose(sigset_t *set)
{
	struct sigaction hangup;

	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGQUIT);
	sigaddset(set, SIGCHLD);
	/*
	 * What is blocked waits for us even where it is ignored, as SIGINT is in
	 * a shell's background jobs.  nohup(1) means what it says, though.
	 */
	if (sigaction(SIGHUP, NULL, &hangup) || hangup.sa_handler != SIG_IGN)
		sigaddset(set, SIGHUP);
}

int signals_catch(void)
{
	sigset_t set;
	int fd;

	choose(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return fd < 0 ? -errno : fd;
}

void signals_release(int fd)
{
	sigset_t set;

	choose(&set);
	close(fd);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	signal(SIGPIPE, SIG_DFL);
}

int signals_ending(int fd, bool *forward)
{
	struct signalfd_siginfo info;
	int sig = 0;

	while (read(fd, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGCHLD)
			continue;
		sig = info.ssi_signo;
		*forward = info.ssi_code != SI_KERNEL;
	}
	return sig;
}

int signals_write(int fd, int to, const char *data, size_t len)
{
	struct pollfd fds[] = {
		{ .fd = fd, .events = POLLIN },
		{ .fd = to, .events = POLLOUT },
	};
	ssize_t n;

	while (len) {
		n = poll(fds, 2, -1);
		if (n >= 0 && fds[0].revents)
			return -EINTR;
		/* a pipe that takes output has room for so much: write(2) does not block */
		if (n >= 0)
			n = write(to, data, len < PIPE_BUF ? len : PIPE_BUF);
		if (n < 0 && errno != EINTR && errno != EAGAIN)
			return -errno;
		data += n > 0 ? n : 0;
		len -= n > 0 ? n : 0;
	}
	return 0;
}
