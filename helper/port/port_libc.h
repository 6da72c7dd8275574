/* SPDX-License-Identifier: GPL-2.0 */
/*
 * port_libc.h - port.h with the host's libc
 *
 * helper/ uses: open openat read write pread lseek close ftruncate fcntl
 * (F_DUPFD_CLOEXEC, F_SETFL) flock fstat fstatat mkdir mkdirat unlinkat mount
 * getdents64 poll uname clock_gettime getrandom getpid geteuid getpagesize getenv,
 * malloc calloc realloc reallocarray free, memcpy memmove memset memchr memcmp strlen
 * strcmp strncmp strchr strrchr strstr strdup strndup strspn strcspn strsep strerror
 * (with any text).
 */
#ifndef HELPER_PORT_PORT_LIBC_H
#define HELPER_PORT_PORT_LIBC_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* The records that getdents64() writes: d_reclen, d_name. */
typedef struct dirent64 port_dirent;

/*
 * Open @path below @dir. The path must not contain a symbolic link or leave @dir.
 * Returns a descriptor, or -1 and errno; ENOSYS before Linux 5.6.
 */
static inline int port_open_beneath(int dir, const char *path, int flags)
{
	struct open_how how = {
		.flags = (unsigned int)flags,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
	};

	return syscall(SYS_openat2, dir, path, &how, sizeof(how));
}

/*
 * Block SIGHUP, SIGINT and SIGTERM, and return a descriptor to poll() for them. Also
 * blocks SIGPIPE. -1 and errno on failure.
 */
static inline int port_signals(void)
{
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	sigaddset(&set, SIGPIPE);
	return sigprocmask(SIG_BLOCK, &set, NULL) ? -1 : fd;
}

#endif
