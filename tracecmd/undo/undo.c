// SPDX-License-Identifier: GPL-2.0
/*
 * undo.c - undo log of the changes on a target
 *
 * A remote target keeps its own list, so that its changes are undone even if this end is lost. For
 * this machine the list is in this process, with a log file.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "target/undo/undo_list.h"
#include "tracecmd/base/message.h"
#include "tracecmd/undo/undo.h"
#include "tracecmd/undo/undo_messages.h"

struct undo {
	struct hist_target *target;
	struct undo_list *list; /* NULL: the target's own */
};

static int open_journal(struct journal **journal, char *why, size_t why_len)
{
	int dir, ret;

	dir = journal_dir_open(true, why, why_len);
	if (dir < 0)
		return dir;
	ret = journal_create(journal, dir);
	close(dir);
	if (ret)
		snprintf(why, why_len, "cannot keep a journal: %s", strerror(-ret));
	return ret;
}

int undo_new(struct undo **undo, struct hist_target *target, char *why, size_t why_len)
{
	struct undo *new = calloc(1, sizeof(*new));
	struct journal *journal = NULL;
	int ret;

	if (!new)
		goto no_memory;
	new->target = target;
	if (!target->ops->note) {
		ret = open_journal(&journal, why, why_len);
		if (ret)
			goto fail;
		new->list = undo_list_new(target, journal);
		if (!new->list)
			goto no_memory;
	}
	*undo = new;
	return 0;

no_memory:
	if (journal)
		journal_remove(journal);
	journal_close(journal);
	snprintf(why, why_len, "out of memory");
	ret = -ENOMEM;
fail:
	free(new);
	return ret;
}

/* May files be made in the directory @fd, "." of which is meant, or at @path? */
static int look_writable(int fd, const char *path, const char *name, const char *hint, char *why,
			 size_t why_len)
{
	int err;

	if (!faccessat(fd, path, W_OK | X_OK, AT_EACCESS))
		return 0;
	err = errno;
	snprintf(why, why_len, "%s: %s%s", name, strerror(err), hint);
	return -err;
}

static int look_journal(char *why, size_t why_len)
{
	static const char hint[] = ": set TRACE_CMD_HIST_STATE to a directory of yours";
	const char *path = journal_dir_path();
	int fd = journal_dir_open(false, why, why_len), ret;
	char *copy;

	if (fd >= 0) {
		ret = look_writable(fd, ".", path, hint, why, why_len);
		close(fd);
		return ret;
	}
	if (fd != -ENOENT)
		return fd;
	/* it will be made */
	copy = strdup(path);
	if (!copy) {
		snprintf(why, why_len, "out of memory");
		return -ENOMEM;
	}
	ret = look_writable(AT_FDCWD, dirname(copy), path, hint, why, why_len);
	free(copy);
	return ret;
}

int undo_look(struct hist_target *target, char *why, size_t why_len)
{
	int ret, fd;

	if (target->ops->note)
		return 0;
	ret = look_journal(why, why_len);
	if (ret || !target->ops->descriptor)
		return ret;
	fd = target->ops->descriptor(target, "instances");
	if (fd < 0) {
		snprintf(why, why_len, "tracefs: instances: %s", strerror(-fd));
		return fd;
	}
	ret = look_writable(fd, ".", "tracefs: instances", "", why, why_len);
	close(fd);
	return ret;
}

static int note(struct undo *undo, enum note_type type, const char *path, const char *text)
{
	if (undo->list)
		return undo_list_note(undo->list, type, path, text);
	return undo->target->ops->note(undo->target, type, path, text);
}

int undo_note_instance(struct undo *undo, const char *instance_dir)
{
	return note(undo, NOTE_INSTANCE, instance_dir, NULL);
}

int undo_note_trigger(struct undo *undo, const char *path, const char *text)
{
	return note(undo, NOTE_TRIGGER, path, text);
}

int undo_note_object(struct undo *undo, const char *path, const char *removal)
{
	return note(undo, NOTE_OBJECT, path, removal);
}

int undo_note_value(struct undo *undo, const char *path, const char *old)
{
	return note(undo, NOTE_VALUE, path, old);
}

int undo_cancel(struct undo *undo)
{
	return undo->list ? undo_list_cancel(undo->list) : undo->target->ops->cancel(undo->target);
}

int undo_run(struct undo *undo, FILE *report)
{
	struct undo_streams streams = { .trouble = report };
	struct undo_report tell = undo_tell(&streams);
	struct undo_outcome outcome = { 0 };
	int ret = 0;

	if (undo->list)
		undo_list_run(undo->list, &tell, &outcome);
	else
		ret = undo->target->ops->take_back(undo->target, &tell, &outcome);
	return ret ? ret : outcome.first_err;
}

void undo_free(struct undo *undo)
{
	if (!undo)
		return;
	undo_list_free(undo->list);
	free(undo);
}

static int clean_here(struct hist_target *target, bool dry_run, const struct undo_report *tell,
		      FILE *trouble, struct undo_outcome *outcome)
{
	char why[256];
	int dir, ret;

	dir = journal_dir_open(false, why, sizeof(why));
	if (dir == -ENOENT)
		return 0;
	if (dir < 0) {
		if (trouble)
			complain_to(trouble, "%s", why);
		return dir;
	}
	ret = undo_list_clean(target, dir, dry_run, tell, outcome);
	if (ret && trouble)
		complain_to(trouble, "journals: %s", strerror(-ret));
	close(dir);
	return ret;
}

int undo_cleanup(struct hist_target *target, bool dry_run, FILE *report, FILE *trouble,
		 unsigned int *removed, unsigned int *failed)
{
	struct undo_streams streams = { .done = report, .trouble = trouble };
	struct undo_report tell = undo_tell(&streams);
	struct undo_outcome outcome = { 0 };
	int ret;

	if (target->ops->clean)
		ret = target->ops->clean(target, dry_run, &tell, &outcome);
	else
		ret = clean_here(target, dry_run, &tell, trouble, &outcome);
	*removed = outcome.removed;
	*failed = outcome.failed;
	return ret;
}
