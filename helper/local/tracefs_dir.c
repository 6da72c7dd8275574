// SPDX-License-Identifier: GPL-2.0
/*
 * tracefs_dir.c - a target for the tracefs directory of the local machine
 *
 * The size of a tracefs file is always 0, so a read continues until read(2) returns 0.
 * One show() call prints a histogram into the seq_file buffer; the first read(2) does
 * this. After a seek to offset 0, the next read(2) runs show() again (seq_read_iter()
 * in fs/seq_file.c resets its index at offset 0). The buffer keeps its grown size,
 * which avoids most of the cost of a read.
 */
#include "helper/port/port.h"

#include "helper/local/task_list.h"
#include "helper/local/tracefs_access.h"
#include "helper/local/tracefs_dir.h"
#include "helper/port/text.h"

#define TRACEFS "/sys/kernel/tracing"

static struct tracefs_dir *tracefs_dir_from_target(struct hist_target *t)
{
	return (struct tracefs_dir *)t; /* its first member */
}

/* Open the parts of @path one after the other; none may be a symbolic link. */
static int open_by_parts(int dir, const char *path, int flags)
{
	char part[256];
	int fd = dir, next;
	size_t len;

	for (;;) {
		path += strspn(path, "/");
		len = strcspn(path, "/");
		if (len >= sizeof(part)) {
			errno = ENAMETOOLONG;
			next = -1;
		} else {
			memcpy(part, path, len);
			part[len] = '\0';
			path += len;
			path += strspn(path, "/");
			next = openat(fd, part,
				      *path ? O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
					    : flags | O_NOFOLLOW);
		}
		if (fd != dir) {
			int err = errno;

			close(fd);
			errno = err;
		}
		if (next < 0 || !*path)
			return next;
		fd = next;
	}
}

static int tracefs_dir_open_path(struct hist_target *t, const char *path, int flags)
{
	int dir = tracefs_dir_from_target(t)->dir, fd;

	if (!target_path_is_valid(path))
		return -EINVAL;
	flags |= O_CLOEXEC;
	fd = port_open_beneath(dir, path, flags);
	/* seccomp filters of old containers return EPERM for unknown system calls */
	if (fd < 0 && (errno == ENOSYS || errno == EPERM))
		fd = open_by_parts(dir, path, flags);
	return fd < 0 ? -errno : fd;
}

/* Open the parent directory of @path; @name is the last part of @path. */
static int open_parent(struct hist_target *t, const char *path, const char **name)
{
	const char *slash = strrchr(path, '/');
	char *parent;
	int fd;

	if (!target_path_is_valid(path) || (slash && !slash[1]))
		return -EINVAL;
	*name = slash ? slash + 1 : path;
	if (!slash)
		return tracefs_dir_open_path(t, ".", O_PATH | O_DIRECTORY);
	parent = strndup(path, slash - path);
	if (!parent)
		return -ENOMEM;
	fd = tracefs_dir_open_path(t, parent, O_PATH | O_DIRECTORY);
	free(parent);
	return fd;
}

/*
 * 0 if @fd can be read from its start, as a text file can. A stream, such as
 * trace_pipe, cannot: it may never end, and a read consumes its data.
 */
static int is_text(int fd)
{
	return lseek(fd, 0, SEEK_SET) < 0 ? -errno : 0;
}

/* Files with one number, which cannot seek since Linux 6.12 (trace_min_max_fops). */
static bool is_number(const char *path)
{
	const char *slash = strchr(path, '/');

	return slash && !strchr(slash + 1, '/') &&
	       (!strncmp(path, "osnoise/", 8) || !strncmp(path, "hwlat_detector/", 15));
}

