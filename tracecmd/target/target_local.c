// SPDX-License-Identifier: GPL-2.0
/*
 * target_local.c - target operations for the tracefs of this machine
 *
 * libtracefs finds or mounts the tracefs directory. tracefs_dir.c does everything else, except the
 * clocks that no system call can read.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <tracefs.h>

#include "target/local/target.h"
#include "target/local/tracefs_dir.h"
#include "tracecmd/target/target_clock.h"

static int local_clock(struct hist_target *t, const char *clock, const char *instance,
		       uint64_t *now)
{
	int ret = confined_clock(t, clock, instance, now);

	return ret == -ENOTSUP && instance ? target_marked_clock(t, clock, instance, now) : ret;
}

/* TRACE_HIST_IOCTL_SNAPSHOT of linux/trace_hist.h, which most systems do not have. */
#define IOCTL_SNAPSHOT _IO('R', 0x30)

/* The ioctl also moves the file position to the start. */
static int local_snapshot(struct hist_target *t, int handle, struct target_buf *buf)
{
	(void)t;
	if (ioctl(handle, IOCTL_SNAPSHOT) < 0)
		return -errno;
	return target_read_all(handle, buf);
}

static int local_kallsyms(struct hist_target *t, struct target_buf *buf)
{
	(void)t;
	return target_read_file("/proc/kallsyms", buf);
}

static const struct hist_target_ops local_ops = {
	.read = confined_read,
	.open = confined_open_file,
	.reread = confined_reread,
	.snapshot = local_snapshot,
	.close = confined_close_file,
	.write = confined_write,
	.list = confined_list,
	.mkdir = confined_mkdir,
	.rmdir = confined_rmdir,
	.exists = confined_exists,
	.clock = local_clock,
	.descriptor = confined_descriptor,
	.kallsyms = local_kallsyms,
	.free = confined_free,
};

int target_local_new(struct hist_target **target, char *why, size_t why_len)
{
	const char *path = tracefs_tracing_dir();
	int dir, ret;

	/* if libtracefs finds no directory, tracefs_dir.c explains why */
	dir = path ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : confined_find(why, why_len);
	if (dir < 0 && !path)
		return dir;
	if (dir < 0) {
		ret = errno == EPERM ? -EACCES : errno == ENOENT ? -ENODEV : -errno;
		snprintf(why, why_len, "%s: %s", path,
			 ret == -EACCES ? "permission denied: run as root (sudo)" : strerror(errno));
		return ret;
	}
	return confined_new(target, &local_ops, dir, path, why, why_len);
}
