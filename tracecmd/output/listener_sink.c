// SPDX-License-Identifier: GPL-2.0
/*
 * listener_sink.c - sink that sends the recording to a listener while it is made
 *
 * A message of the stock listener's protocol has a header of three big-endian u32: size including
 * the header, message type, and size of the fixed part.  A message has at most 8192 bytes.
 *
 * The listener waits at most 5 s for the next message.  After that it is silent, and answers each
 * further message with NOT_SUPP.  Any message from the listener during the transfer therefore means
 * that its file is incomplete.
 *
 * Invariants: an interval is sent with all of its histograms or with none, so that a sequence
 * number means the same interval for all histograms.  Data becomes messages in the order of the
 * writes, and nothing is inserted between the bytes of one write.  The listener therefore always
 * has a valid beginning of the file.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
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
#include "lib/base/text.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/signals.h"
#include "tracecmd/base/timer.h"
#include "tracecmd/output/listener_sink.h"
#include "tracecmd/target/address.h"

#define LISTENER_HEADER 12

enum listener_message {
	LISTENER_CLOSE = 0,
	LISTENER_TINIT = 1,
	LISTENER_RINIT = 2,
	LISTENER_SEND_DATA = 3,
	LISTENER_FIN_DATA = 4,
	LISTENER_NOT_SUPP = 5,
};

/* --- the handshake; functions set @error to a sentence, -ETIMEDOUT: no complete answer --- */

/* The listener looks up the host name before its greeting, which is slow without a DNS server. */
#define ANSWER_MS 15000

static void listener_put_u32(unsigned char *p, uint32_t v)
{
	v = htonl(v);
	memcpy(p, &v, sizeof(v));
}

static uint32_t listener_get_u32(const unsigned char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return ntohl(v);
}

static void listener_put_header(unsigned char *p, size_t size, enum listener_message what,
				size_t fixed)
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
				   size_t words_len, const char *answer, size_t answer_len)
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
/* 0 if a listener of version 3 answers on the non-blocking socket @fd. */
static int listener_greet(int fd, struct hist_error *error)
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
	    listener_get_u32(rinit) != sizeof(rinit) || listener_get_u32(rinit + 8) != 4)
		return -EPROTO;
	ret = listener_handshake_transfer(t, POLLIN, rinit + LISTENER_HEADER, 4);
	return ret ? ret : listener_get_u32(rinit + LISTENER_HEADER) ? -EPROTO : 0;
}

/* Begin a file with 0 CPUs.  Its data follows in messages. */
static int listener_begin_file(int fd, unsigned int page_size, struct hist_error *error)
{
	int ret = begin_file(fd, page_size);

	return ret ? listener_explain_error(
			     ret, "the listener does not accept a file without events", error)
		   : 0;
}

/* --- the data queue and the sender thread --- */

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

/* True if less than @bytes of data wait in memory. */
static bool listener_link_has_room(struct listener_link *p, size_t bytes)
{
	bool room;

	pthread_mutex_lock(&p->lock);
	room = p->waiting.len - p->head < bytes;
	pthread_mutex_unlock(&p->lock);
	return room;
}

/* Descriptor for poll(): readable if the link is lost or listener_link_finish() would not wait. */
static int listener_link_fd(const struct listener_link *p)
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

/* --- the sink --- */

/*
 * Limit of waiting data for a link that stalls. No interval begins above the limit; an interval
 * that has begun is sent completely.
 */
#define STREAM_ROOM (4u << 20)

static struct listener_sink *listener_sink_from_sink(const struct sink *sink)
{
	return (struct listener_sink *)sink;
}

static int listener_connect(struct sink *sink)
{
	struct listener_sink *s = listener_sink_from_sink(sink);
	struct hist_error error = { 0 };
	int ret;

	ret = listener_link_open(&s->push, s->sink.name, &error);
	if (ret)
		message_report_of(ret, &error, "-N %s", s->sink.name);
	return ret;
}

/* Report the loss of the link once. */
static int listener_sink_set_lost(struct listener_sink *s, int ret)
{
	const char *trouble;

	if (s->lost)
		return ret;
	s->lost = true;
	trouble = listener_link_error(s->push);
	return message_refuse(ret, "-N %s: the connection was lost: %s; the listener's file "
			      "contains only the data received until then", s->sink.name,
			      trouble ? trouble :
			      strerror(-ret));
}

