// SPDX-License-Identifier: GPL-2.0
/*
 * foreign_triggers.c - detect conflicts with the histograms of other programs
 *
 * hist_trigger_match() in kernel/trace/trace_events_hist.c decides which triggers are equal. Its
 * result cannot always be derived from the printed text: it ignores the width of .buckets=, for
 * example. Equal keys in equal order are a necessary condition, so only the keys are compared. The
 * check may refuse a trigger that the kernel would accept, but does not miss a conflict.
 *
 * Names are one list for the whole kernel (find_named_trigger() in trace_events_trigger.c), so all
 * instances are searched. The kernel prints the name first, as in hist:name=NAME:keys=...
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tracecmd/base/command.h"
#include "tracecmd/trigger/foreign_triggers.h"

static const char *key_name(const struct hist_field *key)
{
	/* the kernel prints a short name as the long name, if it has the long one */
	if (!strcmp(key->name, "cpu") || !strncmp(key->name, "common_cpu", strlen("common_cpu")))
		return "common_cpu";
	if (!strcmp(key->name, "comm"))
		return "common_comm";
	if (!strcmp(key->name, "stacktrace"))
		return "common_stacktrace";
	return key->name;
}

static bool same_keys(const struct hist_expr *a, const struct hist_expr *b)
{
	unsigned int i, n = a->keys.n;

	if (n != b->keys.n)
		return false;
	for (i = 0; i < n; i++) {
		if (strcmp(key_name(&a->keys.field[i]), key_name(&b->keys.field[i])))
			return false;
	}
	return true;
}

int others_check_paused(const struct hist_expr *expr, struct hist_target *t, const char *path)
{
	struct target_buf buf = { 0 };
	char *line, *rest;
	int ret;

	if (!expr->paused)
		return 0;
	ret = t->ops->read(t, path, &buf);
	for (rest = buf.data; !ret && rest && (line = strsep(&rest, "\n"));) {
		struct hist_expr *there = NULL;

		if (strncmp(line, "hist:", 5))
			continue;
		ret = hist_expr_parse(&there, line, NULL);
		/* a trigger that cannot be parsed may be equal */
		if (ret == -EINVAL || (!ret && same_keys(expr, there))) {
			complain("%s: \"%s\" could pause \"%s\", which is there already: leave out "
				 ":pause, or -B", path, expr->text, line);
			ret = -EEXIST;
		} else if (ret) {
			complain("%s", strerror(-ret));
		}
		hist_expr_free(there);
	}
	free(buf.data);
	return ret == -ENOENT ? 0 : ret;
}

/* True if a line of the trigger file starts with "hist:name=NAME:". */
static bool has_name(const char *text, const char *name)
{
	static const char head[] = "hist:name=";
	size_t len = strlen(name);
	const char *line;

	for (line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, head, strlen(head)))
			continue;
		line += strlen(head);
		if (!strncmp(line, name, len) && line[len] == ':')
			return true;
	}
	return false;
}

static bool is_used_in_system(struct hist_target *t, const char *instance, const char *system,
			      const char *name)
{
	struct target_buf events = { 0 }, text = { 0 };
	bool used = false;
	const char *event;
	char dir[512];

	snprintf(dir, sizeof(dir), "%sevents/%s", instance, system);
	if (!t->ops->list(t, dir, &events)) {
		for (event = events.data; event < events.data + events.len && !used;
		     event += strlen(event) + 1) {
			if (!target_readf(t, &text, "%s/%s/trigger", dir, event) &&
			    has_name(text.data, name)) {
				complain("name=%s: %s/%s has a histogram of this name, and yours would "
					 "be one with it: choose another name", name, dir, event);
				used = true;
			}
		}
	}
	free(events.data);
	free(text.data);
	return used;
}

/* @instance: "instances/x/", or "" for the top level. */
static bool is_used_in(struct hist_target *t, const char *instance, const char *name)
{
	struct target_buf systems = { 0 };
	bool used = false;
	const char *system;
	char dir[300];

	snprintf(dir, sizeof(dir), "%sevents", instance);
	if (!t->ops->list(t, dir, &systems)) {
		for (system = systems.data; system < systems.data + systems.len && !used;
		     system += strlen(system) + 1)
			used = is_used_in_system(t, instance, system, name);
	}
	free(systems.data);
	return used;
}

int others_check_name(const struct hist_expr *expr, struct hist_target *t)
{
	const char *name = expr->name, *instance;
	struct target_buf instances = { 0 };
	char prefix[300];
	bool used;

	if (!name)
		return 0;
	used = is_used_in(t, "", name);
	if (!used && !t->ops->list(t, "instances", &instances)) {
		for (instance = instances.data; instance < instances.data + instances.len && !used;
		     instance += strlen(instance) + 1) {
			snprintf(prefix, sizeof(prefix), "instances/%s/", instance);
			used = is_used_in(t, prefix, name);
		}
	}
	free(instances.data);
	return used ? -EEXIST : 0;
}
