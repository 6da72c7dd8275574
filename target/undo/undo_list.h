/* SPDX-License-Identifier: GPL-2.0 */
/*
 * undo_list.h - changes to a target, and taking them back in reverse order
 *
 * Used where the changes are made: by the recorder of this machine, and by the
 * helper on a remote one.  Functions return 0 or -errno.
 */
#ifndef TARGET_UNDO_UNDO_LIST_H
#define TARGET_UNDO_UNDO_LIST_H

#include "target/local/target.h"
#include "target/undo/undo_journal.h"

/* Who wants to know what is taken back.  Any member may be NULL. */
struct undo_report {
	/* taken back, or would be */
	void (*success)(void *arg, const struct note *note, bool dry_run);
	void (*failure)(void *arg, const struct note *note, int err);
	/* of undo_list_clean(): a journal that was left alone */
	void (*odd)(void *arg, const char *journal, int err);
	void *arg;
};

struct undo_outcome {
	unsigned int removed;
	unsigned int failed;
	int first_err;
};

struct undo_list;

/*
 * Takes @journal, which may be NULL: then a kill leaves the changes behind.
 * NULL without memory.
 */
struct undo_list *undo_list_new(struct hist_target *target, struct journal *journal);

/*
 * undo_list_note - one change that is about to be made, as in undo.h
 * NOTE_INSTANCE: @path a directory in instances/, @text NULL.  NOTE_TRIGGER: a
 * trigger file and the text.  NOTE_OBJECT: @text the removal, a name alone.
 * NOTE_VALUE: @text what the file held.  When it fails, do not make the change.
 */
int undo_list_note(struct undo_list *list, enum note_type type, const char *path,
		   const char *text);
/* The last one was not made.  -ENOENT: there is none. */
int undo_list_cancel(struct undo_list *list);
/* Goes on after a failure.  Can be called again. @report may be NULL. */
void undo_list_run(struct undo_list *list, const struct undo_report *report,
		   struct undo_outcome *outcome);
/* Frees without taking back; a journal with something left in it stays.  NULL is fine. */
void undo_list_free(struct undo_list *list);

/* The same for the journals in the directory @dir that nobody holds the lock of. */
int undo_list_clean(struct hist_target *target, int dir, bool dry_run,
		    const struct undo_report *report, struct undo_outcome *outcome);

#endif
