// SPDX-License-Identifier: GPL-2.0
/*
 * plan_threshold.c - the options of a threshold: --threshold, --on-threshold, --worst and -b
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/duration.h"
#include "lib/base/text.h"
#include "tracecmd/base/message.h"
#include "tracecmd/plan/plan_threshold.h"

#define BUFFER_KB_MAX (4u << 20)

static int plan_threshold_append(struct plan *plan, const struct plan_action *action)
{
	if (array_add(&plan->actions, plan->nactions, sizeof(*plan->actions)))
		return -ENOMEM;
	plan->actions[plan->nactions++] = *action;
	return 0;
}

/* "10", "USR1" or "SIGUSR1"; 0: not a signal */
static int parse_signal(const char *text, size_t len)
{
	const char *name;
	int i, skip = len > 3 && !strncmp(text, "SIG", 3) ? 3 : 0;
	char number[8];
	uint64_t n;

	for (i = 1; i < 32; i++) {
		name = sigabbrev_np(i);
		if (name && text_equals(text + skip, len - skip, name))
			return i;
	}
	if (!len || len >= sizeof(number))
		return 0;
	memcpy(number, text, len);
	number[len] = '\0';
	return duration_parse_count(&n, number, SIGRTMAX) ? 0 : n;
}

/* "num=N,pid=P", in any order */
static int parse_signal_words(struct plan_action *a, const char *text)
{
	bool has_pid = false;
	char number[16];
	uint64_t pid;
	size_t len;

	for (; *text; text += len + (text[len] == ',')) {
		len = strcspn(text, ",");
		if (text_starts_with(text, len, "num=")) {
			a->signal = parse_signal(text + 4, len - 4);
			if (!a->signal)
				return -EINVAL;
		} else if (text_equals(text, len, "pid=parent")) {
			has_pid = true;
		} else if (text_starts_with(text, len, "pid=") && len - 4 < sizeof(number)) {
			memcpy(number, text + 4, len - 4);
			number[len - 4] = '\0';
			if (duration_parse_count(&pid, number, 1u << 22) || !pid)
				return -EINVAL;
			a->pid = pid;
			has_pid = true;
		} else {
			return -EINVAL;
		}
	}
	return a->signal && has_pid ? 0 : -EINVAL;
}

static const char signal_word[] = "signal,", shell_word[] = "shell,command=";

static const struct {
	const char *word;
	enum plan_action_kind kind;
} plan_threshold_actions[] = {
	{ "capture", PLAN_CAPTURE }, { "stop", PLAN_STOP }, { "continue", PLAN_CONTINUE },
	{ signal_word, PLAN_SIGNAL }, { shell_word, PLAN_SHELL },
};

#define N_ACTIONS (sizeof(plan_threshold_actions) / sizeof(*plan_threshold_actions))

const char *plan_threshold_action(unsigned int i)
{
	return i < N_ACTIONS ? plan_threshold_actions[i].word : NULL;
}

/* Print the error that the time @value of the option lacks a unit. */
static int plan_refuse_no_unit(const struct option_row *row, const char *value)
{
	char problem[160];

	snprintf(problem, sizeof(problem), "the time has no unit\nwrite %.20s with a unit: %s",
		 value, DURATION_UNITS);
	return options_refuse(row, value, problem);
}

/* A number is no filter, and 10 would be ten seconds, which few users mean. */
int plan_threshold_set(void *to, const struct option_row *row, char *text)
{
	if (duration_lacks_unit(text))
		return plan_refuse_no_unit(row, text);
	((struct plan *)to)->threshold = text;
	return 0;
}

int plan_threshold_add_action(void *to, const struct option_row *row, char *text)
{
	struct plan_action a = { 0 };
	unsigned int i = 0;

	while (i < N_ACTIONS && strcmp(text, plan_threshold_actions[i].word))
		i++;
	if (i < N_ACTIONS && plan_threshold_actions[i].kind != PLAN_SIGNAL &&
	    plan_threshold_actions[i].kind != PLAN_SHELL)
		a.kind = plan_threshold_actions[i].kind;
	else if (!strncmp(text, shell_word, strlen(shell_word)) && text[strlen(shell_word)])
		a = (struct plan_action){ PLAN_SHELL, .command = text + strlen(shell_word) };
	else if (!strncmp(text, signal_word, strlen(signal_word)))
		a.kind = PLAN_SIGNAL;
	else if (!strcmp(text, "shell") || !strncmp(text, "shell,", 6))
		return options_refuse(row, text, "no command is given\n"
				      "use shell,command=COMMAND");
	else
		return options_refuse(row, text, "unknown action\nuse capture, stop, continue, "
				      "'signal,num=N,pid=PID' or 'shell,command=COMMAND'");
	if (a.kind == PLAN_SHELL && plan_has_action(to, PLAN_SHELL))
		return options_refuse(row, text, "only one shell command is allowed\n"
				      "join several commands with ';'");
	if (a.kind == PLAN_SIGNAL && parse_signal_words(&a, text + strlen(signal_word)))
		return options_refuse(row, text, "needs a signal and a process\n"
				      "use signal,num=SIGNAL,pid=PID, or pid=parent");
	return plan_threshold_append(to, &a);
}

int plan_threshold_set_episodes(void *to, const struct option_row *row, char *text)
{
	struct plan *plan = to;

	if (!duration_parse_count(&plan->episodes, text, PLAN_EPISODES_MAX) && plan->episodes)
		return 0;
	return options_refuse(row, text, "must be a number from 1 to 100");
}

int plan_threshold_set_buffer(void *to, const struct option_row *row, char *text)
{
	struct plan *plan = to;

	(void)row;
	if (!duration_parse_count(&plan->buffer_kb, text, BUFFER_KB_MAX) && plan->buffer_kb)
		return 0;
	return message_refuse(-EINVAL, "-b %s: must be a number of KiB from 1 to %u", text,
			      BUFFER_KB_MAX);
}

int plan_threshold_check(struct plan *plan)
{
	const char *needing = plan->nactions ? "--on-threshold" : plan->episodes ? "--worst" :
			      plan->buffer_kb ? "-b" : NULL;
	struct plan_action capture = { .kind = PLAN_CAPTURE };

	if (plan->stacks && !plan->threshold && !plan->record_events)
		return message_refuse(-EINVAL, "--stacks: needs recorded events\n"
				      "add --threshold TIME, or --events");
	if (!plan->threshold)
		return needing ? message_refuse(-EINVAL, "%s: needs a threshold\n"
						"add --threshold TIME", needing) : 0;
	if (!plan->nactions && plan_threshold_append(plan, &capture))
		return message_error_memory();
	if (!plan_has_action(plan, PLAN_CAPTURE))
		return plan->episodes || plan->buffer_kb || (plan->stacks && !plan->record_events) ?
		       message_refuse(-EINVAL, "%s: needs --on-threshold capture",
				      plan->episodes ? "--worst" : plan->buffer_kb ? "-b" :
				      "--stacks") : 0;
	if (!plan->output)
		return message_refuse(-EINVAL, "--threshold: -N cannot send the captured events\n"
				      "add -o FILE, or use --on-threshold stop");
	return 0;
}
