// SPDX-License-Identifier: GPL-2.0
/*
 * dynevent.c - a synthetic event or a probe that is made for a plan
 *
 * The lines are the kernel's own (Documentation/trace/kprobetrace.rst,
 * uprobetracer.rst, histogram.rst): only the name is taken out of them here, all
 * else is the kernel's to judge.  A definition of a probe must name its group
 * and event, as the name that the kernel makes up is not known before.
 *
 * Of two probes with one name the kernel makes one event with two places, so
 * the name is looked for again right before the write.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/suggest.h"
#include "lib/check/check.h"
#include "tracecmd/base/command.h"
#include "tracecmd/base/message.h"
#include "tracecmd/trigger/dynevent.h"

#define NAME_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

static int bad(const struct object *o, const char *why)
{
	complain("%s: %s", o->plan->definition, why);
	return -EINVAL;
}

/* "p:GROUP/EVENT ...", "r16:GROUP/EVENT ...". */
static int split_probe(struct object *o)
{
	const char *text = o->plan->definition, *group, *name;
	size_t head = strcspn(text, ": \t"), group_len, name_len;

	if (!head || text[head] != ':')
		return bad(o, "a probe begins with p:GROUP/EVENT or r:GROUP/EVENT");
	group = text + head + 1;
	group_len = strspn(group, NAME_CHARS);
	name = group + group_len + 1;
	name_len = group[group_len] == '/' ? strspn(name, NAME_CHARS) : 0;
	if (!group_len || !name_len || !name[name_len] || !strchr(" \t", name[name_len]))
		return bad(o, "not a GROUP/EVENT for a probe: letters, digits and _");
	o->system = strndup(group, group_len);
	o->name = strndup(name, name_len);
	if (!o->system || !o->name || asprintf(&o->removal, "-:%s/%s", o->system, o->name) < 0)
		return complain_memory();
	return 0;
}

/* "NAME TYPE FIELD; ..." */
static int split_synthetic(struct object *o)
{
	const char *text = o->plan->definition;
	size_t len = strspn(text, NAME_CHARS);

	if (!len || !text[len] || !strchr(" \t", text[len]))
		return bad(o, "a synthetic event is NAME TYPE FIELD[; TYPE FIELD]...");
	o->system = strdup("synthetic");
	o->name = strndup(text, len);
	if (!o->system || !o->name || asprintf(&o->removal, "!%s", o->name) < 0)
		return complain_memory();
	return 0;
}

static bool is_uprobe(const char *definition)
{
	/* the place is PATH:OFFSET, and a path has a slash behind the name's */
	const char *place = definition + strcspn(definition, " \t");

	place += strspn(place, " \t");
	return *place == '/';
}

static int choose_file(struct object *o, struct hist_target *t)
{
	bool uprobe;

	if (o->plan->kind == PLAN_SYNTHETIC) {
		o->file = "synthetic_events";
		if (target_existsf(t, "%s", o->file) > 0)
			return 0;
		complain("%s: this kernel has no synthetic events (CONFIG_SYNTH_EVENTS)", o->name);
		return -EOPNOTSUPP;
	}
	uprobe = is_uprobe(o->plan->definition);
	o->file = uprobe ? "uprobe_events" : "kprobe_events";
	if (target_existsf(t, "%s", o->file) <= 0) {
		complain("%s:%s: this kernel has no %s", o->system, o->name,
			 uprobe ? "uprobe events (CONFIG_UPROBE_EVENTS)" :
				  "kprobe events (CONFIG_KPROBE_EVENTS)");
		return -EOPNOTSUPP;
	}
	/* since 5.0 */
	if (target_existsf(t, "dynamic_events") > 0)
		o->file = "dynamic_events";
	return 0;
}

static int check_new(const struct object *o, struct hist_target *t)
{
	if (target_existsf(t, "events/%s/%s", o->system, o->name) <= 0)
		return 0;
	complain("%s:%s: there is an event of this name already, and it is not ours: choose another "
		 "name, or remove it (%s in %s), or use it with -e", o->system, o->name, o->removal,
		 o->file);
	return -EEXIST;
}

int object_look(struct object *o, struct hist_target *t, const struct plan_object *plan, bool engine)
{
	int ret;

	memset(o, 0, sizeof(*o));
	o->plan = plan;
	ret = plan->kind == PLAN_SYNTHETIC ? split_synthetic(o) : split_probe(o);
	if (!ret && strpbrk(plan->definition, "\n"))
		ret = bad(o, "a line break in it");
	o->of_engine = engine && plan->kind == PLAN_SYNTHETIC;
	if (!ret && o->of_engine)
		o->file = "synthetic_events";
	else if (!ret)
		ret = choose_file(o, t);
	/* an event of the kernel does not prevent one of our engine by the same name */
	return ret || o->of_engine ? ret : check_new(o, t);
}

