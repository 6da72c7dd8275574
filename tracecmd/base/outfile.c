// SPDX-License-Identifier: GPL-2.0
/*
 * outfile.c - write a file for -o that gets its name when it is complete
 *
 * linkat(2) of /proc/self/fd/N gives the file its name (open(2), O_TMPFILE).  linkat(2) does not
 * replace an older file; therefore the file gets a temporary name, and rename(2) replaces the
 * older one.
 * Invariant: a file is replaced only while this process has its lock.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "tracecmd/base/message.h"
#include "tracecmd/base/outfile.h"
#include "tracecmd/base/unique_name.h"

#define BUSY "another program is writing this file"
#define TRIES 100

/* For the signal handler: the file to remove; NULL: none. */
static const char *volatile remove_name;
static volatile sig_atomic_t remove_dir;

static void remove_and_die(int sig)
{
	if (remove_name)
		unlinkat(remove_dir, remove_name, 0);
	/* SA_RESETHAND has put the default back */
	raise(sig);
}

/* Remove the temporary name if a signal ends the program. */
static void catch_signals(const struct outfile *f)
{
	static const int ending[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = remove_and_die, .sa_flags = SA_RESETHAND };
	struct sigaction before;
	unsigned int i;

	remove_dir = f->place.dir;
	remove_name = f->temporary;
	for (i = 0; i < sizeof(ending) / sizeof(*ending); i++) {
		/* an ignored signal remains ignored (nohup) */
		if (!sigaction(ending[i], NULL, &before) && before.sa_handler == SIG_DFL)
			sigaction(ending[i], &action, NULL);
	}
}

/* -EBUSY: locked by another program.  0 if the file system does not support locks. */
static int outfile_lock_file(int fd)
{
	if (!flock(fd, LOCK_EX | LOCK_NB))
		return 0;
	if (errno == ENOLCK || errno == EOPNOTSUPP || errno == ENOSYS)
		return 0;
	return errno == EWOULDBLOCK ? -EBUSY : -errno;
}

static int outfile_report_lock(const char *path, int ret)
{
	if (ret != -EBUSY)
		return message_error_errno(path, ret);
	return message_refuse(ret, "%s: " BUSY, path);
}

int outfile_lock(const char *path, int fd)
{
	int ret = outfile_lock_file(fd);

	return ret ? outfile_report_lock(path, ret) : 0;
}

