// SPDX-License-Identifier: GPL-2.0
/*
 * cleanup.c - trace-cmd hist cleanup: remove what killed recorders left
 */
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>

#include "target/local/target.h"
#include "tracecmd/base/command.h"
#include "tracecmd/remote/target_url.h"
#include "tracecmd/undo/undo.h"

static const char help_text[] =
	"usage: trace-cmd hist cleanup [-n] [-q] [--target URL [--key FILE]]\n"
	"\n"
	"Remove the triggers, probes and instances that a killed `trace-cmd hist record` left\n"
	"in the kernel.  What a running one uses, and what others made, stays.\n"
	"\n"
	"    -n, --dry-run   only print what would be removed\n"
	"    -q, --quiet     print nothing but errors\n"
	"    --target URL    on another machine, as for record\n"
	"    --key FILE      the key for tcp://\n"
	"    -h, --help      this text\n"
	"\n"
	"example:\n"
	"    trace-cmd hist cleanup -n     see what is there\n"
	"    trace-cmd hist cleanup        remove it\n";

enum { OPT_TARGET = 256, OPT_KEY };

static int clean_up(const char *url, bool dry_run, bool quiet)
{
	struct hist_target *target;
	unsigned int removed, failed;
	char why[512];
	int ret;

	if (target_open(&target, url, why, sizeof(why))) {
		complain("%s", why);
		return EXIT_TROUBLE;
	}
	ret = undo_cleanup(target, dry_run, quiet ? NULL : stdout, stderr, &removed, &failed);
	target_free(target);
	if (ret || failed)
		return EXIT_TROUBLE;
	if (!removed && !quiet)
		puts("nothing to clean up");
	return EXIT_DONE;
}

int cmd_cleanup(int argc, char **argv)
{
	static const struct option options[] = {
		{ "dry-run", no_argument, NULL, 'n' },
		{ "quiet", no_argument, NULL, 'q' },
		{ "target", required_argument, NULL, OPT_TARGET },
		{ "key", required_argument, NULL, OPT_KEY },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	bool dry_run = false, quiet = false;
	const char *url = NULL;
	int c;

	optind = 0;
	opterr = 0;
	while ((c = getopt_long(argc, argv, ":nqh", options, NULL)) != -1) {
		switch (c) {
		case 'n':
			dry_run = true;
			break;
		case 'q':
			quiet = true;
			break;
		case OPT_TARGET:
			url = optarg;
			break;
		case OPT_KEY:
			if (target_use_key(optarg))
				return EXIT_TROUBLE;
			break;
		case ':':
			complain("cleanup: %s: needs a value: see trace-cmd hist cleanup -h",
				 argv[optind - 1]);
			return EXIT_TROUBLE;
		case 'h':
			fputs(help_text, stdout);
			return EXIT_DONE;
		default:
			/* A bad letter may stand in the middle of a word. */
			if (optopt > 0 && optopt < 256)
				complain("cleanup: -%c: no such option: see "
					 "trace-cmd hist cleanup -h", optopt);
			else
				complain("cleanup: %s: no such option: see "
					 "trace-cmd hist cleanup -h", argv[optind - 1]);
			return EXIT_TROUBLE;
		}
	}
	if (optind < argc) {
		complain("cleanup: %s: takes no arguments: see trace-cmd hist cleanup -h",
			 argv[optind]);
		return EXIT_TROUBLE;
	}
	return clean_up(url, dry_run, quiet);
}
