// SPDX-License-Identifier: GPL-2.0
/*
 * listen.c - trace-cmd hist listen: serve a host that records from elsewhere
 */
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>

#include "target/port/text.h"
#include "target/serve/serve.h"
#include "tracecmd/base/command.h"
#include "tracecmd/serve/listen_port.h"

static const char help_text[] =
	"usage: trace-cmd hist listen --stdio [--idle SECONDS]\n"
	"       trace-cmd hist listen -p PORT --key FILE [--bind ADDRESS] [--idle SECONDS]\n"
	"       trace-cmd hist listen --new-key FILE\n"
	"\n"
	"Serve a `trace-cmd hist record --target` on another machine: let it start, read and\n"
	"remove histograms here.  A host runs this by itself over ssh.  All that was changed\n"
	"is taken back when the host is gone.\n"
	"\n"
	"    --stdio         speak the protocol on stdin and stdout\n"
	"    -p, --port PORT\n"
	"                    serve who has the key, by TCP and TLS: at most 8 at a time; 0: any\n"
	"                    port that is free\n"
	"    --key FILE      the key: a file that only its owner may read\n"
	"    --bind ADDRESS  where -p listens: a numeric address of this machine, 0.0.0.0 for\n"
	"                    all (default 127.0.0.1: nobody but this machine)\n"
	"    --new-key FILE  make a key in a new file; both machines need a copy of it\n"
	"    --idle SECONDS  how long a silent host is waited for (default 120)\n"
	"    -h, --help      this text\n"
	"\n"
	"example, on the host:\n"
	"    trace-cmd hist record --target ssh://root@board -e sched:sched_switch -k next_comm -d 10\n"
	"example without ssh, first on the board, then on the host:\n"
	"    trace-cmd hist listen -p 8300 --bind 0.0.0.0 --key board.key\n"
	"    trace-cmd hist record --target tcp://board:8300 --key board.key \\\n"
	"        -e sched:sched_switch -k next_comm -d 10\n";

enum { OPT_STDIO = 256, OPT_IDLE, OPT_KEY, OPT_BIND, OPT_NEW_KEY };

static int serve_host(unsigned int idle_s)
{
	char why[256] = "";
	int status = serve_stdio(VERSION, idle_s, why, sizeof(why));

	if (*why)
		complain("listen: %s", why);
	return status ? EXIT_TROUBLE : EXIT_DONE;
}

int cmd_listen(int argc, char **argv)
{
	static const struct option options[] = {
		{ "stdio", no_argument, NULL, OPT_STDIO },
		{ "idle", required_argument, NULL, OPT_IDLE },
		{ "port", required_argument, NULL, 'p' },
		{ "key", required_argument, NULL, OPT_KEY },
		{ "bind", required_argument, NULL, OPT_BIND },
		{ "new-key", required_argument, NULL, OPT_NEW_KEY },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	uint64_t idle = SERVE_IDLE_S;
	struct listen_port tcp = { .serve = serve_host };
	const char *new_key = NULL;
	bool stdio = false;
	int c;

	optind = 0;
	opterr = 0;
	while ((c = getopt_long(argc, argv, ":hp:", options, NULL)) != -1) {
		switch (c) {
		case OPT_STDIO:
			stdio = true;
			break;
		case 'p':
			tcp.port = optarg;
			break;
		case OPT_KEY:
			tcp.key_file = optarg;
			break;
		case OPT_BIND:
			tcp.bind = optarg;
			break;
		case OPT_NEW_KEY:
			new_key = optarg;
			break;
		case OPT_IDLE:
			if (words_to_number(optarg, 10, &idle) && idle && idle <= 86400)
				break;
			complain("listen: --idle %s: give seconds, from 1 to 86400", optarg);
			return EXIT_TROUBLE;
		case 'h':
			fputs(help_text, stdout);
			return EXIT_DONE;
		default:
			complain("listen: %s: %s: see trace-cmd hist listen -h", argv[optind - 1],
				 c == ':' ? "needs a value" : "no such option");
			return EXIT_TROUBLE;
		}
	}
	if (optind < argc) {
		complain("listen: %s: takes no arguments: see trace-cmd hist listen -h",
			 argv[optind]);
		return EXIT_TROUBLE;
	}
	if (!!stdio + !!tcp.port + !!new_key != 1) {
		complain("listen: give one of --stdio, -p PORT and --new-key FILE: "
			 "see trace-cmd hist listen -h");
		return EXIT_TROUBLE;
	}
	if (!tcp.port && (tcp.key_file || tcp.bind)) {
		complain("listen: --key and --bind are for -p PORT: give one, or leave them out");
		return EXIT_TROUBLE;
	}
	if (new_key)
		return listen_new_key(new_key);
	tcp.idle_s = idle;
	return tcp.port ? listen_port(&tcp) : serve_host(idle);
}
