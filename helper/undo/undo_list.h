/* SPDX-License-Identifier: GPL-2.0 */
/*
 * undo_list.h - a list of changes to a target, undone in reverse order
 *
 * The list is kept on the machine that is changed: by the recorder on a local machine,
 * by the helper on a remote machine. Functions return 0 or -errno.
 */
#ifndef HELPER_UNDO_UNDO_LIST_H
#define HELPER_UNDO_UNDO_LIST_H

#include "helper/local/target.h"
#include "helper/undo/undo_journal.h"

/* Callbacks that report what is undone. Any member may be NULL. */
struct undo_report {
	/* undone, or would be undone in a dry run */
	void (*success)(void *arg, const struct undo_note *note, bool dry_run);
	void (*failure)(void *arg, const struct undo_note *note, int err);
	/* of undo_list_clean(): a journal that was skipped */
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
 * Create a list that owns @journal. If @journal is NULL, the changes remain after a
 * kill. NULL if memory is short.
 */
struct undo_list *undo_list_new(struct hist_target *target, struct undo_journal *journal);

/*
 * undo_list_note - note one change before it is made (see tracecmd/undo/undo.h)
 * UNDO_NOTE_INSTANCE: @path is a directory in instances/, @text is NULL. UNDO_NOTE_TRIGGER: @path
 * is a trigger file, @text is the trigger. UNDO_NOTE_DYNEVENT: @text is the removal, with a
 * single name. UNDO_NOTE_VALUE: @text is the old content of the file. If this function
 * fails, the caller must not make the change.
 */
int undo_list_note(struct undo_list *list, enum undo_note_type type, const char *path,
		   const char *text);
/* Cancel the last note: its change was not made. -ENOENT if the list is empty. */
int undo_list_cancel(struct undo_list *list);
/* Undo all changes; continues after a failure. May be called again. @report may be NULL. */
void undo_list_run(struct undo_list *list, const struct undo_report *report,
		   struct undo_outcome *outcome);
/* Free the list without undoing changes. A journal with open notes remains. NULL is allowed. */
void undo_list_free(struct undo_list *list);

/*
 * Extract the value from the text of a value file, to compare it and to write it back;
 * malloc'ed.
 */
char *undo_change_extract_value(const char *path, const char *text);

/* Undo the changes of all unlocked journals in the directory @dir. */
int undo_list_clean(struct hist_target *target, int dir, bool dry_run,
		    const struct undo_report *report, struct undo_outcome *outcome);

#endif