int tracefs_dir_open_descriptor(struct hist_target *t, const char *path)
{
	int fd;

	if (!target_path_is_machine(path))
		return tracefs_dir_open_path(t, path, O_RDONLY | O_NONBLOCK);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int tracefs_dir_read(struct hist_target *t, const char *path, struct target_buf *buf)
{
	int fd, ret;

	fd = tracefs_dir_open_descriptor(t, path);
	if (fd < 0)
		return fd;
	ret = is_number(path) ? 0 : is_text(fd);
	if (!ret)
		ret = target_read_all(fd, buf);
	close(fd);
	return ret;
}

/* A read(2) returns one page. */
int tracefs_dir_pages(struct hist_target *t, const char *path, size_t most, struct target_buf *buf)
{
	int fd = tracefs_dir_open_descriptor(t, path), ret = 0;
	ssize_t got = 1;

	if (fd < 0)
		return fd;
	for (buf->len = 0; !ret && got && (!most || buf->len < most);) {
		ret = buf->len > TARGET_TEXT_MAX ? -EFBIG :
		      target_buf_reserve(buf, buf->len + t->page_size);
		got = ret ? 0 : read(fd, buf->data + buf->len, t->page_size);
		if (got > 0)
			buf->len += got;
		else if (got < 0 && errno != EINTR)
			ret = -errno;
	}
	close(fd);
	return ret == -EAGAIN ? 0 : ret;
}

/* The handle is the file descriptor. */
int tracefs_dir_open_file(struct hist_target *t, const char *path, int *handle)
{
	int fd = tracefs_dir_open_descriptor(t, path);

	if (fd < 0)
		return fd;
	*handle = fd;
	return 0;
}

int tracefs_dir_reread(struct hist_target *t, int handle, struct target_buf *buf)
{
	int ret = is_text(handle);

	(void)t;
	return ret ? ret : target_read_all(handle, buf);
}

int tracefs_dir_reread_pieces(struct hist_target *t, int handle, target_take take, void *arg)
{
	char piece[16384];
	ssize_t got, len = 0;
	int ret = is_text(handle);

	(void)t;
	while (!ret) {
		got = read(handle, piece, sizeof(piece));
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			ret = -errno;
		if (got <= 0)
			break;
		len += got;
		ret = len > TARGET_TEXT_MAX ? -EFBIG : take(arg, piece, got);
	}
	return ret;
}

void tracefs_dir_close_file(struct hist_target *t, int handle)
{
	(void)t;
	close(handle);
}

int tracefs_dir_write(struct hist_target *t, const char *path, const char *data, size_t len,
		      bool append)
{
	ssize_t done = 0;
	int fd, ret = 0;

	if (!append && target_truncation_harms(path))
		return -EINVAL;
	fd = tracefs_dir_open_path(t, path, O_WRONLY | (append ? O_APPEND : O_TRUNC));
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
	/* Some files take effect, or fail, only at close(2). */
	if (close(fd) < 0 && !ret && errno != EINTR)
		ret = -errno;
	return ret;
}

int tracefs_dir_list(struct hist_target *t, const char *path, struct target_buf *buf)
{
	int fd = tracefs_dir_open_path(t, path, O_RDONLY | O_DIRECTORY);
	int ret;

	if (fd < 0)
		return fd;
	ret = target_list_names(fd, buf);
	close(fd);
	return ret;
}

int tracefs_dir_mkdir(struct hist_target *t, const char *path)
{
	const char *name;
	int fd = open_parent(t, path, &name), ret;

	if (fd < 0)
		return fd;
	ret = mkdirat(fd, name, 0750) < 0 ? -errno : 0;
	close(fd);
	return ret;
}

int tracefs_dir_rmdir(struct hist_target *t, const char *path)
{
	const char *name;
	int fd = open_parent(t, path, &name), ret;

	if (fd < 0)
		return fd;
	ret = unlinkat(fd, name, AT_REMOVEDIR) < 0 ? -errno : 0;
	close(fd);
	return ret;
}

int tracefs_dir_path_exists(struct hist_target *t, const char *path)
{
	int fd = tracefs_dir_open_path(t, path, O_PATH | O_NOFOLLOW);

	if (fd < 0)
		return fd == -ENOENT || fd == -ENOTDIR ? 0 : fd;
	close(fd);
	return 1;
}

/*
 * The trace clocks that are also POSIX clocks. trace_clocks[] in kernel/trace/trace.c
 * uses ktime_get_mono_fast_ns, ktime_get_raw_fast_ns, ktime_get_boot_fast_ns and
 * ktime_get_tai_fast_ns for them.
 */
static const struct {
	const char *name;
	int id;
} posix_clocks[] = {
	{ "mono", CLOCK_MONOTONIC },
	{ "mono_raw", CLOCK_MONOTONIC_RAW },
	{ "boot", CLOCK_BOOTTIME },
	{ "tai", CLOCK_TAI },
	{ "realtime", CLOCK_REALTIME }, /* not a trace clock */
};

int tracefs_dir_clock(struct hist_target *t, const char *clock, const char *instance, uint64_t *now)
{
	struct timespec ts;
	size_t i;

	(void)t;
	(void)instance;
	for (i = 0; i < sizeof(posix_clocks) / sizeof(posix_clocks[0]); i++) {
		if (strcmp(clock, posix_clocks[i].name))
			continue;
		if (clock_gettime(posix_clocks[i].id, &ts) < 0)
			return -errno;
		*now = (uint64_t)ts.tv_sec * 1000000000u + ts.tv_nsec;
		return 0;
	}
	return -ENOTSUP;
}

void tracefs_dir_free(struct hist_target *t)
{
	tracefs_dir_close(tracefs_dir_from_target(t));
	free(t);
}

static const struct hist_target_ops confined_ops = {
	.read = tracefs_dir_read,
	.open = tracefs_dir_open_file,
	.reread = tracefs_dir_reread,
	.reread_pieces = tracefs_dir_reread_pieces,
	.close = tracefs_dir_close_file,
	.write = tracefs_dir_write,
	.list = tracefs_dir_list,
	.mkdir = tracefs_dir_mkdir,
	.rmdir = tracefs_dir_rmdir,
	.exists = tracefs_dir_path_exists,
	.clock = tracefs_dir_clock,
	.pages = tracefs_dir_pages,
	.tasks = task_list_read,
	.free = tracefs_dir_free,
};

/*
 * The kernel's long may be wider than the long of this program: read its size from the
 * page header.
 */
static unsigned int kernel_long_size(struct hist_target *t)
{
	struct target_buf buf = { 0 };
	unsigned int size = sizeof(long);
	const char *p;

	if (!t->ops->read(t, "events/header_page", &buf)) {
		p = strstr(buf.data, " commit;");
		p = p ? strstr(p, "size:") : NULL;
		if (p)
			size = p[5] == '4' ? 4 : 8;
	}
	free(buf.data);
	return size;
}

int tracefs_dir_open(struct tracefs_dir *c, const struct hist_target_ops *ops, int dir)
{
	struct hist_target *t = &c->target;
	struct utsname uts;

	c->dir = dir;
	t->ops = ops;
	uname(&uts);
	t->host = strdup(uts.nodename);
	t->uname = text_join(uts.sysname, " ", uts.nodename, " ", uts.release, " ", uts.machine,
			     NULL);
	if (!t->host || !t->uname)
		return -ENOMEM;
	t->cpus = target_count_cpus(t);
	t->page_size = getpagesize();
	t->long_size = kernel_long_size(t);
	t->big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	return 0;
}

void tracefs_dir_close(struct tracefs_dir *c)
{
	if (c->dir >= 0)
		close(c->dir);
	free(c->target.uname);
	free(c->target.host);
}

static bool kernel_has_tracefs(void)
{
	struct target_buf buf = { 0 };
	/* if this is not known, report a missing mount */
	bool has = target_read_file("/proc/filesystems", &buf) || strstr(buf.data, "\ttracefs\n");

	free(buf.data);
	return has;
}

int tracefs_dir_find(struct hist_error *error)
{
	int dir = -1, failed = 0, ret;
	char *path;

	ret = target_find_mount("tracefs", &path);
	if (ret) {
		return text_refuse(error, ret, "/proc/mounts: ", strerror(-ret), NULL);
	}
	if (!path && !mount("tracefs", TRACEFS, "tracefs", 0, NULL))
		path = strdup(TRACEFS);
	else if (!path)
		failed = errno;
	if (path) {
		dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (dir < 0)
			dir = tracefs_access_refuse(errno, path, error);
		free(path);
		return dir;
	}
	if (!kernel_has_tracefs()) {
		return text_refuse(error, -ENODEV,
				   "tracefs: not supported by this kernel (CONFIG_FTRACE)", NULL);
	}
	if (geteuid()) {
		return text_refuse(error, -EACCES,
				   "tracefs: not mounted\nrun as root (sudo), or mount tracefs",
				   NULL);
	}
	if (failed == EPERM || failed == EACCES)
		return tracefs_access_refuse(failed, "tracefs: cannot be mounted", error);
	return text_refuse(error, -ENODEV, "tracefs: cannot be mounted: ", strerror(failed),
			   "\nrun 'mount -t tracefs tracefs " TRACEFS "'", NULL);
}

/* All users may be able to open the directory although its files belong to root. */
static int check_access(int dir, const char *path, struct hist_error *error)
{
	static const char *const needed[] = { "events", "trace_clock" };
	unsigned int i;
	int fd;

	for (i = 0; i < 2; i++) {
		fd = openat(dir, needed[i], O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			return tracefs_access_refuse(errno, path, error);
		close(fd);
	}
	return 0;
}

int tracefs_dir_new(struct hist_target **target, const struct hist_target_ops *ops, int dir,
		    const char *path, struct hist_error *error)
{
	struct tracefs_dir *c;
	int ret = check_access(dir, path ? path : "tracefs", error);

	if (ret) {
		close(dir);
		return ret;
	}
	c = calloc(1, sizeof(*c));
	ret = c ? tracefs_dir_open(c, ops ? ops : &confined_ops, dir) : -ENOMEM;
	if (ret) {
		text_refuse(error, ret, "out of memory", NULL);
		if (c)
			tracefs_dir_free(&c->target);
		else
			close(dir);
		return ret;
	}
	*target = &c->target;
	return 0;
}
