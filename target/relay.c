// SPDX-License-Identifier: GPL-2.0
/*
 * relay.c - carry bytes between a TLS connection and a plain socket
 *
 * Invariant: a direction reads only when its buffer is empty, so that nothing is
 * read that can't be kept, and tls_write() is always called again with the bytes
 * it was given.
 */
#include "port_net.h"

#include "relay.h"

/* The most that a TLS record holds. */
#define ROOM 16384
#define NOBODY 65534
/* Descriptors: stdin, stdout, stderr and the socket.  poll() is fine with that limit. */
#define NET 3
#define KEPT 4
#define FILES_MAX 65536
#define PLAIN_ENDED (-ESHUTDOWN)
/* How much of a talkative peer is thrown away at the end, and how long a silent one is waited for. */
#define LAST_READS 256
#define LAST_WAIT_MS 2000

struct half {
	size_t at, len;
	char data[ROOM];
};

static int plain_read(int fd, struct half *h)
{
	ssize_t n = read(fd, h->data, sizeof(h->data));

	return n < 0 ? -errno : (int)n;
}

static int plain_write(int fd, const char *from, size_t len)
{
	ssize_t n = write(fd, from, len);

	return n < 0 ? -errno : (int)n;
}

static bool is_again(int ret)
{
	return ret == -EAGAIN || ret == -EINTR;
}

/* 1: something was moved; 0: wait; -EPIPE: the net's side has ended; -errno. */
static int from_net(struct tls *tls, int plain_out, struct half *h, bool *plain_gone)
{
	int n;

	if (h->at == h->len) {
		n = tls_read(tls, h->data, sizeof(h->data));
		if (n <= 0)
			return is_again(n) ? 0 : n ? n : -EPIPE;
		h->at = 0;
		h->len = (size_t)n;
	}
	n = plain_write(plain_out, h->data + h->at, h->len - h->at);
	if (n < 0) {
		/* It may have said something before it went. */
		*plain_gone = !is_again(n);
		return 0;
	}
	h->at += (size_t)n;
	return 1;
}

/* The same, or PLAIN_ENDED. */
static int to_net(struct tls *tls, int plain_in, struct half *h)
{
	int n;

	if (h->at == h->len) {
		n = plain_read(plain_in, h);
		if (n <= 0)
			return is_again(n) ? 0 : PLAIN_ENDED;
		h->at = 0;
		h->len = (size_t)n;
	}
	n = tls_write(tls, h->data + h->at, h->len - h->at);
	if (n < 0)
		return is_again(n) ? 0 : n;
	h->at += (size_t)n;
	return 1;
}

static int wait_for_more(const struct relay *r, const struct half *in, const struct half *out,
			 bool plain_gone)
{
	struct pollfd fds[3] = { { .fd = r->net }, { .fd = -1 }, { .fd = -1 } };

	if (out->at == out->len)
		fds[1] = (struct pollfd){ .fd = r->in, .events = POLLIN };
	else
		fds[0].events |= POLLOUT;
	if (plain_gone)
		;
	else if (in->at == in->len)
		fds[0].events |= POLLIN;
	else
		fds[2] = (struct pollfd){ .fd = r->out, .events = POLLOUT };
	/* One that waits for nothing would wake us with its hang-up. */
	if (!fds[0].events)
		fds[0].fd = -1;
	return poll(fds, 3, -1) < 0 && errno != EINTR ? -errno : 0;
}

/*
 * The kernel throws away what was sent when a socket is closed with bytes in it
 * that were not read.  So take those, until the peer closes or is slow to.
 */
static void hang_up(struct tls *tls, int net, struct half *h)
{
	struct pollfd pfd = { .fd = net, .events = POLLIN };
	unsigned int reads = 0;

	tls_end(tls);
	if (shutdown(net, SHUT_WR))
		return;
	while (reads++ < LAST_READS && poll(&pfd, 1, LAST_WAIT_MS) > 0) {
		if (read(net, h->data, sizeof(h->data)) <= 0)
			break;
	}
}

int relay_run(const struct relay *r)
{
	struct half *in = calloc(1, sizeof(*in)), *out = calloc(1, sizeof(*out));
	bool plain_gone = false;
	int moved, ret = in && out ? 0 : -ENOMEM;

	while (!ret) {
		moved = to_net(r->tls, r->in, out);
		if (moved == PLAIN_ENDED) {
			hang_up(r->tls, r->net, out);
			break;
		}
		if (moved < 0) {
			ret = moved;
			break;
		}
		if (!plain_gone) {
			ret = from_net(r->tls, r->out, in, &plain_gone);
			if (ret < 0)
				break;
			moved += ret;
		}
		ret = moved ? 0 : wait_for_more(r, in, out, plain_gone);
	}
	free(in);
	free(out);
	return ret == -EPIPE ? 0 : ret;
}

void relay_tune(int net)
{
	static const struct {
		int level, name, value;
	} options[] = {
		{ IPPROTO_TCP, TCP_NODELAY, 1 },
		{ SOL_SOCKET, SO_KEEPALIVE, 1 },
		{ IPPROTO_TCP, TCP_KEEPIDLE, 20 },
		{ IPPROTO_TCP, TCP_KEEPINTVL, 10 },
		{ IPPROTO_TCP, TCP_KEEPCNT, 4 },
		{ IPPROTO_TCP, TCP_USER_TIMEOUT, 60000 },
	};
	size_t i;

	/* Each is an improvement and no more: where the kernel refuses, go on. */
	for (i = 0; i < sizeof(options) / sizeof(*options); i++)
		setsockopt(net, options[i].level, options[i].name, &options[i].value,
			   sizeof(options[i].value));
}

static int limit(int resource, unsigned long n)
{
	struct rlimit limits = { .rlim_cur = n, .rlim_max = n };

	return setrlimit(resource, &limits);
}

int relay_confine(struct relay *r)
{
	struct rlimit files;
	unsigned long fd;

	/* Out of the way of those that they become. */
	r->in = fcntl(r->in, F_DUPFD_CLOEXEC, KEPT);
	r->out = fcntl(r->out, F_DUPFD_CLOEXEC, KEPT);
	r->net = fcntl(r->net, F_DUPFD_CLOEXEC, KEPT);
	if (r->in < 0 || r->out < 0 || r->net < 0 || getrlimit(RLIMIT_NOFILE, &files))
		return -errno;
	if (dup2(r->in, 0) < 0 || dup2(r->out, 1) < 0 || dup2(r->net, NET) < 0)
		return -errno;
	r->in = 0;
	r->out = 1;
	r->net = NET;
	/* Whoever else holds the other end of these would keep it from ending. */
	for (fd = KEPT; fd < files.rlim_cur && fd < FILES_MAX; fd++)
		close((int)fd);
	if (!geteuid() && (setgroups(0, NULL) || setgid(NOBODY) || setuid(NOBODY)))
		return -errno;
	/* The key is in memory: no core dump, no debugger of the same user. */
	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -errno;
	if (limit(RLIMIT_NOFILE, KEPT) || limit(RLIMIT_CORE, 0) || limit(RLIMIT_FSIZE, 0))
		return -errno;
	/* Less is possible in some containers; it is the last line of defence. */
	limit(RLIMIT_NPROC, 0);
	return 0;
}
