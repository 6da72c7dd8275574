// SPDX-License-Identifier: GPL-2.0
/*
 * threshold_action.c - signals and commands for episodes: --on-threshold signal and shell
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/text.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/signals.h"
#include "tracecmd/base/timer.h"
#include "tracecmd/record/threshold_action.h"

/* Time in s for a command to end after the recording, and after SIGTERM. */
#define SHELL_GRACE_S 5
#define SHELL_TERM_S 1

static void set_number(const char *name, uint64_t number)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, number);
	setenv(name, text, 1);
}

static void run_child(const char *command, const struct threshold_hit *hit)
{
	setenv("TRACE_CMD_HIST_EVENT", hit->event, 1);
	set_number("TRACE_CMD_HIST_VALUE", hit->value);
	set_number("TRACE_CMD_HIST_TIME", hit->time);
	set_number("TRACE_CMD_HIST_CPU", hit->cpu);
	/* Ctrl-C is for the recorder, which ends the group itself */
	setpgid(0, 0);
	signals_reset_child();
	execl("/bin/sh", "sh", "-c", command, NULL);
	_exit(127);
}

/* Get the status of a command that has ended. */
static bool reap(struct threshold_action *a)
{
	int status;

	if (!a->shell)
		return true;
	if (waitpid(a->shell, &status, WNOHANG) != a->shell)
		return false;
	a->shell = 0;
	if (status && !a->refused)
		message_warning("--on-threshold shell: the command ended with %s %d",
				WIFSIGNALED(status) ? "signal" : "exit status",
				WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	a->refused |= status;
	return true;
}

static void run_shell(struct threshold_action *a, const char *command,
		      const struct threshold_hit *largest, uint64_t n)
{
	if (!reap(a)) {
		a->skipped += n;
		return;
	}
	fflush(NULL);
	a->shell = fork();
	if (!a->shell)
		run_child(command, largest);
	if (a->shell > 0) {
		/* also here: the child may not have run yet */
		setpgid(a->shell, a->shell);
		return;
	}
	a->shell = 0;
	if (!a->refused)
		message_warning("--on-threshold shell: %s", strerror(errno));
	a->refused = true;
}

static void send_signal(struct threshold_action *a, const struct plan_action *action)
{
	pid_t pid = action->pid ? action->pid : getppid();

	if (!kill(pid, action->signal) || a->refused)
		return;
	a->refused = true;
	message_warning("--on-threshold signal: process %d: %s", pid, strerror(errno));
}

void threshold_action_run(struct threshold_action *a, const struct plan *plan,
			  const struct threshold_hit *largest, uint64_t n, bool *stop)
{
	unsigned int i;

	reap(a);
	for (i = 0; n && i < plan->nactions; i++) {
		const struct plan_action *action = &plan->actions[i];

		if (action->kind == PLAN_SIGNAL)
			send_signal(a, action);
		else if (action->kind == PLAN_SHELL)
			run_shell(a, action->command, largest, n);
		else if (action->kind == PLAN_STOP)
			*stop = true;
	}
}

static bool threshold_action_wait(struct threshold_action *a, unsigned int seconds)
{
	const struct timespec pause = { .tv_nsec = 10000000 };
	uint64_t end = timer_now() + seconds * NSEC_PER_SEC;

	while (!reap(a) && timer_now() < end)
		nanosleep(&pause, NULL);
	return !a->shell;
}

/* End the process group of the command, whose children may ignore SIGTERM. */
static void threshold_action_end_group(struct threshold_action *a)
{
	const pid_t group = a->shell;
	uint64_t end = timer_now() + SHELL_TERM_S * NSEC_PER_SEC;
	const struct timespec pause = { .tv_nsec = 10000000 };

	message_warning("--on-threshold shell: the command did not end within %d s after the "
			"recording, and is killed\nuse setsid(1) to start a command that continues",
			SHELL_GRACE_S);
	/* one message is enough */
	a->refused = true;
	kill(-group, SIGTERM);
	while ((reap(a), !kill(-group, 0)) && timer_now() < end)
		nanosleep(&pause, NULL);
	kill(-group, SIGKILL);
	if (a->shell)
		waitpid(a->shell, NULL, 0);
	a->shell = 0;
}

void threshold_action_finish(struct threshold_action *a)
{
	if (!threshold_action_wait(a, SHELL_GRACE_S))
		threshold_action_end_group(a);
	if (a->skipped)
		message_warning(
			"--on-threshold shell: the threshold was reached %" PRIu64 " more "
			"time%s while the command was running; the command was not run again",
			a->skipped, text_plural(a->skipped));
	a->skipped = 0;
}
