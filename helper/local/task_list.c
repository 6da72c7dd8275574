// SPDX-License-Identifier: GPL-2.0
/*
 * task_list.c - list the tasks of this machine, or those of a cgroup
 *
 * A task or a group may end while the list is read: what is gone is left out.
 *
 * Invariant: only files named cgroup.threads below the mount of cgroup v2 are read for a cgroup.
 */
#include "helper/port/port.h"

#include "helper/local/task_list.h"
#include "helper/port/text.h"

/* The kernel limits neither; a deeper tree is cut off here. */
#define DEPTH_MAX 64

static bool is_gone(int err)
{
	return err == -ENOENT || err == -ESRCH || err == -ENODEV || err == -ENOTDIR;
}

/* The names in a directory; none if it is gone. */
static int list_dir(const char *path, struct target_buf *names)
{
	int ret;

	names->len = 0;
	ret = target_list_dir(AT_FDCWD, path, names);
	return is_gone(ret) ? 0 : ret;
}

/* Add the threads of the group at @path and of the groups below it. */
static int add_group(const char *path, unsigned int depth, struct target_buf *buf)
{
	struct target_buf text = { 0 }, names = { 0 };
	char *file = text_join(path, "/cgroup.threads", NULL), *below;
	const char *name;
	int ret = file ? target_read_file(file, &text) : -ENOMEM;

	free(file);
	if (!ret)
		ret = target_buf_append(buf, text.data, text.len);
	free(text.data);
	/* most names are files: their attempt ends here */
	if (!ret && depth < DEPTH_MAX)
		ret = list_dir(path, &names);
	for (name = names.data; !ret && name < names.data + names.len; name += strlen(name) + 1) {
		below = text_join(path, "/", name, NULL);
		ret = below ? add_group(below, depth + 1, buf) : -ENOMEM;
		free(below);
		if (is_gone(ret))
			ret = 0;
	}
	free(names.data);
	return ret;
}

/* The directory of a cgroup, malloc'ed: @cgroup is below the mount, or contains it. */
static int find_group(const char *cgroup, char **path)
{
	const char *below = cgroup + strspn(cgroup, "/");
	char *mount;
	size_t len;
	int ret;

	*path = NULL;
	if (*below && !target_path_is_valid(below))
		return -EINVAL;
	ret = target_find_mount("cgroup2", &mount);
	if (ret || !mount)
		return ret ? ret : -EOPNOTSUPP;
	len = strlen(mount);
	if (!strncmp(cgroup, mount, len) && (!cgroup[len] || cgroup[len] == '/'))
		*path = strdup(cgroup);
	else
		*path = text_join(mount, "/", below, NULL);
	free(mount);
	return *path ? 0 : -ENOMEM;
}

/* The lines of /proc/PID/task/TID/status that tell the place in the tree of processes. */
static int add_status(const char *text, struct target_buf *buf)
{
	static const char *const words[] = { "Tgid:", "Pid:", "PPid:" };
	unsigned int i;
	size_t len;
	int ret = 0;

	for (; *text && !ret; text += len) {
		len = strcspn(text, "\n");
		len += text[len] == '\n';
		for (i = 0; i < 3; i++) {
			if (!strncmp(text, words[i], strlen(words[i])))
				ret = target_buf_append(buf, text, len);
		}
	}
	return ret;
}

static int add_threads(const char *pid, struct target_buf *text, struct target_buf *buf)
{
	char *dir = text_join("/proc/", pid, "/task", NULL), *file;
	struct target_buf names = { 0 };
	const char *name;
	int ret = dir ? list_dir(dir, &names) : -ENOMEM;

	for (name = names.data; !ret && name < names.data + names.len; name += strlen(name) + 1) {
		file = text_join(dir, "/", name, "/status", NULL);
		ret = file ? target_read_file(file, text) : -ENOMEM;
		free(file);
		if (!ret)
			ret = add_status(text->data, buf);
		else if (is_gone(ret))
			ret = 0;
	}
	free(names.data);
	free(dir);
	return ret;
}

static int add_processes(struct target_buf *buf)
{
	struct target_buf names = { 0 }, text = { 0 };
	char number[TEXT_NUMBER_MAX];
	const char *name;
	int ret;

	text_format_number(number, getpid(), 10, 1);
	ret = target_buf_append(buf, "Self:\t", 6);
	if (!ret)
		ret = target_buf_append(buf, number, strlen(number));
	if (!ret)
		ret = target_buf_append(buf, "\n", 1);
	if (!ret)
		ret = list_dir("/proc", &names);
	for (name = names.data; !ret && name < names.data + names.len; name += strlen(name) + 1) {
		if (*name >= '1' && *name <= '9')
			ret = add_threads(name, &text, buf);
	}
	free(names.data);
	free(text.data);
	return ret;
}

int task_list_read(struct hist_target *t, const char *cgroup, struct target_buf *buf)
{
	char *path;
	int ret;

	(void)t;
	buf->len = 0;
	ret = target_buf_reserve(buf, 1);
	if (ret)
		return ret;
	buf->data[0] = '\0';
	if (!cgroup)
		return add_processes(buf);
	ret = find_group(cgroup, &path);
	if (!ret)
		ret = add_group(path, 0, buf);
	free(path);
	return ret;
}
