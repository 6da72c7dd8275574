// SPDX-License-Identifier: GPL-2.0
/*
 * listener_handshake.c - handshake and message headers of the stock listener's protocol
 */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "tracecmd/base/signals.h"
#include "tracecmd/base/timer.h"
#include "tracecmd/output/listener_handshake.h"

/* The listener looks up the host name before its greeting, which is slow without a DNS server. */
#define ANSWER_MS 15000

static void put_u32(unsigned char *p, uint32_t v)
{
	v = htonl(v);
	memcpy(p, &v, sizeof(v));
}

uint32_t push_get_u32(const unsigned char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return ntohl(v);
}

void push_put_header(unsigned char *p, size_t size, enum push_message what, size_t fixed)
{
	put_u32(p, size);
	put_u32(p + 4, what);
	put_u32(p + 8, fixed);
}

/* A connection with the deadline of the answer, which received bytes do not extend. */
struct talk {
	int fd;
	uint64_t end;
};

static struct talk talk_to(int fd)
{
	return (struct talk){ fd, timer_now() + ANSWER_MS * 1000000ull };
}

/* -ETIMEDOUT if @events do not occur in time; -ECANCELED if a signal ends the wait. */
static int wait_for(const struct talk *t, short events)
{
	struct pollfd fds[] = {
		{ .fd = t->fd, .events = events },
		{ .fd = signals_fd(), .events = POLLIN },
	};
	uint64_t now;
	int ms, n;

	for (;;) {
		now = timer_now();
		ms = signals_patience(now < t->end ? (t->end - now) / 1000000 + 1 : 0);
		if (!ms || signals_came())
			return signals_came() ? -ECANCELED : -ETIMEDOUT;
		n = poll(fds, 2, ms);
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0 && fds[0].revents)
			return 0;
	}
}

/* Send (POLLOUT) or receive (POLLIN) @len bytes. -ENODATA if the listener hangs up before. */
static int transfer(const struct talk *t, short direction, void *data, size_t len)
{
	unsigned char *p = data;
	ssize_t n;
	int ret;

	while (len) {
		ret = wait_for(t, direction);
		if (ret)
			return ret;
		n = direction == POLLIN ? recv(t->fd, p, len, 0) : send(t->fd, p, len, MSG_NOSIGNAL);
		if (!n)
			return -ENODATA;
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return -errno;
		if (n > 0) {
			p += n;
			len -= n;
		}
	}
	return 0;
}

/* Send @words and expect exactly @answer. -EPROTO: another answer. */
static int ask(const struct talk *t, const char *words, size_t words_len, const char *answer,
	       size_t answer_len)
{
	char got[16];
	int ret = transfer(t, POLLOUT, (char *)words, words_len);

	if (!ret)
		ret = transfer(t, POLLIN, got, answer_len);
	if (!ret && memcmp(got, answer, answer_len))
		ret = -EPROTO;
	return ret;
}

static int explain(int ret, const char *odd, char *why, size_t why_len)
{
	const char *text = strerror(-ret);

	if (ret == -EPROTO)
		text = odd;
	else if (ret == -ENODATA)
		text = "it hung up while greeting: is it 'trace-cmd listen'?";
	else if (ret == -ECANCELED)
		text = "a signal came before its answer";
	else if (ret == -ETIMEDOUT)
		text = "no answer: is it 'trace-cmd listen'?";
	snprintf(why, why_len, "%s", text);
	return ret;
}

/* The listener sends its name first. It answers any version with the highest that it supports. */
int push_greet(int fd, char *why, size_t why_len)
{
	const struct talk talk = talk_to(fd), *t = &talk;
	int ret;

	ret = ask(t, "", 0, "tracecmd", 8);
	if (ret == -ENODATA) {
		snprintf(why, why_len, "it hung up without a greeting: it is no 'trace-cmd listen', or one "
			 "that finds no name for our address");
		return ret;
	}
	if (ret)
		return explain(ret, "not a 'trace-cmd listen'", why, why_len);
	ret = ask(t, "-1V3", 5, "V3", 3);
	return ret ? explain(ret, "it does not speak version 3 of the protocol: it is too old",
			     why, why_len) : 0;
}

/* The answer has the number of CPUs, followed by a port for each CPU. */
static int begin_file(int fd, unsigned int page_size)
{
	unsigned char tinit[PUSH_HEADER + 12], rinit[PUSH_HEADER + 4];
	const struct talk talk = talk_to(fd), *t = &talk;
	int ret;

	ret = ask(t, "766679\0", 8, "OK", 2);
	if (ret)
		return ret;
	push_put_header(tinit, sizeof(tinit), PUSH_TINIT, 12);
	put_u32(tinit + PUSH_HEADER, 0);
	put_u32(tinit + PUSH_HEADER + 4, page_size);
	put_u32(tinit + PUSH_HEADER + 8, 0);
	ret = transfer(t, POLLOUT, tinit, sizeof(tinit));
	if (!ret)
		ret = transfer(t, POLLIN, rinit, PUSH_HEADER);
	if (ret)
		return ret;
	if (push_get_u32(rinit + 4) != PUSH_RINIT || push_get_u32(rinit) != sizeof(rinit) ||
	    push_get_u32(rinit + 8) != 4)
		return -EPROTO;
	ret = transfer(t, POLLIN, rinit + PUSH_HEADER, 4);
	return ret ? ret : push_get_u32(rinit + PUSH_HEADER) ? -EPROTO : 0;
}

int push_begin_file(int fd, unsigned int page_size, char *why, size_t why_len)
{
	int ret = begin_file(fd, page_size);

	return ret ? explain(ret, "it does not take a file without events", why, why_len) : 0;
}
