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
 *	trigger		PATH	TEXT	BEFORE		(hex, see struct note)
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
#ifndef TARGET_UNDO_UNDO_JOURNAL_H
#define TARGET_UNDO_UNDO_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum note_type {
	NOTE_INSTANCE,
	NOTE_TRIGGER,
	NOTE_OBJECT, /* synthetic event or probe */
	NOTE_VALUE,
};

struct note {
	enum note_type type;
	char *path;
	char *text; /* of a trigger, removal or old value; NULL for an instance */
	/* hash of the file's text before the change; 0: not known */
	uint64_t before;
	bool done; /* undone or cancelled */
};

/* Initialize with zeros. */
struct note_list {
	struct note *notes;
	size_t count;
	size_t room;
};

struct journal;

/* Copies @path and @text (@text may be NULL). */
int note_list_add(struct note_list *list, enum note_type type, const char *path,
		  const char *text, uint64_t before);
void note_list_clear(struct note_list *list);

/* The directory of the journals. */
const char *journal_dir_path(void);

/*
 * Open the directory of the journals; create it if it is missing and @create is set. It
 * must be a directory of this user that other users cannot write into (-EPERM), and not
 * a symbolic link. Returns a descriptor. On failure @why is a sentence, except for
 * -ENOENT without @create.
 */
int journal_dir_open(bool create, char *why, size_t why_len);

/* Create a new, locked journal. The journal duplicates @dir. */
int journal_create(struct journal **journal, int dir);

/*
 * journal_take - lock and read the journal @name of a dead recorder
 * -EWOULDBLOCK: its recorder is alive; -ENOENT: it was removed meanwhile; -ESTALE: it
 * is from another boot (the journal is returned: remove it); -EPERM: not a file of this
 * user; -EBADMSG: invalid content. @list gets the notes.
 */
int journal_take(struct journal **journal, int dir, const char *name, struct note_list *list);

/* On failure the file is unchanged. */
int journal_note(struct journal *journal, const struct note *note);
int journal_done(struct journal *journal, size_t number);

/* Remove the file; the lock is held until journal_close(). */
int journal_remove(struct journal *journal);
/* @journal may be NULL. */
void journal_close(struct journal *journal);

/* True if @name is the name of a journal. */
bool journal_is_name(const char *name);

#endif
