// SPDX-License-Identifier: GPL-2.0
/*
 * list.c - `trace-cmd hist list`: a summary of this machine, the events, fields and presets to
 * count, existing hist triggers, and the probes of a program
 *
 * The list of capabilities has names only, or with -v a paragraph each, with workarounds for
 * missing ones.  Kernel options are shown with their setting if this machine has the kernel's
 * configuration.  An argument of a statically defined probe that the kernel cannot fetch, or that
 * has no type of its own, is listed with the reason.
 *
 * The verb only reads: nothing on the target changes.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <zlib.h>

#include "helper/undo/undo_journal.h"
#include "lib/base/strbuf.h"
#include "lib/base/text.h"
#include "lib/label/label.h"
#include "lib/preset/preset_find.h"
#include "tracecmd/base/command.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/options.h"
#include "tracecmd/base/text_style.h"
#include "tracecmd/elf/usdt_arg.h"
#include "tracecmd/elf/usdt_notes.h"
#include "tracecmd/list/list.h"
#include "tracecmd/live/live.h"
#include "tracecmd/plan/plan_options.h"
#include "tracecmd/plan/probe.h"
#include "tracecmd/target/target_open.h"
#include "tracecmd/target/target_url.h"

#define NAME_WIDTH 18

/*
 * --- the configuration of the kernel ---
 * It has lines "CONFIG_NAME=VALUE"; an option without a line is off.
 */

#define PIECE 65536
#define TEXT_MOST (16 << 20)

int list_config_read_file(struct list_config *config, const char *path)
{
	struct hist_strbuf text = { 0 };
	int got = 0, ret;
	gzFile f;

	memset(config, 0, sizeof(*config));
	errno = 0;
	f = gzopen(path, "re"); /* also reads plain files */
	if (!f)
		return errno ? -errno : -ENOMEM;
	while (hist_strbuf_reserve(&text, PIECE)) {
		got = gzread(f, text.data + text.len, PIECE);
		if (got <= 0 || text.len + got > TEXT_MOST)
			break;
		text.len += got;
	}
	gzclose(f);
	hist_strbuf_char(&text, '\0');
	ret = text.error ? text.error : got < 0 ? -EIO : got ? -EFBIG : 0;
	if (!ret) {
		config->source = strdup(path);
		ret = config->source ? 0 : -ENOMEM;
	}
	if (ret)
		hist_strbuf_free(&text);
	else
		config->text = text.data;
	return ret;
}

/* Read /proc/config.gz or /boot/config-RELEASE. -ENOENT if neither can be read; -ENOMEM. */
static int list_config_read(struct list_config *config)
{
	char path[128];
	struct utsname uts;
	int ret;

	ret = list_config_read_file(config, "/proc/config.gz");
	if (ret != -ENOENT)
		return ret;
	uname(&uts);
	snprintf(path, sizeof(path), "/boot/config-%s", uts.release);
	ret = list_config_read_file(config, path);
	/* only root may read the file of some distributions */
	return ret == -EACCES ? -ENOENT : ret;
}

char list_config_get(const struct list_config *config, const char *option, size_t len)
{
	const size_t prefix = strlen("CONFIG_");
	const char *line, *value;

	for (line = config->text; line && *line; line += *line == '\n') {
		if (!strncmp(line, "CONFIG_", prefix) && !strncmp(line + prefix, option, len) &&
		    line[prefix + len] == '=') {
			value = line + prefix + len + 1;
			return (*value == 'y' || *value == 'm') && (value[1] == '\n' || !value[1])
				       ? *value
				       : '?';
		}
		line = strchrnul(line, '\n');
	}
	return config->text ? 'n' : '?';
}

void list_config_clear(struct list_config *config)
{
	free(config->text);
	free(config->source);
	memset(config, 0, sizeof(*config));
}

/* --- the overview --- */

