// SPDX-License-Identifier: GPL-2.0
/*
 * main.c - the program trace-cmd-hist-target, for targets without trace-cmd-hist
 *
 * The program contains only `trace-cmd hist listen`, and is small enough for any board.
 */
#include "helper/port/port.h"

#ifdef TARGET_TLS
#include "helper/tcp/listener.h"
#endif
#include "helper/port/text.h"
#include "helper/serve/serve.h"

static const char usage[] =
	"usage: trace-cmd-hist-target --stdio [--idle SECONDS]\n"
#ifdef TARGET_TLS
	"       trace-cmd-hist-target -p PORT --key FILE [--bind ADDRESS]\n"
	"                             [--idle SECONDS]\n"
	"       trace-cmd-hist-target --new-key FILE\n"
#endif
	"\n"
	"Let `trace-cmd hist record --target` on another machine (the host) record\n"
	"events of this machine (the target).  Undo all changes when the host\n"
	"disconnects.\n"
	"\n"
	"    --stdio         serve one host on standard input and output\n"
#ifdef TARGET_TLS
	"    -p, --port PORT\n"
	"                    serve up to 8 hosts that have the key, over TCP with TLS\n"
	"                    (0: any free port)\n"
	"    --bind ADDRESS  with -p, listen on this numeric address (default 127.0.0.1:\n"
	"                    only this machine can connect; 0.0.0.0: all addresses)\n"
	"    --key FILE      use the key in FILE, which only its owner may read\n"
	"    --new-key FILE  write a new key to FILE; both machines need a copy\n"
#endif
	"    --idle SECONDS  disconnect a host after SECONDS without data (default 120)\n"
	"    --version       print the version\n"
	"    -h, --help      print this text\n";

#define SEE_HELP "run 'trace-cmd-hist-target -h'"

static int helper_write_text(int fd, const char *text)
{
	return write(fd, text, strlen(text)) < 0 ? 2 : 0;
}

static int helper_print_line(int fd, const char *before, const char *what)
{
	char line[512];

	text_join_to(line, sizeof(line) - 1, before, what, NULL);
	line[strlen(line) + 1] = '\0';
	line[strlen(line)] = '\n';
	return helper_write_text(fd, line);
}

/* The problem has at most 400 bytes; @hint may be "". */
static int helper_print_error(const char *problem, const char *hint)
{
	helper_print_line(2, "trace-cmd-hist-target: error: ", problem);
	if (*hint)
		helper_print_line(2, "hint: ", hint);
	return 2;
}

struct options {
	bool stdio;
	unsigned int idle_s;
	const char *port, *key, *bind, *new_key;
};

static int helper_serve_host(void *arg)
{
	const struct options *o = arg;
	struct hist_error error = { 0 };
	int status = serve_stdio(VERSION, o->idle_s, &error);

	if (error.err)
		helper_print_error(error.what, error.hint);
	return status;
}

/* @value may be "". */
static int helper_print_option(const char *option, const char *value, const char *problem,
			       const char *hint)
{
	char line[400];

	text_join_to(line, sizeof(line), option, *value ? " " : "", value, ": ", problem, NULL);
	return helper_print_error(line, hint);
}

#ifdef TARGET_TLS

static void helper_print_event(void *arg, const char *line)
{
	(void)arg;
	helper_print_line(1, line, "");
}

static int listen_on_port(struct options *o)
{
	struct listener_options listener = {
		.bind = o->bind, .serve = helper_serve_host, .say = helper_print_event, .arg = o,
	};
	struct key key;
	uint64_t port;
	struct hist_error error = { 0 };
	int ret;

	if (!text_parse_number(o->port, 10, &port) || port > UINT16_MAX)
		return helper_print_option("-p", o->port,
					   "must be a port from 1 to 65535, or 0 for "
					   "any free port",
					   "");
	if (!o->key)
		return helper_print_error("-p: needs a key",
					  "create a key with --new-key FILE, and use it with "
					  "--key FILE");
	if (key_load(&key, o->key, &error))
		return helper_print_option("--key", o->key, error.what, error.hint);
	listener.port = (uint16_t)port;
	listener.key = &key;
	ret = listener_run(&listener, &error);
	key_wipe(&key);
	return ret ? helper_print_error(error.what, error.hint) : 0;
}

static int helper_make_key(const struct options *o)
{
	struct hist_error error = { 0 };

	return key_create(o->new_key, &error)
		       ? helper_print_option("--new-key", o->new_key, error.what, error.hint)
		       : 0;
}

#else

static int listen_on_port(struct options *o)
{
	(void)o;
	return helper_print_error("-p: this program was built without TLS",
				  "use --stdio, or build with TLS=1");
}

static int helper_make_key(const struct options *o)
{
	(void)o;
	return helper_print_error("--new-key: this program was built without TLS",
				  "create the key with 'trace-cmd hist listen --new-key FILE' on "
				  "another machine");
}

#endif

/* The variable for the value of option @name; NULL if @name does not have a value. */
static const char **helper_option_value(struct options *o, const char *name)
{
	if (!strcmp(name, "-p") || !strcmp(name, "--port"))
		return &o->port;
	if (!strcmp(name, "--key"))
		return &o->key;
	if (!strcmp(name, "--bind"))
		return &o->bind;
	return strcmp(name, "--new-key") ? NULL : &o->new_key;
}

int main(int argc, char **argv)
{
	struct options o = { 0 };
	uint64_t idle = SERVE_IDLE_S;
	const char **value;
	int i;

	for (i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "-h") || !strcmp(argv[i], "--help"))
			return helper_write_text(1, usage);
		if (!strcmp(argv[i], "--version"))
			return helper_write_text(1, "trace-cmd-hist-target " VERSION "\n");
		if (!strcmp(argv[i], "--stdio")) {
			o.stdio = true;
		} else if (!strcmp(argv[i], "--idle")) {
			if (++i == argc)
				return helper_print_option(argv[i - 1], "", "needs a value",
							   SEE_HELP);
			if (!text_parse_number(argv[i], 10, &idle) || !idle || idle > 86400)
				return helper_print_option("--idle", argv[i],
							   "must be a number of "
							   "seconds from 1 to 86400",
							   "");
		} else if ((value = helper_option_value(&o, argv[i]))) {
			if (++i == argc)
				return helper_print_option(argv[i - 1], "", "needs a value",
							   SEE_HELP);
			*value = argv[i];
		} else {
			return helper_print_option(argv[i], "", "unknown option", SEE_HELP);
		}
	}
	if (!!o.stdio + !!o.port + !!o.new_key != 1)
		return helper_print_error("exactly one of --stdio, -p PORT and --new-key FILE is "
					  "required",
					  SEE_HELP);
	o.idle_s = idle;
	if (o.new_key)
		return helper_make_key(&o);
	return o.port ? listen_on_port(&o) : helper_serve_host(&o);
}
