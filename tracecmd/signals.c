// SPDX-License-Identifier: GPL-2.0
/*
 * signals.c - signals by signalfd(2)
 */
#include <errno.h>
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
