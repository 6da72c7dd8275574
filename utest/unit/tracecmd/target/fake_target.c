// SPDX-License-Identifier: GPL-2.0
/*
 * fake_target.c - a target over an ordinary directory, for tests
 *
 * Invariant: all state is in the directory, none in memory but what is to fail.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "utest/unit/tracecmd/target/fake_target.h"

static struct fake_target *fake_of(struct hist_target *t)
{
	return (struct fake_target *)t;
}

/* -errno when this is to fail. */
static int check(struct hist_target *t, const char *op, const char *path)
{
	struct fake_target *fake = fake_of(t);

	if (!target_path_is_valid(path))
		return -EINVAL;
	if (!fake->fail_op || strcmp(fake->fail_op, op) || strcmp(fake->fail_path, path) ||
	    !fake->fail_times)
		return 0;
	if (fake->fail_times > 0)
		fake->fail_times--;
	return fake->fail_err;
}

static void note(struct fake_target *fake, const char *op, const char *path, const char *text)
{
	char *line;
	int fd = openat(fake->dir, "log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	int len = asprintf(&line, "%s %s%s%s\n", op, path, *text ? " " : "", text);

	if (fd < 0 || len < 0 || write(fd, line, len) != len)
		abort();
	free(line);
	close(fd);
}

static int get(struct fake_target *fake, const char *path, struct target_buf *buf)
{
	struct stat st;
	int fd = openat(fake->dir, path, O_RDONLY | O_CLOEXEC);
	ssize_t len;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) < 0)
		abort();
	if (target_buf_reserve(buf, st.st_size + 1)) {
		close(fd);
		return -ENOMEM;
	}
	len = read(fd, buf->data, st.st_size);
	close(fd);
	if (len < 0)
		return -errno;
	buf->len = len;
	buf->data[len] = '\0';
	return 0;
}

static int put(struct fake_target *fake, const char *path, int flags, const char *data,
	       size_t len)
{
	int fd = openat(fake->dir, path, O_WRONLY | O_CLOEXEC | flags, 0600);

	if (fd < 0)
		return -errno;
	if (write(fd, data, len) != (ssize_t)len)
		abort();
	close(fd);
	return 0;
}

static int fake_read(struct hist_target *t, const char *path, struct target_buf *buf)
{
	int ret = check(t, "read", path);

	return ret ? ret : get(fake_of(t), path, buf);
}

/* The place of the line @text in @file, or NULL. */
static char *find_line(char *file, const char *text)
{
	size_t len = strlen(text);
	char *line = file;

	while ((line = strstr(line, text))) {
		if ((line == file || line[-1] == '\n') && line[len] == '\n')
			return line;
		line++;
	}
	return NULL;
}

static int write_trigger(struct fake_target *fake, const char *path, const char *text)
{
	struct target_buf buf = { 0 };
	const char *name = text + (*text == '!');
	char *line, *file;
	int ret;

	ret = get(fake, path, &buf);
	if (ret)
		goto out;
	line = find_line(buf.data, name);
	if (*text == '!' && line) {
		size_t len = strlen(name) + 1;

		memmove(line, line + len, strlen(line + len) + 1);
		ret = put(fake, path, O_TRUNC, buf.data, strlen(buf.data));
	} else if (*text != '!' && line) {
		ret = -EEXIST;
	} else if (*text != '!') {
		if (asprintf(&file, "%s\n", text) < 0)
			abort();
		ret = put(fake, path, O_APPEND, file, strlen(file));
		free(file);
	}
out:
	free(buf.data);
	return ret;
}

static int fake_write(struct hist_target *t, const char *path, const char *data, size_t len,
		      bool append)
{
	const char *name = strrchr(path, '/');
	char *text = strndup(data, len);
	int ret = check(t, "write", path);

	if (!text)
		abort();
	if (!ret)
		note(fake_of(t), append ? "append" : "write", path, text);
	if (!ret && !strcmp(name ? name + 1 : path, "trigger"))
		ret = append ? write_trigger(fake_of(t), path, text) : -EINVAL;
	else if (!ret)
		ret = put(fake_of(t), path, append ? O_APPEND : O_TRUNC, data, len);
	free(text);
	return ret;
}

static int fake_mkdir(struct hist_target *t, const char *path)
{
	int ret = check(t, "mkdir", path);

	if (ret)
		return ret;
	note(fake_of(t), "mkdir", path, "");
	return mkdirat(fake_of(t)->dir, path, 0700) < 0 ? -errno : 0;
}

static int remove_tree(int parent, const char *name)
{
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (!dir)
		return -errno;
	while ((entry = readdir(dir))) {
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..") &&
		    unlinkat(fd, entry->d_name, 0) < 0)
			remove_tree(fd, entry->d_name);
	}
	closedir(dir);
	return unlinkat(parent, name, AT_REMOVEDIR) < 0 ? -errno : 0;
}

static int fake_rmdir(struct hist_target *t, const char *path)
{
	int ret = check(t, "rmdir", path);

	if (ret)
		return ret;
	note(fake_of(t), "rmdir", path, "");
	return remove_tree(fake_of(t)->dir, path);
}

static int fake_exists(struct hist_target *t, const char *path)
{
	struct stat st;
	int ret = check(t, "exists", path);

	if (ret)
		return ret;
	return !fstatat(fake_of(t)->dir, path, &st, 0);
}

static int fake_list(struct hist_target *t, const char *path, struct target_buf *buf)
{
	int ret = check(t, "list", path), fd;
	struct dirent *entry;
	DIR *dir;

	if (ret)
		return ret;
	fd = openat(fake_of(t)->dir, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	dir = fdopendir(fd);
	if (!dir)
		abort();
	buf->len = 0;
	while ((entry = readdir(dir))) {
		size_t len = strlen(entry->d_name) + 1;

		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		if (target_buf_reserve(buf, buf->len + len + 1))
			abort();
		memcpy(buf->data + buf->len, entry->d_name, len);
		buf->len += len;
		buf->data[buf->len] = '\0';
	}
	closedir(dir);
	return 0;
}

static void fake_free(struct hist_target *t)
{
	close(fake_of(t)->dir);
	free(t);
}

static const struct hist_target_ops fake_ops = {
	.read = fake_read,
	.write = fake_write,
	.list = fake_list,
	.mkdir = fake_mkdir,
	.rmdir = fake_rmdir,
	.exists = fake_exists,
	.free = fake_free,
};

struct fake_target *fake_target_new(const char *dir)
{
	struct fake_target *fake = calloc(1, sizeof(*fake));

	if (!fake)
		return NULL;
	fake->target.ops = &fake_ops;
	mkdir(dir, 0700);
	fake->dir = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fake->dir < 0 || (mkdirat(fake->dir, "instances", 0700) < 0 && errno != EEXIST)) {
		fake_free(&fake->target);
		return NULL;
	}
	return fake;
}

int fake_target_put(struct fake_target *fake, const char *path, const char *text)
{
	char *part = strdup(path), *slash;

	if (!part)
		return -ENOMEM;
	for (slash = strchr(part, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdirat(fake->dir, part, 0700);
		*slash = '/';
	}
	free(part);
	return put(fake, path, O_CREAT | O_TRUNC, text, strlen(text));
}

char *fake_target_get(struct fake_target *fake, const char *path)
{
	struct target_buf buf = { 0 };

	if (!get(fake, path, &buf))
		return buf.data;
	free(buf.data);
	return NULL;
}

char *fake_target_log(struct fake_target *fake)
{
	char *log = fake_target_get(fake, "log");

	unlinkat(fake->dir, "log", 0);
	return log ? log : strdup("");
}
