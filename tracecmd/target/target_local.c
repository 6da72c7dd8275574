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

#include "helper/local/target.h"
#include "helper/local/task_list.h"
#include "helper/local/tracefs_access.h"
#include "helper/local/tracefs_dir.h"
#include "tracecmd/target/target_clock.h"
#include "tracecmd/target/target_open.h"

static int local_clock(struct hist_target *t, const char *clock, const char *instance,
		       uint64_t *now)
{
	int ret = tracefs_dir_clock(t, clock, instance, now);

	return ret == -ENOTSUP && instance ? target_read_marked_clock(t, clock, instance, now) :
	       ret;
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
	.read = tracefs_dir_read,
	.open = tracefs_dir_open_file,
	.reread = tracefs_dir_reread,
	.snapshot = local_snapshot,
	.close = tracefs_dir_close_file,
	.write = tracefs_dir_write,
	.list = tracefs_dir_list,
	.mkdir = tracefs_dir_mkdir,
	.rmdir = tracefs_dir_rmdir,
	.exists = tracefs_dir_path_exists,
	.clock = local_clock,
	.descriptor = tracefs_dir_open_descriptor,
	.pages = tracefs_dir_pages,
	.tasks = task_list_read,
	.kallsyms = local_kallsyms,
	.free = tracefs_dir_free,
};

int target_local_open(struct hist_target **target, const char *path, struct hist_error *error)
{
	int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (dir < 0)
		return tracefs_access_refuse(errno, path, error);
	return tracefs_dir_new(target, &local_ops, dir, path, error);
}

int target_local_new(struct hist_target **target, struct hist_error *error)
{
	const char *path = tracefs_tracing_dir();
	int dir;

	if (path)
		return target_local_open(target, path, error);
	/* if libtracefs finds no directory, tracefs_dir.c explains why */
	dir = tracefs_dir_find(error);
	return dir < 0 ? dir : tracefs_dir_new(target, &local_ops, dir, NULL, error);
}
