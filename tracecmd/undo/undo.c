// SPDX-License-Identifier: GPL-2.0
/*
 * undo.c - undo log of the changes on a target
 *
 * A remote target keeps its own list, so that its changes are undone even if this end is lost. The
 * list for this machine is in this process, with a log file.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "helper/local/tracefs_access.h"
#include "helper/undo/undo_list.h"
#include "lib/base/error.h"
#include "lib/base/reason.h"
#include "tracecmd/base/message.h"
#include "tracecmd/undo/undo.h"

struct undo {
	struct hist_target *target;
	struct undo_list *list; /* NULL: the target's own */
};

/* Streams for a line per undone change and for errors; NULL prints nothing. */
struct undo_streams {
	FILE *done;
	FILE *trouble;
};

/* What to do if the directory of the undo logs cannot be used. */
#define UNDO_STATE_HINT "set " UNDO_STATE_ENV " to a directory of your own"

static int open_journal(struct undo_journal **journal, struct hist_error *error)
{
	int dir, ret;

	dir = undo_journal_open_dir(true, error);
	if (dir < 0)
		return dir;
	ret = undo_journal_create(journal, dir);
	close(dir);
	if (ret)
		hist_error_set(error, ret, "%s: cannot create an undo log: %s\n" UNDO_STATE_HINT,
			       undo_journal_dir_path(), strerror(-ret));
	return ret;
}