/* Open and lock the older file @st in @place. */
static int open_older(const struct file_place *place, const struct stat *st)
{
	struct stat now;
	int fd, ret;

	fd = openat(place->dir, place->name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = fstat(fd, &now) ? -errno : file_place_is_same(&now, st) ? outfile_lock_file(fd) :
		-ESTALE;
	if (!ret)
		return fd;
	close(fd);
	return ret;
}

/* Check that the older file can be replaced, and lock it.  Returns its descriptor. */
static int take_older(const char *path, const struct file_place *p)
{
	int fd;

	if (!S_ISREG(p->file.st_mode))
		return message_refuse(-EINVAL, "%s: not a regular file", path);
	if (file_place_is_foreign(&p->in, &p->file))
		return message_refuse(-EACCES, "%s: the existing file is not replaced, because "
				      "another user owns it and other users can write to its "
				      "directory\n"
				      "use -o to write to another directory", path);
	/* rename(2) would fail at the end */
	if ((p->in.st_mode & S_ISVTX) && geteuid() && p->file.st_uid != geteuid() &&
	    p->in.st_uid != geteuid())
		return message_error_errno(path, -EPERM);
	fd = open_older(p, &p->file);
	return fd < 0 ? outfile_report_lock(path, fd) : fd;
}

static int outfile_find_place(struct file_place *place, const char *path)
{
	int ret = file_place_find(place, path);

	if (place->foreign)
		message_error("%s: the symbolic link is not followed, because another user owns "
			      "it and other users can write to its directory\n"
			      "use -o to write to another directory", path);
	else if (ret)
		message_error_errno(path, ret);
	return ret;
}

int outfile_check_path(const char *path)
{
	struct file_place place;
	int ret = outfile_find_place(&place, path), fd;

	if (!ret && place.dir < 0) {
		ret = message_refuse(-EINVAL, "%s: not a regular file", path);
	} else if (!ret && place.fd >= 0) {
		fd = take_older(path, &place);
		if (fd >= 0)
			close(fd);
		ret = fd < 0 ? fd : 0;
	} else if (!ret && faccessat(place.dir, ".", W_OK | X_OK, AT_EACCESS)) {
		ret = message_error_errno(path, -errno);
	}
	file_place_clear(&place);
	return ret;
}

/* Find an unused name; @make creates the file with the name, and returns 0 or -errno. */
static int make_temporary(struct outfile *f, int (*make)(struct outfile *f, const char *name))
{
	unsigned int i;
	char *name;
	int ret = -EEXIST;

	for (i = 0; i < TRIES && ret == -EEXIST; i++) {
		if (asprintf(&name, "%.200s.%016" PRIx64, f->place.name, unique_number_64()) < 0)
			return -ENOMEM;
		ret = make(f, name);
		if (ret)
			free(name);
		else
			f->temporary = name;
	}
	return ret;
}

static int make_named(struct outfile *f, const char *name)
{
	f->fd = openat(f->place.dir, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	return f->fd < 0 ? -errno : 0;
}

static void proc_path(const struct outfile *f, char *proc, size_t size)
{
	snprintf(proc, size, "/proc/self/fd/%d", f->fd);
}

static int make_linked(struct outfile *f, const char *name)
{
	char proc[32];

	proc_path(f, proc, sizeof(proc));
	return linkat(AT_FDCWD, proc, f->place.dir, name, AT_SYMLINK_FOLLOW) ? -errno : 0;
}

/* A file without a name can only get one through /proc, which may be missing in a chroot. */
static bool can_be_linked(const struct outfile *f)
{
	struct stat ours, there;
	char proc[32];

	proc_path(f, proc, sizeof(proc));
	return !fstat(f->fd, &ours) && !stat(proc, &there) && file_place_is_same(&ours, &there);
}

static int outfile_create_file(struct outfile *f)
{
	int ret;

	f->fd = openat(f->place.dir, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
	if (f->fd < 0 && errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)
		return -errno;
	if (f->fd >= 0 && !can_be_linked(f)) {
		close(f->fd);
		f->fd = -1;
	}
	ret = f->fd < 0 ? make_temporary(f, make_named) : 0;
	if (!ret && f->temporary)
		catch_signals(f);
	if (!ret)
		ret = outfile_lock_file(f->fd);
	if (!ret && f->older >= 0 && fchmod(f->fd, f->place.file.st_mode & 0777))
		ret = -errno;
	return ret;
}

/* Open the file of the O_PATH descriptor for writing. */
static int open_direct(struct outfile *f)
{
	char proc[32];

	f->direct = true;
	/* /dev/stdout and similar files are opened by their paths */
	snprintf(proc, sizeof(proc), "/proc/self/fd/%d", f->place.fd);
	f->fd = open(f->place.dir < 0 ? f->path : proc, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY);
	if (f->fd < 0 && errno == ENOENT)
		f->fd = open(f->path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY);
	return f->fd < 0 ? message_error_errno(f->path, -errno) : 0;
}

int outfile_open(struct outfile *f, const char *path, bool direct)
{
	int ret;

	memset(f, 0, sizeof(*f));
	f->path = path;
	f->fd = f->older = -1;
	ret = outfile_find_place(&f->place, path);
	if (!ret && direct && f->place.fd >= 0 &&
	    (f->place.dir < 0 || !S_ISREG(f->place.file.st_mode))) {
		ret = open_direct(f);
		goto out;
	}
	if (!ret && f->place.dir < 0)
		ret = message_refuse(-EINVAL, "%s: not a regular file", path);
	if (!ret && f->place.fd >= 0) {
		f->older = take_older(path, &f->place);
		ret = f->older < 0 ? f->older : 0;
	}
	if (ret)
		goto out;
	ret = outfile_create_file(f);
	if (ret)
		message_error_errno(path, ret);
out:
	if (ret)
		outfile_close(f);
	return ret;
}

/* Make the file that has the name now the older file: another program may have changed it. */
static int outfile_claim_name(struct outfile *f)
{
	struct stat now, before;

	if (fstatat(f->place.dir, f->place.name, &now, AT_SYMLINK_NOFOLLOW)) {
		if (errno != ENOENT)
			return -errno;
		if (f->older >= 0)
			close(f->older);
		f->older = -1;
		return 0;
	}
	if (f->older >= 0 && !fstat(f->older, &before) && file_place_is_same(&now, &before))
		return 0;
	if (f->older >= 0)
		close(f->older);
	f->older = -1;
	if (!S_ISREG(now.st_mode))
		return -ESTALE;
	f->older = open_older(&f->place, &now);
	return f->older < 0 ? f->older : 0;
}

/* The file has its name, and the temporary name does not exist any more. */
static void outfile_forget_temporary(struct outfile *f)
{
	remove_name = NULL;
	free(f->temporary);
	f->temporary = NULL;
	f->named = true;
}

static int outfile_link_name(struct outfile *f)
{
	int ret = -EEXIST;
	unsigned int i;

	/* repeat if another program changed the name between two of the steps */
	for (i = 0; i < TRIES && (ret == -EEXIST || ret == -ESTALE || ret == -ENOENT); i++) {
		ret = outfile_claim_name(f);
		if (ret)
			continue;
		if (f->older < 0 && !f->temporary) {
			ret = make_linked(f, f->place.name);
			if (ret == -ENOENT)
				return ret;
			continue;
		}
		if (!f->temporary)
			ret = make_temporary(f, make_linked);
		if (ret)
			return ret;
		ret = renameat(f->place.dir, f->temporary, f->place.dir, f->place.name) ? -errno : 0;
		if (ret)
			return ret;
	}
	return ret;
}

int outfile_publish(struct outfile *f)
{
	sigset_t all, before;
	int ret;

	if (f->named || f->direct)
		return 0;
	/* a signal must not end the program while the handler does not know the temporary name */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	ret = outfile_link_name(f);
	if (!ret)
		outfile_forget_temporary(f);
	else if (f->temporary && !remove_name) {
		unlinkat(f->place.dir, f->temporary, 0);
		free(f->temporary);
		f->temporary = NULL;
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return ret ? outfile_report_lock(f->path, ret) : 0;
}

int outfile_check(const struct outfile *f)
{
	struct stat ours, there;
	int fd;

	/* some file systems report a full disk only at close(2) */
	fd = fcntl(f->fd, F_DUPFD_CLOEXEC, 3);
	if (fd < 0 || close(fd))
		return message_error_errno(f->path, -errno);
	if (!f->named)
		return 0;
	if (fstat(f->fd, &ours))
		return message_error_errno(f->path, -errno);
	if (!fstatat(f->place.dir, f->place.name, &there, AT_SYMLINK_NOFOLLOW)) {
		if (file_place_is_same(&ours, &there))
			return 0;
	} else if (errno != ENOENT) {
		return message_error_errno(f->path, -errno);
	}
	return message_refuse(-ESTALE, "%s: another program removed or replaced the file while it "
			      "was being written", f->path);
}

int outfile_replace(struct outfile *f, const char *name, int fd)
{
	int ret = outfile_check(f);

	if (ret)
		return ret;
	ret = outfile_lock_file(fd);
	if (!ret && renameat(f->place.dir, name, f->place.dir, f->place.name))
		ret = -errno;
	return ret ? outfile_report_lock(f->path, ret) : 0;
}

void outfile_close(struct outfile *f)
{
	if (!f->path)
		return;
	if (f->temporary)
		unlinkat(f->place.dir, f->temporary, 0);
	remove_name = NULL;
	if (f->fd >= 0)
		close(f->fd);
	if (f->older >= 0)
		close(f->older);
	free(f->temporary);
	file_place_clear(&f->place);
	memset(f, 0, sizeof(*f));
	f->fd = f->older = -1;
}
