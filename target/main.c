// SPDX-License-Identifier: GPL-2.0
/*
 * main.c - the program trace-cmd-hist-target, for targets without trace-cmd-hist
 *
 * It is `trace-cmd hist listen` alone, small enough for any board.
 */
#include "port.h"

#include "serve.h"
#include "words.h"

static const char usage[] =
	"usage: trace-cmd-hist-target --stdio [--idle SECONDS]\n"
	"\n"
	"Serve a `trace-cmd hist record --target` on the host: over stdin and stdout.\n"
	"Takes back all that was changed when the host is gone.\n"
	"\n"
	"    --stdio         speak the protocol on stdin and stdout\n"
	"    --idle SECONDS  how long a silent host is waited for (default 120)\n"
	"    --version       the version\n"
	"    -h, --help      this text\n";

static int say(int fd, const char *text)
{
	return write(fd, text, strlen(text)) < 0 ? 2 : 0;
}

static int complain(const char *what)
{
	char line[512];

	words_set(line, sizeof(line) - 1, "trace-cmd-hist-target: ", what, NULL);
	line[strlen(line) + 1] = '\0';
	line[strlen(line)] = '\n';
	say(2, line);
	return 2;
}

int main(int argc, char **argv)
{
	uint64_t idle = SERVE_IDLE_S;
	bool stdio = false;
	char why[256] = "";
	int i, status;

	for (i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "-h") || !strcmp(argv[i], "--help"))
			return say(1, usage);
		if (!strcmp(argv[i], "--version"))
			return say(1, "trace-cmd-hist-target " VERSION "\n");
		if (!strcmp(argv[i], "--stdio")) {
			stdio = true;
		} else if (!strcmp(argv[i], "--idle")) {
			if (++i == argc || !words_to_number(argv[i], 10, &idle) || !idle ||
			    idle > 86400)
				return complain("--idle: give seconds, from 1 to 86400");
		} else {
			return complain("no such option: see trace-cmd-hist-target -h");
		}
	}
	if (!stdio)
		return complain("say where to listen: --stdio");
	status = serve_stdio(VERSION, idle, why, sizeof(why));
	if (*why)
		complain(why);
	return status;
}
