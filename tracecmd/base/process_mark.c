// SPDX-License-Identifier: GPL-2.0
/*
 * process_mark.c - find and end the processes that a program has started and left
 *
 * /proc/PID/environ is empty for a process that has ended and was not waited for.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "helper/local/target.h"
#include "tracecmd/base/process_mark.h"
#include "tracecmd/base/unique_name.h"

void process_mark_set(struct process_mark *mark)
{
	snprintf(mark->text, sizeof(mark->text), PROCESS_MARK_ENV "=%d-%016" PRIx64, getpid(),
		 unique_number_64());
	setenv(PROCESS_MARK_ENV, strchr(mark->text, '=') + 1, 1);
}

void process_mark_unset(void)
{
	unsetenv(PROCESS_MARK_ENV);
}

static bool process_mark_is_on(const struct process_mark *mark, pid_t pid, struct target_buf *buf)
{
	const char *at, *end;
	char path[32];

	if (pid == getpid() || getsid(pid) != getsid(0))
		return false;
	snprintf(path, sizeof(path), "/proc/%d/environ", pid);
	if (target_read_file(path, buf))
		return false;
	for (at = buf->data, end = at + buf->len; at < end; at += strlen(at) + 1) {
		if (!strcmp(at, mark->text))
			return true;
	}
	return false;
}

unsigned int process_mark_signal(const struct process_mark *mark, int sig)
{
	struct target_buf names = { 0 }, environment = { 0 };
	int proc = *mark->text ? open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	unsigned int n = 0;
	const char *name;
	pid_t pid;

	if (proc >= 0 && !target_list_names(proc, &names)) {
		for (name = names.data; name < names.data + names.len; name += strlen(name) + 1) {
			pid = atoi(name);
			if (pid > 0 && process_mark_is_on(mark, pid, &environment) &&
			    !kill(pid, sig))
				n++;
		}
	}
	if (proc >= 0)
		close(proc);
	free(names.data);
	free(environment.data);
	return n;
}
