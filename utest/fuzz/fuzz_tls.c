// SPDX-License-Identifier: GPL-2.0
/*
 * fuzz_tls.c - any bytes at a TCP port, from one who does not have the key
 *
 * The first byte says where they are met: in the listener's handshake, in the host's,
 * or, put in behind a good handshake, by a relay.  Nobody gets in, and no byte gets
 * through.  With a fourth value they are what the one who has the key sends: all of
 * it gets through.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "helper/tcp/relay.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define TIME_MS 5000

static const struct key key = { .bytes = "a key that is not so very random", .len = KEY_MAX };

struct peer {
	int fd;
	bool has_key; /* and does not put bytes in between */
	const uint8_t *data;
	size_t size;
};

static void pair(int fds[2])
{
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, fds))
		abort();
}

/* All of it fits into the socket. */
static void say(int fd, const uint8_t *data, size_t size)
{
	if (size && send(fd, data, size, MSG_NOSIGNAL) != (ssize_t)size)
		abort();
	shutdown(fd, SHUT_WR);
}

static struct tls *new_tls(int fd, bool server)
{
	struct tls *tls;

	if (tls_new(&tls, fd, server, &key))
		abort();
	return tls;
}

static void handshake_alone(bool server, const uint8_t *data, size_t size)
{
	struct tls *tls;
	struct hist_error error = { 0 };
	int fds[2];

	pair(fds);
	say(fds[1], data, size);
	tls = new_tls(fds[0], server);
	if (!tls_handshake(tls, TIME_MS, &error) || !*error.what)
		abort();
	tls_free(tls);
	close(fds[0]);
	close(fds[1]);
}

static void *peer(void *arg)
{
	const struct peer *p = arg;
	struct tls *tls = new_tls(p->fd, false);
	size_t at;
	struct hist_error error = { 0 };
	int n;

	if (tls_handshake(tls, TIME_MS, &error))
		abort();
	for (at = 0; p->has_key && at < p->size; at += n) {
		n = tls_write(tls, p->data + at, p->size - at);
		if (n <= 0)
			abort();
	}
	if (p->has_key && tls_end(tls))
		abort();
	say(p->fd, p->data, p->has_key ? 0 : p->size);
	tls_free(tls);
	return NULL;
}

/* What came out at the plain end has to be @data. */
static void expect(int fd, const uint8_t *data, size_t size)
{
	char got[4096];
	ssize_t n;

	while ((n = recv(fd, got, sizeof(got), 0)) > 0) {
		if ((size_t)n > size || memcmp(got, data, n))
			abort();
		data += n;
		size -= n;
	}
	if (size)
		abort();
}

static void behind_handshake(struct peer *p)
{
	int net[2], plain[2], ret;
	struct relay relay;
	pthread_t thread;
	struct hist_error error = { 0 };

	pair(net);
	pair(plain);
	p->fd = net[1];
	relay = (struct relay){ new_tls(net[0], true), net[0], plain[0], plain[0] };
	if (pthread_create(&thread, NULL, peer, p))
		abort();
	if (tls_handshake(relay.tls, TIME_MS, &error))
		abort();
	/* who serves has nothing to say, and then, to one with the key, ends */
	if (p->has_key)
		shutdown(plain[1], SHUT_WR);
	ret = relay_run(&relay);
	if (p->has_key ? ret : !ret)
		abort();
	pthread_join(thread, NULL);
	expect(plain[1], p->data, p->has_key ? p->size : 0);
	tls_free(relay.tls);
	close(net[0]);
	close(net[1]);
	close(plain[0]);
	close(plain[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct peer p = { .data = data + 1, .size = size - 1 };

	signal(SIGPIPE, SIG_IGN);
	if (!size)
		return 0;
	switch (data[0] & 3) {
	case 0:
		handshake_alone(true, data + 1, size - 1);
		break;
	case 1:
		handshake_alone(false, data + 1, size - 1);
		break;
	default:
		p.has_key = data[0] & 1;
		behind_handshake(&p);
	}
	return 0;
}
