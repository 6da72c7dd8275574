/* SPDX-License-Identifier: GPL-2.0 */
/*
 * undo_change.h - one change on a target: detect whether it was made, and undo it
 *
 * undo_list.c keeps the notes and their order; these functions handle a single note.
 */
#ifndef HELPER_UNDO_UNDO_CHANGE_H
#define HELPER_UNDO_UNDO_CHANGE_H

#include "helper/local/target.h"
#include "helper/undo/undo_journal.h"

/* Hash of a whole file; 0 means "not known": the file cannot be read. */
uint64_t undo_change_hash_file(struct hist_target *target, const char *path);

/*
 * Extract the value from the text of a value file, to compare it and to write it back;
 * malloc'ed.
 */
char *undo_change_extract_value(const char *path, const char *text);

/*
 * undo_change_revert - undo the change that @note describes
 * 1 undone (or, in a dry run, would be undone), 0 nothing to do, or -errno.
 */
int undo_change_revert(struct hist_target *target, const struct undo_note *note, bool dry_run);

#endif
