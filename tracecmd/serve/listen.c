// SPDX-License-Identifier: GPL-2.0
/*
 * listen.c - trace-cmd hist listen: serve a host that records from elsewhere
 */
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>

#include "target/port/text.h"
#include "target/serve/serve.h"
#include "tracecmd/base/command.h"
#include "tracecmd/base/options.h"
#include "tracecmd/serve/listen_port.h"

struct listen_options {
	struct listen_port tcp;
	const char *new_key; /* the file for a key to be made, or NULL */
	bool stdio;
};

static int take_idle(void *to, const struct option_row *row, char *text)
{
	uint64_t idle;

	(void)row;
	if (!text_parse_number(text, 10, &idle) || !idle || idle > 86400) {
		message_error("listen: --idle %s: give seconds, from 1 to 86400", text);
		return -EINVAL;
	}
	((struct listen_options *)to)->tcp.idle_s = idle;
	return 0;
}

static const struct option_row rows[] = {
	{ 0, "stdio", NULL, NULL, offsetof(struct listen_options, stdio),
	  "speak the protocol on stdin and stdout" },
	{ 'p', "port", "PORT", NULL, offsetof(struct listen_options, tcp.port),
	  "\nserve who has the key, by TCP and TLS: at most 8 at a time; 0: any\n"
	  "port that is free" },
	{ 0, "key", "FILE", NULL, offsetof(struct listen_options, tcp.key_file),
	  "the key: a file that only its owner may read" },
	{ 0, "bind", "ADDRESS", NULL, offsetof(struct listen_options, tcp.bind),
	  "where -p listens: a numeric address of this machine, 0.0.0.0 for\n"
	  "all (default 127.0.0.1: nobody but this machine)" },
	{ 0, "new-key", "FILE", NULL, offsetof(struct listen_options, new_key),
	  "make a key in a new file; both machines need a copy of it" },
	{ 0, "idle", "SECONDS", take_idle, 0,
	  "how long a silent host is waited for (default 120)" },
	OPTION_HELP,
	{ 0 },
};

static const struct options_spec spec = {
	.verb = "listen",
	.usage =
	"usage: trace-cmd hist listen --stdio [--idle SECONDS]\n"
	"       trace-cmd hist listen -p PORT --key FILE [--bind ADDRESS] [--idle SECONDS]\n"
	"       trace-cmd hist listen --new-key FILE\n"
	"\n"
	"Serve a `trace-cmd hist record --target` on another machine: let it start, read and\n"
	"remove histograms here.  A host runs this by itself over ssh.  All that was changed\n"
	"is taken back when the host is gone.\n"
	"\n",
	.rows = rows,
	.indent = 4,
	.more =
	"\n"
	"example, on the host:\n"
	"    trace-cmd hist record --target ssh://root@board -e sched:sched_switch -k next_comm -d 10\n"
	"example without ssh, first on the board, then on the host:\n"
	"    trace-cmd hist listen -p 8300 --bind 0.0.0.0 --key board.key\n"
	"    trace-cmd hist record --target tcp://board:8300 --key board.key \\\n"
	"        -e sched:sched_switch -k next_comm -d 10\n",
};

static int listen_serve_host(unsigned int idle_s)
{
	char why[256] = "";
	int status = serve_stdio(VERSION, idle_s, why, sizeof(why));

	if (*why)
		message_error("listen: %s", why);
	return status ? EXIT_TROUBLE : EXIT_DONE;
}

int cmd_listen(int argc, char **argv)
{
	struct listen_options o = { .tcp = { .serve = listen_serve_host, .idle_s = SERVE_IDLE_S } };
	int ret = options_parse(&spec, &o, argc, argv);

	if (ret)
		return ret > 0 ? EXIT_DONE : EXIT_TROUBLE;
	if (optind < argc) {
		message_error("listen: %s: takes no arguments: see trace-cmd hist listen -h",
			       argv[optind]);
		return EXIT_TROUBLE;
	}
	if (o.stdio + !!o.tcp.port + !!o.new_key != 1) {
		message_error("listen: give one of --stdio, -p PORT and --new-key FILE: "
			       "see trace-cmd hist listen -h");
		return EXIT_TROUBLE;
	}
	if (!o.tcp.port && (o.tcp.key_file || o.tcp.bind)) {
		message_error("listen: --key and --bind are for -p PORT: give one, or leave them out");
		return EXIT_TROUBLE;
	}
	if (o.new_key)
		return listen_create_key(o.new_key);
	return o.tcp.port ? listen_port_run(&o.tcp) : listen_serve_host(o.tcp.idle_s);
}
