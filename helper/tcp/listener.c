// SPDX-License-Identifier: GPL-2.0
/*
 * listener.c - accept hosts over TCP and authenticate them by the key
 *
 * The listener itself does not read from the network. A relay reports a complete
 * handshake with one letter over the plain socket. The listener then passes the plain
 * socket to a new process that serves the client.
 *
 * Invariant: a plain socket is open in exactly two processes. One is the relay, the
 * other is either the listener or the serving process. Therefore each of the two
 * processes sees the end of the other.
 */
#include "helper/port/port_net.h"

#include "helper/port/text.h"
#include "helper/tcp/listener.h"
#include "helper/tcp/relay.h"
#include "helper/tcp/tls.h"
#include "helper/wire/net_address.h"

/* First byte from a relay after a successful handshake; otherwise it sends the error text. */
#define KNOWN 'K'
#define REASON_MAX 160
/* Added to the time limit of a handshake; a relay ends by itself before that. */
#define GRACE_MS 1000
#define CLIENTS (LISTENER_SEATS + LISTENER_KNOCKING)

enum state {
	NOBODY,
	KNOCKING, /* fd: the plain socket */
	SERVED,	  /* fd: a pipe that stays open until the process ends */
};

struct client {
	enum state state;
	pid_t pid; /* 0: already reaped */
	int fd;
	int64_t deadline;
	struct net_address from;
};

struct listener {
	const struct listener_options *options;
	int fd;
	int signals;
	/* Number of refusals since @told without a message. */
	unsigned int untold;
	int64_t told;
	struct client clients[CLIENTS];
};

static unsigned int listener_count_clients(const struct listener *l, enum state state)
{
	unsigned int i, n = 0;

	for (i = 0; i < CLIENTS; i++)
		n += l->clients[i].state == state;
	return n;
}

static void listener_report_client(const struct listener *l, const struct net_address *who,
				   const char *what,
				   const char *more)
{
	char from[NET_ADDRESS_TEXT], line[REASON_MAX + 128];

	net_address_format(who, from);
	text_join_to(line, sizeof(line), from, ": ", what, more, NULL);
	l->options->say(l->options->arg, line);
}

/* Print at most one line per second, so that unknown clients cannot fill the log. */
static void listener_report_refused(struct listener *l, const struct net_address *who,
				    const char *why)
{
	char number[TEXT_NUMBER_MAX], more[REASON_MAX + 64];
	int64_t now = port_now_ms();

	if (l->told && now - l->told < 1000) {
		l->untold++;
		return;
	}
	text_join_to(more, sizeof(more), why, NULL);
	if (l->untold)
		text_join_to(more, sizeof(more), why, " (and ",
			     text_format_number(number, l->untold, 10, 1),
			     " more)", NULL);
	l->told = now;
	l->untold = 0;
	listener_report_client(l, who, "refused: ", more);
}

/* In a child: close the descriptors that only the listener needs. */
static void close_all(struct listener *l)
{
	unsigned int i;

	close(l->fd);
	close(l->signals);
	for (i = 0; i < CLIENTS; i++) {
		if (l->clients[i].state != NOBODY)
			close(l->clients[i].fd);
	}
}

static void listener_drop_client(struct client *c)
{
	if (c->state == KNOCKING && c->pid)
		kill(c->pid, SIGKILL);
	close(c->fd);
	c->state = NOBODY;
	c->pid = 0;
}

/* --- the processes --- */

static void relay_process(const struct listener_options *options, int net, int plain)
{
	struct hist_error error = { .what = "out of memory" };
	const char known = KNOWN;
	struct relay relay = { .net = net, .in = plain, .out = plain };
	int ret;

	relay_tune(net);
	ret = relay_drop_privileges(&relay);
	if (ret)
		text_refuse(&error, ret, "cannot drop privileges: ", strerror(-ret), NULL);
	else
		ret = tls_new(&relay.tls, relay.net, true, options->key);
	key_wipe(options->key);
	if (!ret)
		ret = tls_handshake(relay.tls, LISTENER_HANDSHAKE_MS, &error);
	if (ret)
		port_send(relay.out, error.what, strlen(error.what));
	else if (port_send(relay.out, &known, 1) == 1)
		ret = relay_run(&relay);
	tls_free(relay.tls);
	_exit(ret ? 1 : 0);
}

