// SPDX-License-Identifier: GPL-2.0
/*
 * listen.c - trace-cmd hist listen: serve a host that records from elsewhere
 */
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "helper/port/text.h"
#include "helper/serve/serve.h"
#include "helper/tcp/listener.h"
#include "helper/wire/key.h"
#include "tracecmd/base/command.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/options.h"

struct listen_options {
	bool stdio;
	const char *port;	/* as it was given, or NULL */
	const char *bind;	/* NULL: loopback */
	const char *key_file;
	const char *new_key;	/* the file for a key to be made, or NULL */
	unsigned int idle_s;
};

static int take_idle(void *to, const struct option_row *row, char *text)
{
	uint64_t idle;

	if (!text_parse_number(text, 10, &idle) || !idle || idle > 86400)
		return options_refuse(row, text, "must be a number of seconds from 1 to 86400");
	((struct listen_options *)to)->idle_s = idle;
	return 0;
}

static const struct option_row rows[] = {
	OPTION_GROUP("Where"),
	{ 0, "stdio", NULL, NULL, offsetof(struct listen_options, stdio),
	  "serve one host on standard input and output" },
	{ 'p', "port", "PORT", NULL, offsetof(struct listen_options, port),
	  "\n"
	  "serve up to 8 hosts that have the key, over TCP with TLS\n"
	  "(0: any free port)" },
	{ 0, "bind", "ADDRESS", NULL, offsetof(struct listen_options, bind),
	  "with -p, listen on this numeric address (default 127.0.0.1:\n"
	  "only this machine can connect; 0.0.0.0: all addresses)" },
	OPTION_GROUP("Key"),
	{ 0, "key", "FILE", NULL, offsetof(struct listen_options, key_file),
	  "use the key in FILE, which only its owner may read" },
	{ 0, "new-key", "FILE", NULL, offsetof(struct listen_options, new_key),
	  "write a new key to FILE; both machines need a copy" },
	OPTION_GROUP("When"),
	{ 0, "idle", "SECONDS", take_idle, 0,
	  "disconnect a host after SECONDS without data (default 120)" },
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
	"Let `trace-cmd hist record --target` on another machine (the host) record\n"
	"events of this machine (the target).  For a target ssh://..., the host starts\n"
	"this command itself.  Undo all changes when the host disconnects.\n",
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

static int listen_serve_host(const struct listen_options *o)
{
	struct hist_error error = { 0 };
	int status = serve_stdio(VERSION, o->idle_s, &error);

	if (error.err)
		message_report(0, &error);
	return status ? EXIT_TROUBLE : EXIT_DONE;
}

static int listen_serve_client(void *arg)
{
	return listen_serve_host(arg);
}

static void listen_print_line(void *arg, const char *line)
{
	(void)arg;
	message_print_to(stdout, "%s", line);
	/* A script waits for the port, and a forked child must not print it again. */
	fflush(stdout);
}

static int listen_serve_port(struct listen_options *o)
{
	struct listener_options listener = {
		.bind = o->bind, .serve = listen_serve_client, .say = listen_print_line, .arg = o,
	};
	struct key key;
	uint64_t port;
	struct hist_error error = { 0 };
	int ret;

	if (!text_parse_number(o->port, 10, &port) || port > UINT16_MAX)
		return message_refuse(EXIT_TROUBLE,
				      "-p %s: must be a port from 1 to 65535, or 0 for "
				      "any free port",
				      o->port);
	if (!o->key_file)
		return message_refuse(EXIT_TROUBLE, "-p %s: needs a key\n"
				      "create a key with --new-key FILE, and use it with --key "
				      "FILE", o->port);
	if (key_load(&key, o->key_file, &error))
		return message_report_of(EXIT_TROUBLE, &error, "--key %s", o->key_file);
	listener.port = (uint16_t)port;
	listener.key = &key;
	ret = listener_run(&listener, &error);
	key_wipe(&key);
	return ret ? message_report(EXIT_TROUBLE, &error) : EXIT_DONE;
}

static int listen_create_key(const char *file)
{
	struct hist_error error = { 0 };

	if (key_create(file, &error))
		return message_report_of(EXIT_TROUBLE, &error, "--new-key %s", file);
	message_print_to(stdout,
			 "%s: new key; copy it to the other machine with scp or another secure "
			 "method",
			 file);
	return EXIT_DONE;
}

static int listen_run_verb(int argc, char **argv)
{
	struct listen_options o = { .idle_s = SERVE_IDLE_S };
	int ret = options_parse(&spec, &o, argc, argv);

	if (ret)
		return ret > 0 ? EXIT_DONE : EXIT_TROUBLE;
	if (optind < argc)
		return message_refuse(EXIT_TROUBLE, "%s: unexpected argument\n"
				      "run 'trace-cmd hist listen -h'", argv[optind]);
	if (o.stdio + !!o.port + !!o.new_key != 1)
		return message_refuse(EXIT_TROUBLE,
				      "listen: exactly one of --stdio, -p PORT and --new-key "
				      "FILE is required\nrun 'trace-cmd hist listen -h'");
	if (!o.port && (o.key_file || o.bind))
		return message_refuse(EXIT_TROUBLE, "%s: needs -p PORT",
				      o.key_file ? "--key" : "--bind");
	if (o.new_key)
		return listen_create_key(o.new_key);
	return o.port ? listen_serve_port(&o) : listen_serve_host(&o);
}

const struct command listen_command = {
	.title = "Other machines",
	.name = "listen",
	.help = "let another machine record the events of this machine",
	.run = listen_run_verb,
};