static const char *const presence_words[] = {
	[PRESENCE_NO] = "no",
	[PRESENCE_YES] = "yes",
	[PRESENCE_UNKNOWN] = "?",
};

static void json_config(struct list *l, const char *name, size_t len, char value)
{
	char text[64];

	snprintf(text, sizeof(text), "CONFIG_%.*s", (int)len, name);
	json_object_begin(l->json, NULL);
	list_member(l, "option", text);
	if (value == '?')
		json_null(l->json, "value");
	else
		json_string_len(l->json, "value", &value, 1);
	json_object_end(l->json);
}

static void put_config(struct list *l, const char *name, size_t len, char value)
{
	struct hist_strbuf *text = &l->text;

	hist_strbuf_printf(text, ", CONFIG_%.*s", (int)len, name);
	if (value == 'n')
		hist_strbuf_str(text, " (off)");
	else if (value != '?')
		hist_strbuf_printf(text, "=%c", value);
}

/* Show each kernel option in @configs, with its setting in @config. */
static void show_configs(struct list *l, const char *configs, const struct list_config *config)
{
	size_t len;
	char value;

	for (; configs && *configs; configs += len + (configs[len] == ' ')) {
		len = strcspn(configs, " ");
		value = list_config_get(config, configs, len);
		if (l->json)
			json_config(l, configs, len, value);
		else
			put_config(l, configs, len, value);
	}
}

static void json_capability(struct list *l, unsigned int i, const struct list_config *config)
{
	const struct capability_info *info = &capability_info[i];

	json_object_line(l->json, NULL);
	list_member(l, "name", info->name);
	list_member(l, "what", info->what);
	if (l->caps.has[i] == PRESENCE_UNKNOWN)
		json_null(l->json, "present");
	else
		json_bool(l->json, "present", l->caps.has[i] == PRESENCE_YES);
	list_member(l, "linux", info->since);
	json_array_begin(l->json, "configs");
	show_configs(l, info->configs, config);
	json_array_end(l->json);
	list_member(l, "instead", info->instead);
	json_bool(l->json, "engine_user", info->in_engine);
	json_object_end(l->json);
}

static void list_json(struct list *l, const struct list_config *config)
{
	unsigned int i;

	json_object_begin(l->json, "kernel");
	list_member(l, "uname", l->target->uname);
	list_member(l, "clocks", l->caps.clocks);
	list_member(l, "snapshots", list_reads_raw(l) ? "binary" : "text");
	list_member(l, "config", config->source);
	json_array_begin(l->json, "capabilities");
	for (i = 0; i < CAPABILITIES; i++)
		json_capability(l, i, config);
	json_array_end(l->json);
	json_object_end(l->json);
}

/* @engine: only what the user-space engine has on any kernel; otherwise only the rest. */
static void put_names(struct list *l, const char *title, enum presence has, bool engine)
{
	struct hist_strbuf names = { 0 };
	unsigned int i;

	for (i = 0; i < CAPABILITIES; i++) {
		if (l->caps.has[i] != has ||
		    (has == PRESENCE_NO && capability_info[i].in_engine != engine))
			continue;
		if (names.len)
			hist_strbuf_char(&names, ' ');
		hist_strbuf_str(&names, capability_info[i].name);
	}
	if (names.len) {
		hist_strbuf_char(&names, '\0');
		list_put(l, title, 14);
		list_wrap(l, names.data ? names.data : "", 14, 14);
	}
	hist_strbuf_fail(&l->text, names.error);
	hist_strbuf_free(&names);
}

