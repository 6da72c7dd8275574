// SPDX-License-Identifier: GPL-2.0
/*
 * list_hists.c - the hist triggers that exist now, set by any program
 *
 * The top-level instance and each other instance have a trigger file for every event.  A
 * hist file is read only if its trigger file has a hist trigger: reading costs the kernel
 * time in proportion to the entries.  Nothing is written to tracefs.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/histfile/hist_text.h"
#include "tracecmd/base/message.h"
#include "tracecmd/list/list.h"
#include "tracecmd/target/target_path.h"

/* Hits, entries, dropped. */
struct totals {
	unsigned long long count[3];
};

/* Read the totals from the end of a block, which the name of a key cannot forge. */
static bool read_totals(const struct hist_text_block *block, struct totals *totals)
{
	static const char start[] = "Totals:\n    Hits: ";
	const char *at;
	char tail[160];
	size_t len = block->end - block->rows;

	if (len > sizeof(tail) - 1)
		len = sizeof(tail) - 1;
	memcpy(tail, block->end - len, len);
	tail[len] = '\0';
	at = strstr(tail, start);
	while (at && strstr(at + 1, start))
		at = strstr(at + 1, start);
	return at && sscanf(at, "Totals: Hits: %llu Entries: %llu Dropped: %llu", &totals->count[0],
			    &totals->count[1], &totals->count[2]) == 3;
}

static void list_hists_print_hist(struct list *l, const char *instance, const char *event,
				  const char *trigger,
				  const struct totals *totals)
{
	static const char *const names[] = { "hits", "entries", "dropped" };
	unsigned int i;

	if (!l->json) {
		list_put(l, event, 0);
		if (*instance) {
			hist_strbuf_str(&l->text, " in instance ");
			list_put(l, instance, 0);
		}
		hist_strbuf_str(&l->text, "\n    ");
		list_put(l, trigger, 0);
		if (totals)
			hist_strbuf_printf(&l->text,
					   "\n    hits %llu, entries %llu, dropped %llu\n",
					   totals->count[0], totals->count[1], totals->count[2]);
		else
			hist_strbuf_str(&l->text, "\n    cannot read the totals\n");
		return;
	}
	json_object_begin(l->json, NULL);
	list_member(l, "instance", *instance ? instance : NULL);
	list_member(l, "event", event);
	list_member(l, "trigger", trigger);
	for (i = 0; i < 3; i++) {
		if (totals)
			json_u64(l->json, names[i], totals->count[i]);
		else
			list_member(l, names[i], NULL);
	}
	json_object_end(l->json);
}

/* Show the triggers.  A trigger file and a hist file list them in the same order. */
static void show_triggers(struct list *l, const char *instance, const char *event, char *triggers,
			  const struct target_buf *hist, size_t *count)
{
	struct hist_text_block block;
	struct totals totals;
	char *line, *rest;
	size_t pos = 0;
	bool known;

	for (line = strtok_r(triggers, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		if (strncmp(line, "hist:", strlen("hist:")))
			continue;
		known = hist->len &&
			hist_text_next_block(hist->data, hist->len, &pos, &block) == 1 &&
			read_totals(&block, &totals);
		list_hists_print_hist(l, instance, event, line, known ? &totals : NULL);
		++*count;
	}
}

static bool has_hist(const char *triggers)
{
	return !strncmp(triggers, "hist:", 5) || strstr(triggers, "\nhist:");
}

/* @instance: its name, "" for the top level. */
static int list_hists_read_instance(struct list *l, const char *instance,
				    const struct names *events,
				    size_t *count)
{
	const char *in = *instance ? "instances/" : "", *slash = *instance ? "/" : "";
	struct target_buf triggers = { 0 }, hist = { 0 };
	int ret = 0, len;
	size_t i;

	for (i = 0; i < events->n; i++) {
		const char *name = events->names[i], *colon = strchr(name, ':');

		len = colon - name;
		ret = target_readf(l->target, &triggers, "%s%s%sevents/%.*s/%s/trigger", in,
				   instance, slash, len, name, colon + 1);
		/* the event was removed meanwhile, or does not have the file */
		if (ret == -ENOENT || ret == -ENODEV) {
			ret = 0;
			continue;
		}
		if (ret)
			break;
		if (!has_hist(triggers.data))
			continue;
		ret = target_readf(l->target, &hist, "%s%s%sevents/%.*s/%s/hist", in, instance,
				   slash, len, name, colon + 1);
		if (ret)
			hist.len = 0;
		ret = 0;
		show_triggers(l, instance, name, triggers.data, &hist, count);
	}
	if (ret)
		message_error("%s: cannot read the triggers of this event: %s", events->names[i],
			      strerror(-ret));
	free(triggers.data);
	free(hist.data);
	return ret;
}

int list_hists(struct list *l)
{
	struct names events = { 0 };
	struct target_buf instances = { 0 };
	size_t count = 0, at;
	const char *name;
	int ret;

	ret = list_names_read(&events, l->target);
	if (!ret) {
		ret = l->target->ops->list(l->target, "instances", &instances);
		if (ret == -ENOENT) {
			instances.len = 0;
			ret = 0;
		}
	}
	if (ret) {
		message_error("events: %s", strerror(-ret));
		goto out;
	}
	if (l->json)
		json_array_begin(l->json, "hists");
	ret = list_hists_read_instance(l, "", &events, &count);
	for (at = 0; !ret && at < instances.len; at += strlen(name) + 1) {
		name = instances.data + at;
		ret = list_hists_read_instance(l, name, &events, &count);
	}
	if (l->json)
		json_array_end(l->json);
	else if (!ret && !count)
		hist_strbuf_str(&l->text, "no hist triggers\n");
out:
	free(instances.data);
	names_clear(&events);
	return ret;
}
