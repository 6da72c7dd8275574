// SPDX-License-Identifier: GPL-2.0
/*
 * port_nolibc.c - functions that nolibc lacks, for the static helper
 *
 * Memory: the size of a block includes its struct head. Up to SMALL_MAX, malloc() rounds
 * it up to a power of two and cuts the block from a chunk; free() puts it into the free list
 * of this size. Chunks are never returned. A larger block is a mapping of its own, in
 * whole pages: mremap(2) enlarges it, and munmap(2) returns it to the kernel. So the large
 * blocks of a closed histogram are freed, and a small block does not use a whole page.
 */
#include "helper/port/port.h"

#include <linux/errno.h>

#define SMALL_MIN 32
#define SMALL_MAX 2048
#define CHUNK 16384
#define PAGE 4096

/* Precedes each block. Its size is the alignment that a block needs. */
struct head {
	size_t size; /* including the head */
	union {
		struct head *next; /* if the block is free */
		uint64_t align;
	};
};

static struct head *free_lists[7]; /* 32, 64, .. 2048 */
static char *chunk;
static size_t chunk_left;

static int port_size_class(size_t size)
{
	int class = 0;

	while ((size_t)SMALL_MIN << class < size)
		class++;
	return class;
}

static void *port_map_memory(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

static struct head *take_small(int class)
{
	struct head *head = free_lists[class];
	size_t size = (size_t)SMALL_MIN << class;

	if (head) {
		free_lists[class] = head->next;
		return head;
	}
	if (chunk_left < size) {
		/* wastes the rest of the chunk: less than SMALL_MAX, once per chunk */
		chunk = port_map_memory(CHUNK);
		chunk_left = chunk ? CHUNK : 0;
		if (!chunk)
			return NULL;
	}
	head = (struct head *)chunk;
	chunk += size;
	chunk_left -= size;
	head->size = size;
	return head;
}

/* Returns 0 if @size is too large. */
static size_t size_with_head(size_t size)
{
	if (size > SIZE_MAX / 2)
		return 0;
	size += sizeof(struct head);
	return size <= SMALL_MAX ? size : (size + PAGE - 1) & ~(size_t)(PAGE - 1);
}

void *malloc(size_t size)
{
	size_t whole = size_with_head(size);
	struct head *head = NULL;

	if (whole && whole <= SMALL_MAX) {
		head = take_small(port_size_class(whole));
	} else if (whole) {
		head = port_map_memory(whole);
		if (head)
			head->size = whole;
	}
	if (head)
		return head + 1;
	errno = ENOMEM;
	return NULL;
}

void free(void *p)
{
	struct head *head = (struct head *)p - 1;
	int class;

	if (!p)
		return;
	if (head->size > SMALL_MAX) {
		munmap(head, head->size);
		return;
	}
	class = port_size_class(head->size);
	head->next = free_lists[class];
	free_lists[class] = head;
}

void *calloc(size_t n, size_t size)
{
	size_t all;
	void *p;

	if (__builtin_mul_overflow(n, size, &all)) {
		errno = ENOMEM;
		return NULL;
	}
	p = malloc(all);
	/* a new mapping contains zeros */
	if (p && ((struct head *)p - 1)->size <= SMALL_MAX)
		memset(p, 0, all);
	return p;
}

void *realloc(void *old, size_t size)
{
	struct head *head = (struct head *)old - 1;
	size_t whole = size_with_head(size);
	void *p;
	long at;

	if (!old)
		return malloc(size);
	if (whole && whole <= head->size)
		return old;
	if (whole && head->size > SMALL_MAX) {
		at = my_syscall5(__NR_mremap, head, head->size, whole, 1 /* MAYMOVE */, 0);
		if ((unsigned long)at >= -4095UL) {
			errno = ENOMEM;
			return NULL;
		}
		head = (struct head *)at;
		head->size = whole;
		return head + 1;
	}
	p = malloc(size);
	if (p) {
		memcpy(p, old, head->size - sizeof(*head));
		free(old);
	}
	return p;
}

void *reallocarray(void *old, size_t n, size_t size)
{
	size_t all;

	if (__builtin_mul_overflow(n, size, &all)) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc(old, all);
}

/* --- strings --- */

char *strndup(const char *s, size_t len)
{
	char *copy;

	len = strnlen(s, len);
	copy = malloc(len + 1);
	if (!copy)
		return NULL;
	memcpy(copy, s, len);
	copy[len] = '\0';
	return copy;
}

char *strdup(const char *s)
{
	return strndup(s, strlen(s));
}

void *memchr(const void *s, int c, size_t len)
{
	const unsigned char *p = s;

	for (; len; p++, len--) {
		if (*p == (unsigned char)c)
			return (void *)p;
	}
	return NULL;
}

char *strstr(const char *s, const char *word)
{
	size_t len = strlen(word);

	for (; strncmp(s, word, len); s++) {
		if (!*s)
			return NULL;
	}
	return (char *)s;
}

size_t strspn(const char *s, const char *set)
{
	size_t n = 0;

	while (s[n] && strchr(set, s[n]))
		n++;
	return n;
}

size_t strcspn(const char *s, const char *set)
{
	size_t n = 0;

	while (s[n] && !strchr(set, s[n]))
		n++;
	return n;
}

char *strsep(char **s, const char *set)
{
	char *word = *s, *end;

	if (!word)
		return NULL;
	end = word + strcspn(word, set);
	*s = *end ? end + 1 : NULL;
	*end = '\0';
	return word;
}

const char *strerror(int err)
{
	static const struct {
		int err;
		const char *words;
	} known[] = {
		{ EPERM, "operation not permitted" },
		{ ENOENT, "no such file or directory" },
		{ EIO, "input/output error" },
		{ EBADF, "bad file descriptor" },
		{ ENOMEM, "out of memory" },
		{ EACCES, "permission denied" },
		{ EBUSY, "busy" },
		{ EEXIST, "file exists" },
		{ ENODEV, "no such device" },
		{ ENOTDIR, "not a directory" },
		{ EISDIR, "is a directory" },
		{ EINVAL, "invalid argument" },
		{ EMFILE, "too many open files" },
		{ ENOSPC, "no space left" },
		{ EROFS, "read-only file system" },
		{ EPIPE, "broken pipe" },
		{ ENOSYS, "not supported by the kernel" },
		{ ELOOP, "too many symbolic links" },
		{ EADDRINUSE, "address already in use" },
		{ EADDRNOTAVAIL, "address not available" },
		{ ECONNRESET, "connection reset by the peer" },
		{ ETIMEDOUT, "timed out" },
	};
	static char other[32] = "error ";
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (known[i].err == err)
			return known[i].words;
	}
	itoa_r(err, other + 6);
	return other;
}