static void put_paragraph(struct list *l, unsigned int i, const struct list_config *config)
{
	const struct capability_info *info = &capability_info[i];
	enum presence has = l->caps.has[i];

	list_put(l, presence_words[has], 5);
	list_put(l, info->name, NAME_WIDTH);
	hist_strbuf_str(&l->text, info->what);
	if (info->since)
		hist_strbuf_printf(&l->text, "; since Linux %s", info->since);
	show_configs(l, info->configs, config);
	hist_strbuf_char(&l->text, '\n');
	if (has == PRESENCE_YES)
		return;
	hist_strbuf_fill(&l->text, ' ', 5 + NAME_WIDTH);
	if (l->caps.has[info->base] == PRESENCE_NO && info->base != i)
		hist_strbuf_printf(&l->text, "Needs %s, which this kernel lacks.\n",
				   capability_info[info->base].name);
	else
		list_wrap(l, info->instead, 5 + NAME_WIDTH, 5 + NAME_WIDTH);
	/* if the kernel does not show it, the kernel may have it */
	if (has == PRESENCE_NO && info->in_engine && info->base != i) {
		hist_strbuf_fill(&l->text, ' ', 5 + NAME_WIDTH);
		hist_strbuf_str(&l->text, "--engine user supports this on any kernel.\n");
	}
}

int list_kernel(struct list *l)
{
	struct list_config config = { 0 };
	unsigned int i;
	int ret;

	/* a missing configuration is not an error */
	ret = l->remote ? 0 : list_config_read(&config);
	if (ret && ret != -ENOENT)
		return ret;
	if (l->json) {
		list_json(l, &config);
	} else if (l->verbose) {
		for (i = 0; i < CAPABILITIES; i++)
			put_paragraph(l, i, &config);
		hist_strbuf_printf(&l->text, "(%s%s)\n",
				   config.source ? "kernel options are from "
						 : "the kernel configuration is not available",
				   config.source ? config.source : "");
	} else {
		put_names(l, "kernel has", PRESENCE_YES, false);
		put_names(l, "lacks", PRESENCE_NO, false);
		put_names(l, "--engine user", PRESENCE_NO, true);
		put_names(l, "not known", PRESENCE_UNKNOWN, false);
	}
	list_config_clear(&config);
	return l->json ? json_writer_error(l->json) : l->text.error;
}

/* The end of a system's events, which are adjacent because names are sorted. */
static size_t list_overview_find_system_end(const struct names *events, size_t first)
{
	size_t len = strcspn(events->names[first], ":") + 1, i;

	for (i = first + 1; i < events->n; i++)
		if (strncmp(events->names[first], events->names[i], len))
			break;
	return i;
}

static void json_systems(struct list *l, const struct names *events)
{
	size_t i, end;

	json_array_begin(l->json, "systems");
	for (i = 0; i < events->n; i = end) {
		end = list_overview_find_system_end(events, i);
		json_object_line(l->json, NULL);
		json_string_len(l->json, "system", events->names[i],
				strcspn(events->names[i], ":"));
		json_u64(l->json, "events", end - i);
		json_object_end(l->json);
	}
	json_array_end(l->json);
}

static void text_systems(struct list *l, const struct names *events)
{
	struct hist_strbuf all = { 0 };
	size_t i, end, systems = 0;

	for (i = 0; i < events->n; i = end) {
		end = list_overview_find_system_end(events, i);
		systems++;
		hist_strbuf_printf(&all, "%s%.*s(%zu)", i ? " " : "",
				   (int)strcspn(events->names[i], ":"), events->names[i], end - i);
	}
	hist_strbuf_char(&all, '\0');
	list_put(l, "events", 14);
	hist_strbuf_printf(&l->text, "%zu in %zu system%s%s\n", events->n, systems,
			   text_plural(systems), l->verbose ? ":" : "");
	if (l->verbose) {
		hist_strbuf_fill(&l->text, ' ', 14);
		list_wrap(l, all.error ? "" : all.data, 14, 14);
	}
	hist_strbuf_fail(&l->text, all.error);
	hist_strbuf_free(&all);
}

