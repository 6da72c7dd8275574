// SPDX-License-Identifier: GPL-2.0
/*
 * target_local.c - this machine's tracefs
 *
 * The tracefs directory is opened once, by libtracefs's search; every path is
 * taken relative to it, so that a later mount elsewhere changes nothing.
 *
 * tracefs files have a size of 0: reading goes on until read(2) gives 0.  A
 * histogram is printed by one show() into the seq_file's buffer, all in the
 * first read(2).  Going back to offset 0 makes the next read(2) run show() anew
 * (seq_read_iter() in fs/seq_file.c resets its index at offset 0) while the
 * buffer keeps the size that it has grown to, which spares most of the cost.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <tracefs.h>

#include "clock_mark.h"
#include "target.h"

struct local {
	struct hist_target target;
	int dir;
};

static struct local *local_of(struct hist_target *t)
{
	return (struct local *)t; /* its first member */
}

static int local_openat(struct hist_target *t, const char *path, int flags)
{
	int fd;

	if (!target_path_ok(path))
		return -EINVAL;
	fd = openat(local_of(t)->dir, path, flags | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int read_all(int fd, struct target_buf *buf)
{
	int ret;

	buf->len = 0;
	ret = target_buf_reserve(buf, 1);
	if (ret)
		return ret;
	for (;;) {
		ssize_t got;

		/* At least half of the buffer is free for each read. */
		if (buf->len > buf->room / 2) {
			ret = target_buf_reserve(buf, buf->room + 1);
			if (ret)
				break;
		}
		got = read(fd, buf->data + buf->len, buf->room - buf->len - 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			ret = -errno;
		if (got <= 0)
			break;
		buf->len += got;
	}
	buf->data[buf->len] = '\0';
	return ret;
}

static int local_read(struct hist_target *t, const char *path, struct target_buf *buf)
{
	int fd = local_openat(t, path, O_RDONLY);
	int ret;

	if (fd < 0)
		return fd;
	ret = read_all(fd, buf);
	close(fd);
	return ret;
}

/* The handle is the file descriptor. */
static int local_open(struct hist_target *t, const char *path, int *handle)
{
	int fd = local_openat(t, path, O_RDONLY);

	if (fd < 0)
		return fd;
	*handle = fd;
	return 0;
}

static int local_reread(struct hist_target *t, int handle, struct target_buf *buf)
{
	(void)t;
	if (lseek(handle, 0, SEEK_SET) < 0)
		return -errno;
	return read_all(handle, buf);
}

static void local_close(struct hist_target *t, int handle)
{
	(void)t;
	close(handle);
}

static int local_write(struct hist_target *t, const char *path, const char *data, size_t len,
		       bool append)
{
	ssize_t done = 0;
	int fd, ret = 0;

	if (!append && target_truncation_harms(path))
		return -EINVAL;
	fd = local_openat(t, path, O_WRONLY | (append ? O_APPEND : O_TRUNC));
	if (fd < 0)
		return fd;
	if (len) {
		do
			done = write(fd, data, len);
		while (done < 0 && errno == EINTR);
	}
	if (done < 0)
		ret = -errno;
	else if ((size_t)done != len)
		ret = -EIO;
	/* Some files take effect, and fail, only here. */
	if (close(fd) < 0 && !ret && errno != EINTR)
		ret = -errno;
	return ret;
}

static int local_list(struct hist_target *t, const char *path, struct target_buf *buf)
{
	struct dirent *entry;
	int fd, ret = 0;
	DIR *dir;

	fd = local_openat(t, path, O_RDONLY | O_DIRECTORY);
	if (fd < 0)
		return fd;
	dir = fdopendir(fd);
	if (!dir) {
		ret = -errno;
		close(fd);
		return ret;
	}
	buf->len = 0;
	for (errno = 0; (entry = readdir(dir)); errno = 0) {
		size_t len = strlen(entry->d_name) + 1;

		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		ret = target_buf_reserve(buf, buf->len + len);
		if (ret)
			goto out;
		memcpy(buf->data + buf->len, entry->d_name, len);
		buf->len += len;
	}
	ret = -errno;
	if (!ret)
		ret = target_buf_reserve(buf, buf->len + 1);
	if (!ret)
		buf->data[buf->len] = '\0';
out:
	closedir(dir);
	return ret;
}

static int local_mkdir(struct hist_target *t, const char *path)
{
	if (!target_path_ok(path))
		return -EINVAL;
	return mkdirat(local_of(t)->dir, path, 0750) < 0 ? -errno : 0;
}

static int local_rmdir(struct hist_target *t, const char *path)
{
	if (!target_path_ok(path))
		return -EINVAL;
	return unlinkat(local_of(t)->dir, path, AT_REMOVEDIR) < 0 ? -errno : 0;
}

static int local_exists(struct hist_target *t, const char *path)
{
	struct stat st;

	if (!target_path_ok(path))
		return -EINVAL;
	if (!fstatat(local_of(t)->dir, path, &st, AT_SYMLINK_NOFOLLOW))
		return 1;
	return errno == ENOENT || errno == ENOTDIR ? 0 : -errno;
}

/*
 * The trace clocks that are POSIX clocks too: trace_clocks[] in
 * kernel/trace/trace.c has ktime_get_mono_fast_ns, ktime_get_raw_fast_ns,
 * ktime_get_boot_fast_ns and ktime_get_tai_fast_ns for them.
 */
static const struct {
	const char *name;
	clockid_t id;
} posix_clocks[] = {
	{ "mono", CLOCK_MONOTONIC },
	{ "mono_raw", CLOCK_MONOTONIC_RAW },
	{ "boot", CLOCK_BOOTTIME },
	{ "tai", CLOCK_TAI },
	{ "realtime", CLOCK_REALTIME }, /* no trace clock */
};

/* A mark in an instance with another clock would give a wrong time. */
static int check_clock(struct hist_target *t, const char *instance, const char *clock)
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

static int local_clock(struct hist_target *t, const char *clock, const char *instance,
		       uint64_t *now)
{
	struct clock_mark_layout layout = {
		.page_size = t->page_size,
		.long_size = t->long_size,
		.big_endian = t->big_endian,
	};
	struct timespec ts;
	size_t i;
	int ret;

	for (i = 0; i < sizeof(posix_clocks) / sizeof(posix_clocks[0]); i++) {
		if (strcmp(clock, posix_clocks[i].name))
			continue;
		if (clock_gettime(posix_clocks[i].id, &ts) < 0)
			return -errno;
		*now = (uint64_t)ts.tv_sec * 1000000000u + ts.tv_nsec;
		return 0;
	}
	if (!instance)
		return -ENOTSUP;
	if (!target_path_ok(instance))
		return -EINVAL;
	ret = check_clock(t, instance, clock);
	return ret ? ret : clock_mark_now(local_of(t)->dir, instance, &layout, now);
}

static void local_free(struct hist_target *t)
{
	struct local *local = local_of(t);

	if (local->dir >= 0)
		close(local->dir);
	free(t->uname);
	free(t->host);
	free(local);
}

static const struct hist_target_ops local_ops = {
	.read = local_read,
	.open = local_open,
	.reread = local_reread,
	.close = local_close,
	.write = local_write,
	.list = local_list,
	.mkdir = local_mkdir,
	.rmdir = local_rmdir,
	.exists = local_exists,
	.clock = local_clock,
	.free = local_free,
};

/* The kernel's long may be wider than ours: the page header shows it. */
static unsigned int kernel_long_size(struct hist_target *t)
{
	struct target_buf buf = { 0 };
	unsigned int size = sizeof(long);
	const char *p;

	if (!t->ops->read(t, "events/header_page", &buf)) {
		p = strstr(buf.data, " commit;");
		p = p ? strstr(p, "size:") : NULL;
		if (p && sscanf(p, "size:%u", &size) == 1 && size != 4)
			size = 8;
	}
	free(buf.data);
	return size;
}

static int describe(struct hist_target *t)
{
	struct utsname uts;
	long cpus = sysconf(_SC_NPROCESSORS_CONF);

	uname(&uts);
	t->host = strdup(uts.nodename);
	if (!t->host || asprintf(&t->uname, "%s %s %s %s", uts.sysname, uts.nodename,
				 uts.release, uts.machine) < 0) {
		t->uname = NULL;
		return -ENOMEM;
	}
	t->cpus = cpus > 0 ? cpus : 1;
	t->page_size = sysconf(_SC_PAGESIZE);
	t->long_size = kernel_long_size(t);
	t->big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	return 0;
}

static bool kernel_has_tracefs(void)
{
	char line[256];
	bool found = false;
	FILE *f = fopen("/proc/filesystems", "re");

	if (!f)
		return true; /* not known: blame the mount */
	while (!found && fgets(line, sizeof(line), f))
		found = strstr(line, "\ttracefs\n") != NULL;
	fclose(f);
	return found;
}

static int no_tracefs(char *why, size_t why_len)
{
	if (!kernel_has_tracefs()) {
		snprintf(why, why_len,
			 "tracefs: this kernel has none: use a kernel with CONFIG_FTRACE=y");
		return -ENODEV;
	}
	if (geteuid()) {
		snprintf(why, why_len,
			 "tracefs: not mounted and could not be: run as root (sudo)");
		return -EACCES;
	}
	snprintf(why, why_len, "tracefs: not mounted and could not be: "
		 "mount -t tracefs tracefs /sys/kernel/tracing");
	return -ENODEV;
}

int target_local_new(struct hist_target **target, char *why, size_t why_len)
{
	struct local *local = calloc(1, sizeof(*local));
	const char *dir;
	int ret = -ENOMEM;

	if (!local)
		goto no_memory;
	local->target.ops = &local_ops;
	local->dir = -1;

	dir = tracefs_tracing_dir();
	if (!dir) {
		ret = no_tracefs(why, why_len);
		goto fail;
	}
	local->dir = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	/* The directory may be open to all while its files are root's. */
	if (local->dir < 0 || faccessat(local->dir, "events", R_OK | X_OK, AT_EACCESS) < 0 ||
	    faccessat(local->dir, "trace_clock", R_OK, AT_EACCESS) < 0) {
		ret = -errno;
		if (ret == -EACCES || ret == -EPERM) {
			snprintf(why, why_len, "%s: permission denied: run as root (sudo)", dir);
			ret = -EACCES;
		} else {
			snprintf(why, why_len, "%s: %s", dir, strerror(-ret));
			ret = -ENODEV;
		}
		goto fail;
	}
	ret = describe(&local->target);
	if (ret)
		goto no_memory;
	*target = &local->target;
	return 0;

no_memory:
	snprintf(why, why_len, "out of memory");
fail:
	if (local)
		local_free(&local->target);
	return ret;
}
