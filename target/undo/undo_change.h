/* SPDX-License-Identifier: GPL-2.0 */
/*
 * undo_change.h - one change on a target: how to tell that it was made, and how
 * to take it back
 *
 * undo_list.c keeps the notes and their order; this looks at one note alone.
 */
#ifndef TARGET_UNDO_UNDO_CHANGE_H
#define TARGET_UNDO_UNDO_CHANGE_H

#include "target/local/target.h"
#include "target/undo/undo_journal.h"

/* Of a whole file; 0 when it cannot be read, which stands for "not known". */
uint64_t change_hash_file(struct hist_target *target, const char *path);

/* What is to be compared and written back of a value file's text; malloc'ed. */
char *change_plain_value(const char *path, const char *text);

/*
 * change_take_back - undo what @note tells of
 * 1 taken back (or, in a dry run, would be), 0 nothing to do, or -errno.
 */
int change_take_back(struct hist_target *target, const struct note *note, bool dry_run);

#endif
