// SPDX-License-Identifier: GPL-2.0
/*
 * listener_link.c - send a file to the stock listener: data queue and sender thread
 *
 * The listener waits at most 5 s for the next message. After that it is silent, and answers each
 * further message with NOT_SUPP. Any message from the listener during the transfer therefore means
 * that its file is incomplete.
 *
 * Invariant: data becomes messages in the order of the writes, and nothing is inserted between the
 * bytes of one write. The listener therefore always has a valid beginning of the file.
 */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "lib/base/strbuf.h"
#include "tracecmd/base/signals.h"
#include "tracecmd/base/timer.h"
#include "tracecmd/output/listener_handshake.h"
#include "tracecmd/output/listener_link.h"
#include "tracecmd/target/address.h"

#define MESSAGE_MAX 8192

#define CONNECT_MS 10000
#define KEEPALIVE_MS 2000
/* Time in ms without an answer from the other machine after which TCP reports an error. */
#define LINK_DEAD_MS 20000

enum stage {
	STAGE_OPEN,    /* data becomes messages */
	STAGE_LAST,    /* the same; the end of the file follows the waiting data */
	STAGE_CLOSING, /* the end is being sent; the listener then hangs up */
	STAGE_DONE,
};

struct listener_link {
	struct tracedat_sink sink;
	int fd;
	int wake;  /* eventfd for the thread: data or a request */
	int event; /* eventfd from the thread: the link is lost, or all data was sent */
	bool started;
	pthread_t thread;
	pthread_mutex_t lock; /* protects all members below, except those of the thread */

	struct hist_strbuf waiting;
	size_t head; /* bytes of @waiting that became messages */
	enum stage stage;
	bool stop;
	bool lost;
	char trouble[200];
	unsigned char alive[64];
	size_t alive_len;
	uint64_t moved; /* bytes that the socket took */

	/* only used by the thread: the message that it sends, and the one that it receives */
	unsigned char message[MESSAGE_MAX];
	size_t message_len, sent;
	unsigned char answer[LISTENER_HEADER];
	size_t answer_len;
	uint64_t last_sent; /* time */
};

int listener_link_open_fd(struct listener_link **push, int fd, struct hist_error *error)
{
	struct listener_link *p = calloc(1, sizeof(*p));
	int ret = -ENOMEM;

	if (!p) {
		close(fd);
		return hist_error_set(error, ret, "out of memory");
	}
	p->fd = fd;
	pthread_mutex_init(&p->lock, NULL);
	p->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	p->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (p->wake < 0 || p->event < 0) {
		ret = -errno;
	} else {
		ret = listener_greet(fd, error);
	}
	if (ret)
		listener_link_free(p);
	else
		*push = p;
	return ret;
}

int listener_link_open(struct listener_link **push, const char *text, struct hist_error *error)
{
	const int timeout = LINK_DEAD_MS, one = 1;
	struct address address;
	int fd, ret;

	ret = address_parse(&address, text, error);
	if (ret)
		return ret;
	fd = address_connect(&address, CONNECT_MS, error);
	address_clear(&address);
	if (fd < 0)
		return fd;
	/* send small messages without delay; errors of both options are ignored */
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &timeout, sizeof(timeout));
	return listener_link_open_fd(push, fd, error);
}

/* --- the thread --- */

/* The lock is held. */
static void listener_link_set_lost(struct listener_link *p, const char *why)
{
	if (p->lost)
		return;
	p->lost = true;
	snprintf(p->trouble, sizeof(p->trouble), "%s", why);
	eventfd_write(p->event, 1);
}

/* Make the next message, if there is data to send. The lock is held. */
static void next_message(struct listener_link *p)
{
	size_t len = p->waiting.len - p->head;
	size_t n = len < MESSAGE_MAX - LISTENER_HEADER ? len : MESSAGE_MAX - LISTENER_HEADER;
	bool silent = timer_now() - p->last_sent >= (uint64_t)KEEPALIVE_MS * 1000000;

	p->sent = 0;
	p->message_len = 0;
	if (n) {
		memcpy(p->message + LISTENER_HEADER, p->waiting.data + p->head, n);
		p->head += n;
	} else if (p->stage == STAGE_LAST) {
		listener_put_header(p->message, LISTENER_HEADER, LISTENER_FIN_DATA, 0);
		listener_put_header(p->message + LISTENER_HEADER, LISTENER_HEADER, LISTENER_CLOSE,
				    0);
		p->message_len = 2 * LISTENER_HEADER;
		p->stage = STAGE_CLOSING;
		return;
	} else if (p->stage == STAGE_OPEN && silent && p->alive_len) {
		n = p->alive_len;
		memcpy(p->message + LISTENER_HEADER, p->alive, n);
	}
	if (n) {
		p->message_len = LISTENER_HEADER + n;
		listener_put_header(p->message, p->message_len, LISTENER_SEND_DATA, 0);
	}
}