/* --- system calls that differ between architectures --- */

#define stat kernel_stat
#define stat64 kernel_stat64
#include <asm/stat.h>
#undef stat64
#undef stat

#ifdef __NR_fstatat64
#define NR_FSTATAT __NR_fstatat64
#define NR_FSTAT __NR_fstat64
typedef struct kernel_stat64 any_stat;
#else
#define NR_FSTATAT __NR_newfstatat
#define NR_FSTAT __NR_fstat
typedef struct kernel_stat any_stat;
#endif

static int port_fill_stat(struct stat *st, long ret, const any_stat *from)
{
	if (ret < 0)
		return __sysret(ret);
	memset(st, 0, sizeof(*st));
	st->st_dev = from->st_dev;
	st->st_ino = from->st_ino;
	st->st_mode = from->st_mode;
	st->st_uid = from->st_uid;
	st->st_size = from->st_size > LONG_MAX ? LONG_MAX : from->st_size;
	return 0;
}

int fstat(int fd, struct stat *st)
{
	any_stat got;

	return port_fill_stat(st, my_syscall2(NR_FSTAT, fd, &got), &got);
}

int fstatat(int dir, const char *path, struct stat *st, int flags)
{
	any_stat got;

	return port_fill_stat(st, my_syscall4(NR_FSTATAT, dir, path, &got, flags), &got);
}

/* The kernel's formats: two 64-bit numbers, or two longs. */
struct wide_timespec {
	int64_t sec, nsec;
};

struct long_timespec {
	long sec, nsec;
};

int clock_gettime(int clock, struct timespec *ts)
{
	struct long_timespec longs;
	long ret;

#ifdef __NR_clock_gettime64
	struct wide_timespec wide;

	ret = my_syscall2(__NR_clock_gettime64, clock, &wide);
	if (ret != -ENOSYS && ret != -EPERM) {
		ts->tv_sec = wide.sec;
		ts->tv_nsec = wide.nsec;
		return __sysret(ret);
	}
	/* before Linux 5.1, or with a seccomp filter that does not know the call */
#endif
	ret = my_syscall2(__NR_clock_gettime, clock, &longs);
	ts->tv_sec = longs.sec;
	ts->tv_nsec = longs.nsec;
	return __sysret(ret);
}

ssize_t pread(int fd, void *to, size_t len, off_t offset)
{
#if __SIZEOF_LONG__ == 8
	return __sysret(my_syscall4(__NR_pread64, fd, to, len, offset));
#else
	/* a 64-bit argument uses two registers and the first must be even, so one is skipped */
	long high = offset >> 31;
	long first = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? high : offset;
	long second = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? offset : high;

	return __sysret(my_syscall6(__NR_pread64, fd, to, len, 0, first, second));
#endif
}

/* One bit for each signal: 128 signals on MIPS, 64 on other architectures. */
#ifdef __mips__
#define SIGNAL_WORDS (16 / sizeof(long))
#else
#define SIGNAL_WORDS (8 / sizeof(long))
#endif

struct signals {
	unsigned long words[SIGNAL_WORDS];
};

static void add_signal(struct signals *set, unsigned int number)
{
	unsigned int bits = 8 * sizeof(long);

	set->words[(number - 1) / bits] |= 1ul << (number - 1) % bits;
}

int port_signals(void)
{
	struct signals set = { 0 };
	long fd, ret;

	add_signal(&set, SIGHUP);
	add_signal(&set, SIGINT);
	add_signal(&set, SIGTERM);
	/* SFD_CLOEXEC and SFD_NONBLOCK have these values */
	fd = my_syscall4(__NR_signalfd4, -1, &set, sizeof(set), O_CLOEXEC | O_NONBLOCK);
	add_signal(&set, SIGPIPE);
	ret = my_syscall4(__NR_rt_sigprocmask, SIG_BLOCK, &set, NULL, sizeof(set));
	return __sysret(ret ? ret : fd);
}