/* Count active recordings, and undo logs of killed ones. */
static int count_recordings(unsigned int *running, unsigned int *dead)
{
	struct target_buf names = { 0 };
	struct undo_notes notes = { 0 };
	struct undo_journal *journal;
	const char *name;
	struct hist_error error = { 0 };
	int fd, ret, taken;

	*running = *dead = 0;
	fd = undo_journal_open_dir(false, &error);
	if (fd == -ENOENT)
		return 0;
	if (fd < 0)
		return message_report(fd, &error);
	ret = target_list_names(fd, &names);
	for (name = names.data; !ret && name < names.data + names.len; name += strlen(name) + 1) {
		if (!undo_journal_is_name(name))
			continue;
		taken = undo_journal_lock(&journal, fd, name, &notes);
		*running += taken == -EWOULDBLOCK;
		*dead += !taken;
		if (!taken || taken == -ESTALE)
			undo_journal_close(journal);
		undo_notes_clear(&notes);
	}
	free(names.data);
	close(fd);
	return ret ? message_error_errno("undo logs", ret) : 0;
}

static void put_recordings(struct list *l, unsigned int running, unsigned int dead)
{
	if (l->json) {
		json_object_begin(l->json, "recordings");
		json_u64(l->json, "running", running);
		json_u64(l->json, "killed", dead);
		json_object_end(l->json);
		return;
	}
	list_put(l, "recordings", 14);
	hist_strbuf_printf(&l->text, "%u running", running);
	if (dead)
		hist_strbuf_printf(&l->text, ", %u killed\n%14shint: run 'trace-cmd hist cleanup'",
				   dead, "");
	hist_strbuf_char(&l->text, '\n');
}

static int list_overview_add_preset(const struct preset *preset, void *data)
{
	struct hist_strbuf *names = data;

	if (!preset->recipe)
		return 0; /* --presets reports the error */
	if (names->len)
		hist_strbuf_char(names, ' ');
	hist_strbuf_str(names, preset->name);
	return names->error;
}

static int put_presets(struct list *l)
{
	struct hist_strbuf names = { 0 };
	int ret;

	ret = preset_list(list_overview_add_preset, &names);
	hist_strbuf_char(&names, '\0');
	if (!ret)
		ret = names.error;
	if (!ret) {
		list_put(l, "presets", 14);
		list_wrap(l, names.data[0] ? names.data : "none", 14, 14);
	}
	hist_strbuf_free(&names);
	return ret;
}

/* Write how record and top read histograms on this target. */
static void put_snapshots(struct list *l)
{
	bool there = capability_is_present(&l->caps, CAP_HIST_RAW);

	list_put(l, "snapshots", 14);
	hist_strbuf_str(&l->text, list_reads_raw(l) ? "binary (hist_raw)\n"
				  : there	    ? "text (hist_raw is not used with --target)\n"
						    : "text\n");
}

/* The parts of the list.  In JSON each is a member of the object that the caller began. */
static int list_overview(struct list *l)
{
	struct names events = { 0 };
	unsigned int running, dead;
	int ret;

	ret = list_names_read(&events, l->target);
	if (ret) {
		message_error("available_events: %s", strerror(-ret));
		goto out;
	}
	ret = count_recordings(&running, &dead);
	if (ret)
		goto out;
	if (l->json) {
		json_systems(l, &events);
		put_recordings(l, running, dead);
		ret = list_kernel(l);
		if (ret)
			message_error_errno("kernel", ret);
	} else {
		list_put(l, "machine", 14);
		list_line(l, l->target->uname);
		text_systems(l, &events);
		list_put(l, "clocks", 14);
		list_wrap(l, l->caps.clocks, 14, 14);
		put_recordings(l, running, dead);
		ret = put_presets(l);
		if (!ret && l->verbose) {
			put_snapshots(l);
			hist_strbuf_char(&l->text, '\n');
		}
		if (!ret)
			ret = list_kernel(l);
		if (ret)
			message_error_errno("kernel", ret);
		if (!ret && !l->verbose)
			hist_strbuf_str(&l->text,
					"\n'list -v' prints what you can use instead of missing "
					"features.  'list --presets'\n"
					"explains the presets.  'list SYS' lists the events of a "
					"system, and\n"
					"'list SYS:EVENT' lists the fields of an event.\n");
	}
out:
	names_clear(&events);
	return ret;
}

