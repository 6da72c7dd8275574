// SPDX-License-Identifier: GPL-2.0
/*
 * connect.c - trace-cmd hist connect: connect stdin and stdout to a listener
 *
 * A connection starts this program for a tcp:// target, as it starts ssh(1) for ssh://. To reach a
 * target through a gateway, run this program on the gateway (exec:).
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "helper/tcp/listener.h"
#include "helper/tcp/relay.h"
#include "helper/tcp/tls.h"
#include "helper/wire/key.h"
#include "lib/base/error.h"
#include "tracecmd/base/command.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/options.h"
#include "tracecmd/base/timer.h"
#include "tracecmd/target/address.h"
#include "tracecmd/target/target_url.h"

#define CONNECT_MS 10000
/* The listener gives itself half of that. */
#define HANDSHAKE_MS 10000

struct connect_options {
	const char *key;
};

static const struct option_row rows[] = {
	OPTION_GROUP("Options"),
	{ 0, "key", "FILE", NULL, offsetof(struct connect_options, key),
	  "use the key in FILE, which is also the key of the listener\n"
	  "(default: the file that TRACE_CMD_HIST_KEY names)" },
	OPTION_HELP,
	{ 0 },
};

static const struct options_spec spec = {
	.verb = "connect",
	.usage =
	"usage: trace-cmd hist connect [--key FILE] HOST:PORT\n"
	"\n"
	"Connect standard input and output to `trace-cmd hist listen -p PORT --key FILE`\n"
	"on another machine.  record --target tcp://HOST:PORT runs this command itself.\n",
	.rows = rows,
	.indent = 4,
	.column = 17,
	.more =
	"\n"
	"Examples:\n"
	"    trace-cmd hist connect --key .board.key board:8300\n"
	"    trace-cmd hist record --preset page-faults --target \\\n"
	"        'exec:ssh gateway trace-cmd hist connect --key .board.key board:8300'\n",
};

/* Until tls_read() gives a byte, or @end. */
static int read_byte(const struct relay *r, char *byte, uint64_t end)
{
	struct pollfd pfd = { .fd = r->net, .events = POLLIN };
	uint64_t now;
	int ret;

	for (;;) {
		ret = tls_read(r->tls, byte, 1);
		if (ret != -EAGAIN)
			return ret ? ret : -EPIPE;
		now = timer_now();
		if (now >= end)
			return -ETIMEDOUT;
		if (poll(&pfd, 1, (int)((end - now) / 1000000 + 1)) < 0 && errno != EINTR)
			return -errno;
	}
}

/* Read the line that the listener sends after the handshake. 0, or -errno with @error. */
static int connect_read_reply(const struct relay *r, struct hist_error *error)
{
	uint64_t end = timer_now() + HANDSHAKE_MS * 1000000ull;
	char line[LISTENER_LINE_MAX];
	size_t len = 0;
	int ret;

	do {
		ret = read_byte(r, line + len, end);
		if (ret < 0)
			return hist_error_set(error, ret, "the listener does not answer: %s",
					      strerror(-ret));
	} while (line[len++] != '\n' && len < sizeof(line));
	line[len - 1] = '\0';
	if (!strcmp(line, LISTENER_READY))
		return 0;
	if (!strcmp(line, LISTENER_BUSY))
		return hist_error_set(error, -EBUSY,
				      "the listener already serves the maximum "
				      "of %d hosts",
				      LISTENER_SEATS);
	return hist_error_set(error, -EPROTO,
			      "the listener uses another version of the "
			      "protocol\ninstall the same version on both machines");
}

static int connect_open_relay(struct relay *r, struct key *key, struct hist_error *error)
{
	int ret;

	relay_tune(r->net);
	if (!relay_filter_works())
		message_note("this machine does not support seccomp filters; the network process "
			     "is confined only by its user ID and setrlimit(2)");
	ret = relay_drop_privileges(r);
	if (ret)
		return hist_error_set(error, ret, "cannot drop privileges: %s", strerror(-ret));
	ret = tls_new(&r->tls, r->net, false, key);
	key_wipe(key);
	if (ret)
		return hist_error_set(error, ret, "TLS: %s", strerror(-ret));
	ret = tls_handshake(r->tls, HANDSHAKE_MS, error);
	if (!ret)
		ret = connect_read_reply(r, error);
	return ret;
}

/* Other processes share the flags of a terminal or file: restore them at the end. */
static void connect_set_nonblocking(const int flags[2], int more)
{
	int i;

	for (i = 0; i < 2; i++)
		fcntl(i, F_SETFL, flags[i] | more);
}

static int connect_run_relay(const char *where, const struct address *address, struct key *key)
{
	struct relay relay = { .in = 0, .out = 1 };
	const int flags[2] = { fcntl(0, F_GETFL), fcntl(1, F_GETFL) };
	struct hist_error error = { 0 };
	int ret;

	if (flags[0] < 0 || flags[1] < 0)
		return message_refuse(EXIT_TROUBLE, "%s: standard input and output must be open",
				      where);
	relay.net = address_connect(address, CONNECT_MS, &error);
	if (relay.net < 0)
		return message_refuse(EXIT_TROUBLE,
				      "%s: %s\nrun 'trace-cmd hist listen -p PORT' on the target",
				      where, hist_error_what(&error, relay.net));
	ret = connect_open_relay(&relay, key, &error);
	if (!ret) {
		connect_set_nonblocking(flags, O_NONBLOCK);
		ret = relay_run(&relay);
		connect_set_nonblocking(flags, 0);
		if (ret)
			hist_error_set(&error, ret, "%s",
				       ret == -EBADMSG ? "the data was modified on the network"
				       : ret == -EPIPE ? "the connection ended unexpectedly"
						       : strerror(-ret));
	}
	if (ret)
		message_report_of(ret, &error, "%s", where);
	tls_free(relay.tls);
	close(relay.net);
	return ret ? EXIT_TROUBLE : EXIT_DONE;
}

static int connect_run_verb(int argc, char **argv)
{
	struct connect_options o = { getenv(TARGET_KEY_ENV) };
	int status = options_parse(&spec, &o, argc, argv);
	struct address address;
	struct key key;
	struct hist_error error = { 0 };

	if (status)
		return status > 0 ? EXIT_DONE : EXIT_TROUBLE;
	if (optind + 1 != argc)
		return message_refuse(EXIT_TROUBLE, "connect: needs exactly one HOST:PORT\n"
				      "run 'trace-cmd hist connect -h'");
	if (!o.key || !*o.key)
		return message_refuse(EXIT_TROUBLE, "connect: the listener requires a key\n"
				      "add --key FILE, with the key that the listener uses");
	if (key_load(&key, o.key, &error))
		return message_report_of(EXIT_TROUBLE, &error, "--key %s", o.key);
	if (address_parse(&address, argv[optind], &error)) {
		key_wipe(&key);
		return message_report_of(EXIT_TROUBLE, &error, "%s", argv[optind]);
	}
	signal(SIGPIPE, SIG_IGN);
	status = connect_run_relay(argv[optind], &address, &key);
	address_clear(&address);
	key_wipe(&key);
	/* A confined process cannot run the handlers of exit(). */
	fflush(NULL);
	_exit(status);
}

const struct command connect_command = {
	.name = "connect",
	.help = "connect standard input and output to a listener (listen -p)",
	.run = connect_run_verb,
};
