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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracecmd/base/message.h"
#include "tracecmd/target/target_path.h"
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

static bool foreign_triggers_have_same_keys(const struct hist_expr *a, const struct hist_expr *b)
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

int foreign_triggers_check_paused(const struct hist_expr *expr, struct hist_target *t,
				  const char *dir)
{
	struct target_buf buf = { 0 };
	char *line, *rest;
	int ret;

	if (!expr->paused)
		return 0;
	ret = target_readf(t, &buf, "%s/trigger", dir);
	for (rest = buf.data; !ret && rest && (line = strsep(&rest, "\n"));) {
		struct hist_expr *there = NULL;

		if (strncmp(line, "hist:", 5))
			continue;
		ret = hist_expr_parse(&there, line, NULL);
		/* a trigger that cannot be parsed may be equal */
		if (ret == -EINVAL || (!ret && foreign_triggers_have_same_keys(expr, there))) {
			ret = message_refuse(-EEXIST, "%s/trigger: \"%s\" could pause \"%s\", a "
					     "trigger that another program set\n"
					     "remove :pause, or leave out -B to use a private "
					     "instance", dir, expr->text, line);
		} else if (ret) {
			message_error_errno(dir, ret);
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

static int take_named(void *arg, const char *dir, const char *event, char *text)
{
	const char *name = arg;

	if (!has_name(text, name))
		return 0;
	return message_refuse(-EEXIST,
			      "name=%s: %s/%s already has a histogram with this name, and "
			      "the kernel would merge the two\nchoose another name",
			      name, dir, event);
}

int foreign_triggers_check_name(const struct hist_expr *expr, struct hist_target *t)
{
	const char *name = expr->name, *instance;
	struct trigger_files files = { .target = t, .take = take_named, .arg = (char *)name };
	struct target_buf instances = { 0 };
	char dir[TARGET_PATH_MAX];
	int ret;

	if (!name)
		return 0;
	ret = trigger_files_walk(&files, "events");
	if (!ret && !t->ops->list(t, "instances", &instances)) {
		for (instance = instances.data; instance < instances.data + instances.len && !ret;
		     instance += strlen(instance) + 1) {
			snprintf(dir, sizeof(dir), "instances/%s/events", instance);
			ret = trigger_files_walk(&files, dir);
		}
	}
	free(instances.data);
	free(files.text.data);
	return ret;
}

int trigger_files_read(struct trigger_files *f, const char *dir, const char *event)
{
	int ret = target_readf(f->target, &f->text, "%s/%s/trigger", dir, event);

	if (!ret)
		return f->take(f->arg, dir, event, f->text.data);
	/* the directory also has files, such as "enable" */
	f->incomplete |= ret != -ENOENT && ret != -ENOTDIR;
	return 0;
}

/* Call @each for the names in @dir. */
static int walk_names(struct trigger_files *f, const char *dir,
		      int (*each)(struct trigger_files *f, const char *dir, const char *name))
{
	struct target_buf names = { 0 };
	const char *name;
	int ret = f->target->ops->list(f->target, dir, &names);

	f->incomplete |= ret && ret != -ENOENT && ret != -ENOTDIR;
	for (name = ret ? NULL : names.data, ret = 0;
	     name && name < names.data + names.len && !ret; name += strlen(name) + 1)
		ret = each(f, dir, name);
	free(names.data);
	return ret;
}

static int walk_system(struct trigger_files *f, const char *dir, const char *system)
{
	char path[TARGET_PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", dir, system);
	return walk_names(f, path, trigger_files_read);
}

int trigger_files_walk(struct trigger_files *f, const char *dir)
{
	return walk_names(f, dir, walk_system);
}
