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

#include "lib/base/error.h"
#include "tracecmd/base/signals.h"
#include "tracecmd/base/timer.h"
#include "tracecmd/output/listener_handshake.h"

/* The listener looks up the host name before its greeting, which is slow without a DNS server. */
#define ANSWER_MS 15000

static void listener_put_u32(unsigned char *p, uint32_t v)
{
	v = htonl(v);
	memcpy(p, &v, sizeof(v));
}

uint32_t listener_get_u32(const unsigned char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return ntohl(v);
}

void listener_put_header(unsigned char *p, size_t size, enum listener_message what, size_t fixed)
{
	listener_put_u32(p, size);
	listener_put_u32(p + 4, what);
	listener_put_u32(p + 8, fixed);
}

/* A connection with the deadline of the answer, which received bytes do not extend. */
struct handshake_state {
	int fd;
	uint64_t end;
};

static struct handshake_state talk_to(int fd)
{
	return (struct handshake_state){ fd, timer_now() + ANSWER_MS * 1000000ull };
}

/* -ETIMEDOUT if @events do not occur in time; -ECANCELED if a signal ends the wait. */
static int wait_for(const struct handshake_state *t, short events)
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
		if (!ms || signals_have_arrived())
			return signals_have_arrived() ? -ECANCELED : -ETIMEDOUT;
		n = poll(fds, 2, ms);
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0 && fds[0].revents)
			return 0;
	}
}

/* Send (POLLOUT) or receive (POLLIN) @len bytes. -ENODATA if the listener hangs up before. */
static int listener_handshake_transfer(const struct handshake_state *t, short direction, void *data,
				       size_t len)
{
	unsigned char *p = data;
	ssize_t n;
	int ret;

	while (len) {
		ret = wait_for(t, direction);
		if (ret)
			return ret;
		n = direction == POLLIN ? recv(t->fd, p, len, 0)
					: send(t->fd, p, len, MSG_NOSIGNAL);
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
static int listener_exchange_words(const struct handshake_state *t, const char *words,
				   size_t words_len, const char *answer,
				   size_t answer_len)
{
	char got[16];
	int ret = listener_handshake_transfer(t, POLLOUT, (char *)words, words_len);

	if (!ret)
		ret = listener_handshake_transfer(t, POLLIN, got, answer_len);
	if (!ret && memcmp(got, answer, answer_len))
		ret = -EPROTO;
	return ret;
}

static int listener_explain_error(int ret, const char *odd, struct hist_error *error)
{
	const char *text = strerror(-ret);

	if (ret == -EPROTO)
		text = odd;
	else if (ret == -ENODATA)
		text = "the listener closed the connection; perhaps another program uses this port";
	else if (ret == -ECANCELED)
		text = "a signal interrupted the wait for the listener's answer";
	else if (ret == -ETIMEDOUT)
		text = "the listener did not answer within 15 s; perhaps another program uses this "
		       "port";
	return hist_error_set(error, ret, "%s", text);
}

/* The listener sends its name first. It answers any version with the highest that it supports. */
int listener_greet(int fd, struct hist_error *error)
{
	const struct handshake_state talk = talk_to(fd), *t = &talk;
	int ret;

	ret = listener_exchange_words(t, "", 0, "tracecmd", 8);
	if (ret == -ENODATA)
		return hist_error_set(
			error, ret,
			"the listener closed the connection without a "
			"greeting; it is not 'trace-cmd listen', or it cannot resolve "
			"the host name of this machine");
	if (ret)
		return listener_explain_error(ret, "the listener is not 'trace-cmd listen'", error);
	ret = listener_exchange_words(t, "-1V3", 5, "V3", 3);
	return ret ? listener_explain_error(
			     ret, "the listener is too old for version 3 of the protocol", error)
		   : 0;
}

/* The answer has the number of CPUs, followed by a port for each CPU. */
static int begin_file(int fd, unsigned int page_size)
{
	unsigned char tinit[LISTENER_HEADER + 12], rinit[LISTENER_HEADER + 4];
	const struct handshake_state talk = talk_to(fd), *t = &talk;
	int ret;

	ret = listener_exchange_words(t, "766679\0", 8, "OK", 2);
	if (ret)
		return ret;
	listener_put_header(tinit, sizeof(tinit), LISTENER_TINIT, 12);
	listener_put_u32(tinit + LISTENER_HEADER, 0);
	listener_put_u32(tinit + LISTENER_HEADER + 4, page_size);
	listener_put_u32(tinit + LISTENER_HEADER + 8, 0);
	ret = listener_handshake_transfer(t, POLLOUT, tinit, sizeof(tinit));
	if (!ret)
		ret = listener_handshake_transfer(t, POLLIN, rinit, LISTENER_HEADER);
	if (ret)
		return ret;
	if (listener_get_u32(rinit + 4) != LISTENER_RINIT ||
	    listener_get_u32(rinit) != sizeof(rinit) ||
	    listener_get_u32(rinit + 8) != 4)
		return -EPROTO;
	ret = listener_handshake_transfer(t, POLLIN, rinit + LISTENER_HEADER, 4);
	return ret ? ret : listener_get_u32(rinit + LISTENER_HEADER) ? -EPROTO : 0;
}

int listener_begin_file(int fd, unsigned int page_size, struct hist_error *error)
{
	int ret = begin_file(fd, page_size);

	return ret ? listener_explain_error(
			     ret, "the listener does not accept a file without events", error)
		   : 0;
}
