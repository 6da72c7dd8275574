// SPDX-License-Identifier: GPL-2.0
/*
 * target_clock.c - read the trace clock of a target if no system call can read it
 *
 * With the trace option "raw" a line of the trace file begins with "PID CPU TIME ". TIME is the
 * integer from the ring buffer (print_raw_fmt() in kernel/trace/trace.c).
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tracecmd/base/timer.h"
#include "tracecmd/target/target_clock.h"

int target_check_clock(struct hist_target *t, const char *clock, const char *instance)
{
	struct target_buf buf = { 0 };
	char *current = NULL;
	int ret;

	ret = target_readf(t, &buf, "%s/trace_clock", instance);
	if (!ret) {
		current = target_current_clock(buf.data);
		if (!current || strcmp(current, clock))
			ret = -EINVAL;
	}
	free(current);
	free(buf.data);
	return ret;
}

int target_find_mark(const char *text, const char *mark, uint64_t *now)
{
	const char *line = strstr(text, mark);

	while (line && line > text && line[-1] != '\n')
		line--;
	return line && sscanf(line, "%*d %*d %" SCNu64 " ", now) == 1 ? 0 : -ENOTSUP;
}

static int put(struct hist_target *t, const char *instance, const char *file, const char *text,
	       bool append)
{
	char *path;
	int ret;

	if (asprintf(&path, "%s/%s", instance, file) < 0)
		return -ENOMEM;
	ret = target_write_str(t, path, text, append);
	free(path);
	return ret;
}

int target_marked_clock(struct hist_target *t, const char *clock, const char *instance,
			uint64_t *now)
{
	struct target_buf buf = { 0 };
	char mark[96];
	int ret;

	if (!target_path_ok(instance))
		return -EINVAL;
	snprintf(mark, sizeof(mark), "trace-cmd-hist clock %d %" PRIu64, (int)getpid(),
		 timer_now());
	ret = target_check_clock(t, clock, instance);
	if (!ret)
		ret = put(t, instance, "options/raw", "1", false);
	if (!ret)
		ret = put(t, instance, "trace", "", false);
	if (!ret)
		ret = put(t, instance, "trace_marker", mark, true);
	if (!ret)
		ret = target_readf(t, &buf, "%s/trace", instance);
	if (!ret)
		ret = target_find_mark(buf.data, mark, now);
	free(buf.data);
	return ret == -EINVAL || ret == -ENOMEM || ret == -ECONNRESET ? ret : ret ? -ENOTSUP : 0;
}