/* Number of arguments that all @n places have. */
static unsigned int count_args(const struct usdt_place *places, size_t n)
{
	unsigned int least = usdt_arg_count(places[0].args), args;
	size_t i;

	for (i = 1; i < n; i++) {
		args = usdt_arg_count(places[i].args);
		least = args < least ? args : least;
	}
	return least;
}

static void json_probe(struct list *l, const struct usdt_notes *notes,
		       const struct usdt_place *places, size_t n)
{
	unsigned int number, args = count_args(places, n);
	struct hist_error error = { 0 };
	char name[16], type[4];
	int ret;

	json_object_begin(l->json, NULL);
	list_member(l, "provider", places[0].provider);
	list_member(l, "name", places[0].name);
	json_u64(l->json, "places", n);
	json_bool(l->json, "semaphore", places[0].semaphore);
	json_array_begin(l->json, "arguments");
	for (number = 1; number <= args; number++) {
		ret = usdt_arg_type(type, notes->machine, places, n, number, &error);
		snprintf(name, sizeof(name), "arg%u", number);
		json_object_begin(l->json, NULL);
		list_member(l, "name", name);
		list_member(l, "type", ret ? NULL : type);
		list_member(l, "lacks", ret ? error.what : NULL);
		json_object_end(l->json);
	}
	json_array_end(l->json);
	json_object_end(l->json);
}

static void text_probe(struct list *l, const struct usdt_notes *notes,
		       const struct usdt_place *places, size_t n)
{
	unsigned int number, args = count_args(places, n);
	struct hist_error error = { 0 };
	char type[4];
	int ret;

	list_put(l, places[0].provider, 0);
	hist_strbuf_char(&l->text, ':');
	list_put(l, places[0].name, 0);
	hist_strbuf_printf(&l->text, " - %zu location%s%s\n", n, text_plural(n),
			   places[0].semaphore ? ", semaphore" : "");
	for (number = 1; number <= args; number++) {
		ret = usdt_arg_type(type, notes->machine, places, n, number, &error);
		hist_strbuf_printf(&l->text, "    arg%u ", number);
		list_line(l, ret ? error.what : type);
	}
}

/* The statically defined probes of a program or library of this machine. */
static int list_usdt(struct list *l, const char *name)
{
	struct usdt_notes notes = { 0 };
	struct hist_error error = { 0 };
	char *path = NULL;
	size_t i, n;
	int ret;

	ret = probe_find_file(name, &path, &error);
	if (!ret)
		ret = usdt_notes_read(&notes, path, &error);
	if (ret)
		message_report_of(ret, &error, "--usdt");
	if (l->json)
		json_array_begin(l->json, "usdt");
	for (i = 0; !ret && i < notes.n; i += n) {
		n = usdt_notes_count_same(&notes, i);
		if (l->json)
			json_probe(l, &notes, notes.places + i, n);
		else
			text_probe(l, &notes, notes.places + i, n);
	}
	if (l->json)
		json_array_end(l->json);
	else if (!ret && !notes.n)
		hist_strbuf_str(&l->text,
				"The file has no USDT probes (it has no section .note.stapsdt).\n");
	else if (!ret)
		hist_strbuf_str(&l->text, "To count a probe: trace-cmd hist record "
					  "--usdt PATH:PROVIDER:PROBE -k arg1\n");
	usdt_notes_clear(&notes);
	free(path);
	return ret;
}

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

static int list_run_verb(int argc, char **argv)
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

const struct command list_command = {
	.title = "Look up",
	.name = "list",
	.help = "list events, fields, presets, hist triggers and kernel features",
	.run = list_run_verb,
};