static int listener_begin(struct sink *sink, const struct tracedat_contents *contents)
{
	struct listener_sink *s = listener_sink_from_sink(sink);
	unsigned char alive[HIST_SERIES_KEEPALIVE_SIZE];
	struct hist_error error = { 0 };
	int ret;

	ret = listener_link_start(s->push, contents->machine.page_size, &error);
	if (ret)
		return message_report_of(ret, &error, "-N %s", s->sink.name);
	ret = tracedat_create_to(&s->sink.dat, listener_link_sink(s->push), contents);
	if (!ret)
		ret = hist_series_writer_new(&s->sink.series, s->sink.dat);
	if (ret)
		return listener_sink_set_lost(s, ret);
	hist_series_make_keepalive(s->sink.series, alive);
	listener_link_set_keepalive(s->push, alive, sizeof(alive));
	return 0;
}

static int listener_interval(struct sink *sink, bool last)
{
	struct listener_sink *s = listener_sink_from_sink(sink);

	if (s->lost)
		return 0;
	s->skip = !last && !listener_link_has_room(s->push, STREAM_ROOM);
	s->skipped += s->skip;
	return 0;
}

static int listener_add(struct sink *sink, int hist, const struct hist_snapshot *snap)
{
	struct listener_sink *s = listener_sink_from_sink(sink);
	struct hist_snapshot copy = *snap;
	int ret;

	if (s->skip)
		return 0;
	if (s->lost)
		return -EPIPE;
	copy.seq -= s->skipped;
	copy.missed += s->skipped;
	ret = hist_series_add(s->sink.series, hist, &copy);
	return ret ? listener_sink_set_lost(s, ret) : 0;
}

static int listener_fd(const struct sink *sink)
{
	const struct listener_sink *s = listener_sink_from_sink(sink);

	return s->push && !s->lost ? listener_link_fd(s->push) : -1;
}

static int listener_check(struct sink *sink)
{
	struct listener_sink *s = listener_sink_from_sink(sink);

	return s->lost || listener_link_error(s->push) ? listener_sink_set_lost(s, -EPIPE) : 0;
}

static int listener_end(struct sink *sink)
{
	struct listener_sink *s = listener_sink_from_sink(sink);
	int ret;

	ret = s->lost ? -EPIPE : hist_series_finish(s->sink.series);
	return ret ? listener_sink_set_lost(s, ret) : 0;
}

static int listener_finish(struct sink *sink, int signals)
{
	struct listener_sink *s = listener_sink_from_sink(sink);
	bool forward;
	int ret;

	if (s->skipped)
		message_warning("-N %s: %" PRIu64 " snapshot%s not sent because the "
				"connection was too slow\nuse a longer interval",
				s->sink.name, s->skipped, s->skipped == 1 ? " was" : "s were");
	do
		ret = s->lost ? -EPIPE : listener_link_finish(s->push, signals);
	while (ret == -EINTR && !signals_ending(signals, &forward) && signals_patience(-1));
	if (ret == -EINTR || ret == -ETIMEDOUT)
		message_error("-N %s: at least %" PRIu64 " byte%s did not arrive: %s", s->sink.name,
			      listener_link_unsent(s->push),
			      text_plural(listener_link_unsent(s->push)),
			      ret == -EINTR ? "a signal interrupted the transfer" :
			      "the connection is stalled");
	else if (ret)
		listener_sink_set_lost(s, ret);
	return ret;
}

static void listener_clear(struct sink *sink)
{
	struct listener_sink *s = listener_sink_from_sink(sink);

	hist_series_writer_free(s->sink.series);
	tracedat_writer_free(s->sink.dat);
	listener_link_free(s->push);
	memset(s, 0, sizeof(*s));
}

void listener_sink_init(struct listener_sink *l, const char *address)
{
	static const struct sink_ops ops = {
		.phase[SINK_CONNECT] = listener_connect,
		.begin = listener_begin,
		.define = sink_define,
		.interval = listener_interval,
		.add = listener_add,
		.fd = listener_fd,
		.check = listener_check,
		.end = listener_end,
		.finish = listener_finish,
		.clear = listener_clear,
	};

	l->sink.ops = &ops;
	l->sink.name = address;
}
