/* SPDX-License-Identifier: GPL-2.0 */
/*
 * port_nolibc.h - port.h with the kernel's nolibc
 *
 * nolibc consists of static functions in headers over my_syscallN(). This header and
 * port_nolibc.c add the functions that nolibc lacks. They also replace functions that
 * do not fit Linux 4.7 or small boards. System call numbers and structures come from
 * the kernel's headers, so they are correct on every architecture.
 */
#ifndef HELPER_PORT_PORT_NOLIBC_H
#define HELPER_PORT_PORT_NOLIBC_H

/*
 * Replaced parts of nolibc: malloc() uses at least a page for each block, stat() needs
 * Linux 4.11, and strerror() prints numbers. ptrdiff_t matches the compiler's only on
 * 64 bit.
 */
#define ptrdiff_t nolibc_ptrdiff_t
#define malloc nolibc_malloc
#define calloc nolibc_calloc
#define realloc nolibc_realloc
#define free nolibc_free
#define strdup nolibc_strdup
#define strndup nolibc_strndup
#define strerror nolibc_strerror
#include <nolibc.h>
#undef ptrdiff_t
#undef malloc
#undef calloc
#undef realloc
#undef free
#undef strdup
#undef strndup
#undef strerror

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <asm/unistd.h>
#include <linux/fcntl.h>
#include <linux/openat2.h>
#include <linux/random.h>

#ifndef ENOTSUP
#define ENOTSUP EOPNOTSUPP
#endif
#ifndef SIZE_MAX
#define SIZE_MAX ((size_t)-1)
#endif

/* The kernel's struct timespec overflows in 2038 on 32 bit. */
struct port_timespec {
	int64_t tv_sec;
	long tv_nsec;
};
#define timespec port_timespec

typedef struct linux_dirent64 port_dirent;

/* --- port_nolibc.c: same semantics as in libc --- */

void *malloc(size_t size);
void *calloc(size_t n, size_t size);
void *realloc(void *old, size_t size);
void *reallocarray(void *old, size_t n, size_t size);
void free(void *p);
char *strdup(const char *s);
char *strndup(const char *s, size_t len);
void *memchr(const void *s, int c, size_t len);
char *strstr(const char *s, const char *word);
size_t strspn(const char *s, const char *set);
size_t strcspn(const char *s, const char *set);
char *strsep(char **s, const char *set);
/* A text for a few errors, a number for the others. Valid until the next call. */
const char *strerror(int err);

int clock_gettime(int clock, struct timespec *ts);
int fstat(int fd, struct stat *st);
/* Fills only st_dev (sufficient for comparison), st_ino, st_mode, st_uid and st_size. */
int fstatat(int dir, const char *path, struct stat *st, int flags);
ssize_t pread(int fd, void *to, size_t len, off_t offset);
int port_signals(void);

/* --- system calls --- */

static inline int openat(int dir, const char *path, int flags, ...)
{
	va_list args;
	int mode = 0;

	if (flags & O_CREAT) {
		va_start(args, flags);
		mode = va_arg(args, int);
		va_end(args);
	}
	return __sysret(my_syscall4(__NR_openat, dir, path, flags, mode));
}

static inline int port_open_beneath(int dir, const char *path, int flags)
{
	struct open_how how = {
		.flags = (unsigned int)flags,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
	};

	return __sysret(my_syscall4(__NR_openat2, dir, path, &how, sizeof(how)));
}

static inline int mkdirat(int dir, const char *path, mode_t mode)
{
	return __sysret(my_syscall3(__NR_mkdirat, dir, path, mode));
}

static inline int unlinkat(int dir, const char *path, int flags)
{
	return __sysret(my_syscall3(__NR_unlinkat, dir, path, flags));
}

static inline int ftruncate(int fd, off_t len)
{
	return __sysret(my_syscall2(__NR_ftruncate, fd, len));
}

static inline int flock(int fd, int how)
{
	return __sysret(my_syscall2(__NR_flock, fd, how));
}

static inline int fcntl(int fd, int what, int arg)
{
#ifdef __NR_fcntl64
	return __sysret(my_syscall3(__NR_fcntl64, fd, what, arg));
#else
	return __sysret(my_syscall3(__NR_fcntl, fd, what, arg));
#endif
}

static inline ssize_t getrandom(void *to, size_t len, unsigned int flags)
{
	return __sysret(my_syscall3(__NR_getrandom, to, len, flags));
}

#endif
