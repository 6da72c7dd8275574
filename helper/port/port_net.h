/* SPDX-License-Identifier: GPL-2.0 */
/*
 * port_net.h - sockets and processes, for the sources in helper/ that listen
 *
 * As in port.h, the names are the same with the host's libc and in the static helper.
 */
#ifndef HELPER_PORT_PORT_NET_H
#define HELPER_PORT_PORT_NET_H

#include "helper/port/port.h"

#ifdef NOLIBC

#include <asm/socket.h>
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/prctl.h>
#include <linux/resource.h>
#include <linux/sched.h>
#include <linux/tcp.h>

/* The kernel's <linux/socket.h> defines neither these nor struct sockaddr. */
#ifndef AF_UNIX
#define AF_UNIX 1
#define AF_INET 2
#define AF_INET6 10
#endif
#ifndef SOCK_CLOEXEC
#ifdef __mips__
#define SOCK_STREAM 2
#else
#define SOCK_STREAM 1
#endif
#define SOCK_CLOEXEC O_CLOEXEC
#define SOCK_NONBLOCK O_NONBLOCK
#endif
#define SHUT_WR 1
#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0x4000
#endif
typedef unsigned int socklen_t;

/* exit() does not do anything before the system call. */
#define _exit exit

static inline int socket(int family, int type, int protocol)
{
	return __sysret(my_syscall3(__NR_socket, family, type, protocol));
}

static inline int socketpair(int family, int type, int protocol, int fds[2])
{
	return __sysret(my_syscall4(__NR_socketpair, family, type, protocol, fds));
}

static inline int bind(int fd, const void *address, socklen_t len)
{
	return __sysret(my_syscall3(__NR_bind, fd, address, len));
}

static inline int listen(int fd, int backlog)
{
	return __sysret(my_syscall2(__NR_listen, fd, backlog));
}

static inline int shutdown(int fd, int how)
{
	return __sysret(my_syscall2(__NR_shutdown, fd, how));
}

static inline int accept4(int fd, void *address, socklen_t *len, int flags)
{
	return __sysret(my_syscall4(__NR_accept4, fd, address, len, flags));
}

static inline int getsockname(int fd, void *address, socklen_t *len)
{
	return __sysret(my_syscall3(__NR_getsockname, fd, address, len));
}

static inline int setsockopt(int fd, int level, int name, const void *value, socklen_t len)
{
	return __sysret(my_syscall5(__NR_setsockopt, fd, level, name, value, len));
}

/* write(), but a closed peer causes EPIPE instead of a signal. */
static inline ssize_t port_send(int fd, const void *from, size_t len)
{
	return __sysret(my_syscall6(__NR_sendto, fd, from, len, MSG_NOSIGNAL, 0, 0));
}

#ifdef __NR_setgid32
#define PORT_NR_SETGROUPS __NR_setgroups32
#define PORT_NR_SETGID __NR_setgid32
#define PORT_NR_SETUID __NR_setuid32
#else
#define PORT_NR_SETGROUPS __NR_setgroups
#define PORT_NR_SETGID __NR_setgid
#define PORT_NR_SETUID __NR_setuid
#endif

static inline int setgroups(size_t n, const gid_t *groups)
{
	return __sysret(my_syscall2(PORT_NR_SETGROUPS, n, groups));
}

static inline int setgid(gid_t gid)
{
	return __sysret(my_syscall1(PORT_NR_SETGID, gid));
}

static inline int setuid(uid_t uid)
{
	return __sysret(my_syscall1(PORT_NR_SETUID, uid));
}

/* fork() with more clone(2) flags. Returns 0 in the child, which must call only _exit(). */
static inline long port_clone(unsigned long flags)
{
	return __sysret(my_syscall5(__NR_clone, flags | SIGCHLD, 0, 0, 0, 0));
}

#else

#include <grp.h>
#include <linux/sched.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

static inline long port_clone(unsigned long flags)
{
#if defined(__s390__) || defined(__CRIS__)
	return syscall(SYS_clone, 0, flags | SIGCHLD, 0, 0, 0);
#else
	return syscall(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0);
#endif
}

static inline ssize_t port_send(int fd, const void *from, size_t len)
{
	return send(fd, from, len, MSG_NOSIGNAL);
}

#endif

#endif
