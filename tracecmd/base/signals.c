// SPDX-License-Identifier: GPL-2.0
/*
 * signals.c - read the signals that end the program from a signalfd(2)
 */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "tracecmd/base/signals.h"
#include "tracecmd/base/timer.h"

#define NS_PER_MS 1000000

static struct {
	int fd; /* -1: signals are not caught */
	unsigned int count; /* of the signals that end the program */
	uint64_t limit; /* time of timer_now() when waits end, or 0 */
	/* read from the descriptor, but not yet returned by signals_ending() */
	int sig;
	bool forward, child;
} caught = { .fd = -1 };

static void signals_fill_set(sigset_t *set)
{
	struct sigaction hangup;

	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGQUIT);
	sigaddset(set, SIGCHLD);
	/*
	 * A blocked signal is queued even if it is ignored, as SIGINT is in background jobs of a
	 * shell.  SIGHUP must remain ignored under nohup(1).
	 */
	if (sigaction(SIGHUP, NULL, &hangup) || hangup.sa_handler != SIG_IGN)
		sigaddset(set, SIGHUP);
}

int signals_catch(void)
{
	sigset_t set;
	int fd;

	signals_fill_set(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	memset(&caught, 0, sizeof(caught));
	caught.fd = fd;
	return fd < 0 ? -errno : fd;
}

void signals_close(int fd)
{
	close(fd);
	if (caught.fd == fd)
		caught.fd = -1;
}

void signals_release(int fd)
{
	sigset_t set;

	signals_fill_set(&set);
	signals_close(fd);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	signal(SIGPIPE, SIG_DFL);
}

static void signals_note_pending(int fd)
{
	struct signalfd_siginfo info;

	while (read(fd, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGCHLD) {
			caught.child = true;
			continue;
		}
		caught.sig = info.ssi_signo;
		caught.forward = info.ssi_code != SI_KERNEL;
		if ((caught.sig != SIGINT || caught.count) && !caught.limit)
			caught.limit = timer_now() + SIGNALS_GRACE_MS * NS_PER_MS;
		caught.count++;
	}
}

int signals_ending(int fd, bool *forward)
{
	int sig;

	signals_note_pending(fd);
	sig = caught.sig;
	if (sig)
		*forward = caught.forward;
	caught.sig = 0;
	caught.child = false;
	return sig;
}

void signals_reset_child(void)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
}

int signals_fd(void)
{
	return caught.fd;
}

int signals_patience(int ms)
{
	uint64_t now, left;

	if (caught.fd < 0)
		return ms;
	signals_note_pending(caught.fd);
	if (!caught.limit)
		return ms;
	now = timer_now();
	left = now < caught.limit ? (caught.limit - now) / NS_PER_MS + 1 : 0;
	return ms < 0 || left < (uint64_t)ms ? (int)left : ms;
}

bool signals_are_pending(void)
{
	return caught.sig || caught.child;
}

bool signals_have_arrived(void)
{
	return caught.count != 0;
}
