// SPDX-License-Identifier: GPL-2.0
/* target.c - functions common to all kinds of targets */
#include "helper/port/port.h"

#include "helper/local/target.h"

/* A small file fits into the first buffer; for a histogram the buffer doubles. */
#define FIRST_ROOM 4096

void target_free(struct hist_target *target)
{
	if (target)
		target->ops->free(target);
}

int target_buf_reserve(struct target_buf *buf, size_t room)
{
	size_t want = buf->room ? buf->room : FIRST_ROOM;
	char *data;

	if (room <= buf->room)
		return 0;
	while (want < room) {
		if (want > SIZE_MAX / 2)
			return -ENOMEM;
		want *= 2;
	}
	data = realloc(buf->data, want);
	if (!data)
		return -ENOMEM;
	buf->data = data;
	buf->room = want;
	return 0;
}

int target_buf_append(struct target_buf *buf, const void *text, size_t len)
{
	int ret = target_buf_reserve(buf, buf->len + len + 1);

	if (ret)
		return ret;
	memcpy(buf->data + buf->len, text, len);
	buf->len += len;
	buf->data[buf->len] = '\0';
	return 0;
}

bool target_path_is_machine(const char *path)
{
	return !strcmp(path, "/proc/interrupts") || !strcmp(path, "/proc/diskstats") ||
	       !strcmp(path, "/proc/1/maps") || !strcmp(path, TARGET_CPUS_PRESENT) ||
	       !strcmp(path, TARGET_CPUS_ONLINE);
}

bool target_path_has_pages(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	return !strcmp(name, "trace_pipe_raw") || !strcmp(name, "snapshot_raw");
}

bool target_path_is_valid(const char *path)
{
	const char *part = path;

	if (path[0] == '/' || strlen(path) >= TARGET_PATH_MAX)
		return false;
	for (;;) {
		size_t len = strcspn(part, "/");

		if (len == 2 && part[0] == '.' && part[1] == '.')
			return false;
		if (!part[len])
			return path[0] != '\0';
		part += len + 1;
	}
}

bool target_truncation_harms(const char *path)
{
	static const char *const names[] = { "trigger", "synthetic_events", "dynamic_events",
					     "kprobe_events", "uprobe_events", NULL };
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	int i;

	for (i = 0; names[i]; i++) {
		if (!strcmp(name, names[i]))
			return true;
	}
	return false;
}

int target_write_str(struct hist_target *t, const char *path, const char *text, bool append)
{
	return t->ops->write(t, path, text, strlen(text), append);
}

char *target_parse_clock(const char *trace_clock_text)
{
	const char *open = strchr(trace_clock_text, '[');
	const char *end = open ? strchr(open, ']') : NULL;

	if (!end || end == open + 1)
		return NULL;
	return strndup(open + 1, end - open - 1);
}

unsigned int target_count_cpus(struct hist_target *t)
{
	struct target_buf buf = { 0 };
	unsigned int most = 1, n;
	const char *name, *p;

	if (!t->ops->list(t, "per_cpu", &buf)) {
		for (name = buf.data; *name; name += strlen(name) + 1) {
			if (strncmp(name, "cpu", 3))
				continue;
			for (n = 0, p = name + 3; *p >= '0' && *p <= '9' && n < TARGET_CPUS_MAX;
			     p++)
				n = n * 10 + (*p - '0');
			if (!*p && n >= most && n < TARGET_CPUS_MAX)
				most = n + 1;
		}
	}
	free(buf.data);
	return most;
}

int target_read_all(int fd, struct target_buf *buf)
{
	int ret;

	buf->len = 0;
	ret = target_buf_reserve(buf, 1);
	if (ret)
		return ret;
	for (;;) {
		ssize_t got;

		/* At least half of the buffer is free before each read. */
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
		if (buf->len > TARGET_TEXT_MAX) {
			ret = -EFBIG;
			break;
		}
	}
	buf->data[buf->len] = '\0';
	return ret;
}

int target_read_file(const char *path, struct target_buf *buf)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), ret;

	if (fd < 0)
		return -errno;
	ret = target_read_all(fd, buf);
	close(fd);
	return ret;
}

static int target_add_dirents(const char *block, ssize_t len, struct target_buf *names)
{
	ssize_t at;

	for (at = 0; at < len; at += ((const port_dirent *)(block + at))->d_reclen) {
		const char *name = ((const port_dirent *)(block + at))->d_name;
		size_t n = strlen(name) + 1;
		int ret;

		if (!strcmp(name, ".") || !strcmp(name, ".."))
			continue;
		/* one more byte for the final NUL */
		ret = target_buf_reserve(names, names->len + n + 1);
		if (ret)
			return ret;
		memcpy(names->data + names->len, name, n);
		names->len += n;
	}
	return 0;
}

int target_list_names(int dir, struct target_buf *names)
{
	char block[4096] __attribute__((aligned(8)));
	ssize_t len;
	int ret;

	names->len = 0;
	ret = target_buf_reserve(names, 1);
	if (!ret && lseek(dir, 0, SEEK_SET) < 0)
		ret = -errno;
	while (!ret) {
		len = getdents64(dir, (void *)block, sizeof(block));
		if (len < 0)
			ret = -errno;
		if (len <= 0)
			break;
		ret = target_add_dirents(block, len, names);
	}
	if (!ret)
		names->data[names->len] = '\0';
	return ret;
}

int target_list_dir(int at, const char *path, struct target_buf *names)
{
	int dir = openat(at, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), ret;

	if (dir < 0)
		return -errno;
	ret = target_list_names(dir, names);
	close(dir);
	return ret;
}

/* The next word of a line of /proc/mounts, NUL-terminated in place. */
static char *target_next_mount_word(char **line)
{
	char *word = *line;
	size_t len = strcspn(word, " \n");

	*line += len;
	if (**line)
		*(*line)++ = '\0';
	return word;
}

int target_find_mount(const char *type, char **found)
{
	struct target_buf buf = { 0 };
	int ret = target_read_file("/proc/mounts", &buf);
	char *line, *end, *path;

	*found = NULL;
	for (line = buf.data; !ret && *line && !*found; line = end) {
		end = line + strcspn(line, "\n");
		end += *end == '\n';
		target_next_mount_word(&line);
		path = target_next_mount_word(&line);
		if (strcmp(target_next_mount_word(&line), type) || strchr(path, '\\'))
			continue;
		*found = strdup(path);
		ret = *found ? 0 : -ENOMEM;
	}
	free(buf.data);
	/* /proc may not be mounted */
	return ret == -ENOENT ? 0 : ret;
}
