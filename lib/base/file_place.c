// SPDX-License-Identifier: LGPL-2.1
/*
 * file_place.c - find the directory and the name that a path leads to
 *
 * Each name of the path is opened in the directory of the name before, without following links.
 * The text of a link is put before the rest of the path.
 * Invariant: @dir is open, and the rest is relative to @dir.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "lib/base/file_place.h"

#define LINKS_MAX 40 /* as the kernel's MAXSYMLINKS */

bool file_place_is_shared(const struct stat *in)
{
	return in->st_mode & (S_IWGRP | S_IWOTH);
}

bool file_place_is_others(const struct stat *in)
{
	return file_place_is_shared(in) || (in->st_uid && in->st_uid != geteuid());
}

bool file_place_is_foreign(const struct stat *in, const struct stat *st)
{
	return file_place_is_shared(in) && st->st_uid != geteuid() && st->st_uid != in->st_uid;
}

static int file_place_enter_dir(struct file_place *p, int fd)
{
	if (fd < 0)
		return -errno;
	if (p->dir >= 0)
		close(p->dir);
	p->dir = fd;
	return fstat(fd, &p->in) ? -errno : 0;
}

static int file_place_open_start(struct file_place *p, const char *path)
{
	return file_place_enter_dir(p, open(*path == '/' ? "/" : ".",
					    O_PATH | O_DIRECTORY | O_CLOEXEC));
}

static bool file_place_is_proc(int fd)
{
	struct statfs fs;

	return !fstatfs(fd, &fs) && fs.f_type == PROC_SUPER_MAGIC;
}

/* Put the text of the link @fd before *@rest. */
static int file_place_follow_link(struct file_place *p, int fd, const struct stat *st, char **rest)
{
	char text[PATH_MAX], *joined;
	ssize_t len;

	p->foreign = file_place_is_foreign(&p->in, st);
	if (p->foreign)
		return -EACCES;
	len = readlinkat(fd, "", text, sizeof(text) - 1);
	if (len < 0)
		return -errno;
	if (!len || len == sizeof(text) - 1)
		return len ? -ENAMETOOLONG : -ENOENT;
	text[len] = '\0';
	joined = malloc(len + strlen(*rest) + 2);
	if (!joined)
		return -ENOMEM;
	stpcpy(stpcpy(stpcpy(joined, text), **rest ? "/" : ""), *rest);
	free(*rest);
	*rest = joined;
	return *joined == '/' ? file_place_open_start(p, joined) : 0;
}

/* Follow a link of /proc by the kernel: to a directory, or to the file if @last. */
static int file_place_follow_proc(struct file_place *p, const char *name, bool last)
{
	int fd = openat(p->dir, name, O_PATH | O_CLOEXEC | (last ? 0 : O_DIRECTORY));

	if (!last || fd < 0)
		return file_place_enter_dir(p, fd);
	p->fd = fd;
	if (fstat(fd, &p->file))
		return -errno;
	close(p->dir);
	p->dir = -1;
	return 0;
}

/*
 * Resolve the next name of *@rest.  1 after the last name, whose file may not exist; -errno.
 * @only_dir: the last name is not looked at.
 */
static int file_place_resolve_name(struct file_place *p, char **rest, unsigned int *links,
				   bool only_dir)
{
	char *name = *rest + strspn(*rest, "/"), *end = name + strcspn(name, "/"),
	     part[NAME_MAX + 1];
	bool last = !*end;
	struct stat st;
	int fd, ret;

	if (!*name)
		return -EISDIR;
	if (end - name > NAME_MAX)
		return -ENAMETOOLONG;
	memcpy(part, name, end - name);
	part[end - name] = '\0';
	memmove(*rest, end + strspn(end, "/"), strlen(end + strspn(end, "/")) + 1);
	if (last && (!strcmp(part, ".") || !strcmp(part, "..")))
		return -EISDIR;
	if (last && only_dir) {
		p->name = strdup(part);
		return p->name ? 1 : -ENOMEM;
	}
	fd = openat(p->dir, part, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 && (!last || errno != ENOENT))
		return -errno;
	p->name = last ? strdup(part) : NULL;
	if (last && !p->name)
		ret = -ENOMEM;
	else if (fd < 0)
		return 1;
	else if (fstat(fd, &st))
		ret = -errno;
	else if (S_ISLNK(st.st_mode) && ++*links > LINKS_MAX)
		ret = -ELOOP;
	else if (S_ISLNK(st.st_mode) && file_place_is_proc(fd))
		ret = file_place_follow_proc(p, part, last) ?: last;
	else if (S_ISLNK(st.st_mode))
		ret = file_place_follow_link(p, fd, &st, rest);
	else if (!last && !S_ISDIR(st.st_mode))
		ret = -ENOTDIR;
	else if (!last)
		return file_place_enter_dir(p, fd);
	else {
		p->fd = fd;
		p->file = st;
		return 1;
	}
	close(fd);
	if (ret != 1) {
		free(p->name);
		p->name = NULL;
	}
	return ret;
}

static int file_place_walk(struct file_place *p, const char *path, bool only_dir)
{
	unsigned int links = 0;
	char *rest;
	int ret;

	memset(p, 0, sizeof(*p));
	p->dir = p->fd = -1;
	rest = strdup(path);
	ret = !rest ? -ENOMEM : *path ? file_place_open_start(p, path) : -ENOENT;
	while (!ret)
		ret = file_place_resolve_name(p, &rest, &links, only_dir);
	free(rest);
	return ret < 0 ? ret : 0;
}

int file_place_find(struct file_place *p, const char *path)
{
	return file_place_walk(p, path, false);
}

int file_place_find_dir(struct file_place *p, const char *path)
{
	return file_place_walk(p, path, true);
}

int file_place_find_beside(struct file_place *p, const struct file_place *other, const char *name)
{
	memset(p, 0, sizeof(*p));
	p->fd = -1;
	p->dir = fcntl(other->dir, F_DUPFD_CLOEXEC, 3);
	p->in = other->in;
	if (p->dir < 0)
		return -errno;
	p->name = strdup(name);
	if (!p->name)
		return -ENOMEM;
	p->fd = openat(p->dir, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (p->fd < 0)
		return errno == ENOENT ? 0 : -errno;
	return fstat(p->fd, &p->file) ? -errno : 0;
}

void file_place_clear(struct file_place *p)
{
	if (p->dir >= 0)
		close(p->dir);
	if (p->fd >= 0)
		close(p->fd);
	free(p->name);
	memset(p, 0, sizeof(*p));
	p->dir = p->fd = -1;
}

const char *file_place_suffix(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const char *dot = strrchr(name, '.');

	/* ".dat" is a name, not a suffix */
	return dot && dot != name ? dot : path + strlen(path);
}
