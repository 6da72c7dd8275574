// SPDX-License-Identifier: GPL-2.0
/*
 * foreign_writes.c - notice that another program changes what a recording depends on
 *
 * Directories are watched, not files: the kernel creates some files only with a tracer, and an open
 * trace or snapshot file has side effects. Paths below a directory are those of /proc/self/fd, so
 * that they cannot lead elsewhere.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "tracecmd/kernel/foreign_writes.h"

#define FOREIGN_ALL (FOREIGN_KERNEL | FOREIGN_USER)
/* What the file is */
#define FOREIGN_TASKS 0x10 /* a list of tasks, which the recorder also changes */
#define FOREIGN_LASTS 0x20 /* the change has an effect until it is made again */

/* Hist triggers also run while their event is disabled, and without a ring buffer. */
static const struct {
	const char *name;
	unsigned int bits;
} files[] = {
	{ "trigger", FOREIGN_ALL },
	{ "trace_clock", FOREIGN_ALL | FOREIGN_LASTS },
	{ "set_event_pid", FOREIGN_ALL | FOREIGN_TASKS | FOREIGN_LASTS },
	{ "set_event_notrace_pid", FOREIGN_ALL | FOREIGN_TASKS | FOREIGN_LASTS },
	{ "tracing_on", FOREIGN_USER },
	{ "set_event", FOREIGN_USER },
	{ "enable", FOREIGN_USER },
	{ "filter", FOREIGN_USER | FOREIGN_LASTS },
	{ "tracing_cpumask", FOREIGN_USER | FOREIGN_LASTS },
	{ "trace", FOREIGN_USER },
	{ "snapshot", FOREIGN_USER },
	{ "buffer_size_kb", FOREIGN_USER },
	{ "buffer_subbuf_size_kb", FOREIGN_USER },
	{ "free_buffer", FOREIGN_USER },
	{ "current_tracer", FOREIGN_USER },
	{ "set_ftrace_pid", FOREIGN_USER | FOREIGN_TASKS | FOREIGN_LASTS },
	{ "set_ftrace_notrace_pid", FOREIGN_USER | FOREIGN_TASKS | FOREIGN_LASTS },
	{ "set_ftrace_filter", FOREIGN_USER | FOREIGN_LASTS },
	{ "set_ftrace_notrace", FOREIGN_USER | FOREIGN_LASTS },
	{ "set_graph_function", FOREIGN_USER | FOREIGN_LASTS },
	{ "set_graph_notrace", FOREIGN_USER | FOREIGN_LASTS },
	{ "max_graph_depth", FOREIGN_USER | FOREIGN_LASTS },
	{ "tracing_thresh", FOREIGN_USER | FOREIGN_LASTS },
	{ "trace_options", FOREIGN_USER | FOREIGN_FORKS | FOREIGN_LASTS },
	{ "event-fork", FOREIGN_FORKS | FOREIGN_LASTS },
	{ "function-fork", FOREIGN_FORKS | FOREIGN_LASTS },
	{ "function-trace", FOREIGN_USER | FOREIGN_LASTS },
	{ "overwrite", FOREIGN_USER | FOREIGN_LASTS },
	{ "pause-on-trace", FOREIGN_USER | FOREIGN_LASTS },
	{ "ftrace_enabled", FOREIGN_PROBES | FOREIGN_LASTS },
	{ "enabled", FOREIGN_PROBES | FOREIGN_LASTS },
};

/* Watch @path below the directory @dir. A path that does not exist is ignored. 0 or -errno. */
static int __attribute__((format(printf, 4, 5)))
watch(struct foreign_writes *f, int dir, uint32_t mask, const char *fmt, ...)
{
	char path[TARGET_PATH_MAX];
	int at = snprintf(path, sizeof(path), "/proc/self/fd/%d/", dir), len;
	va_list args;

	va_start(args, fmt);
	len = vsnprintf(path + at, sizeof(path) - at, fmt, args);
	va_end(args);
	if (len < 0 || (size_t)len >= sizeof(path) - at)
		return -ENAMETOOLONG;
	return inotify_add_watch(f->files[0], path, mask) < 0 && errno != ENOENT ? -errno : 0;
}

/* Keep @fd until the end. Returns it, or -errno. */
static int keep(struct foreign_writes *f, int fd)
{
	if (fd < 0)
		return fd;
	if (array_add(&f->files, f->nfiles, sizeof(*f->files))) {
		close(fd);
		return -ENOMEM;
	}
	f->files[f->nfiles++] = fd;
	return fd;
}