static void serve_process(struct listener *l, int plain)
{
	key_wipe(l->options->key);
	/* make /proc/self accessible to its owner again */
	prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
	/* End the clients in order if the listener is killed. */
	if (prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0))
		_exit(1);
	if (port_send(plain, LISTENER_READY "\n", strlen(LISTENER_READY) + 1) < 0)
		_exit(0);
	if (dup2(plain, 0) < 0 || dup2(plain, 1) < 0)
		_exit(1);
	close(plain);
	_exit(l->options->serve(l->options->arg));
}

/* Start a relay for the connection @net, which it owns afterwards. */
static int start_relay(struct listener *l, int net, struct client *c)
{
	int plain[2], ret;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, plain)) {
		ret = -errno;
		close(net);
		return ret;
	}
	pid = fork();
	if (!pid) {
		close_all(l);
		close(plain[0]);
		relay_process(l->options, net, plain[1]);
	}
	ret = pid < 0 ? -errno : 0;
	close(net);
	close(plain[1]);
	if (ret) {
		close(plain[0]);
		return ret;
	}
	c->state = KNOCKING;
	c->pid = pid;
	c->fd = plain[0];
	c->deadline = port_now_ms() + LISTENER_HANDSHAKE_MS + GRACE_MS;
	return 0;
}

/* Pass the plain socket of @c to a new process that serves the client. */
static int start_serving(struct listener *l, struct client *c)
{
	int alive[2], plain = c->fd, ret;
	pid_t pid;

	if (pipe2(alive, O_CLOEXEC))
		return -errno;
	pid = fork();
	if (!pid) {
		c->fd = alive[0];
		close_all(l);
		/* alive[1] stays open until this process ends */
		serve_process(l, plain);
	}
	ret = pid < 0 ? -errno : 0;
	close(alive[1]);
	if (ret) {
		close(alive[0]);
		return ret;
	}
	close(plain);
	c->state = SERVED;
	c->pid = pid;
	c->fd = alive[0];
	return 0;
}

/* --- events --- */

static void on_knock(struct listener *l)
{
	struct net_address from = { .len = sizeof(from.sockaddr) };
	struct client *c = l->clients;
	int net, ret;

	net = accept4(l->fd, (void *)from.sockaddr, &from.len, SOCK_CLOEXEC | SOCK_NONBLOCK);
	if (net < 0)
		return;
	while (c->state != NOBODY)
		c++;
	c->from = from;
	ret = start_relay(l, net, c);
	if (ret)
		listener_report_refused(l, &from, strerror(-ret));
}

static void on_known(struct listener *l, struct client *c)
{
	int ret;

	if (listener_count_clients(l, SERVED) == LISTENER_SEATS) {
		port_send(c->fd, LISTENER_BUSY "\n", strlen(LISTENER_BUSY) + 1);
		listener_report_refused(l, &c->from, "the maximum number of hosts is already "
					"connected");
		c->pid = 0;
		listener_drop_client(c);
		return;
	}
	ret = start_serving(l, c);
	if (ret) {
		listener_report_refused(l, &c->from, strerror(-ret));
		listener_drop_client(c);
		return;
	}
	listener_report_client(l, &c->from, "served", "");
}

static void on_relay(struct listener *l, struct client *c)
{
	char reason[REASON_MAX], *p;
	ssize_t n;

	n = read(c->fd, reason, 1);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n == 1 && *reason == KNOWN) {
		on_known(l, c);
		return;
	}
	if (n == 1) {
		n = read(c->fd, reason + 1, sizeof(reason) - 2);
		reason[n > 0 ? n + 1 : 1] = '\0';
		/*
		 * mask control characters: logs and terminals get the text, and a relay
		 * may be compromised
		 */
		for (p = reason; *p; p++)
			*p = (unsigned char)*p < ' ' || *p == 0x7f ? '?' : *p;
	}
	listener_report_refused(l, &c->from, n > 0 ? reason : "the handshake failed");
	listener_drop_client(c);
}

static void listener_reap_clients(struct listener *l)
{
	pid_t pid;
	unsigned int i;

	while ((pid = waitpid(-1, NULL, WNOHANG)) > 0) {
		for (i = 0; i < CLIENTS; i++) {
			if (l->clients[i].pid == pid)
				l->clients[i].pid = 0;
		}
	}
}

