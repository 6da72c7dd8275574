// SPDX-License-Identifier: GPL-2.0
/*
 * cleanup.c - trace-cmd hist cleanup: undo the changes of killed recorders
 */
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>

#include "target/local/target.h"
#include "tracecmd/base/command.h"
#include "tracecmd/plan/plan_options.h"
#include "tracecmd/remote/target_url.h"
#include "tracecmd/undo/undo.h"

struct cleanup_options {
	bool dry_run, quiet;
	const char *url; /* of the target, or NULL */
};

static const struct option_row rows[] = {
	{ 'n', "dry-run", NULL, NULL, offsetof(struct cleanup_options, dry_run),
	  "only print what would be removed" },
	{ 'q', "quiet", NULL, NULL, offsetof(struct cleanup_options, quiet),
	  "print nothing but errors" },
	{ 0, "target", "URL", NULL, offsetof(struct cleanup_options, url),
	  "on another machine, as for record" },
	{ 0, "key", "FILE", plan_take_key, 0, "the key for tcp://" },
	OPTION_HELP,
	{ 0 },
};

static const struct options_spec spec = {
	.verb = "cleanup",
	.usage =
	"usage: trace-cmd hist cleanup [-n] [-q] [--target URL [--key FILE]]\n"
	"\n"
	"Remove the triggers, probes and instances that a killed `trace-cmd hist record` left\n"
	"in the kernel.  What a running one uses, and what others made, stays.\n"
	"\n",
	.rows = rows,
	.indent = 4,
	.more =
	"\n"
	"example:\n"
	"    trace-cmd hist cleanup -n     see what is there\n"
	"    trace-cmd hist cleanup        remove it\n",
};

static int clean_up(const char *url, bool dry_run, bool quiet)
{
	struct hist_target *target;
	unsigned int removed, failed;
	char why[512];
	int ret;

	if (target_open(&target, url, why, sizeof(why))) {
		message_error("%s", why);
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
	struct cleanup_options o = { 0 };
	int ret = options_parse(&spec, &o, argc, argv);

	if (ret)
		return ret > 0 ? EXIT_DONE : EXIT_TROUBLE;
	if (optind < argc) {
		message_error("cleanup: %s: takes no arguments: see trace-cmd hist cleanup -h",
			       argv[optind]);
		return EXIT_TROUBLE;
	}
	return clean_up(o.url, o.dry_run, o.quiet);
}
