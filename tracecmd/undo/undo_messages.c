// SPDX-License-Identifier: GPL-2.0
/*
 * undo_messages.c - messages about undone changes
 */
#include <errno.h>
#include <string.h>

#include "tracecmd/base/message.h"
#include "tracecmd/undo/undo_messages.h"

static const char *object_name(const struct note *note)
{
	return note->text + (note->text[0] == '-' ? 2 : 1);
}

static void tell_success(void *arg, const struct note *note, bool dry_run)
{
	FILE *report = ((struct undo_streams *)arg)->done;

	if (!report)
		return;
	switch (note->type) {
	case NOTE_INSTANCE:
		say_to(report, "%s %s", dry_run ? "would remove" : "removed", note->path);
		break;
	case NOTE_TRIGGER:
		say_to(report, "%s %s: %s", dry_run ? "would remove from" : "removed from",
		       note->path, note->text);
		break;
	case NOTE_OBJECT:
		say_to(report, "%s from %s: %s", dry_run ? "would remove" : "removed", note->path,
		       object_name(note));
		break;
	case NOTE_VALUE:
		say_to(report, "%s %s: %s", dry_run ? "would restore" : "restored", note->path,
		       *note->text ? note->text : "(empty)");
		break;
	}
}

static void tell_failure(void *arg, const struct note *note, int err)
{
	struct undo_streams *streams = arg;
	FILE *trouble = streams->trouble;

	if (!trouble)
		return;
	/* Both may be one terminal: in order. */
	if (streams->done)
		fflush(streams->done);
	if (note->type == NOTE_INSTANCE && err == -EBUSY)
		complain_to(trouble, "%s: in use: close what has it open, then run "
			    "trace-cmd hist cleanup", note->path);
	else if (note->type == NOTE_TRIGGER && err == -EBUSY)
		complain_to(trouble, "%s: cannot remove %s: another trigger uses its variables: "
			    "remove that one, then run trace-cmd hist cleanup", note->path,
			    note->text);
	else if (note->type == NOTE_OBJECT)
		complain_to(trouble, "%s: cannot remove %s: %s", note->path, object_name(note),
			    err == -EBUSY ? "a trigger of somebody uses it, or it is enabled: end "
					    "that, then run trace-cmd hist cleanup" :
					    strerror(-err));
	else
		complain_to(trouble, "%s: cannot %s%s: %s", note->path,
			    note->type == NOTE_VALUE ? "restore " : "remove ",
			    note->text ? note->text : "it", strerror(-err));
}

static void tell_odd(void *arg, const char *journal, int err)
{
	FILE *trouble = ((struct undo_streams *)arg)->trouble;

	if (trouble)
		complain_to(trouble, "%s: %s: left alone", journal,
			    err == -EBADMSG ? "not a journal that this version knows" :
			    err == -EPERM   ? "not a file of ours" :
					      strerror(-err));
}

struct undo_report undo_tell(struct undo_streams *streams)
{
	struct undo_report report = {
		.success = tell_success,
		.failure = tell_failure,
		.odd = tell_odd,
		.arg = streams,
	};

	return report;
}