/* Timeout for poll() in ms: until the first handshake exceeds its limit. */
static int next_deadline(struct listener *l)
{
	int64_t now = port_now_ms(), left, next = -1;
	unsigned int i;

	for (i = 0; i < CLIENTS; i++) {
		if (l->clients[i].state != KNOCKING)
			continue;
		left = l->clients[i].deadline - now;
		if (left < 0)
			left = 0;
		if (next < 0 || left < next)
			next = left;
	}
	return (int)next;
}

/* Returns 0 to continue, 1 after a signal, or -errno. */
static int listener_poll_once(struct listener *l)
{
	struct pollfd fds[2 + CLIENTS];
	struct client *c;
	unsigned int i;

	fds[0] = (struct pollfd){ .fd = l->signals, .events = POLLIN };
	fds[1] = (struct pollfd){ .fd = l->fd, .events = POLLIN };
	if (listener_count_clients(l, KNOCKING) == LISTENER_KNOCKING)
		fds[1].fd = -1;
	for (i = 0; i < CLIENTS; i++) {
		c = &l->clients[i];
		fds[2 + i] = (struct pollfd){ .fd = c->state == NOBODY ? -1 : c->fd,
					      .events = POLLIN };
	}
	if (poll(fds, 2 + CLIENTS, next_deadline(l)) < 0)
		return errno == EINTR ? 0 : -errno;
	if (fds[0].revents)
		return 1;
	listener_reap_clients(l);
	for (i = 0; i < CLIENTS; i++) {
		c = &l->clients[i];
		if (c->state == KNOCKING && fds[2 + i].revents) {
			on_relay(l, c);
		} else if (c->state == KNOCKING && port_now_ms() >= c->deadline) {
			listener_report_refused(l, &c->from, "the TLS handshake did not finish "
						"within the time limit");
			listener_drop_client(c);
		} else if (c->state == SERVED && fds[2 + i].revents) {
			listener_report_client(l, &c->from, "gone", "");
			listener_drop_client(c);
		}
	}
	if (fds[1].revents)
		on_knock(l);
	return 0;
}

static void end_all(struct listener *l)
{
	struct client *c;
	unsigned int i;

	for (i = 0; i < CLIENTS; i++) {
		c = &l->clients[i];
		if (c->state == SERVED && c->pid)
			kill(c->pid, SIGTERM);
		else if (c->state == KNOCKING)
			listener_drop_client(c);
	}
	for (i = 0; i < CLIENTS; i++) {
		c = &l->clients[i];
		if (c->state != SERVED)
			continue;
		if (c->pid)
			waitpid(c->pid, NULL, 0);
		listener_drop_client(c);
	}
}

static int open_socket(struct listener *l, const struct net_address *address)
{
	struct net_address bound = { .len = sizeof(bound.sockaddr) };
	char text[NET_ADDRESS_TEXT], line[NET_ADDRESS_TEXT + 32];
	const int on = 1;

	l->fd = socket(net_address_family(address), SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (l->fd < 0 || setsockopt(l->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) ||
	    bind(l->fd, (const void *)address->sockaddr, address->len) ||
	    listen(l->fd, LISTENER_KNOCKING) ||
	    getsockname(l->fd, (void *)bound.sockaddr, &bound.len))
		return -errno;
	net_address_format(&bound, text);
	text_join_to(line, sizeof(line), "listening on ", text, NULL);
	l->options->say(l->options->arg, line);
	if (!relay_filter_works())
		l->options->say(l->options->arg, "note: this machine does not support seccomp "
				"filters; the network process is confined only by its user ID and "
				"setrlimit(2)");
	return 0;
}

int listener_run(const struct listener_options *options, struct hist_error *error)
{
	struct listener l = { .options = options, .fd = -1, .signals = -1 };
	const char *where = options->bind ? options->bind : "127.0.0.1";
	struct net_address address;
	int ret;

	if (!net_address_parse(&address, where, options->port)) {
		return text_refuse(error, -EINVAL, "--bind ", where,
				   ": must be a numeric address, such as 127.0.0.1, ::1 or 0.0.0.0",
				   NULL);
	}
	/* Prevent a core dump with the key, and debuggers of users other than root. */
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	l.signals = port_signals();
	ret = l.signals < 0 ? -errno : open_socket(&l, &address);
	if (ret)
		text_refuse(error, ret, where, ": ", strerror(-ret), NULL);
	while (!ret)
		ret = listener_poll_once(&l);
	end_all(&l);
	close(l.fd);
	close(l.signals);
	if (ret < 0 && !error->err)
		text_refuse(error, ret, strerror(-ret), NULL);
	return ret < 0 ? ret : 0;
}
