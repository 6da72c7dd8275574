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

/* Time in s for a command to end after the recording. */
#define SHELL_GRACE_S 5

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
	if (a->shell > 0)
		return;
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

void threshold_action_finish(struct threshold_action *a)
{
	const struct timespec pause = { .tv_nsec = 10000000 };
	uint64_t end = timer_now() + SHELL_GRACE_S * NSEC_PER_SEC;

	while (!reap(a) && timer_now() < end)
		nanosleep(&pause, NULL);
	if (a->shell)
		message_warning("--on-threshold shell: the command is still running as process %d",
				a->shell);
	a->shell = 0;
	if (a->skipped)
		message_warning("--on-threshold shell: the threshold was reached %" PRIu64 " more "
				"time%s while the command was running; the command was not run again",
				a->skipped, text_plural(a->skipped));
	a->skipped = 0;
}
