// SPDX-License-Identifier: GPL-2.0
/*
 * list.c - `trace-cmd hist list`: the events, fields and presets to count, and existing
 * hist triggers
 *
 * The verb only reads: nothing on the target changes.
 */
#include <errno.h>
#include <getopt.h>
#include <string.h>

#include "lib/label/label.h"
#include "tracecmd/base/command.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/options.h"
#include "tracecmd/base/text_style.h"
#include "tracecmd/list/list.h"
#include "tracecmd/live/live.h"
#include "tracecmd/plan/plan_options.h"
#include "tracecmd/target/target_open.h"
#include "tracecmd/target/target_url.h"

struct list_options {
	bool verbose, presets, hists;
	unsigned int json; /* 0: text */
	char **patterns;
	unsigned int npatterns;
	const char *url; /* of the target, or NULL */
	const char *usdt; /* list the probes of this file, or NULL */
};

static const struct option_row rows[] = {
	OPTION_GROUP("What"),
	{ 0, "presets", NULL, NULL, offsetof(struct list_options, presets),
	  "list the presets, and whether this kernel supports\n"
	  "them; '--presets NAME...' prints these presets in full" },
	{ 0, "hists", NULL, NULL, offsetof(struct list_options, hists),
	  "list all existing hist triggers" },
	{ 0, "usdt", "PATH", NULL, offsetof(struct list_options, usdt),
	  "list the USDT probes of a program or library" },
	{ 'v', "verbose", NULL, NULL, offsetof(struct list_options, verbose),
	  "print what you can use instead of each missing\n"
	  "feature; with PATTERN, print the fields of each event" },
	OPTION_GROUP("Where"),
	{ 0, "target", "URL", NULL, offsetof(struct list_options, url),
	  "list what another machine supports; see\n"
	  "trace-cmd-hist-targets(7)" },
	{ 0, "key", "FILE", plan_take_key, 0,
	  "use the secret key in FILE for tcp://; the listener\n"
	  "needs the same file" },
	OPTION_GROUP("Output"),
	{ 0, "format", "text|json", options_take_choice, offsetof(struct list_options, json),
	  "choose the format (default text)" },
	OPTION_GROUP("Other"),
	OPTION_HELP,
	{ 0 },
};

static const struct options_spec spec = {
	.verb = "list",
	.usage =
	"usage: trace-cmd hist list [OPTIONS] [PATTERN...]\n"
	"\n"
	"Without PATTERN, print the number of events and what the kernel supports.\n"
	"Otherwise print the events that match SYS, EVENT or SYS:EVENT, with\n"
	"wildcards.  For a single event, print its fields and their modifiers.\n",
	.rows = rows,
	.indent = 2,
	.column = 22,
	.more =
	"\n"
	"Examples:\n"
	"  trace-cmd hist list -v\n"
	"  trace-cmd hist list sched:sched_switch\n"
	"  trace-cmd hist list 'block*:*'\n",
};

/* Returns 0, 1 after -h printed the help, or -errno after a message. */
static int list_parse_options(struct list_options *o, int argc, char **argv)
{
	int ret;

	memset(o, 0, sizeof(*o));
	ret = options_parse(&spec, o, argc, argv);
	if (ret)
		return ret;
	o->patterns = argv + optind;
	o->npatterns = argc - optind;
	if (o->presets && o->hists)
		return message_refuse(-EINVAL, "--presets: cannot be combined with --hists");
	if (o->usdt && (o->presets || o->hists || o->verbose || o->npatterns))
		return message_refuse(-EINVAL, "--usdt %s: cannot be combined with %s", o->usdt,
				      o->presets ? "--presets" : o->hists ? "--hists" :
				      o->verbose ? "-v" : "a pattern");
	if (o->usdt && o->url)
		return message_refuse(-EINVAL, "--usdt %s: cannot be combined with --target, "
				      "because the file on the target may differ\n"
				      "run 'trace-cmd hist list' on the target", o->usdt);
	if ((o->presets && o->verbose) || (o->hists && (o->verbose || o->npatterns)))
		return message_refuse(-EINVAL, "%s: cannot be combined with %s", o->presets ?
				      "--presets" : "--hists", o->verbose ? "-v" : "a pattern");
	return 0;
}

static int list_open_target(struct list *l, const struct list_options *o)
{
	struct hist_error error = { 0 };
	int ret;

	l->to = stdout;
	l->remote = o->url != NULL;
	l->verbose = o->verbose;
	if (!text_is_utf8())
		l->flags = HIST_ESCAPE_ASCII;
	ret = target_open(&l->target, o->url, &error);
	/* these are files, which do not need tracefs */
	if ((o->presets || o->usdt) && !o->url && (ret == -EACCES || ret == -ENODEV)) {
		l->target = NULL;
		ret = 0;
	}
	if (ret)
		return message_report(ret, &error);
	ret = l->target ? capability_detect(&l->caps, l->target) : 0;
	if (ret)
		return message_refuse(ret, "tracefs: %s", strerror(-ret));
	l->engine = l->target && live_is_possible(l->target);
	if (!o->json)
		return 0;
	l->json = json_writer_new(l->to, true);
	if (!l->json)
		return message_error_memory();
	json_object_begin(l->json, NULL);
	list_member(l, "schema", "trace-cmd-hist-list/1");
	return 0;
}

static int list_print_parts(struct list *l, const struct list_options *o)
{
	if (o->presets)
		return list_presets(l, o->patterns, o->npatterns);
	if (o->usdt)
		return list_usdt(l, o->usdt);
	if (o->hists)
		return list_hists(l);
	if (o->npatterns)
		return list_events(l, o->patterns, o->npatterns);
	return list_overview(l);
}

/* Print a message for the first error of the output. */
static int list_finish_output(struct list *l, int ret)
{
	int written;

	if (l->json) {
		json_object_end(l->json);
		written = json_writer_free(l->json);
	} else {
		written = hist_strbuf_flush(&l->text, l->to);
	}
	hist_strbuf_free(&l->text);
	capability_clear(&l->caps);
	target_free(l->target);
	/* main() checks standard output again */
	if (written == -ENOMEM)
		message_error_memory();
	return ret ? ret : written;
}

int cmd_list(int argc, char **argv)
{
	struct list_options o;
	struct list l = { 0 };
	int ret;

	ret = list_parse_options(&o, argc, argv);
	if (ret)
		return ret > 0 ? EXIT_DONE : EXIT_TROUBLE;
	ret = list_open_target(&l, &o);
	if (!ret)
		ret = list_print_parts(&l, &o);
	return list_finish_output(&l, ret) ? EXIT_TROUBLE : EXIT_DONE;
}
