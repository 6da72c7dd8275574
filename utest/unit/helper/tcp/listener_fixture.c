// SPDX-License-Identifier: GPL-2.0
/*
 * listener_fixture.c - a listener on the loopback that follows a script
 *
 * Its numbers and words are those of trace-cmd's trace-msg.c and
 * trace-listen.c, written down here once more so that listener_sink.c is not tested with
 * its own.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "utest/unit/helper/tcp/listener_fixture.h"

struct listener {
	enum listener_script script;
	size_t limit;
	int socket, go_on, fd;
	char address[32];
	pthread_t thread;
	bool joined, ended;
	pthread_mutex_t lock; /* for ended and the length of the file */
	pthread_cond_t more;
	struct listener_file file;
};

static bool take(int fd, void *data, size_t len)
{
	unsigned char *p = data;
	ssize_t n;

	for (; len; p += n, len -= n) {
		n = read(fd, p, len);
		if (n <= 0)
			return false;
	}
	return true;
}

static void give(int fd, const void *data, size_t len)
{
	/* a peer that is gone shows at the next read */
	if (send(fd, data, len, MSG_NOSIGNAL) < 0)
		return;
}

static uint32_t number(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
}

static bool take_text(int fd, const char *expected, size_t len)
{
	char text[16];

	return take(fd, text, len) && !memcmp(text, expected, len);
}

static bool greet(struct listener *l)
{
	static const unsigned char rinit[] = { 0, 0, 0, 16, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, 0 };
	static const unsigned char ports[] = { 0, 0, 0, 26, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, 2,
					       '1', '5', '0', '0', 0, '1', '5', '0', '1', 0 };
	static const unsigned char refusal[] = { 0, 0, 0, 12, 0, 0, 0, 5, 0, 0, 0, 0 };
	static const unsigned char tinit[] = { 0, 0, 0, 24, 0, 0, 0, 1, 0, 0, 0, 12 };
	unsigned char got[24];

	if (l->script == LISTENER_HANGS_UP)
		return false;
	if (l->script == LISTENER_OTHER) {
		give(l->fd, "SSH-2.0-OpenSSH", 15);
		return false;
	}
	give(l->fd, "tracecmd", 8);
	if (!take_text(l->fd, "-1V3", 5))
		return false;
	give(l->fd, l->script == LISTENER_VERSION_2 ? "V2" : "V3", 3);
	if (!take_text(l->fd, "766679\0", 8) || l->script == LISTENER_NO_OK)
		return false;
	give(l->fd, "OK", 2);
	if (!take(l->fd, got, sizeof(got)) || memcmp(got, tinit, sizeof(tinit)))
		return false;
	l->file.cpus = number(got + 12);
	l->file.page_size = number(got + 16);
	l->file.options = number(got + 20);
	if (l->script == LISTENER_WANTS_CPUS)
		give(l->fd, ports, sizeof(ports));
	else if (l->script == LISTENER_REFUSES)
		give(l->fd, refusal, sizeof(refusal));
	else
		give(l->fd, rinit, sizeof(rinit));
	return true;
}

/* False when it should end. */
static bool keep(struct listener *l, const unsigned char *data, size_t len)
{
	static const unsigned char refusal[] = { 0, 0, 0, 12, 0, 0, 0, 5, 0, 0, 0, 0 };
	struct listener_file *f = &l->file;
	bool before = f->len < l->limit;
	uint64_t any;

	if (f->len >= l->limit && l->script == LISTENER_GIVES_UP)
		return true;
	f->data = realloc(f->data, f->len + len);
	if (!f->data)
		return false;
	memcpy(f->data + f->len, data, len);
	pthread_mutex_lock(&l->lock);
	f->len += len;
	pthread_cond_signal(&l->more);
	pthread_mutex_unlock(&l->lock);
	if (!before || f->len < l->limit)
		return true;
	if (l->script == LISTENER_GIVES_UP)
		give(l->fd, refusal, sizeof(refusal));
	else if (l->script == LISTENER_WAITS)
		return read(l->go_on, &any, sizeof(any)) == sizeof(any);
	return l->script != LISTENER_BREAKS_OFF;
}

static void *run(void *arg)
{
	struct listener *l = arg;
	struct listener_file *f = &l->file;
	unsigned char message[8192];
	uint32_t size, what;
	uint64_t any;

	l->fd = accept(l->socket, NULL, NULL);
	if (l->fd < 0 || !greet(l))
		goto out;
	while (take(l->fd, message, 12)) {
		size = number(message);
		what = number(message + 4);
		f->odd |= size < 12 || size > sizeof(message) || number(message + 8);
		if (f->odd || !take(l->fd, message + 12, size - 12))
			break;
		if (what == 0) {
			f->closed = true;
			if (l->script == LISTENER_NEVER_ENDS && read(l->go_on, &any, sizeof(any)) < 0)
				f->odd = true;
			break;
		}
		if (what == 4) {
			f->finished = true;
			continue;
		}
		f->odd |= what != 3 || f->finished;
		f->messages++;
		f->empty += size == 12;
		f->longest = size > f->longest ? size : f->longest;
		if (!keep(l, message + 12, size - 12))
			break;
	}
out:
	if (l->fd >= 0)
		close(l->fd);
	l->fd = -1;
	pthread_mutex_lock(&l->lock);
	l->ended = true;
	pthread_cond_signal(&l->more);
	pthread_mutex_unlock(&l->lock);
	return NULL;
}

struct listener *listener_new(enum listener_script script, size_t limit)
{
	struct sockaddr_in name = { .sin_family = AF_INET };
	struct listener *l = calloc(1, sizeof(*l));
	socklen_t len = sizeof(name);
	const int small = 8192;

	if (!l)
		return NULL;
	l->script = script;
	l->limit = limit;
	pthread_mutex_init(&l->lock, NULL);
	pthread_cond_init(&l->more, NULL);
	name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	l->go_on = eventfd(0, EFD_CLOEXEC);
	l->socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	/* so that the one who sends cannot send all at once */
	if (l->go_on < 0 || l->socket < 0 ||
	    setsockopt(l->socket, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small)) ||
	    bind(l->socket, (struct sockaddr *)&name, sizeof(name)) || listen(l->socket, 1) ||
	    getsockname(l->socket, (struct sockaddr *)&name, &len) ||
	    pthread_create(&l->thread, NULL, run, l)) {
		perror("listener_fixture");
		free(l);
		return NULL;
	}
	snprintf(l->address, sizeof(l->address), "127.0.0.1:%u", ntohs(name.sin_port));
	return l;
}

const char *listener_address(const struct listener *l)
{
	return l->address;
}

void listener_go_on(struct listener *l)
{
	const uint64_t one = 1;

	if (write(l->go_on, &one, sizeof(one)) < 0)
		perror("listener_fixture");
}

void listener_wait(struct listener *l, size_t bytes)
{
	pthread_mutex_lock(&l->lock);
	while (l->file.len < bytes && !l->ended)
		pthread_cond_wait(&l->more, &l->lock);
	pthread_mutex_unlock(&l->lock);
}

const struct listener_file *listener_join(struct listener *l)
{
	if (!l->joined)
		pthread_join(l->thread, NULL);
	l->joined = true;
	return &l->file;
}

void listener_free(struct listener *l)
{
	if (!l)
		return;
	listener_join(l);
	close(l->socket);
	close(l->go_on);
	pthread_cond_destroy(&l->more);
	pthread_mutex_destroy(&l->lock);
	free(l->file.data);
	free(l);
}
