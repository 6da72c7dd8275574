// SPDX-License-Identifier: GPL-2.0
/*
 * cleanup.c - trace-cmd hist cleanup: undo the changes of killed recorders
 */
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>

#include "helper/local/target.h"
#include "lib/base/text.h"
#include "tracecmd/base/command.h"
#include "tracecmd/base/message.h"
#include "tracecmd/output/episode_file.h"
#include "tracecmd/plan/plan_options.h"
#include "tracecmd/target/target_open.h"
#include "tracecmd/target/target_url.h"
#include "tracecmd/undo/undo.h"

struct cleanup_options {
	bool dry_run, quiet;
	const char *url; /* of the target, or NULL */
};

static const struct option_row rows[] = {
	OPTION_GROUP("Where"),
	{ 0, "target", "URL", NULL, offsetof(struct cleanup_options, url),
	  "clean up on another machine; see\ntrace-cmd-hist-targets(7)" },
	{ 0, "key", "FILE", plan_take_key, 0,
	  "use the secret key in FILE for tcp://; the listener\n"
	  "needs the same file" },
	OPTION_GROUP("Output"),
	{ 'n', "dry-run", NULL, NULL, offsetof(struct cleanup_options, dry_run),
	  "print what would be done, and change nothing" },
	{ 'q', "quiet", NULL, NULL, offsetof(struct cleanup_options, quiet),
	  "print only errors" },
	OPTION_GROUP("Other"),
	OPTION_HELP,
	{ 0 },
};

static const struct options_spec spec = {
	.verb = "cleanup",
	.usage =
	"usage: trace-cmd hist cleanup [-n] [-q] [--target URL [--key FILE]]\n"
	"       trace-cmd hist cleanup [-n] [-q] FILE...\n"
	"\n"
	"Remove the triggers, probes and instances that a killed `trace-cmd hist record`\n"
	"left in the kernel.  Keep those of running recordings and of other users.\n"
	"For an interrupted recording FILE, append to FILE the events that\n"
	"`record --threshold` saved in FILE.episode-N.\n",
	.rows = rows,
	.indent = 4,
	.more =
	"\n"
	"Examples:\n"
	"    trace-cmd hist cleanup -n     print what would be removed\n"
	"    trace-cmd hist cleanup        remove what was left\n"
	"    trace-cmd hist cleanup --target ssh://root@board\n",
};

/* Append the episodes that a killed recorder left next to @file. */
static int restore_episodes(const char *file, const struct cleanup_options *o)
{
	int n = episode_files_restore(file, o->dry_run);

	if (n > 0 && !o->quiet)
		printf("%s: %s %d episode%s\n", file, o->dry_run ? "would append" : "appended",
		       n, text_plural(n));
	else if (!n && !o->quiet)
		printf("%s: nothing to clean up\n", file);
	return n < 0 ? EXIT_TROUBLE : EXIT_DONE;
}

static int clean_up(const char *url, bool dry_run, bool quiet)
{
	struct hist_target *target;
	unsigned int removed, failed;
	struct hist_error error = { 0 };
	int ret;

	if (target_open(&target, url, &error))
		return message_report(EXIT_TROUBLE, &error);
	ret = undo_cleanup(target, dry_run, quiet ? NULL : stdout, stderr, &removed, &failed);
	target_free(target);
	if (ret || failed)
		return EXIT_TROUBLE;
	if (!removed && !quiet)
		puts("nothing to clean up");
	return EXIT_DONE;
}

static int cleanup_run_verb(int argc, char **argv)
{
	struct cleanup_options o = { 0 };
	int ret = options_parse(&spec, &o, argc, argv), status = EXIT_DONE;
	bool files = false;

	if (ret)
		return ret > 0 ? EXIT_DONE : EXIT_TROUBLE;
	for (; optind < argc; optind++) {
		if (restore_episodes(argv[optind], &o))
			status = EXIT_TROUBLE;
		files = true;
	}
	return files ? status : clean_up(o.url, o.dry_run, o.quiet);
}

const struct command cleanup_command = {
	.title = "Clean up",
	.name = "cleanup",
	.help = "remove what a killed recording left in the kernel",
	.run = cleanup_run_verb,
};
