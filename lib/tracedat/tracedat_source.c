// SPDX-License-Identifier: LGPL-2.1
/*
 * tracedat_source.c - read a file through a window, with or without a descriptor between two reads
 *
 * The files of a pool share its slots.  A file without a slot has neither a descriptor nor a
 * window; the next read opens it again by its path and takes the slot that was not used for the
 * longest time.  The first files keep their slots: `record --keep` removes the oldest files of a
 * recording, and a file with a descriptor can still be read then.
 *
 * Invariant: a file that is opened again is the same file; its path may name another one by now.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/infile.h"
#include "lib/tracedat/tracedat_format.h"

/* pread() of all @len bytes: 0, -ENODATA at the end of the file, or the errno of pread(). */
static int tracedat_read_all(int fd, void *to, size_t len, uint64_t offset)
{
	unsigned char *data = to;
	ssize_t n;

	while (len) {
		n = pread(fd, data, len, offset);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (!n)
			return -ENODATA;
		data += n;
		offset += n;
		len -= n;
	}
	return 0;
}

#define WINDOW_SIZE (64u << 10)

#define SLOTS 64
#define KINDS (HIST_COMPRESS_ZLIB + 1)

struct tracedat_pool {
	struct tracedat_source *slots[SLOTS];
	unsigned int nslots; /* that are used; the first three of four for the first files */
	uint64_t reads;
	struct hist_compressor *compressors[KINDS];
	char *lost;
};

struct tracedat_pool *tracedat_pool_new(void)
{
	struct tracedat_pool *pool = calloc(1, sizeof(*pool));

	if (pool)
		pool->nslots = SLOTS;
	return pool;
}

void tracedat_pool_free(struct tracedat_pool *pool)
{
	unsigned int i;

	if (!pool)
		return;
	for (i = 0; i < KINDS; i++)
		hist_compressor_free(pool->compressors[i]);
	free(pool->lost);
	free(pool);
}

const char *tracedat_pool_lost(const struct tracedat_pool *pool)
{
	return pool->lost;
}

struct hist_compressor *tracedat_pool_compressor(struct tracedat_pool *pool,
						 enum hist_compression kind)
{
	if (!pool->compressors[kind])
		pool->compressors[kind] = hist_compressor_new(kind);
	return pool->compressors[kind];
}

/* Takes the descriptor and the memory from the file in slot @i. */
static void pool_empty_slot(struct tracedat_pool *pool, unsigned int i)
{
	struct tracedat_source *s = pool->slots[i];

	pool->slots[i] = NULL;
	if (!s)
		return;
	close(s->fd);
	s->fd = -1;
	free(s->window);
	free(s->big);
	s->window = s->big = NULL;
	s->len = 0;
}

/* The slot from @from on that is free, or else was not used for the longest time. */
static unsigned int pool_find_slot(const struct tracedat_pool *pool, unsigned int from)
{
	unsigned int i, found = from;

	for (i = from; i < pool->nslots && pool->slots[found]; i++)
		if (!pool->slots[i] || pool->slots[i]->read < pool->slots[found]->read)
			found = i;
	return found;
}

static int pool_open_name(const struct tracedat_name *name, struct hist_error *error)
{
	return name->of ? infile_open_beside(name->of, name->path, name->owner, false)
			: infile_open(name->path, error);
}

/* A descriptor.  If the process has no more, half of the slots remain, and others get the rest. */
static int pool_open_file(struct tracedat_pool *pool, const struct tracedat_name *name,
			  struct hist_error *error)
{
	unsigned int i, most = pool ? pool->nslots : 0;
	int fd;

	while ((fd = pool_open_name(name, error)) < 0) {
		if ((fd != -EMFILE && fd != -ENFILE) || !most)
			return fd;
		for (i = most / 2; i < most; i++)
			pool_empty_slot(pool, i);
		most /= 2;
		pool->nslots = most ? most : 1;
	}
	return fd;
}

static void pool_take_slot(struct tracedat_source *s, int fd)
{
	struct tracedat_pool *pool = s->pool;
	unsigned int kept = pool->nslots * 3 / 4, i;

	for (i = 0; i < kept && pool->slots[i]; i++)
		;
	if (i == kept)
		i = pool_find_slot(pool, kept);
	pool_empty_slot(pool, i);
	pool->slots[i] = s;
	s->fd = fd;
}

