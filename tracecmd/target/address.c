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

#include "lib/base/error.h"
#include "tracecmd/target/address.h"

#define PORT_MAX 65535

static int is_port(const char *text)
{
	return *text && strlen(text) <= 5 && !text[strspn(text, "0123456789")] &&
	       atoi(text) >= 1 && atoi(text) <= PORT_MAX;
}

int address_parse(struct address *a, const char *text, struct hist_error *error)
{
	const char *host = text, *end = strrchr(text, ':');

	if (!end)
		return hist_error_set(error, -EINVAL, "the port is missing in HOST:PORT");
	if (!is_port(end + 1))
		return hist_error_set(error, -EINVAL, "the port must be a number from 1 to %d",
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
		return hist_error_set(error, -EINVAL,
				      "an IPv6 address needs brackets, such as "
				      "[::1]:%s",
				      a->port);
	if (end == host)
		return hist_error_set(error, -EINVAL, "the host is missing in HOST:PORT");
	a->host = strndup(host, end - host);
	if (a->host)
		return 0;
	return hist_error_set(error, -ENOMEM, "out of memory");
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

int address_connect(const struct address *a, int timeout_ms, struct hist_error *error)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV };
	struct addrinfo *list, *info;
	int ret;

	ret = getaddrinfo(a->host, a->port, &hints, &list);
	if (ret)
		return hist_error_set(error, -EHOSTUNREACH, "%s",
				      ret == EAI_SYSTEM ? strerror(errno) : gai_strerror(ret));
	ret = -EHOSTUNREACH;
	for (info = list; info && ret < 0; info = info->ai_next)
		ret = connect_one(info, timeout_ms);
	freeaddrinfo(list);
	return ret;
}
