// SPDX-License-Identifier: GPL-2.0
/*
 * swap_preload.c - another user who is quick, for LD_PRELOAD
 *
 * When the program has made its nameless file, everything about the path is known to it.  Just then
 * $SWAP_FROM is renamed to $SWAP_ASIDE, and becomes a symbolic link to $SWAP_TO.
 *
 * With $SWAP_SIGNAL, the program gets this signal when it locks a file, which it does when the
 * file is there and has a temporary name.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT int openat(int dir, const char *path, int flags, ...);
EXPORT int open(const char *path, int flags, ...);
EXPORT int flock(int fd, int operation);

static void swap(int flags)
{
	const char *from = getenv("SWAP_FROM"), *aside = getenv("SWAP_ASIDE"), *to = getenv("SWAP_TO");

	if ((flags & O_TMPFILE) != O_TMPFILE)
		return;
	if (from && (!aside || !to || rename(from, aside) || symlink(to, from)))
		abort();
}

EXPORT int openat(int dir, const char *path, int flags, ...)
{
	int (*real)(int, const char *, int, ...) =
		(int (*)(int, const char *, int, ...))dlsym(RTLD_NEXT, "openat");
	va_list args;
	int mode, fd;

	va_start(args, flags);
	mode = va_arg(args, int);
	va_end(args);
	fd = real(dir, path, flags, mode);
	swap(flags);
	return fd;
}

EXPORT int open(const char *path, int flags, ...)
{
	va_list args;
	int mode, fd;

	va_start(args, flags);
	mode = va_arg(args, int);
	va_end(args);
	fd = ((int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open"))(path, flags, mode);
	swap(flags);
	return fd;
}

EXPORT int flock(int fd, int operation)
{
	const char *number = getenv("SWAP_SIGNAL");

	if (number)
		raise(atoi(number));
	return ((int (*)(int, int))dlsym(RTLD_NEXT, "flock"))(fd, operation);
}