int undo_new(struct undo **undo, struct hist_target *target, struct hist_error *error)
{
	struct undo *new = calloc(1, sizeof(*new));
	struct undo_journal *journal = NULL;
	int ret;

	if (!new)
		goto no_memory;
	new->target = target;
	if (!target->ops->note) {
		ret = open_journal(&journal, error);
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
		undo_journal_remove(journal);
	undo_journal_close(journal);
	ret = -ENOMEM;
fail:
	free(new);
	return ret;
}

/* Check that files can be created in the directory @path, relative to @fd. */
static int undo_check_writable(int fd, const char *path, const char *name, const char *hint,
			       struct hist_error *error)
{
	int err;

	if (!faccessat(fd, path, W_OK | X_OK, AT_EACCESS))
		return 0;
	err = errno;
	return hist_error_set(error, -err, "%s: %s\n%s", name, strerror(err), hint);
}

static int undo_check_journal(struct hist_error *error)
{
	static const char hint[] = UNDO_STATE_HINT;
	const char *path = undo_journal_dir_path();
	int fd = undo_journal_open_dir(false, error), ret;
	char *copy;

	if (fd >= 0) {
		ret = undo_check_writable(fd, ".", path, hint, error);
		close(fd);
		return ret;
	}
	if (fd != -ENOENT)
		return fd;
	/* undo_new() will create the directory */
	copy = strdup(path);
	if (!copy)
		return hist_error_set(error, -ENOMEM, "out of memory");
	ret = undo_check_writable(AT_FDCWD, dirname(copy), path, hint, error);
	free(copy);
	return ret;
}

int undo_check(struct hist_target *target, struct hist_error *error)
{
	int ret, fd;

	if (target->ops->note)
		return 0;
	ret = undo_check_journal(error);
	if (ret || !target->ops->descriptor)
		return ret;
	fd = target->ops->descriptor(target, "instances");
	if (fd < 0)
		return hist_error_set(error, fd, "tracefs: instances: %s", strerror(-fd));
	ret = undo_check_writable(fd, ".", "tracefs: instances", "", error);
	if (ret == -EROFS)
		hist_error_set(error, ret, "tracefs: instances: %s\n" TRACEFS_ACCESS_READ_ONLY,
			       strerror(-ret));
	close(fd);
	return ret;
}

int undo_note(struct undo *undo, enum undo_note_type type, const char *path, const char *text)
{
	int ret;

	if (!undo->list)
		return undo->target->ops->note(undo->target, type, path, text);
	ret = undo_list_note(undo->list, type, path, text);
	/* the caller's message names the change, and not where its note cannot be written */
	if (ret && ret != -EINVAL && ret != -ENOMEM)
		message_error("%s: cannot write to the undo log: %s\n" UNDO_STATE_HINT,
			      undo_journal_dir_path(), strerror(-ret));
	return ret;
}

int undo_cancel(struct undo *undo)
{
	return undo->list ? undo_list_cancel(undo->list) : undo->target->ops->cancel(undo->target);
}

int undo_set_value(struct undo *undo, const char *path, const char *value)
{
	struct target_buf old = { 0 };
	int ret = undo->target->ops->read(undo->target, path, &old);

	if (!ret)
		ret = undo_note(undo, UNDO_NOTE_VALUE, path, old.data);
	free(old.data);
	if (ret)
		return ret;
	ret = target_write_str(undo->target, path, value, false);
	if (ret)
		undo_cancel(undo);
	return ret;
}

static const char *object_name(const struct undo_note *note)
{
	return note->text + (note->text[0] == '-' ? 2 : 1);
}

static void tell_success(void *arg, const struct undo_note *note, bool dry_run)
{
	static const char *const verbs[][2] = {
		[UNDO_NOTE_INSTANCE] = { "removed", "would remove" },
		[UNDO_NOTE_TRIGGER] = { "removed from", "would remove from" },
		[UNDO_NOTE_DYNEVENT] = { "removed from", "would remove from" },
		[UNDO_NOTE_VALUE] = { "restored", "would restore" },
	};
	FILE *report = ((struct undo_streams *)arg)->done;
	const char *text = note->type == UNDO_NOTE_DYNEVENT ? object_name(note) : note->text;

	if (!report)
		return;
	if (note->type == UNDO_NOTE_VALUE && !*text)
		text = "(empty)";
	message_print_to(report, "%s %s%s%s", verbs[note->type][dry_run], note->path,
			 note->type == UNDO_NOTE_INSTANCE ? "" : ": ",
			 note->type == UNDO_NOTE_INSTANCE ? "" : text);
}

static void tell_failure(void *arg, const struct undo_note *note, int err)
{
	struct undo_streams *streams = arg;
	FILE *trouble = streams->trouble;

	if (!trouble)
		return;
	/* keep the order of both streams on a terminal */
	if (streams->done)
		fflush(streams->done);
	if (note->type == UNDO_NOTE_INSTANCE && err == -EBUSY)
		message_put(trouble, MESSAGE_ERROR, "%s: in use\nstop the programs that use "
				  "the instance, then run 'trace-cmd hist cleanup'", note->path);
	else if (note->type == UNDO_NOTE_TRIGGER && err == -EBUSY)
		message_put(trouble, MESSAGE_ERROR,
				  "%s: cannot remove %s: another trigger uses variables of "
				  "this trigger\nremove the other trigger, then run "
				  "'trace-cmd hist cleanup'", note->path, note->text);
	else if (note->type == UNDO_NOTE_DYNEVENT && err == -EBUSY)
		message_put(trouble, MESSAGE_ERROR,
			    "%s: cannot remove %s: the event is enabled, or a trigger uses it\n"
			    "disable the event, remove the trigger, then run 'trace-cmd hist "
			    "cleanup'",
			    note->path, object_name(note));
	else if (note->type == UNDO_NOTE_DYNEVENT)
		message_put(trouble, MESSAGE_ERROR, "%s: cannot remove %s: %s", note->path,
				  object_name(note), strerror(-err));
	else
		message_put(trouble, MESSAGE_ERROR, "%s: cannot %s%s: %s", note->path,
				  note->type == UNDO_NOTE_VALUE ? "restore " : "remove ",
				  note->text ? note->text : "the instance", strerror(-err));
}

static void tell_odd(void *arg, const char *journal, int err)
{
	FILE *trouble = ((struct undo_streams *)arg)->trouble;

	if (trouble)
		message_put(trouble, MESSAGE_ERROR, "%s: skipped: %s", journal,
				  err == -EBADMSG ? "the format of the undo log is unknown" :
				  err == -EPERM   ? "the undo log belongs to another user" :
					      strerror(-err));
}

static struct undo_report report_to(struct undo_streams *streams)
{
	return (struct undo_report){
		.success = tell_success,
		.failure = tell_failure,
		.odd = tell_odd,
		.arg = streams,
	};
}

int undo_run(struct undo *undo, FILE *report)
{
	struct undo_streams streams = { .trouble = report };
	struct undo_report tell = report_to(&streams);
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
	struct hist_error error = { 0 };
	int dir, ret;

	dir = undo_journal_open_dir(false, &error);
	if (dir == -ENOENT)
		return 0;
	if (dir < 0) {
		if (trouble)
			message_put(trouble, MESSAGE_ERROR, "%s\n%s", error.what, error.hint);
		return dir;
	}
	ret = undo_list_clean(target, dir, dry_run, tell, outcome);
	if (ret && trouble)
		message_put(trouble, MESSAGE_ERROR, "undo logs: %s", strerror(-ret));
	close(dir);
	return ret;
}

int undo_cleanup(struct hist_target *target, bool dry_run, FILE *report, FILE *trouble,
		 unsigned int *removed, unsigned int *failed)
{
	struct undo_streams streams = { .done = report, .trouble = trouble };
	struct undo_report tell = report_to(&streams);
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
