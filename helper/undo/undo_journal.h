/* SPDX-License-Identifier: GPL-2.0 */
/*
 * undo_journal.h - the undo log in a file that survives a kill
 *
 * A journal is a text file. Its first line is
 *
 *	trace-cmd-hist-undo 1 BOOT-ID
 *
 * The following lines each contain a note or mark a note as done. Tabs separate fields.
 * In a field, tab, newline and backslash are written as \t, \n and \\:
 *
 *	instance	PATH
 *	trigger		PATH	TEXT	BEFORE		(hex, see struct undo_note)
 *	object		PATH	REMOVAL	BEFORE		(likewise)
 *	value		PATH	OLD
 *	done		NUMBER				(of a note, from 0)
 *
 * Lines are only appended, each with one write(2) before the change is made. A last
 * line without a newline is incomplete: its change was not made, and readers ignore the
 * line.
 *
 * The holder of the flock() owns the journal. A recorder holds the lock for its
 * lifetime, so an unlocked journal belongs to a dead recorder. After it gets the lock,
 * a process checks that the file still has its name, because another cleanup may have
 * removed the file.
 *
 * A forked child shares the lock until it calls exec: the descriptor is close-on-exec.
 *
 * Functions return 0 or -errno.
 */
#ifndef HELPER_UNDO_UNDO_JOURNAL_H
#define HELPER_UNDO_UNDO_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"

enum undo_note_type {
	UNDO_NOTE_INSTANCE,
	UNDO_NOTE_TRIGGER,
	UNDO_NOTE_DYNEVENT, /* synthetic event or probe */
	UNDO_NOTE_VALUE,
};

struct undo_note {
	enum undo_note_type type;
	char *path;
	char *text; /* of a trigger, removal or old value; NULL for an instance */
	/* hash of the file's text before the change; 0: not known */
	uint64_t before;
	bool done; /* undone or cancelled */
};

/* Limit for the memory of a list: a host must not fill the memory of a board with notes. */
#define UNDO_NOTES_MAX (32 * 1024 * 1024)

/* Initialize with zeros. */
struct undo_notes {
	struct undo_note *notes;
	size_t count;
	size_t room;
	size_t bytes; /* about the memory of all notes */
};

struct undo_journal;

void undo_notes_clear(struct undo_notes *list);

/* The environment variable with the directory of the journals. */
#define UNDO_STATE_ENV "TRACE_CMD_HIST_STATE"

/* The directory of the journals. */
const char *undo_journal_dir_path(void);

/*
 * Open the directory of the journals; create it if it is missing and @create is set. It
 * must be a directory of this user that other users cannot write into (-EPERM), and not
 * a symbolic link. Returns a descriptor. On failure @error is a sentence, except for
 * -ENOENT without @create.
 */
int undo_journal_open_dir(bool create, struct hist_error *error);

/* Create a new, locked journal. The journal duplicates @dir. */
int undo_journal_create(struct undo_journal **journal, int dir);

/*
 * undo_journal_lock - lock and read the journal @name of a dead recorder
 * -EWOULDBLOCK: its recorder is alive; -ENOENT: it was removed meanwhile; -ESTALE: it
 * is from another boot (the journal is returned: remove it); -EPERM: not a file of this
 * user; -EBADMSG: invalid content; -EFBIG: larger than any journal. @list gets the notes.
 */
int undo_journal_lock(struct undo_journal **journal, int dir, const char *name,
		      struct undo_notes *list);

/*
 * Add a note to @list and to the journal (NULL: only to @list). Copies @path and @text
 * (@text may be NULL). After a failure, neither contains the note. -ENOMEM; -EFBIG: the
 * list or the file is full; notes can still be marked as done.
 */
int undo_journal_add_note(struct undo_journal *journal, struct undo_notes *list,
			  enum undo_note_type type, const char *path, const char *text,
			  uint64_t before);
int undo_journal_mark_done(struct undo_journal *journal, size_t number);

/* Remove the file; the lock is held until undo_journal_close(). */
int undo_journal_remove(struct undo_journal *journal);
/* @journal may be NULL. */
void undo_journal_close(struct undo_journal *journal);

/* True if @name is the name of a journal. */
bool undo_journal_is_name(const char *name);

#endif
