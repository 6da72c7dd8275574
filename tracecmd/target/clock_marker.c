// SPDX-License-Identifier: GPL-2.0
/*
 * clock_marker.c - read a trace clock that no system call can read
 *
 * The clocks local, global, counter, uptime, perf and x86-tsc exist only inside the kernel's
 * tracing. Their time is visible only as the time stamp of an event. The algorithm writes a unique
 * text to trace_marker, reads the raw ring buffer until the event with this text, and returns the
 * time of that event.
 *
 * The task may move to another CPU between the write and the query of its CPU. The likely CPU is
 * read first, then all others. The task is not pinned, so the user's CPU affinity does not change.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <kbuffer.h>

#include "tracecmd/target/clock_marker.h"

/* A sub-buffer can be larger than a page (buffer_subbuf_size_kb). */
#define SUBBUF_ROOM (64 * 1024)

/* Never reached in an instance without events; ends the search in a flood. */
#define MAX_SUBBUFS 4096

struct mark {
	char text[96];
	size_t len;
	struct kbuffer *kbuf;
	char *page;
	size_t room;
};

static int open_in(int dir, int flags, const char *fmt, const char *instance, int cpu)
{
	char path[PATH_MAX];
	int len = snprintf(path, sizeof(path), fmt, instance, cpu);

	if (len < 0 || len >= (int)sizeof(path))
		return -ENAMETOOLONG;
	len = openat(dir, path, flags | O_CLOEXEC);
	return len < 0 ? -errno : len;
}

static int write_mark(int tracefs, const char *instance, struct mark *mark)
{
	struct timespec ts;
	ssize_t done;
	int fd;

	fd = open_in(tracefs, O_WRONLY, "%s/trace_marker", instance, 0);
	if (fd < 0)
		return fd;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	mark->len = snprintf(mark->text, sizeof(mark->text), "trace-cmd-hist clock %d %lld.%09ld",
			     (int)gettid(), (long long)ts.tv_sec, ts.tv_nsec);
	do
		done = write(fd, mark->text, mark->len);
	while (done < 0 && errno == EINTR);
	close(fd);
	return done == (ssize_t)mark->len ? 0 : -ENOTSUP;
}

/* True when the loaded sub-buffer has the mark. */
static bool find_in_page(struct mark *mark, uint64_t *now)
{
	unsigned long long ts;
	void *data;

	for (data = kbuffer_read_event(mark->kbuf, &ts); data;
	     data = kbuffer_next_event(mark->kbuf, &ts)) {
		int size = kbuffer_event_size(mark->kbuf);

		if (size > 0 && memmem(data, size, mark->text, mark->len)) {
			*now = ts;
			return true;
		}
	}
	return false;
}

/* 1 found, 0 not on this CPU, or -errno. */
static int find_on_cpu(int tracefs, const char *instance, int cpu, struct mark *mark,
		       uint64_t *now)
{
	int fd, i, found = 0;

	fd = open_in(tracefs, O_RDONLY | O_NONBLOCK, "%s/per_cpu/cpu%d/trace_pipe_raw", instance,
		     cpu);
	if (fd < 0)
		return fd;
	for (i = 0; i < MAX_SUBBUFS && !found; i++) {
		ssize_t len = read(fd, mark->page, mark->room);

		if (len < 0 && errno == EINTR)
			continue;
		if (len <= 0)
			break;
		/* What follows a short read must not look like an event. */
		memset(mark->page + len, 0, mark->room - len);
		if (kbuffer_load_subbuffer(mark->kbuf, mark->page) < 0)
			break;
		found = find_in_page(mark, now);
	}
	close(fd);
	return found;
}

int clock_mark_now(int tracefs, const char *instance, const struct clock_mark_layout *layout,
		   uint64_t *now)
{
	struct mark mark = { .room = SUBBUF_ROOM };
	int cpus = sysconf(_SC_NPROCESSORS_CONF);
	int likely, cpu, ret;

	if (layout->page_size > mark.room)
		mark.room = layout->page_size;
	mark.page = malloc(mark.room);
	mark.kbuf = kbuffer_alloc(layout->long_size == 8 ? KBUFFER_LSIZE_8 : KBUFFER_LSIZE_4,
				  layout->big_endian ? KBUFFER_ENDIAN_BIG :
						       KBUFFER_ENDIAN_LITTLE);
	ret = -ENOMEM;
	if (!mark.page || !mark.kbuf)
		goto out;

	ret = write_mark(tracefs, instance, &mark);
	if (ret)
		goto not_supported;
	likely = sched_getcpu();
	if (likely >= 0 && find_on_cpu(tracefs, instance, likely, &mark, now) > 0)
		goto out;
	for (cpu = 0; cpu < cpus; cpu++) {
		if (cpu != likely && find_on_cpu(tracefs, instance, cpu, &mark, now) > 0)
			goto out;
	}
not_supported:
	ret = -ENOTSUP;
out:
	kbuffer_free(mark.kbuf);
	free(mark.page);
	return ret;
}
