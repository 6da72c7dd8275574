// SPDX-License-Identifier: GPL-2.0
/*
 * relay.c - forward bytes between a TLS connection and a plain socket
 *
 * Invariants: each direction reads only if its buffer is empty, so all data that is
 * read can be stored. A repeated tls_write() always gets the same bytes. Each direction
 * ends separately. Therefore a host that has closed its end sees the other end close
 * after the target has undone its changes.
 */
#include "helper/port/port_net.h"

#include "helper/tcp/relay.h"
#include "helper/tcp/relay_filter.h"

/* Largest content of a TLS record. */
#define ROOM 16384
#define NOBODY 65534
/* Descriptors: stdin, stdout, stderr and the socket. poll() works with this limit. */
#define NET 3
#define KEPT 4
#define FILES_MAX 65536
/* Time limit for the peer to end after this side has ended: the peer may have to clean up first. */
#define LAST_WAIT_MS 10000

struct half {
	size_t at, len;
	char data[ROOM];
};

/* State of one relay_run(). */
struct flow {
	const struct relay *r;
	struct half in, out; /* from the network, and to it */
	bool in_done, out_done;
	bool in_lost; /* the reader is gone: read and discard */
	bool out_ending; /* the end must still be sent */
	int64_t deadline; /* set with @out_ending, and again with @out_done */
};

static bool is_again(int ret)
{
	return ret == -EAGAIN || ret == -EINTR;
}

/* Returns 1 after progress, 0 if it must wait, or -errno of the network. */
static int from_net(struct flow *f)
{
	struct half *h = &f->in;
	ssize_t n;

	if (h->at == h->len) {
		n = tls_read(f->r->tls, h->data, sizeof(h->data));
		if (n < 0)
			return is_again(n) ? 0 : (int)n;
		if (!n) {
			f->in_done = true;
			/* @out is a socket for both directions, or a pipe. */
			if (shutdown(f->r->out, SHUT_WR))
				close(f->r->out);
			return 1;
		}
		h->at = 0;
		h->len = (size_t)n;
	}
	n = f->in_lost ? (ssize_t)(h->len - h->at) :
			 write(f->r->out, h->data + h->at, h->len - h->at);
	if (n < 0) {
		if (is_again(-errno))
			return 0;
		/* A process that has stopped reading may still have sent data. */
		f->in_lost = true;
		return 1;
	}
	h->at += (size_t)n;
	return 1;
}

static int end_out(struct flow *f)
{
	int ret = tls_end(f->r->tls);

	if (is_again(ret))
		return 0;
	f->out_ending = false;
	f->out_done = true;
	f->deadline = port_now_ms() + LAST_WAIT_MS;
	shutdown(f->r->net, SHUT_WR);
	return 1;
}

static int to_net(struct flow *f)
{
	struct half *h = &f->out;
	ssize_t n;
	int ret;

	if (f->out_ending)
		return end_out(f);
	if (h->at == h->len) {
		n = read(f->r->in, h->data, sizeof(h->data));
		if (n < 0 && is_again(-errno))
			return 0;
		if (n <= 0) {
			f->out_ending = true;
			/* a peer that does not receive must not block the relay */
			f->deadline = port_now_ms() + LAST_WAIT_MS;
			return 1;
		}
		h->at = 0;
		h->len = (size_t)n;
	}
	ret = tls_write(f->r->tls, h->data + h->at, h->len - h->at);
	if (ret < 0)
		return is_again(ret) ? 0 : ret;
	h->at += (size_t)ret;
	return 1;
}

static int wait_for_more(const struct flow *f)
{
	struct pollfd fds[3] = { { .fd = f->r->net }, { .fd = -1 }, { .fd = -1 } };
	int64_t left = -1;
	int n;

	if (f->out_ending || f->out.at != f->out.len)
		fds[0].events |= POLLOUT;
	else if (!f->out_done)
		fds[1] = (struct pollfd){ .fd = f->r->in, .events = POLLIN };
	if (!f->in_done && f->in.at == f->in.len)
		fds[0].events |= POLLIN;
	else if (!f->in_done)
		fds[2] = (struct pollfd){ .fd = f->r->out, .events = POLLOUT };
	/* poll() reports a hang-up also without events: ignore the descriptor. */
	if (!fds[0].events)
		fds[0].fd = -1;
	if (f->out_done || f->out_ending) {
		left = f->deadline - port_now_ms();
		if (left <= 0)
			return -ETIMEDOUT;
	}
	n = poll(fds, 3, (int)left);
	return n < 0 && errno != EINTR ? -errno : 0;
}

int relay_run(const struct relay *r)
{
	struct flow *f = calloc(1, sizeof(*f));
	int done, ret = 0;

	if (!f)
		return -ENOMEM;
	f->r = r;
	while (!ret && !(f->in_done && f->out_done)) {
		done = 0;
		if (!f->out_done)
			done = to_net(f);
		if (done >= 0 && !f->in_done) {
			ret = from_net(f);
			done = ret < 0 ? ret : done + ret;
		}
		ret = done < 0 ? done : done ? 0 : wait_for_more(f);
	}
	/* All data was sent. A peer that does not close the connection cannot add anything. */
	if (f->out_done)
		ret = 0;
	free(f);
	return ret;
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

	/* All options are optional improvements: ignore errors. */
	for (i = 0; i < sizeof(options) / sizeof(*options); i++)
		setsockopt(net, options[i].level, options[i].name, &options[i].value,
			   sizeof(options[i].value));
}

static int relay_limit_resource(int resource, unsigned long n)
{
	struct rlimit limits = { .rlim_cur = n, .rlim_max = n };

	return setrlimit(resource, &limits);
}

/*
 * Change to an empty root directory in which files cannot be created: the /proc entry
 * of a process that has ended. The child shares its root directory with this process
 * (CLONE_FS), and changes it to its own /proc entry before it ends. Best effort: the
 * filter refuses to open files anyway.
 */
static void leave_files(void)
{
	long child = port_clone(CLONE_FS);

	if (!child) {
		if (chroot("/proc/self/fdinfo") || chdir("/"))
			_exit(1);
		_exit(0);
	}
	if (child > 0)
		waitpid((pid_t)child, NULL, 0);
}

int relay_drop_privileges(struct relay *r)
{
	int ret;
	struct rlimit files;
	unsigned long fd;

	/* Move the descriptors above the numbers that they get below. */
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
	/*
	 * An inherited copy of another connection's descriptor would hide the end of
	 * that connection.
	 */
	for (fd = KEPT; fd < files.rlim_cur && fd < FILES_MAX; fd++)
		close((int)fd);
	if (!geteuid())
		leave_files();
	if (!geteuid() && (setgroups(0, NULL) || setgid(NOBODY) || setuid(NOBODY)))
		return -errno;
	/* The memory contains the key: prevent core dumps and debuggers of the same user. */
	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -errno;
	if (relay_limit_resource(RLIMIT_NOFILE, KEPT) || relay_limit_resource(RLIMIT_CORE, 0))
		return -errno;
	/* Some containers do not permit all of this; it is only the last line of defence. */
	relay_limit_resource(RLIMIT_NPROC, 0);
	ret = relay_filter_install();
	return ret == -ENOSYS ? 0 : ret;
}
