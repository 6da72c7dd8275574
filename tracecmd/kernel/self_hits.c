// SPDX-License-Identifier: GPL-2.0
/* self_hits.c - count the hits of an event that this thread itself causes */
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tracecmd/kernel/self_hits.h"
#include "tracecmd/target/target_path.h"

int self_hits_open(struct hist_target *t, const char *system, const char *name, const char *filter)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr) };
	struct target_buf buf = { 0 };
	int fd = -1;

	if (t->ops->descriptor && !target_readf(t, &buf, "events/%s/%s/id", system, name)) {
		attr.config = strtoull(buf.data, NULL, 10);
		fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	}
	free(buf.data);
	if (fd >= 0 && filter && ioctl(fd, PERF_EVENT_IOC_SET_FILTER, filter)) {
		close(fd);
		fd = -1;
	}
	return fd < 0 ? -1 : fd;
}

uint64_t self_hits_read(int fd)
{
	uint64_t n;

	return fd >= 0 && read(fd, &n, sizeof(n)) == sizeof(n) ? n : 0;
}
