// SPDX-License-Identifier: GPL-2.0
/*
 * outfile.c - write a file for -o that gets its name when it is complete
 *
 * linkat(2) of /proc/self/fd/N gives the file its name (open(2), O_TMPFILE).  It does not replace
 * an older file; therefore the file gets a temporary name, and rename(2) replaces the older one.
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

#define BUSY "another program is writing this file, or has locked it"
#define ELSEWHERE "use -o to write to another directory"
#define COPY "copy the file and its side files (*.episode-*) to a directory of your own"
#define TRIES 100

/* For the signal handler; NULL: none. */
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

/* 0 if @ret is. */
static int outfile_report_lock(const char *path, int ret)
{
	if (ret == -EBUSY)
		return message_refuse(ret, "%s: " BUSY, path);
	if (ret == -ESTALE)
		return message_refuse(ret, "%s: another program has put a file in its place\n"
				      ELSEWHERE, path);
	return ret ? message_error_errno(path, ret) : 0;
}

/* Open and lock the older file @st in @place.  @access: O_WRONLY or O_RDWR. */
static int outfile_open_older(const struct file_place *place, const struct stat *st, int access)
{
	struct stat now;
	int fd, ret;

	fd = openat(place->dir, place->name, access | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = fstat(fd, &now) ? -errno : file_place_is_same(&now, st) ? outfile_lock_file(fd) :
		-ESTALE;
	if (!ret)
		return fd;
	close(fd);
	return ret;
}

/* Refuse a file of another user in a directory that others can write to. */
static int outfile_refuse_foreign(const char *path, const struct file_place *p,
				  const char *not_done, const char *hint)
{
	if (!file_place_is_foreign(&p->in, &p->file))
		return 0;
	return message_refuse(-EACCES, "%s: the existing file is not %s, " FILE_PLACE_WHY_FOREIGN
			      "\n%s", path, not_done, hint);
}

/* Check that the older file can be replaced, and lock it.  Returns its descriptor. */
static int outfile_take_older(const char *path, const struct file_place *p)
{
	int fd;

	if (!S_ISREG(p->file.st_mode))
		return message_refuse(-EINVAL, "%s: not a regular file", path);
	if (outfile_refuse_foreign(path, p, "replaced", ELSEWHERE))
		return -EACCES;
	/* rename(2) would fail at the end */
	if ((p->in.st_mode & S_ISVTX) && geteuid() && p->file.st_uid != geteuid() &&
	    p->in.st_uid != geteuid())
		return message_error_errno(path, -EPERM);
	fd = outfile_open_older(p, &p->file, O_WRONLY);
	return fd < 0 ? outfile_report_lock(path, fd) : fd;
}

static int outfile_find_place(struct file_place *place, const char *path)
{
	int ret = file_place_find(place, path);

	if (place->foreign)
		message_error("%s: the symbolic link is not followed, " FILE_PLACE_WHY_FOREIGN "\n"
			      ELSEWHERE, path);
	else if (ret)
		message_error_errno(path, ret);
	return ret;
}

static int outfile_check_place(const struct file_place *place, const char *path)
{
	int fd;

	if (place->dir < 0)
		return message_refuse(-EINVAL, "%s: not a regular file", path);
	if (place->fd < 0)
		return faccessat(place->dir, ".", W_OK | X_OK, AT_EACCESS) ?
		       message_error_errno(path, -errno) : 0;
	fd = outfile_take_older(path, place);
	if (fd >= 0)
		close(fd);
	return fd < 0 ? fd : 0;
}

int outfile_check_path(const char *path)
{
	struct file_place place;
	int ret = outfile_find_place(&place, path);

	if (!ret)
		ret = outfile_check_place(&place, path);
	file_place_clear(&place);
	return ret;
}

int outfile_check_beside(const struct file_place *of, const char *name, const char *path)
{
	struct file_place place;
	int ret = file_place_find_beside(&place, of, name);

	ret = ret ? message_error_errno(path, ret) : outfile_check_place(&place, path);
	file_place_clear(&place);
	return ret;
}

/* A name after @name that nobody can guess; malloc'ed, or NULL without memory. */
static char *outfile_make_name(const char *name)
{
	char *made;

	return asprintf(&made, "%.200s.%016" PRIx64, name, unique_number_64()) < 0 ? NULL : made;
}

/* Find an unused name; @make creates the file with the name, and returns 0 or -errno. */
static int make_temporary(struct outfile *f, int (*make)(struct outfile *f, const char *name))
{
	unsigned int i;
	char *name;
	int ret = -EEXIST;

	for (i = 0; i < TRIES && ret == -EEXIST; i++) {
		name = outfile_make_name(f->place.name);
		if (!name)
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
	f->fd = openat(f->place.dir, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		       0666);
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

/*
 * Open a FIFO, a device or the like for writing.  A FIFO of this user waits for its reader, as
 * in a shell.
 */
static int open_direct(struct outfile *f)
{
	static const int flags = O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY;
	struct stat now;

	f->direct = true;
	if (f->place.dir >= 0 && outfile_refuse_foreign(f->path, &f->place, "written", ELSEWHERE))
		return -EACCES;
	/* only the kernel can follow a link of /proc, such as /dev/stdout */
	f->fd = f->place.dir < 0 ? open(f->path, flags) :
				   openat(f->place.dir, f->place.name, flags | O_NOFOLLOW);
	if (f->fd < 0)
		return message_error_errno(f->path, -errno);
	/* the name may be that of another file now, which must not be written */
	if (f->place.dir >= 0 && (fstat(f->fd, &now) || !file_place_is_same(&now, &f->place.file)))
		return message_error_errno(f->path, -ESTALE);
	return 0;
}

/* Make the file for the place that was found. */
static int outfile_begin(struct outfile *f)
{
	int ret;

	if (f->place.dir < 0)
		return message_refuse(-EINVAL, "%s: not a regular file", f->path);
	if (f->place.fd >= 0) {
		f->older = outfile_take_older(f->path, &f->place);
		if (f->older < 0)
			return f->older;
	}
	ret = outfile_create_file(f);
	return ret ? message_error_errno(f->path, ret) : 0;
}

static void outfile_init(struct outfile *f, const char *path)
{
	memset(f, 0, sizeof(*f));
	f->path = path;
	f->fd = f->older = -1;
}

int outfile_open(struct outfile *f, const char *path, bool direct)
{
	int ret;

	outfile_init(f, path);
	ret = outfile_find_place(&f->place, path);
	if (!ret && direct && f->place.fd >= 0 &&
	    (f->place.dir < 0 || !S_ISREG(f->place.file.st_mode)))
		ret = open_direct(f);
	else if (!ret)
		ret = outfile_begin(f);
	if (ret)
		outfile_close(f);
	return ret;
}

/* Open the file @name in the directory of @of.  @new: not to replace the file that has the name. */
static int outfile_open_beside(struct outfile *f, const struct file_place *of, const char *name,
			       const char *path, bool new)
{
	int ret;

	outfile_init(f, path);
	ret = file_place_find_beside(&f->place, of, name);
	if (new && f->place.fd >= 0) {
		close(f->place.fd);
		f->place.fd = -1;
	}
	ret = ret ? message_error_errno(path, ret) : outfile_begin(f);
	if (ret)
		outfile_close(f);
	return ret;
}

int outfile_open_new(struct outfile *f, const struct file_place *of, const char *name,
		     const char *path)
{
	return outfile_open_beside(f, of, name, path, true);
}

int outfile_rename(struct outfile *f, const char *name, const char *path)
{
	char *copy = strdup(name);

	if (!copy)
		return message_error_memory();
	free(f->place.name);
	f->place.name = copy;
	f->path = path;
	return 0;
}

int outfile_open_side(struct outfile *f, const struct file_place *of, const char *name,
		      const char *path)
{
	char *made = file_place_is_others(&of->in) ? outfile_make_name(name) : strdup(name);
	int ret = made ? outfile_open_beside(f, of, made, path, false) : message_error_memory();

	free(made);
	return ret;
}

int outfile_open_nameless(const struct file_place *in)
{
	struct outfile f = { .place = *in, .fd = -1 };
	int ret;

	f.fd = openat(in->dir, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (f.fd >= 0)
		return f.fd;
	/* some file systems cannot make a file without a name: remove its name */
	ret = make_temporary(&f, make_named);
	if (ret)
		return ret;
	unlinkat(in->dir, f.temporary, 0);
	free(f.temporary);
	return fchmod(f.fd, 0600) ? -errno : f.fd;
}

int outfile_make_dir(const struct file_place *of, const char *name, char **made)
{
	struct stat st;
	unsigned int i;
	int fd, ret = -EEXIST;

	for (i = 0; i < TRIES && ret == -EEXIST; i++) {
		*made = outfile_make_name(name);
		if (!*made)
			return message_error_memory();
		ret = mkdirat(of->dir, *made, 0700) ? -errno : 0;
		if (!ret)
			break;
		free(*made);
	}
	if (ret)
		return message_error_errno(name, ret);
	fd = openat(of->dir, *made, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0 && !fstat(fd, &st) && st.st_uid == geteuid() && !(st.st_mode & 077))
		return fd;
	/* another user has put another directory in its place */
	ret = fd < 0 ? -errno : -ESTALE;
	if (fd >= 0)
		close(fd);
	free(*made);
	return message_error_errno(name, ret);
}

int outfile_reopen_in(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);

	return fd < 0 ? message_error_errno(name, -errno) : fd;
}

int outfile_reopen(struct outfile *f, const char *path)
{
	int ret;

	outfile_init(f, path);
	ret = outfile_find_place(&f->place, path);
	if (!ret && f->place.fd < 0)
		ret = message_error_errno(path, -ENOENT);
	if (!ret && (f->place.dir < 0 || !S_ISREG(f->place.file.st_mode)))
		ret = message_refuse(-EINVAL, "%s: not a regular file", path);
	if (!ret)
		ret = outfile_refuse_foreign(path, &f->place, "changed", COPY);
	if (!ret && f->place.file.st_nlink != 1 && file_place_is_others(&f->place.in))
		ret = message_refuse(-EACCES, "%s: the file is not changed, because it has another "
				     "name and other users can write to its directory\n" COPY,
				     path);
	if (!ret) {
		f->fd = outfile_open_older(&f->place, &f->place.file, O_RDWR);
		ret = f->fd < 0 ? outfile_report_lock(path, f->fd) : 0;
	}
	f->named = true;
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
	f->older = outfile_open_older(&f->place, &now, O_WRONLY);
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

/* The same for a name that no file may have.  -EEXIST: one has. */
static int outfile_link_new(struct outfile *f)
{
	int dir = f->place.dir;

	if (!f->temporary)
		return make_linked(f, f->place.name);
	if (!renameat2(dir, f->temporary, dir, f->place.name, RENAME_NOREPLACE))
		return 0;
	/* not every file system can refuse to replace */
	if (errno != EINVAL)
		return -errno;
	if (!faccessat(dir, f->place.name, F_OK, AT_SYMLINK_NOFOLLOW))
		return -EEXIST;
	return renameat(dir, f->temporary, dir, f->place.name) ? -errno : 0;
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
		ret = renameat(f->place.dir, f->temporary, f->place.dir, f->place.name) ? -errno
											: 0;
		if (ret)
			return ret;
	}
	return ret;
}

static int outfile_give_name(struct outfile *f, int (*link)(struct outfile *f))
{
	sigset_t all, before;
	int ret;

	/* a signal must not end the program while the handler does not know the temporary name */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	ret = link(f);
	if (!ret)
		outfile_forget_temporary(f);
	else if (f->temporary && !remove_name) {
		unlinkat(f->place.dir, f->temporary, 0);
		free(f->temporary);
		f->temporary = NULL;
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return ret;
}

int outfile_publish(struct outfile *f)
{
	return f->named || f->direct ? 0 :
	       outfile_report_lock(f->path, outfile_give_name(f, outfile_link_name));
}

int outfile_publish_new(struct outfile *f)
{
	int ret = outfile_give_name(f, outfile_link_new);

	return ret && ret != -EEXIST ? message_error_errno(f->path, ret) : ret;
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

int outfile_replace(struct outfile *f, int dir, const char *name, int fd)
{
	int ret = outfile_check(f);

	if (ret)
		return ret;
	ret = outfile_lock_file(fd);
	if (!ret && renameat(dir, name, f->place.dir, f->place.name))
		ret = -errno;
	return outfile_report_lock(f->path, ret);
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
