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

#include "target/local/target.h"

struct undo;

/* -EACCES, -EROFS... with a sentence in @why: no journal can be kept. */
int undo_new(struct undo **undo, struct hist_target *target, char *why, size_t why_len);

/*
 * undo_look - can a journal be kept, and an instance be made?
 * Changes nothing.  -errno with a sentence in @why; a target that is elsewhere says so
 * itself later.
 */
int undo_look(struct hist_target *target, char *why, size_t why_len);

/*
 * Each notes one change that is about to be made.
 * undo_cancel() takes the last note back, for a change that failed.
 * When a note fails, the change must not be made.  -EINVAL: a bad path.
 */
int undo_note_instance(struct undo *undo, const char *instance_dir); /* mkdir: rmdir */
/*
 * @text is about to be written, with append, to the trigger file @path: write
 * "!" @text.  The text must be what is written, not what the kernel prints.
 * The file is read here, so call this right before the write.
 */
int undo_note_trigger(struct undo *undo, const char *path, const char *text);
/*
 * A synthetic event or probe is about to be added to @path (synthetic_events,
 * dynamic_events...): append @removal, "!NAME" or "-:GROUP/EVENT".  The file is
 * read here.  Make sure first that nobody else has an object of this name.
 */
int undo_note_object(struct undo *undo, const char *path, const char *removal);
/*
 * @path held @old: write it back (trace_clock, set_event_pid, tracing_on...).
 * @old may be the whole text of the file; "" empties it.
 */
int undo_note_value(struct undo *undo, const char *path, const char *old);
int undo_cancel(struct undo *undo);

/*
 * undo_run - take everything back, newest first, and remove the journal
 * Goes on after a failure; what stays is kept in the journal and told in
 * @report (may be NULL; stderr as a rule), an error line each.  Returns the
 * first failure.  Close what is open in an instance first: it cannot be removed
 * otherwise.
 * What is gone already counts as taken back.
 */
int undo_run(struct undo *undo, FILE *report);

/* Frees without taking back (a journal stays for cleanup). */
void undo_free(struct undo *undo);

/*
 * undo_cleanup - take back what dead recorders left: journals that nobody
 * holds the lock of
 * @report gets a line for each thing removed (or, with @dry_run, that would
 * be), @trouble an error line for each that could not be; either may be NULL.
 * *@removed and *@failed count.  Returns 0 also when there is nothing; -errno
 * when the journals cannot be got at.
 */
int undo_cleanup(struct hist_target *target, bool dry_run, FILE *report, FILE *trouble,
		 unsigned int *removed, unsigned int *failed);

#endif