/* Open and watch a directory of tracefs. Returns its descriptor, or -errno. */
static int keep_dir(struct foreign_writes *f, const char *dir)
{
	int fd = keep(f, f->target->ops->descriptor(f->target, dir));
	int ret = fd < 0 ? fd : watch(f, fd, IN_MODIFY, ".");

	return ret ? ret : fd;
}

int foreign_writes_begin(struct foreign_writes *f, struct hist_target *target,
			 unsigned int matters)
{
	int fd;

	*f = (struct foreign_writes){ .target = target, .matters = matters };
	if (!target->ops->descriptor)
		return 0;
	fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	fd = keep(f, fd < 0 ? -errno : fd);
	return fd < 0 ? fd : 0;
}

/* Watch the files of the ring buffer, and who else takes events from it. */
static int watch_buffer(struct foreign_writes *f, int dir)
{
	unsigned int cpu;
	int ret = watch(f, dir, IN_OPEN, "trace_pipe");

	for (cpu = 0; !ret && cpu < f->target->cpus; cpu++) {
		ret = watch(f, dir, IN_MODIFY, "per_cpu/cpu%u", cpu);
		if (!ret)
			ret = watch(f, dir, IN_OPEN, "per_cpu/cpu%u/trace_pipe", cpu);
		if (!ret)
			ret = watch(f, dir, IN_OPEN, "per_cpu/cpu%u/trace_pipe_raw", cpu);
	}
	return ret;
}

int foreign_writes_watch_instance(struct foreign_writes *f, const char *dir)
{
	int fd, ret;

	if (!f->nfiles)
		return 0;
	fd = keep_dir(f, dir);
	ret = fd < 0 ? fd : watch(f, fd, IN_MODIFY, "options");
	if (!ret)
		ret = watch(f, fd, IN_MODIFY, "events");
	return ret || !(f->matters & FOREIGN_USER) ? ret : watch_buffer(f, fd);
}

int foreign_writes_watch_event(struct foreign_writes *f, const char *dir, const char *system,
			       const char *name)
{
	char path[TARGET_PATH_MAX];
	int fd;

	if (!f->nfiles)
		return 0;
	/* first the event: its open directory keeps that of the system */
	snprintf(path, sizeof(path), "%s/events/%s/%s", dir, system, name);
	fd = keep_dir(f, path);
	if (fd < 0)
		return fd == -ENOENT ? 0 : fd;
	return watch(f, fd, IN_MODIFY, "..");
}

int foreign_writes_watch_switches(struct foreign_writes *f)
{
	static const char *const dirs[] = { "/proc/sys/kernel", "/sys/kernel/debug/kprobes" };
	unsigned int i;
	int fd, ret = 0;

	for (i = 0; !ret && i < sizeof(dirs) / sizeof(*dirs); i++) {
		if (!f->nfiles || !(f->matters & FOREIGN_PROBES))
			break;
		/* without debugfs, no program can use the switch of kprobes */
		fd = open(dirs[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd < 0)
			continue;
		ret = keep(f, fd);
		if (ret >= 0)
			ret = watch(f, fd, IN_MODIFY, ".");
	}
	return ret;
}

void foreign_writes_add(struct foreign_writes *f, const char *name)
{
	f->count++;
	if (!*f->name)
		snprintf(f->name, sizeof(f->name), "%s", name);
}

static void take_event(struct foreign_writes *f, const struct inotify_event *event, bool own)
{
	const char *name = event->len ? event->name : "";
	size_t i;

	if (event->mask & IN_Q_OVERFLOW) {
		f->lasts = true;
		foreign_writes_add(f, "instance");
	} else if (event->mask & IN_OPEN) {
		foreign_writes_add(f, "trace_pipe");
	}
	for (i = 0; i < sizeof(files) / sizeof(*files); i++) {
		if (strcmp(files[i].name, name) || !(files[i].bits & f->matters) ||
		    (own && files[i].bits & FOREIGN_TASKS))
			continue;
		f->lasts |= (files[i].bits & FOREIGN_LASTS) != 0;
		foreign_writes_add(f, name);
	}
}

void foreign_writes_look(struct foreign_writes *f, bool own)
{
	char buf[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
	const struct inotify_event *event;
	const char *at;
	ssize_t n;

	while (f->nfiles && (n = read(f->files[0], buf, sizeof(buf))) > 0) {
		for (at = buf; at < buf + n; at += sizeof(*event) + event->len) {
			event = (const struct inotify_event *)at;
			take_event(f, event, own);
		}
	}
}

void foreign_writes_end(struct foreign_writes *f)
{
	unsigned int i;

	foreign_writes_look(f, false);
	for (i = 0; i < f->nfiles; i++)
		close(f->files[i]);
	free(f->files);
	f->files = NULL;
	f->nfiles = 0;
}
