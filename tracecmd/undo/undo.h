/* SPDX-License-Identifier: GPL-2.0 */
/*
 * undo.h - undo log of the changes on a target
 *
 * Each change is recorded before it is made, in memory and in a log file. Changes are undone in
 * reverse order. The file is locked while its recorder runs, so that `trace-cmd hist cleanup` can
 * distinguish the log of a killed recorder from that of a running one. The files are in
 * /run/trace-cmd-hist (mode 0700, lost at reboot, like tracefs), or in $TRACE_CMD_HIST_STATE.
 *
 * Functions return 0 or -errno.
 */
#ifndef TRACECMD_UNDO_UNDO_H
#define TRACECMD_UNDO_UNDO_H

#include <stdio.h>

#include "helper/local/target.h"
#include "helper/undo/undo_journal.h"
#include "lib/base/error.h"

struct undo;

/* -EACCES, -EROFS... with a sentence in @error if a log file cannot be kept. */
int undo_new(struct undo **undo, struct hist_target *target, struct hist_error *error);

/*
 * undo_check - check that a log file can be kept, and that an instance can be made
 * Changes nothing.  -errno with a sentence in @error.  A remote target reports its errors later.
 */
int undo_check(struct hist_target *target, struct hist_error *error);

/*
 * undo_note - note one change right before it is made
 * The change must not be made if the note fails.  -EINVAL: a bad path.
 *
 *   type           change                                 how it is undone
 *   UNDO_NOTE_INSTANCE  mkdir @path; @text is NULL             rmdir
 *   UNDO_NOTE_TRIGGER   append @text to the trigger file @path append "!" @text
 *   UNDO_NOTE_DYNEVENT    add an event to @path                  append @text, "!NAME",
 *   "-:GROUP/EVENT" UNDO_NOTE_VALUE     replace @text, the content of @path    write @text back; ""
 *   empties the file
 *
 * A trigger must be as it is written, not as the kernel prints it.  UNDO_NOTE_DYNEVENT is a
 * synthetic event or a probe in synthetic_events or dynamic_events; make sure first that its name
 * is new.
 * The files of both are read by this call.
 */
int undo_note(struct undo *undo, enum undo_note_type type, const char *path, const char *text);

/* Remove the last note: its change failed. */
int undo_cancel(struct undo *undo);

/*
 * undo_set_value - write @value to the file @path, after a note of the value it has
 * Cancels the note if the write fails.
 */
int undo_set_value(struct undo *undo, const char *path, const char *value);

/*
 * undo_run - undo all changes, newest first, and remove the log file
 * Continues after a failure.  The log file keeps the changes that remain, and @report (may be
 * NULL) gets a line for each.  Returns the first failure.  The caller must close what is open in
 * an instance first.  A change that does not exist any more counts as undone.
 */
int undo_run(struct undo *undo, FILE *report);

/* Free @undo without undoing changes.  The log file remains for cleanup. */
void undo_free(struct undo *undo);

/*
 * undo_cleanup - undo what killed recorders left, by their unlocked log files
 * @report gets a line for each change that is undone (or would be, with @dry_run), @trouble a line
 * for each that is not; both may be NULL.  *@removed and *@failed are their numbers.  Returns
 * -errno if the log files cannot be read, otherwise 0.
 */
int undo_cleanup(struct hist_target *target, bool dry_run, FILE *report, FILE *trouble,
		 unsigned int *removed, unsigned int *failed);

#endif