/*
 * Of a kprobe whose symbol is not there: in @near one that is, or "".  Returns
 * whether it is not there, as far as can be told: the functions that ftrace can
 * trace are nearly all.
 */
static bool lacks_symbol(const struct object *o, struct hist_target *t, char *near, size_t size)
{
	const char *place = o->plan->definition + strcspn(o->plan->definition, " \t"), *found;
	const char **names = NULL;
	struct target_buf buf = { 0 };
	char *symbol, *line, *rest;
	bool lacks = false;
	size_t n = 0;

	place += strspn(place, " \t");
	if (place[strcspn(place, ": \t")] == ':')
		place += strcspn(place, ":") + 1; /* MODULE:SYMBOL */
	symbol = strndup(place, strcspn(place, "+ \t"));
	if (!symbol || strchr("0123456789", *symbol) || t->ops->read(t, "available_filter_functions", &buf))
		goto out;
	for (line = buf.data; (line = strchr(line, '\n')); line++)
		n++;
	names = calloc(n + 1, sizeof(*names));
	if (!names)
		goto out;
	n = 0;
	for (rest = buf.data; (line = strsep(&rest, "\n")) && *line;) {
		line[strcspn(line, " \t")] = '\0'; /* "name [module]" */
		if (!strcmp(line, symbol))
			goto out;
		names[n++] = line;
	}
	lacks = true;
	found = hist_suggest(symbol, names, n);
	snprintf(near, size, "%s", found ? found : "");
out:
	free(names);
	free(symbol);
	free(buf.data);
	return lacks;
}

/* The text of the newest entry of error_log in @buf, when it was not there before. */
static char *new_log_entry(struct hist_target *t, const struct target_buf *before,
			   struct target_buf *buf)
{
	char *mark = NULL, *at;

	if (t->ops->read(t, "error_log", buf) || (before->data && !strcmp(before->data, buf->data)))
		return NULL;
	for (at = buf->data; (at = strstr(at, ": error: ")); at++)
		mark = at + strlen(": error: ");
	return mark;
}

/*
 * strerror() has other things in mind for some.  @is_place: the kernel took the
 * line, and not the place (register_kprobe(), uprobe_register()).
 */
static const char *reason(int err, bool is_place)
{
	if (err == EILSEQ)
		return "no instruction begins there";
	if (err == EINVAL && is_place)
		return "it allows no probe there";
	return strerror(err);
}

/* One line, and the kernel's caret where it shows one. */
static void complain_refused(const struct object *o, struct hist_target *t,
			     const struct target_buf *before, int err)
{
	bool is_probe = o->plan->kind == PLAN_DYNAMIC, no_symbol, is_place;
	struct target_buf buf = { 0 };
	char *line, *rest, near[128];

	rest = new_log_entry(t, before, &buf);
	line = strsep(&rest, "\n");
	no_symbol = line ? !strcmp(line, "Invalid probed address or symbol") : err == ENOENT;
	is_place = line && !strcmp(line, "Failed to register probe event");
	if (is_probe && no_symbol && !is_uprobe(o->plan->definition) &&
	    lacks_symbol(o, t, near, sizeof(near)))
		complain("%s:%s: the kernel refuses \"%s\": no such function in it, or it was "
			 "inlined%s%s%s", o->system, o->name, o->plan->definition,
			 *near ? ": did you mean \"" : "", near, *near ? "\"?" : "");
	else
		complain("%s:%s: the kernel refuses \"%s\": %s", o->system, o->name,
			 o->plan->definition, line && !is_place ? line : reason(err, is_place));
	if (rest)
		complain_place(rest);
	free(buf.data);
}

int object_make(const struct object *o, struct hist_target *t, struct undo *undo)
{
	struct target_buf log = { 0 };
	int ret = check_new(o, t);

	if (ret)
		return ret;
	ret = undo_note_object(undo, o->file, o->removal);
	if (ret) {
		complain("%s: cannot note what is to be removed again: %s", o->plan->definition,
			 strerror(-ret));
		return ret;
	}
	t->ops->read(t, "error_log", &log);
	ret = target_write_str(t, o->file, o->plan->definition, true);
	if (ret) {
		undo_cancel(undo);
		complain_refused(o, t, &log, -ret);
	}
	free(log.data);
	return ret;
}

bool object_is(const struct object *o, const char *event)
{
	const char *colon = strpbrk(event, ":/");

	if (!colon)
		return !strcmp(event, o->name);
	return strlen(o->system) == (size_t)(colon - event) &&
	       !strncmp(event, o->system, colon - event) && !strcmp(colon + 1, o->name);
}

void object_clear(struct object *o)
{
	free(o->system);
	free(o->name);
	free(o->removal);
	memset(o, 0, sizeof(*o));
}
