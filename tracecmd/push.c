// SPDX-License-Identifier: GPL-2.0
/*
 * push.c - the stock listener's protocol, and the thread that speaks it
 *
 * Each message has a header of three big-endian u32: its size with the header,
 * what it is, and the size of its fixed part; it has at most 8192 bytes.  The
 * listener waits at most 5 s for the next one.  After that it says nothing, and
 * answers each message that still comes with NOT_SUPP: so whatever it says
 * while the file is on its way means that the file is cut.
 *
 * Invariant: what is put becomes messages in the order in which it was put, and
 * nothing comes between the bytes of one put.  So at any moment the listener has
 * the beginning of a file that is whole.
 */
#include <arpa/inet.h>
#include <errno.h>
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

#include "address.h"
#include "duration.h"
#include "push.h"

#define HEADER 12
#define MESSAGE_MAX 8192

#define CONNECT_MS 10000
/* Before its greeting the listener looks up our name, which takes its time without a DNS. */
#define ANSWER_MS 15000
#define ALIVE_MS 2000
/* Without an answer of the other machine for so long, TCP gives up. */
#define LINK_DEAD_MS 20000

enum message {
	MSG_CLOSE = 0,
	MSG_TINIT = 1,
	MSG_RINIT = 2,
	MSG_SEND_DATA = 3,
	MSG_FIN_DATA = 4,
	MSG_NOT_SUPP = 5,
};

enum stage {
	STAGE_OPEN,    /* messages are made of what is put */
	STAGE_LAST,    /* the same, then the end follows */
	STAGE_CLOSING, /* the end is under way, and so is the listener's hanging up */
	STAGE_DONE,
};

struct push {
	struct tracedat_sink sink;
	int fd;
	int wake;  /* for the thread: something to do */
	int event; /* from the thread: trouble, or done */
	bool started;
	pthread_t thread;
	pthread_mutex_t lock; /* for all below that is not the thread's alone */

	unsigned char *waiting;
	size_t head, len, room;
	enum stage stage;
	bool stop;
	bool lost;
	char trouble[200];
	unsigned char alive[64];
	size_t alive_len;
	uint64_t moved; /* bytes that the socket took */

	/* the thread's: a message on its way, and one on its way to us */
	unsigned char message[MESSAGE_MAX];
	size_t message_len, sent;
	unsigned char answer[HEADER];
	size_t answer_len;
	uint64_t last_sent; /* when */
};

static void put_u32(unsigned char *p, uint32_t v)
{
	v = htonl(v);
	memcpy(p, &v, sizeof(v));
}

static uint32_t take_u32(const unsigned char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return ntohl(v);
}

static void put_header(unsigned char *p, size_t size, enum message what, size_t fixed)
{
	put_u32(p, size);
	put_u32(p + 4, what);
	put_u32(p + 8, fixed);
}

/* --- before the thread: one question, one answer --- */

/* -ETIMEDOUT when @events do not come in time. */
static int wait_for(int fd, short events)
{
	struct pollfd pfd = { .fd = fd, .events = events };
	int ret;

	do
		ret = poll(&pfd, 1, ANSWER_MS);
	while (ret < 0 && errno == EINTR);
	return ret < 0 ? -errno : ret ? 0 : -ETIMEDOUT;
}

static int say(int fd, const void *data, size_t len)
{
	const unsigned char *p = data;
	ssize_t n;
	int ret;

	while (len) {
		n = send(fd, p, len, MSG_NOSIGNAL);
		if (n < 0 && errno == EAGAIN) {
			ret = wait_for(fd, POLLOUT);
			if (ret)
				return ret;
		} else if (n < 0 && errno != EINTR) {
			return -errno;
		} else if (n > 0) {
			p += n;
			len -= n;
		}
	}
	return 0;
}

