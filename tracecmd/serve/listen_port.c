// SPDX-License-Identifier: GPL-2.0
/*
 * listen_port.c - TCP port and keys of `trace-cmd hist listen`
 */
#include <stdint.h>
#include <stdio.h>

#include "target/port/text.h"
#include "target/tcp/listener.h"
#include "target/wire/key.h"
#include "tracecmd/base/command.h"
#include "tracecmd/base/message.h"
#include "tracecmd/serve/listen_port.h"

static int listen_port_serve_client(void *arg)
{
	const struct listen_port *options = arg;

	return options->serve(options->idle_s);
}

static void listen_port_print_line(void *arg, const char *line)
{
	(void)arg;
	message_print_to(stdout, "%s", line);
	/* A script waits for the port, and a forked child must not print it again. */
	fflush(stdout);
}

int listen_port_run(const struct listen_port *options)
{
	struct listener_options listener = {
		.bind = options->bind, .serve = listen_port_serve_client,
			.say = listen_port_print_line, .arg = (void *)options,
	};
	struct key key;
	uint64_t port;
	char why[256] = "";
	int ret;

	if (!text_parse_number(options->port, 10, &port) || port > UINT16_MAX)
		return message_refuse(EXIT_TROUBLE, "-p %s: not a port from 1 to 65535, or 0 for "
				      "any free port", options->port);
	if (!options->key_file)
		return message_refuse(EXIT_TROUBLE, "-p %s: needs a key\n"
				      "make one with --new-key FILE, and give --key FILE",
				      options->port);
	if (key_load(&key, options->key_file, why, sizeof(why)))
		return message_refuse(EXIT_TROUBLE, "--key %s: %s", options->key_file, why);
	listener.port = (uint16_t)port;
	listener.key = &key;
	ret = listener_run(&listener, why, sizeof(why));
	key_wipe(&key);
	if (ret)
		message_error("-p %s: %s", options->port, why);
	return ret ? EXIT_TROUBLE : EXIT_DONE;
}

int listen_create_key(const char *file)
{
	char why[256];

	if (key_create(file, why, sizeof(why)))
		return message_refuse(EXIT_TROUBLE, "--new-key %s: %s", file, why);
	message_print_to(stdout,
			 "%s: new key; copy it to the other machine with scp or in another safe way",
			 file);
	return EXIT_DONE;
}
