// SPDX-License-Identifier: GPL-2.0
/*
 * instance.c - create and set up the tracefs instance, and read its clock
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tracecmd/base/message.h"
#include "tracecmd/base/unique_name.h"
#include "tracecmd/target/target_path.h"
#include "tracecmd/trigger/instance.h"

/*
 * A histogram needs a ring buffer only for the marks. The default size of a new instance is
 * 1.4 MB per CPU.
 */
#define SMALL_BUFFER_KB "64"

static int make_dir(struct hist_target *t, struct undo *undo, const char *dir)
{
	int ret;

	ret = undo_note(undo, UNDO_NOTE_INSTANCE, dir, NULL);
	if (ret)
		return message_error_errno(dir, ret);
	ret = t->ops->mkdir(t, dir);
	if (ret) {
		undo_cancel(undo);
		return message_error_errno(dir, ret);
	}
	return 0;
}

/* Record the value @old of a file of an existing instance, before the file is changed. */
static int instance_note_value(struct instance *in, struct undo *undo, const char *file,
			       const char *old)
{
	char *path;
	int ret;

	if (asprintf(&path, "%s/%s", in->dir, file) < 0)
		return message_error_memory();
	ret = undo_note(undo, UNDO_NOTE_VALUE, path, old);
	free(path);
	return ret ? message_error_errno(file, ret) : 0;
}

static int instance_read_clock(struct instance *in, struct hist_target *t)
{
	struct target_buf buf = { 0 };
	int ret;

	ret = target_readf(t, &buf, "%s/trace_clock", in->dir);
	if (ret) {
		free(buf.data);
		return message_error_errno("trace_clock", ret);
	}
	free(in->clock);
	free(in->clock_text);
	in->clock_text = buf.data;
	in->clock_text[strcspn(in->clock_text, "\n")] = '\0';
	in->clock = target_parse_clock(in->clock_text);
	return in->clock ? 0 : message_error_errno("trace_clock", -EINVAL);
}

static int no_clock(const char *clock, const char *list)
{
	return message_refuse(-EINVAL, "-C %s: unknown trace clock\nuse one of: %s", clock, list);
}

/* @list is the text of trace_clock, with the current clock in brackets: "[local] global mono". */
static bool has_clock(const char *list, const char *clock)
{
	size_t len = strlen(clock), word;

	for (; *list; list += word + strspn(list + word, "[] \n")) {
		word = strcspn(list, "[] \n");
		if (word && word == len && !strncmp(list, clock, len))
			return true;
	}
	return false;
}

int instance_check(struct hist_target *t, const struct plan *plan)
{
	struct target_buf list = { 0 };
	int ret;

	if (!plan->clock)
		return 0;
	ret = target_readf(t, &list, "trace_clock");
	if (ret) {
		message_error_errno("trace_clock", ret);
	} else {
		list.data[strcspn(list.data, "\n")] = '\0';
		ret = has_clock(list.data, plan->clock) ? 0 : no_clock(plan->clock, list.data);
	}
	free(list.data);
	return ret;
}

static int set_clock(struct instance *in, struct hist_target *t, struct undo *undo,
		     const struct plan *plan)
{
	const char *clock = plan->clock ? plan->clock : in->made ? "mono" : NULL;
	int ret;

	ret = instance_read_clock(in, t);
	/* record the clock in any case, because a trigger that uses timestamps changes it too */
	if (!ret && !in->made)
		ret = instance_note_value(in, undo, "trace_clock", in->clock);
	if (ret || !clock || !strcmp(clock, in->clock))
		return ret;
	ret = target_writef(t, clock, false, "%s/trace_clock", in->dir);
	return ret ? no_clock(clock, in->clock_text) : instance_read_clock(in, t);
}

static int choose_name(struct instance *in, const struct plan *plan)
{
	if (plan->instance)
		in->name = strdup(plan->instance);
	else if (asprintf(&in->name, "trace-cmd-hist-%d-%04x", getpid(), unique_number()) < 0)
		in->name = NULL;
	if (in->name && asprintf(&in->dir, "instances/%s", in->name) >= 0)
		return 0;
	in->dir = NULL;
	return message_error_memory();
}

int instance_open(struct instance *in, struct hist_target *t, struct undo *undo,
		  const struct plan *plan)
{
	int ret;

	memset(in, 0, sizeof(*in));
	ret = choose_name(in, plan);
	if (ret)
		return ret;
	in->tracer_dir = plan->query.tracer_at_top ? "." : in->dir;
	if (!plan->instance || target_existsf(t, "%s", in->dir) <= 0) {
		ret = make_dir(t, undo, in->dir);
		if (ret)
			return ret;
		in->made = true;
	}
	if (!plan->instance && !plan->record_events)
		/* best effort: it only saves memory */
		target_writef(t, SMALL_BUFFER_KB, false, "%s/buffer_size_kb", in->dir);
	return set_clock(in, t, undo, plan);
}

int instance_make_dir(char **dir, const char *suffix, struct hist_target *t, struct undo *undo)
{
	int ret;

	if (asprintf(dir, "instances/trace-cmd-hist-%d-%s", getpid(), suffix) < 0) {
		*dir = NULL;
		return message_error_memory();
	}
	ret = make_dir(t, undo, *dir);
	/* best effort: it only saves memory */
	if (!ret)
		target_writef(t, SMALL_BUFFER_KB, false, "%s/buffer_size_kb", *dir);
	return ret;
}

/* Create an instance only to read the clock, so that no other program consumes its marks. */
static int make_clock_dir(struct instance *in, struct hist_target *t, struct undo *undo)
{
	int ret = instance_make_dir(&in->clock_dir, "clock", t, undo);

	if (ret)
		return ret;
	ret = target_writef(t, in->clock, false, "%s/trace_clock", in->clock_dir);
	return ret ? message_error_errno("trace_clock", ret) : 0;
}

int instance_settle_clock(struct instance *in, struct hist_target *t, struct undo *undo)
{
	uint64_t now;
	int ret;

	ret = instance_read_clock(in, t);
	if (ret || !instance_get_time(in, t, &now))
		return ret;
	ret = make_clock_dir(in, t, undo);
	if (ret)
		return ret;
	ret = instance_get_time(in, t, &now);
	return ret ? message_refuse(ret, "%s: cannot read this trace clock: %s\nuse another clock "
				    "with -C, such as mono", in->clock, strerror(-ret)) : 0;
}

int instance_get_time(const struct instance *in, struct hist_target *t, uint64_t *now)
{
	return t->ops->clock(t, in->clock, in->clock_dir, now);
}

void instance_clear(struct instance *in)
{
	free(in->name);
	free(in->dir);
	free(in->clock);
	free(in->clock_text);
	free(in->anywhere_dir);
	free(in->clock_dir);
	memset(in, 0, sizeof(*in));
}
