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

	if (!text_parse_number(text, 10, &idle) || !idle || idle > 86400) {
		return options_refuse(row, text, "not a number of seconds from 1 to 86400");
	}
	((struct listen_options *)to)->tcp.idle_s = idle;
	return 0;
}

static const struct option_row rows[] = {
	OPTION_GROUP("Where"),
	{ 0, "stdio", NULL, NULL, offsetof(struct listen_options, stdio),
	  "serve one host on standard input and output" },
	{ 'p', "port", "PORT", NULL, offsetof(struct listen_options, tcp.port),
	  "\nserve up to 8 hosts that have the key, by TCP and TLS\n"
	  "(0: any free port)" },
	{ 0, "bind", "ADDRESS", NULL, offsetof(struct listen_options, tcp.bind),
	  "let -p listen on this numeric address (default 127.0.0.1:\n"
	  "only this machine can connect; 0.0.0.0: all addresses)" },
	OPTION_GROUP("Key"),
	{ 0, "key", "FILE", NULL, offsetof(struct listen_options, tcp.key_file),
	  "use the key in FILE, which only its owner may read" },
	{ 0, "new-key", "FILE", NULL, offsetof(struct listen_options, new_key),
	  "write a new key to FILE; both machines need a copy" },
	OPTION_GROUP("When"),
	{ 0, "idle", "SECONDS", take_idle, 0,
	  "disconnect a host that is silent for this time (default 120)" },
	OPTION_GROUP("Other"),
	OPTION_HELP,
	{ 0 },
};

static const struct options_spec spec = {
	.verb = "listen",
	.usage =
	"usage: trace-cmd hist listen --stdio [--idle SECONDS]\n"
	"       trace-cmd hist listen -p PORT --key FILE [--bind ADDRESS]\n"
	"                             [--idle SECONDS]\n"
	"       trace-cmd hist listen --new-key FILE\n"
	"\n"
	"Let `trace-cmd hist record --target` on another machine, the host, start, read\n"
	"and remove histograms on this machine, the target.  The host runs this command\n"
	"itself if its target is ssh://.  Undo all changes when the host disconnects.\n",
	.rows = rows,
	.indent = 4,
	.more =
	"\n"
	"Examples, first on the target, then on the host:\n"
	"    trace-cmd hist listen --new-key board.key\n"
	"    trace-cmd hist listen -p 8300 --bind 0.0.0.0 --key board.key\n"
	"    trace-cmd hist record --target tcp://board:8300 --key board.key \\\n"
	"        --preset syscalls\n",
};

static int listen_serve_host(unsigned int idle_s)
{
	char why[256] = "";
	int status = serve_stdio(VERSION, idle_s, why, sizeof(why));

	if (*why)
		message_error("%s", why);
	return status ? EXIT_TROUBLE : EXIT_DONE;
}

int cmd_listen(int argc, char **argv)
{
	struct listen_options o = { .tcp = { .serve = listen_serve_host, .idle_s = SERVE_IDLE_S } };
	int ret = options_parse(&spec, &o, argc, argv);

	if (ret)
		return ret > 0 ? EXIT_DONE : EXIT_TROUBLE;
	if (optind < argc)
		return message_refuse(EXIT_TROUBLE, "%s: unexpected argument\n"
				      "run 'trace-cmd hist listen -h'", argv[optind]);
	if (o.stdio + !!o.tcp.port + !!o.new_key != 1)
		return message_refuse(EXIT_TROUBLE, "give exactly one of --stdio, -p PORT and "
				      "--new-key FILE\nrun 'trace-cmd hist listen -h'");
	if (!o.tcp.port && (o.tcp.key_file || o.tcp.bind))
		return message_refuse(EXIT_TROUBLE, "%s: needs -p PORT", o.tcp.key_file ? "--key" :
				      "--bind");
	if (o.new_key)
		return listen_create_key(o.new_key);
	return o.tcp.port ? listen_port_run(&o.tcp) : listen_serve_host(o.tcp.idle_s);
}