struct tracedat_source *tracedat_source_new(int fd)
{
	struct tracedat_source *s = calloc(1, sizeof(*s));

	if (s)
		s->fd = fd;
	return s;
}

/* Makes @s a file of @pool. */
static int source_join_pool(struct tracedat_source *s, struct tracedat_pool *pool,
			    const struct tracedat_name *name)
{
	if (fstat(s->fd, &s->file))
		return -errno;
	s->name = *name;
	s->name.path = strdup(name->path);
	if (!s->name.path)
		return -ENOMEM;
	s->pool = pool;
	s->owns_fd = false;
	pool_take_slot(s, s->fd);
	return 0;
}

int tracedat_source_open(struct tracedat_source **source, struct tracedat_pool *pool,
			 const struct tracedat_name *name, struct hist_error *error)
{
	struct tracedat_source *s;
	int fd = pool_open_file(pool, name, error), ret = 0;

	if (fd < 0)
		return fd;
	s = tracedat_source_new(fd);
	if (!s) {
		close(fd);
		return -ENOMEM;
	}
	s->owns_fd = true;
	if (pool)
		ret = source_join_pool(s, pool, name);
	if (ret)
		tracedat_source_free(s);
	else
		*source = s;
	return ret;
}

/* -EIO: the path names another file, or none. */
static int source_open_again(struct tracedat_source *s)
{
	struct stat st;
	int fd = pool_open_file(s->pool, &s->name, NULL);

	if (fd >= 0 && !fstat(fd, &st) && file_place_is_same(&st, &s->file)) {
		pool_take_slot(s, fd);
		return 0;
	}
	if (fd == -EMFILE || fd == -ENFILE || fd == -ENOMEM)
		return fd;
	if (fd >= 0)
		close(fd);
	if (!s->pool->lost)
		s->pool->lost = strdup(s->name.path);
	return -EIO;
}

int tracedat_source_fd(struct tracedat_source *s)
{
	int ret;

	if (!s->pool)
		return s->fd;
	s->read = ++s->pool->reads;
	ret = s->fd < 0 ? source_open_again(s) : 0;
	return ret ? ret : s->fd;
}

int tracedat_source_read_all(struct tracedat_source *s, void *data, size_t len, uint64_t offset)
{
	int fd = tracedat_source_fd(s);

	return fd < 0 ? fd : tracedat_read_all(fd, data, len, offset);
}

static int source_move_window(struct tracedat_source *s, uint64_t offset, uint64_t end)
{
	size_t len = end - offset < WINDOW_SIZE ? end - offset : WINDOW_SIZE;
	int fd = tracedat_source_fd(s), ret;

	s->len = 0;
	if (fd < 0)
		return fd;
	if (!s->window)
		s->window = malloc(WINDOW_SIZE);
	if (!s->window)
		return -ENOMEM;
	ret = tracedat_read_all(fd, s->window, len, offset);
	if (ret)
		return ret;
	s->start = offset;
	s->len = len;
	return 0;
}

int tracedat_source_read(struct tracedat_source *s, uint64_t offset, size_t len, uint64_t end,
			 const void **data)
{
	int ret;

	free(s->big);
	s->big = NULL;
	if (s->pool)
		s->read = ++s->pool->reads;
	if (len > WINDOW_SIZE) {
		s->big = malloc(len);
		if (!s->big)
			return -ENOMEM;
		*data = s->big;
		return tracedat_source_read_all(s, s->big, len, offset);
	}
	if (offset < s->start || offset - s->start > s->len || len > s->len - (offset - s->start)) {
		ret = source_move_window(s, offset, end);
		if (ret)
			return ret;
	}
	*data = len ? s->window + (offset - s->start) : (unsigned char *)"";
	return 0;
}

void tracedat_source_free(struct tracedat_source *s)
{
	unsigned int i;

	if (!s)
		return;
	for (i = 0; s->pool && i < SLOTS; i++)
		if (s->pool->slots[i] == s)
			pool_empty_slot(s->pool, i);
	if (s->owns_fd)
		close(s->fd);
	free(s->window);
	free(s->big);
	free((char *)s->name.path);
	free(s);
}