/* All of @len bytes; -ENODATA when the other side hangs up before. */
static int hear(int fd, void *data, size_t len)
{
	unsigned char *p = data;
	ssize_t n;
	int ret;

	while (len) {
		ret = wait_for(fd, POLLIN);
		if (ret)
			return ret;
		n = recv(fd, p, len, 0);
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

/* Says @words and expects @answer, to the byte; -EPROTO: another one. */
static int ask(int fd, const void *words, size_t words_len, const char *answer, size_t answer_len)
{
	char got[16];
	int ret = say(fd, words, words_len);

	if (!ret)
		ret = hear(fd, got, answer_len);
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
	else if (ret == -ETIMEDOUT)
		text = "no answer: is it 'trace-cmd listen'?";
	snprintf(why, why_len, "%s", text);
	return ret;
}

/*
 * The listener sends its name first.  It answers any version with the highest
 * one that it knows.
 */
static int greet(int fd, char *why, size_t why_len)
{
	int ret;

	ret = ask(fd, "", 0, "tracecmd", 8);
	if (ret == -ENODATA) {
		snprintf(why, why_len, "it hung up without a greeting: it is no 'trace-cmd listen', or one "
			 "that finds no name for our address");
		return ret;
	}
	if (ret)
		return explain(ret, "not a 'trace-cmd listen'", why, why_len);
	ret = ask(fd, "-1V3", 5, "V3", 3);
	return ret ? explain(ret, "it does not speak version 3 of the protocol: it is too old",
			     why, why_len) : 0;
}

int push_open(struct push **push, const char *text, char *why, size_t why_len)
{
	const int timeout = LINK_DEAD_MS, one = 1;
	struct address address;
	struct push *p;
	int ret;

	ret = address_parse(&address, text, why, why_len);
	if (ret)
		return ret;
	ret = -ENOMEM;
	snprintf(why, why_len, "out of memory");
	p = calloc(1, sizeof(*p));
	if (!p)
		goto out;
	p->fd = -1;
	pthread_mutex_init(&p->lock, NULL);
	p->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	p->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (p->wake < 0 || p->event < 0) {
		ret = -errno;
		snprintf(why, why_len, "%s", strerror(errno));
		goto out;
	}
	p->fd = ret = address_connect(&address, CONNECT_MS, why, why_len);
	if (ret < 0)
		goto out;
	/* small messages must not wait for each other; neither is worth failing for */
	setsockopt(p->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	setsockopt(p->fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &timeout, sizeof(timeout));
	ret = greet(p->fd, why, why_len);
	if (ret)
		goto out;
	*push = p;
	p = NULL;
out:
	push_free(p);
	address_clear(&address);
	return ret;
}

/* --- the thread --- */

static void wake(int fd)
{
	const uint64_t one = 1;

	/* it fails only when the number is at its end: then it is readable already */
	if (write(fd, &one, sizeof(one)) < 0)
		return;
}

/* The lock is held. */
static void lose(struct push *p, const char *why)
{
	if (p->lost)
		return;
	p->lost = true;
	snprintf(p->trouble, sizeof(p->trouble), "%s", why);
	wake(p->event);
}

/* What is to be sent next, if anything, becomes a message.  The lock is held. */
static void next_message(struct push *p)
{
	size_t n = p->len < MESSAGE_MAX - HEADER ? p->len : MESSAGE_MAX - HEADER;
	bool silent = duration_now() - p->last_sent >= (uint64_t)ALIVE_MS * 1000000;

	p->sent = 0;
	p->message_len = 0;
	if (n) {
		memcpy(p->message + HEADER, p->waiting + p->head, n);
		p->head += n;
		p->len -= n;
	} else if (p->stage == STAGE_LAST) {
		put_header(p->message, HEADER, MSG_FIN_DATA, 0);
		put_header(p->message + HEADER, HEADER, MSG_CLOSE, 0);
		p->message_len = 2 * HEADER;
		p->stage = STAGE_CLOSING;
		return;
	} else if (p->stage == STAGE_OPEN && silent && p->alive_len) {
		n = p->alive_len;
		memcpy(p->message + HEADER, p->alive, n);
	}
	if (n) {
		p->message_len = HEADER + n;
		put_header(p->message, p->message_len, MSG_SEND_DATA, 0);
	}
}

static void send_some(struct push *p)
{
	ssize_t n = send(p->fd, p->message + p->sent, p->message_len - p->sent, MSG_NOSIGNAL);
	int error = errno;

	if (n < 0 && (error == EAGAIN || error == EINTR))
		return;
	pthread_mutex_lock(&p->lock);
	if (n < 0) {
		lose(p, strerror(error));
	} else {
		p->sent += n;
		p->moved += n;
		p->last_sent = duration_now();
	}
	pthread_mutex_unlock(&p->lock);
}

/* The listener has nothing to say before it hangs up. */
static void listen_some(struct push *p)
{
	ssize_t n = recv(p->fd, p->answer + p->answer_len, HEADER - p->answer_len, 0);
	int error = errno;

	if (n < 0 && (error == EAGAIN || error == EINTR))
		return;
	pthread_mutex_lock(&p->lock);
	if (n > 0) {
		p->answer_len += n;
		if (p->answer_len == HEADER)
			lose(p, take_u32(p->answer + 4) == MSG_NOT_SUPP ?
			     "the listener takes no more, as nothing reached it for 5 s" :
			     "the listener sent a message that does not belong here");
	} else if (n < 0) {
		lose(p, strerror(error));
	} else if (p->stage == STAGE_CLOSING && p->sent == p->message_len) {
		p->stage = STAGE_DONE;
		wake(p->event);
	} else {
		lose(p, "the listener hung up");
	}
	pthread_mutex_unlock(&p->lock);
}

/* How long the thread may sleep: until the silence would be too long. */
static int nap(const struct push *p)
{
	uint64_t silent = (duration_now() - p->last_sent) / 1000000;

	if (p->stage != STAGE_OPEN || !p->alive_len)
		return -1;
	return silent < ALIVE_MS ? ALIVE_MS - silent : 0;
}

static void *work(void *arg)
{
	struct push *p = arg;
	struct pollfd fds[] = {
		{ .fd = p->fd },
		{ .fd = p->wake, .events = POLLIN },
	};
	uint64_t drain;
	int ms;

	for (;;) {
		pthread_mutex_lock(&p->lock);
		if (p->stop || p->lost || p->stage == STAGE_DONE)
			break;
		if (p->sent == p->message_len)
			next_message(p);
		fds[0].events = POLLIN | (p->sent < p->message_len ? POLLOUT : 0);
		ms = p->sent < p->message_len ? -1 : nap(p);
		pthread_mutex_unlock(&p->lock);
		if (poll(fds, 2, ms) < 0)
			continue;
		if (fds[1].revents && read(p->wake, &drain, sizeof(drain)) < 0)
			continue;
		/* first what it says: an error of send() says less */
		if (fds[0].revents & ~POLLOUT)
			listen_some(p);
		if (fds[0].revents & POLLOUT)
			send_some(p);
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

/* Signals are for the thread that has the plan. */
static int start_thread(struct push *p)
{
	sigset_t all, before;
	int ret;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ret = pthread_create(&p->thread, NULL, work, p);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	p->started = !ret;
	return -ret;
}

/* The answer has the number of CPUs, and would have ports, if there were any. */
static int begin_file(int fd, unsigned int page_size)
{
	unsigned char tinit[HEADER + 12], rinit[HEADER + 4];
	int ret;

	ret = ask(fd, "766679\0", 8, "OK", 2);
	if (ret)
		return ret;
	put_header(tinit, sizeof(tinit), MSG_TINIT, 12);
	put_u32(tinit + HEADER, 0);
	put_u32(tinit + HEADER + 4, page_size);
	put_u32(tinit + HEADER + 8, 0);
	ret = say(fd, tinit, sizeof(tinit));
	if (!ret)
		ret = hear(fd, rinit, HEADER);
	if (ret)
		return ret;
	if (take_u32(rinit + 4) != MSG_RINIT || take_u32(rinit) != sizeof(rinit) ||
	    take_u32(rinit + 8) != 4)
		return -EPROTO;
	ret = hear(fd, rinit + HEADER, 4);
	return ret ? ret : take_u32(rinit + HEADER) ? -EPROTO : 0;
}

int push_start(struct push *p, unsigned int page_size, char *why, size_t why_len)
{
	int ret = begin_file(p->fd, page_size);

	if (ret)
		return explain(ret, "it does not take a file without events", why, why_len);
	p->last_sent = duration_now();
	ret = start_thread(p);
	if (ret)
		snprintf(why, why_len, "%s", strerror(-ret));
	return ret;
}

/* --- the others --- */

/* The lock is held. */
static int reserve(struct push *p, size_t len)
{
	unsigned char *data;
	size_t room = p->room ? p->room : 65536;

	if (p->head + p->len + len <= p->room)
		return 0;
	if (p->len)
		memmove(p->waiting, p->waiting + p->head, p->len);
	p->head = 0;
	while (room < p->len + len)
		room *= 2;
	if (room == p->room)
		return 0;
	data = realloc(p->waiting, room);
	if (!data)
		return -ENOMEM;
	p->waiting = data;
	p->room = room;
	return 0;
}

static int put(struct tracedat_sink *sink, struct iovec *v, int n, uint64_t offset)
{
	struct push *p = (struct push *)sink;
	size_t len = 0;
	int i, ret;

	/* the keepalives in between are no business of those who count */
	(void)offset;
	for (i = 0; i < n; i++)
		len += v[i].iov_len;
	pthread_mutex_lock(&p->lock);
	ret = p->lost ? -EPIPE : reserve(p, len);
	for (i = 0; !ret && i < n; i++) {
		if (!v[i].iov_len)
			continue;
		memcpy(p->waiting + p->head + p->len, v[i].iov_base, v[i].iov_len);
		p->len += v[i].iov_len;
	}
	pthread_mutex_unlock(&p->lock);
	wake(p->wake);
	return ret;
}

struct tracedat_sink *push_sink(struct push *p)
{
	p->sink.put = put;
	return &p->sink;
}

void push_alive(struct push *p, const void *section, size_t len)
{
	pthread_mutex_lock(&p->lock);
	p->alive_len = len < sizeof(p->alive) ? len : sizeof(p->alive);
	memcpy(p->alive, section, p->alive_len);
	pthread_mutex_unlock(&p->lock);
	wake(p->wake);
}

bool push_has_room(struct push *p, size_t bytes)
{
	bool room;

	pthread_mutex_lock(&p->lock);
	room = p->len < bytes;
	pthread_mutex_unlock(&p->lock);
	return room;
}

int push_fd(const struct push *p)
{
	return p->event;
}

const char *push_trouble(struct push *p)
{
	bool lost;

	pthread_mutex_lock(&p->lock);
	lost = p->lost;
	pthread_mutex_unlock(&p->lock);
	/* written once, before */
	return lost ? p->trouble : NULL;
}

uint64_t push_unsent(struct push *p)
{
	int queued = 0;
	uint64_t bytes;

	pthread_mutex_lock(&p->lock);
	bytes = p->len + (p->message_len - p->sent);
	pthread_mutex_unlock(&p->lock);
	if (!ioctl(p->fd, TIOCOUTQ, &queued))
		bytes += queued;
	return bytes;
}

int push_finish(struct push *p, int stop_fd)
{
	struct pollfd fds[] = {
		{ .fd = p->event, .events = POLLIN },
		{ .fd = stop_fd, .events = POLLIN },
	};
	uint64_t moved = 0, before;
	bool first = true;
	int ret;

	pthread_mutex_lock(&p->lock);
	if (p->stage == STAGE_OPEN)
		p->stage = STAGE_LAST;
	pthread_mutex_unlock(&p->lock);
	wake(p->wake);
	for (;;) {
		ret = poll(fds, 2, PUSH_PATIENCE_MS);
		if (ret < 0 && errno != EINTR)
			return -errno;
		if (ret > 0 && fds[0].revents)
			break;
		if (ret > 0 && fds[1].revents)
			return -EINTR;
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

void push_free(struct push *p)
{
	if (!p)
		return;
	if (p->started) {
		pthread_mutex_lock(&p->lock);
		p->stop = true;
		pthread_mutex_unlock(&p->lock);
		wake(p->wake);
		pthread_join(p->thread, NULL);
	}
	if (p->fd >= 0)
		close(p->fd);
	if (p->wake >= 0)
		close(p->wake);
	if (p->event >= 0)
		close(p->event);
	pthread_mutex_destroy(&p->lock);
	free(p->waiting);
	free(p);
}
