// SPDX-License-Identifier: GPL-2.0
/*
 * address.c - parse HOST:PORT, and connect to it
 */
#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/base/reason.h"
#include "tracecmd/target/address.h"

#define PORT_MAX 65535

static int is_port(const char *text)
{
	return *text && strlen(text) <= 5 && !text[strspn(text, "0123456789")] &&
	       atoi(text) >= 1 && atoi(text) <= PORT_MAX;
}

int address_parse(struct address *a, const char *text, char *why, size_t why_len)
{
	const char *host = text, *end = strrchr(text, ':');

	if (!end)
		return reason_set(-EINVAL, why, why_len, "the port is missing in HOST:PORT");
	if (!is_port(end + 1))
		return reason_set(-EINVAL, why, why_len, "the port must be a number from 1 to %d",
				  PORT_MAX);
	a->port = end + 1;
	if (*host == '[') {
		host++;
		end--;
		if (end < host || *end != ']')
			end = NULL;
	} else if (memchr(host, ':', end - host)) {
		end = NULL;
	}
	if (!end)
		return reason_set(-EINVAL, why, why_len, "an IPv6 address needs brackets, such as "
				  "[::1]:%s", a->port);
	if (end == host)
		return reason_set(-EINVAL, why, why_len, "the host is missing in HOST:PORT");
	a->host = strndup(host, end - host);
	if (a->host)
		return 0;
	return reason_set(-ENOMEM, why, why_len, "out of memory");
}

void address_clear(struct address *a)
{
	free(a->host);
}

static int connect_one(const struct addrinfo *info, int timeout_ms)
{
	int fd, ret, error = 0;
	socklen_t len = sizeof(error);
	struct pollfd pfd;

	fd = socket(info->ai_family, info->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK,
		    info->ai_protocol);
	if (fd < 0)
		return -errno;
	ret = connect(fd, info->ai_addr, info->ai_addrlen) ? -errno : 0;
	if (ret == -EINPROGRESS) {
		pfd = (struct pollfd){ .fd = fd, .events = POLLOUT };
		do
			ret = poll(&pfd, 1, timeout_ms);
		while (ret < 0 && errno == EINTR);
		if (ret < 0)
			ret = -errno;
		else if (!ret)
			ret = -ETIMEDOUT;
		else
			ret = getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &len) ? -errno : -error;
	}
	if (!ret)
		return fd;
	close(fd);
	return ret;
}

int address_connect(const struct address *a, int timeout_ms, char *why, size_t why_len)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV };
	struct addrinfo *list, *info;
	int ret;

	ret = getaddrinfo(a->host, a->port, &hints, &list);
	if (ret)
		return reason_set(-EHOSTUNREACH, why, why_len, "%s", ret == EAI_SYSTEM ?
				  strerror(errno) : gai_strerror(ret));
	ret = -EHOSTUNREACH;
	for (info = list; info && ret < 0; info = info->ai_next)
		ret = connect_one(info, timeout_ms);
	freeaddrinfo(list);
	if (ret < 0)
		snprintf(why, why_len, "%s", strerror(-ret));
	return ret;
}
