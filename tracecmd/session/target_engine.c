// SPDX-License-Identifier: GPL-2.0
/*
 * target_engine.c - a machine whose events are counted by our engine
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tracecmd/session/target_engine.h"

struct engine_target {
	struct hist_target target; /* its strings are those of @inner */
	struct hist_target *inner;
	struct hist_target_ops ops; /* what @inner has not is not there either */
};

static struct hist_target *inner_of(struct hist_target *t)
{
	return ((struct engine_target *)t)->inner;
}

static int engine_read(struct hist_target *t, const char *path, struct target_buf *buf)
{
	return inner_of(t)->ops->read(inner_of(t), path, buf);
}

static int engine_open(struct hist_target *t, const char *path, int *handle)
{
	return inner_of(t)->ops->open(inner_of(t), path, handle);
}

static int engine_reread(struct hist_target *t, int handle, struct target_buf *buf)
{
	return inner_of(t)->ops->reread(inner_of(t), handle, buf);
}

static void engine_close(struct hist_target *t, int handle)
{
	inner_of(t)->ops->close(inner_of(t), handle);
}

static int engine_write(struct hist_target *t, const char *path, const char *data, size_t len,
			bool append)
{
	return inner_of(t)->ops->write(inner_of(t), path, data, len, append);
}

static int engine_list(struct hist_target *t, const char *path, struct target_buf *buf)
{
	return inner_of(t)->ops->list(inner_of(t), path, buf);
}

static int engine_mkdir(struct hist_target *t, const char *path)
{
	return inner_of(t)->ops->mkdir(inner_of(t), path);
}

static int engine_rmdir(struct hist_target *t, const char *path)
{
	return inner_of(t)->ops->rmdir(inner_of(t), path);
}

static int engine_exists(struct hist_target *t, const char *path)
{
	static const char synthetic[] = "events/synthetic/";
	const char *name = strrchr(path, '/');

	/* one of the kernel's hinders nobody who makes one of ours by the same name */
	if (!strncmp(path, synthetic, strlen(synthetic)) && name == path + strlen(synthetic) - 1)
		return 0;
	if (!strcmp(path, "synthetic_events") ||
	    (!strncmp(path, "events/", strlen("events/")) && !strcmp(name, "/hist")))
		return 1;
	return inner_of(t)->ops->exists(inner_of(t), path);
}

static int engine_clock(struct hist_target *t, const char *clock, const char *instance,
			uint64_t *now)
{
	return inner_of(t)->ops->clock(inner_of(t), clock, instance, now);
}

static int engine_descriptor(struct hist_target *t, const char *path)
{
	return inner_of(t)->ops->descriptor(inner_of(t), path);
}

static int engine_note(struct hist_target *t, int type, const char *path, const char *text)
{
	return inner_of(t)->ops->note(inner_of(t), type, path, text);
}

static int engine_cancel(struct hist_target *t)
{
	return inner_of(t)->ops->cancel(inner_of(t));
}

static int engine_take_back(struct hist_target *t, const struct undo_report *report,
			    struct undo_outcome *outcome)
{
	return inner_of(t)->ops->take_back(inner_of(t), report, outcome);
}

static int engine_clean(struct hist_target *t, bool dry_run, const struct undo_report *report,
			struct undo_outcome *outcome)
{
	return inner_of(t)->ops->clean(inner_of(t), dry_run, report, outcome);
}

static int engine_ping(struct hist_target *t)
{
	return inner_of(t)->ops->ping(inner_of(t));
}

static int engine_pages(struct hist_target *t, const char *instance, unsigned int cpu,
			struct target_buf *buf)
{
	return inner_of(t)->ops->pages(inner_of(t), instance, cpu, buf);
}

static int engine_kallsyms(struct hist_target *t, struct target_buf *buf)
{
	return inner_of(t)->ops->kallsyms(inner_of(t), buf);
}

static void engine_free(struct hist_target *t)
{
	target_free(inner_of(t));
	free(t);
}

static const struct hist_target_ops engine_ops = {
	.read = engine_read,
	.open = engine_open,
	.reread = engine_reread,
	.close = engine_close,
	.write = engine_write,
	.list = engine_list,
	.mkdir = engine_mkdir,
	.rmdir = engine_rmdir,
	.exists = engine_exists,
	.clock = engine_clock,
	.note = engine_note,
	.cancel = engine_cancel,
	.take_back = engine_take_back,
	.clean = engine_clean,
	.ping = engine_ping,
	.descriptor = engine_descriptor,
	.pages = engine_pages,
	.kallsyms = engine_kallsyms,
	.free = engine_free,
};

int target_engine_new(struct hist_target **target, struct hist_target *inner)
{
	struct engine_target *t = calloc(1, sizeof(*t));

	if (!t)
		return -ENOMEM;
	t->target = *inner;
	t->ops = engine_ops;
	if (!inner->ops->note) {
		t->ops.note = NULL;
		t->ops.cancel = NULL;
		t->ops.take_back = NULL;
		t->ops.clean = NULL;
	}
	if (!inner->ops->ping)
		t->ops.ping = NULL;
	if (!inner->ops->descriptor)
		t->ops.descriptor = NULL;
	if (!inner->ops->pages)
		t->ops.pages = NULL;
	if (!inner->ops->kallsyms)
		t->ops.kallsyms = NULL;
	t->target.ops = &t->ops;
	t->inner = inner;
	*target = &t->target;
	return 0;
}
