// SPDX-License-Identifier: GPL-2.0
/*
 * list_kernel.c - the capabilities of this kernel for histograms, and workarounds for
 * missing ones
 *
 * The list has names only, or with -v a paragraph each.  Kernel options are shown with
 * their setting if this machine has the kernel's configuration.
 */
#include <errno.h>
#include <string.h>

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