static void send_some(struct listener_link *p)
{
	ssize_t n = send(p->fd, p->message + p->sent, p->message_len - p->sent, MSG_NOSIGNAL);
	int error = errno;

	if (n < 0 && (error == EAGAIN || error == EINTR))
		return;
	pthread_mutex_lock(&p->lock);
	if (n < 0) {
		listener_link_set_lost(p, strerror(error));
	} else {
		p->sent += n;
		p->moved += n;
		p->last_sent = timer_now();
	}
	pthread_mutex_unlock(&p->lock);
}

/* Read from the listener: any data before it closes the connection is an error. */
static void listen_some(struct listener_link *p)
{
	ssize_t n = recv(p->fd, p->answer + p->answer_len, LISTENER_HEADER - p->answer_len, 0);
	int error = errno;

	if (n < 0 && (error == EAGAIN || error == EINTR))
		return;
	pthread_mutex_lock(&p->lock);
	if (n > 0) {
		p->answer_len += n;
		if (p->answer_len == LISTENER_HEADER)
			listener_link_set_lost(
				p, listener_get_u32(p->answer + 4) == LISTENER_NOT_SUPP
					   ? "the listener received nothing for 5 s and gave up"
					   : "the listener sent an unexpected message");
	} else if (n < 0) {
		listener_link_set_lost(p, strerror(error));
	} else if (p->stage == STAGE_CLOSING && p->sent == p->message_len) {
		p->stage = STAGE_DONE;
		eventfd_write(p->event, 1);
	} else {
		listener_link_set_lost(p, "the listener closed the connection");
	}
	pthread_mutex_unlock(&p->lock);
}

/* Time until the next keepalive in ms, or -1: the limit of the thread's sleep. */
static int listener_link_sleep_ms(const struct listener_link *p)
{
	uint64_t silent = (timer_now() - p->last_sent) / 1000000;

	if (p->stage != STAGE_OPEN || !p->alive_len)
		return -1;
	return silent < KEEPALIVE_MS ? KEEPALIVE_MS - silent : 0;
}

