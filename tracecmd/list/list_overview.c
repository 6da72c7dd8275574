// SPDX-License-Identifier: GPL-2.0
/*
 * list_overview.c - `trace-cmd hist list` without arguments: a summary of this machine on
 * one page, with the capabilities of its kernel for histograms
 *
 * The list of capabilities has names only, or with -v a paragraph each, with workarounds for
 * missing ones.  Kernel options are shown with their setting if this machine has the kernel's
 * configuration.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "helper/undo/undo_journal.h"
#include "lib/base/text.h"
#include "lib/preset/preset_find.h"
#include "tracecmd/base/message.h"
#include "tracecmd/kernel/kernel_config.h"
#include "tracecmd/list/list.h"

#define NAME_WIDTH 18

static const char *const presence_words[] = {
	[PRESENCE_NO] = "no", [PRESENCE_YES] = "yes", [PRESENCE_UNKNOWN] = "?",
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
static void show_configs(struct list *l, const char *configs, const struct kernel_config *config)
{
	size_t len;
	char value;

	for (; configs && *configs; configs += len + (configs[len] == ' ')) {
		len = strcspn(configs, " ");
		value = kernel_config_get(config, configs, len);
		if (l->json)
			json_config(l, configs, len, value);
		else
			put_config(l, configs, len, value);
	}
}

static void json_capability(struct list *l, unsigned int i, const struct kernel_config *config)
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

static void list_json(struct list *l, const struct kernel_config *config)
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

static void put_paragraph(struct list *l, unsigned int i, const struct kernel_config *config)
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
	struct kernel_config config = { 0 };
	unsigned int i;
	int ret;

	/* a missing configuration is not an error */
	ret = l->remote ? 0 : kernel_config_read(&config);
	if (ret && ret != -ENOENT)
		return ret;
	if (l->json) {
		list_json(l, &config);
	} else if (l->verbose) {
		for (i = 0; i < CAPABILITIES; i++)
			put_paragraph(l, i, &config);
		hist_strbuf_printf(&l->text, "(%s%s)\n",
				   config.source ? "kernel options are from " :
				   "the kernel configuration is not available",
				   config.source ? config.source : "");
	} else {
		put_names(l, "kernel has", PRESENCE_YES, false);
		put_names(l, "lacks", PRESENCE_NO, false);
		put_names(l, "--engine user", PRESENCE_NO, true);
		put_names(l, "not known", PRESENCE_UNKNOWN, false);
	}
	kernel_config_clear(&config);
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
	hist_strbuf_str(&l->text, list_reads_raw(l) ? "binary (hist_raw)\n" :
				  there ? "text (hist_raw is not used with --target)\n" :
					  "text\n");
}

int list_overview(struct list *l)
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
