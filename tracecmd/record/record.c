// SPDX-License-Identifier: GPL-2.0
/*
 * record.c - `trace-cmd hist record`, of one target or of several targets at once
 *
 * Each of several targets has its own file and its own recorder process, so a slow or lost target
 * does not delay the others. This process only forwards signals and waits.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/file_place.h"
#include "tracecmd/base/command.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/signals.h"
#include "tracecmd/record/record.h"
#include "tracecmd/record/record_options.h"
#include "tracecmd/record/recorder.h"
#include "tracecmd/target/target_url.h"

/* The name of a target in a form that is valid in a file name. */
static char *name_of(const char *text)
{
	struct target_url url;
	char *name = NULL, *c;

	if (!target_url_parse(&url, text, NULL)) {
		name = url.label;
		url.label = NULL;
		for (c = name; c && *c; c++) {
			if (*c == ':' || *c == '/' || *c == '%')
				*c = '_';
		}
	}
	target_url_clear(&url);
	return name;
}

char *record_make_name(const struct plan *plan, unsigned int i)
{
	char *name = name_of(plan->targets[i]), *other, *output = NULL, number[16] = "";
	const char *dot = file_place_suffix(plan->output);
	unsigned int j, same = 0, before = 0;

	for (j = 0; name && j < plan->ntargets; j++) {
		other = name_of(plan->targets[j]);
		if (other && !strcmp(other, name)) {
			same++;
			before += j < i;
		}
		free(other);
	}
	if (same > 1)
		snprintf(number, sizeof(number), "-%u", before + 1);
	if (name && asprintf(&output, "%.*s.%s%s%s", (int)(dot - plan->output), plan->output, name,
			     number, dot) < 0)
		output = NULL;
	free(name);
	return output;
}

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

static void record_report_result(const struct plan *plan, unsigned int i, const char *output,
				 int status)
{
	if (status == EXIT_DONE && !plan->quiet && !plan->dry_run)
		message_print_to(stderr, "%s: recorded from %s", output, plan->targets[i]);
	else if (status != EXIT_DONE)
		message_error("--target %s: the recording failed\nsee the messages above",
			      plan->targets[i]);
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
			record_report_result(plan, i, outputs[i], status);
			worst = status > worst ? status : worst;
			pids[i] = 0;
			left--;
		}
	}
	return worst;
}

/*
 * Record all targets. Snapshots have the wall-clock time of their target next to its trace clock,
 * so a common time axis is as exact as the wall clocks agree. Returns the highest exit status.
 */
static int record_many(struct plan *plan)
{
	pid_t pids[PLAN_TARGETS_MAX] = { 0 };
	char *outputs[PLAN_TARGETS_MAX] = { NULL };
	sigset_t before;
	unsigned int i;
	int signals, status = EXIT_DONE, rest;

	sigprocmask(SIG_SETMASK, NULL, &before);
	signals = signals_catch();
	if (signals < 0) {
		message_error_errno("signals", signals);
		return EXIT_TROUBLE;
	}
	for (i = 0; i < plan->ntargets; i++) {
		outputs[i] = record_make_name(plan, i);
		fflush(NULL);
		pids[i] = outputs[i] ? fork() : -1;
		if (!pids[i]) {
			signals_close(signals);
			sigprocmask(SIG_SETMASK, &before, NULL);
			exit(record_one(plan, i, outputs[i]));
		}
		if (pids[i] < 0) {
			message_error("--target %s: %s", plan->targets[i], strerror(errno));
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

int cmd_record(int argc, char **argv)
{
	struct plan plan;
	int ret = record_options_parse(&plan, argc, argv);

	if (!ret)
		ret = plan.ntargets > 1 ? record_many(&plan) : record_run(&plan);
	else
		ret = ret > 0 ? EXIT_DONE : EXIT_TROUBLE;
	plan_clear(&plan);
	return ret;
}
