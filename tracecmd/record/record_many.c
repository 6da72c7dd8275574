// SPDX-License-Identifier: GPL-2.0
/*
 * record_many.c - record several targets at once, with one file per target
 *
 * Each target has its own recorder process, so a slow or lost target does not delay the others.
 * This process only forwards signals and waits.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tracecmd/base/command.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/signals.h"
#include "tracecmd/record/record_many.h"
#include "tracecmd/record/record_name.h"
#include "tracecmd/record/recorder.h"

/* Run the plan for one target, in the child process. */
static int record_one(struct plan *plan, unsigned int i, const char *output)
{
	plan->targets[0] = plan->targets[i];
	plan->ntargets = 1;
	plan->output = output;
	/* progress lines of several recorders would overwrite each other */
	plan->quiet = true;
	return record_run(plan);
}

static void tell(const struct plan *plan, unsigned int i, const char *output, int status)
{
	if (status == EXIT_DONE && !plan->quiet && !plan->dry_run)
		say_to(stderr, "%s: of %s", output, plan->targets[i]);
	else if (status != EXIT_DONE)
		complain("--target %s: failed: see above", plan->targets[i]);
}

static int wait_all(const struct plan *plan, pid_t *pids, char **outputs, int signals)
{
	struct pollfd fd = { .fd = signals, .events = POLLIN };
	unsigned int i, left = 0;
	int sig, status, worst = EXIT_DONE;
	bool forward = false;

	for (i = 0; i < plan->ntargets; i++)
		left += pids[i] > 0;
	while (left) {
		poll(&fd, 1, -1);
		sig = signals_ending(signals, &forward);
		for (i = 0; i < plan->ntargets; i++) {
			if (pids[i] <= 0)
				continue;
			/* the children receive a signal of the terminal themselves */
			if (sig && forward)
				kill(pids[i], sig);
			if (waitpid(pids[i], &status, WNOHANG) != pids[i])
				continue;
			status = WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_TROUBLE;
			tell(plan, i, outputs[i], status);
			worst = status > worst ? status : worst;
			pids[i] = 0;
			left--;
		}
	}
	return worst;
}

int record_many(struct plan *plan)
{
	pid_t pids[PLAN_TARGETS_MAX] = { 0 };
	char *outputs[PLAN_TARGETS_MAX] = { NULL };
	sigset_t before;
	unsigned int i;
	int signals, status = EXIT_DONE, rest;

	sigprocmask(SIG_SETMASK, NULL, &before);
	signals = signals_catch();
	if (signals < 0) {
		complain_errno("signals", signals);
		return EXIT_TROUBLE;
	}
	for (i = 0; i < plan->ntargets; i++) {
		outputs[i] = record_name(plan, i);
		fflush(NULL);
		pids[i] = outputs[i] ? fork() : -1;
		if (!pids[i]) {
			signals_close(signals);
			sigprocmask(SIG_SETMASK, &before, NULL);
			exit(record_one(plan, i, outputs[i]));
		}
		if (pids[i] < 0) {
			complain("--target %s: %s", plan->targets[i], strerror(errno));
			status = EXIT_TROUBLE;
			break;
		}
	}
	if (status) {
		while (i--)
			kill(pids[i], SIGTERM);
	}
	rest = wait_all(plan, pids, outputs, signals);
	signals_close(signals);
	for (i = 0; i < plan->ntargets; i++)
		free(outputs[i]);
	return rest > status ? rest : status;
}