static void *listener_link_run_thread(void *arg)
{
	struct listener_link *p = arg;
	struct pollfd fds[] = {
		{ .fd = p->fd },
		{ .fd = p->wake, .events = POLLIN },
	};
	eventfd_t drain;
	int ms;

	for (;;) {
		pthread_mutex_lock(&p->lock);
		if (p->stop || p->lost || p->stage == STAGE_DONE)
			break;
		if (p->sent == p->message_len)
			next_message(p);
		fds[0].events = POLLIN | (p->sent < p->message_len ? POLLOUT : 0);
		ms = p->sent < p->message_len ? -1 : listener_link_sleep_ms(p);
		pthread_mutex_unlock(&p->lock);
		if (poll(fds, 2, ms) < 0)
			continue;
		if (fds[1].revents && eventfd_read(p->wake, &drain))
			continue;
		/* read first: a message of the listener is more precise than an error of send() */
		if (fds[0].revents & ~POLLOUT)
			listen_some(p);
		if (fds[0].revents & POLLOUT)
			send_some(p);
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

/* Start the thread with all signals blocked, because the main thread handles signals. */
static int start_thread(struct listener_link *p)
{
	sigset_t all, before;
	int ret;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ret = pthread_create(&p->thread, NULL, listener_link_run_thread, p);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	p->started = !ret;
	return -ret;
}

int listener_link_start(struct listener_link *p, unsigned int page_size, struct hist_error *error)
{
	int ret = listener_begin_file(p->fd, page_size, error);

	if (ret)
		return ret;
	p->last_sent = timer_now();
	ret = start_thread(p);
	return ret;
}

/* --- all other threads --- */

static int listener_link_put_data(struct tracedat_sink *sink, struct iovec *v, int n,
				  uint64_t offset)
{
	struct listener_link *p = (struct listener_link *)sink;
	struct hist_strbuf *b = &p->waiting;
	size_t len = 0;
	int i, ret;

	/* the offset does not count keepalives */
	(void)offset;
	for (i = 0; i < n; i++)
		len += v[i].iov_len;
	pthread_mutex_lock(&p->lock);
	if (p->head && b->room - b->len < len) {
		b->len -= p->head;
		memmove(b->data, b->data + p->head, b->len);
		p->head = 0;
	}
	ret = p->lost ? -EPIPE : hist_strbuf_reserve(b, len) ? 0 : b->error;
	for (i = 0; !ret && i < n; i++)
		hist_strbuf_add(b, v[i].iov_base, v[i].iov_len);
	pthread_mutex_unlock(&p->lock);
	eventfd_write(p->wake, 1);
	return ret;
}

struct tracedat_sink *listener_link_sink(struct listener_link *p)
{
	p->sink.put = listener_link_put_data;
	return &p->sink;
}

void listener_link_set_keepalive(struct listener_link *p, const void *section, size_t len)
{
	pthread_mutex_lock(&p->lock);
	p->alive_len = len < sizeof(p->alive) ? len : sizeof(p->alive);
	memcpy(p->alive, section, p->alive_len);
	pthread_mutex_unlock(&p->lock);
	eventfd_write(p->wake, 1);
}

bool listener_link_has_room(struct listener_link *p, size_t bytes)
{
	bool room;

	pthread_mutex_lock(&p->lock);
	room = p->waiting.len - p->head < bytes;
	pthread_mutex_unlock(&p->lock);
	return room;
}

int listener_link_fd(const struct listener_link *p)
{
	return p->event;
}

const char *listener_link_error(struct listener_link *p)
{
	bool lost;

	pthread_mutex_lock(&p->lock);
	lost = p->lost;
	pthread_mutex_unlock(&p->lock);
	/* written once, before */
	return lost ? p->trouble : NULL;
}

uint64_t listener_link_unsent(struct listener_link *p)
{
	int queued = 0;
	uint64_t bytes;

	pthread_mutex_lock(&p->lock);
	bytes = p->waiting.len - p->head + (p->message_len - p->sent);
	pthread_mutex_unlock(&p->lock);
	if (!ioctl(p->fd, TIOCOUTQ, &queued))
		bytes += queued;
	return bytes;
}

int listener_link_finish(struct listener_link *p, int stop_fd)
{
	struct pollfd fds[] = {
		{ .fd = p->event, .events = POLLIN },
		{ .fd = stop_fd, .events = POLLIN },
	};
	uint64_t moved = 0, before;
	bool first = true;
	int ms, ret;

	pthread_mutex_lock(&p->lock);
	if (p->stage == STAGE_OPEN)
		p->stage = STAGE_LAST;
	pthread_mutex_unlock(&p->lock);
	eventfd_write(p->wake, 1);
	for (;;) {
		ms = signals_patience(LISTENER_PATIENCE_MS);
		if (!ms)
			return -EINTR;
		ret = poll(fds, 2, ms);
		if (ret < 0 && errno != EINTR)
			return -errno;
		if (ret > 0 && fds[0].revents)
			break;
		if (ret > 0 && fds[1].revents)
			return -EINTR;
		if (!ret && ms < LISTENER_PATIENCE_MS)
			continue;
		before = moved;
		pthread_mutex_lock(&p->lock);
		moved = p->moved;
		pthread_mutex_unlock(&p->lock);
		if (!ret && !first && moved == before)
			return -ETIMEDOUT;
		first = false;
	}
	pthread_mutex_lock(&p->lock);
	ret = p->lost ? -EPIPE : 0;
	pthread_mutex_unlock(&p->lock);
	return ret;
}

void listener_link_free(struct listener_link *p)
{
	if (!p)
		return;
	if (p->started) {
		pthread_mutex_lock(&p->lock);
		p->stop = true;
		pthread_mutex_unlock(&p->lock);
		eventfd_write(p->wake, 1);
		pthread_join(p->thread, NULL);
	}
	if (p->fd >= 0)
		close(p->fd);
	if (p->wake >= 0)
		close(p->wake);
	if (p->event >= 0)
		close(p->event);
	pthread_mutex_destroy(&p->lock);
	hist_strbuf_free(&p->waiting);
	free(p);
}
