// SPDX-License-Identifier: GPL-2.0
/*
 * target_clock.c - read the trace clock of a target if no system call can read it
 *
 * The clocks local, global, counter, uptime, perf and x86-tsc exist only inside the kernel's
 * tracing. Their time is visible only as the time stamp of an event. The algorithm writes a unique
 * text to trace_marker and reads the time of this event back.
 *
 * With the trace option "raw" a line of the trace file begins with "PID CPU TIME ". TIME is the
 * integer from the ring buffer (print_raw_fmt() in kernel/trace/trace.c).
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tracecmd/base/timer.h"
#include "tracecmd/target/target_clock.h"
#include "tracecmd/target/target_path.h"

/* -EINVAL if the instance is set to another clock. */
static int check_clock(struct hist_target *t, const char *clock, const char *instance,
		       struct target_buf *buf)
{
	char *current = NULL;
	int ret = target_readf(t, buf, "%s/trace_clock", instance);

	if (!ret)
		current = target_parse_clock(buf->data);
	if (!ret && (!current || strcmp(current, clock)))
		ret = -EINVAL;
	free(current);
	return ret;
}

int target_find_mark(const char *text, const char *mark, uint64_t *now)
{
	const char *line = strstr(text, mark);

	while (line && line > text && line[-1] != '\n')
		line--;
	return line && sscanf(line, "%*d %*d %" SCNu64 " ", now) == 1 ? 0 : -ENOTSUP;
}

/*
 * trace_pipe returns only what it has not returned before. Without it the ring buffer is cleared
 * before the mark is written, which waits until each CPU has left the kernel's tracing.
 */
static int read_back(struct hist_target *t, const char *instance, struct target_buf *buf)
{
	char path[PATH_MAX];
	int fd, ret;

	if (!t->ops->descriptor)
		return target_readf(t, buf, "%s/trace", instance);
	snprintf(path, sizeof(path), "%s/trace_pipe", instance);
	fd = t->ops->descriptor(t, path);
	if (fd < 0)
		return fd;
	ret = target_read_all(fd, buf);
	close(fd);
	return ret == -EAGAIN ? 0 : ret;
}

int target_read_marked_clock(struct hist_target *t, const char *clock, const char *instance,
			     uint64_t *now)
{
	struct target_buf buf = { 0 };
	char mark[96];
	int ret;

	if (!target_path_is_valid(instance))
		return -EINVAL;
	snprintf(mark, sizeof(mark), "trace-cmd-hist clock %d %" PRIu64, (int)getpid(),
		 timer_now());
	ret = check_clock(t, clock, instance, &buf);
	if (!ret)
		ret = target_writef(t, "1", false, "%s/options/raw", instance);
	if (!ret && !t->ops->descriptor)
		ret = target_writef(t, "", false, "%s/trace", instance);
	if (!ret)
		ret = target_writef(t, mark, true, "%s/trace_marker", instance);
	if (!ret)
		ret = read_back(t, instance, &buf);
	if (!ret)
		ret = target_find_mark(buf.data, mark, now);
	free(buf.data);
	return ret == -EINVAL || ret == -ENOMEM || ret == -ECONNRESET ? ret : ret ? -ENOTSUP : 0;
}
