// SPDX-License-Identifier: GPL-2.0
/*
 * page_spool.c - keep pages of ring buffers in files without a name, until a recording ends
 *
 * The files are mapped at the end, so that the writer of the output file copies them.
 * Invariant: a file has whole pages up to its size, also after a failed write.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tracecmd/base/outfile.h"
#include "tracecmd/output/page_spool.h"

struct spool_file {
	int fd; /* -1: no page yet */
	uint64_t size;
	void *map; /* or NULL */
};

struct page_spool {
	struct file_place in; /* the directory of the output file */
	uint32_t page_size;
	unsigned int cpus;
	struct spool_file files[];
};

int page_spool_new(struct page_spool **spool, const struct file_place *output, unsigned int cpus,
		   uint32_t page_size)
{
	struct page_spool *s = calloc(1, sizeof(*s) + cpus * sizeof(*s->files));
	int ret;

	if (!s)
		return -ENOMEM;
	s->page_size = page_size;
	s->cpus = cpus;
	while (cpus--)
		s->files[cpus].fd = -1;
	s->in = (struct file_place){
		.dir = fcntl(output->dir, F_DUPFD_CLOEXEC, 3),
		.name = strdup(output->name ? output->name : ""),
		.fd = -1,
	};
	ret = s->in.dir < 0 ? -errno : s->in.name ? 0 : -ENOMEM;
	if (ret)
		page_spool_free(s);
	else
		*spool = s;
	return ret;
}

void page_spool_free(struct page_spool *s)
{
	unsigned int i;

	for (i = 0; s && i < s->cpus; i++) {
		if (s->files[i].map)
			munmap(s->files[i].map, s->files[i].size);
		if (s->files[i].fd >= 0)
			close(s->files[i].fd);
	}
	if (s)
		file_place_clear(&s->in);
	free(s);
}

int page_spool_add(struct page_spool *s, unsigned int cpu, const void *pages, size_t len,
		   bool again)
{
	const char *from = pages;
	struct spool_file *f;
	uint64_t at;
	ssize_t done;

	if (cpu >= s->cpus)
		return -EINVAL;
	f = &s->files[cpu];
	/* page_spool_join() maps the file: a 32-bit machine cannot map 4 GiB */
	if (f->size + len > SIZE_MAX)
		return -EFBIG;
	if (f->fd < 0) {
		f->fd = outfile_open_nameless(&s->in);
		if (f->fd < 0)
			return f->fd;
	}
	at = f->size - (again && f->size ? s->page_size : 0);
	for (len -= len % s->page_size; len; len -= done, from += done, at += done) {
		done = pwrite(f->fd, from, len, at);
		if (done < 0 && errno == EINTR)
			done = 0;
		else if (done <= 0)
			return done ? -errno : -EIO;
	}
	f->size = at;
	return 0;
}

int page_spool_join(struct page_spool *s, struct tracedat_writer *dat, const char *clock,
		    const char *names)
{
	struct tracedat_pages *pages = calloc(s->cpus, sizeof(*pages));
	unsigned int i, n = 0;
	int ret = pages ? 0 : -ENOMEM;

	for (i = 0; !ret && i < s->cpus; i++) {
		struct spool_file *f = &s->files[i];

		if (!f->size)
			continue;
		f->map = mmap(NULL, f->size, PROT_READ, MAP_SHARED, f->fd, 0);
		if (f->map == MAP_FAILED) {
			f->map = NULL;
			ret = -errno;
		}
		pages[n++] = (struct tracedat_pages){ .cpu = i, .data = f->map, .len = f->size };
	}
	if (!ret && n)
		ret = tracedat_append_buffer(dat, "", clock, s->page_size, pages, n);
	if (!ret && n && names)
		ret = tracedat_append_names(dat, names, strlen(names));
	if (!ret)
		ret = tracedat_link_buffers(dat);
	free(pages);
	return ret;
}

int page_spool_visit(const struct page_spool *s,
		     int (*visit)(void *arg, const void *pages, size_t len), void *arg)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < s->cpus; i++) {
		if (s->files[i].map)
			ret = visit(arg, s->files[i].map, s->files[i].size);
	}
	return ret;
}
