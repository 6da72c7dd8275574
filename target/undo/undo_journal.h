/* SPDX-License-Identifier: GPL-2.0 */
/*
 * undo_journal.h - the notes of undo.h, in a file that outlives a kill
 *
 * A journal is a text file.  Its first line is
 *
 *	trace-cmd-hist-undo 1 BOOT-ID
 *
 * and then one line for each note or for each note that is done with; fields
 * are separated by a tab; tab, newline and backslash in a field are \t, \n and
 * \\:
 *
 *	instance	PATH
 *	trigger		PATH	TEXT	BEFORE		(hex, see struct note)
 *	object		PATH	REMOVAL	BEFORE		(likewise)
 *	value		PATH	OLD
 *	done		NUMBER				(of a note, from 0)
 *
 * Lines are only ever appended, each with one write(2), before the change is
 * made.  A last line without its newline was not finished: its change was not
 * made, and it is not read.
 *
 * Whoever holds the flock() of a journal owns it.  A recorder holds it for its
 * life.  A journal whose lock can be had belongs to a dead one; whoever gets
 * the lock looks then whether the file still has its name, as another cleanup
 * may have finished with it in between.
 *
 * A forked child shares the lock until it calls exec: the descriptor is
 * close-on-exec.
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
	/* hash of the file's text before the change; 0 is not known */
	uint64_t before;
	bool done; /* taken back or cancelled */
};

/* Zero it to begin. */
struct note_list {
	struct note *notes;
	size_t count;
	size_t room;
};

struct journal;

/* Copies @path and @text (may be NULL). */
int note_list_add(struct note_list *list, enum note_type type, const char *path,
		  const char *text, uint64_t before);
void note_list_clear(struct note_list *list);

/* Where the journals are kept. */
const char *journal_dir_path(void);

/*
 * The directory of the journals, made when missing if @create.  It must be a
 * directory of ours that others cannot write into (-EPERM), and no symbolic
 * link.  Returns a descriptor; on failure @why is a sentence, but not for
 * -ENOENT without @create.
 */
int journal_dir_open(bool create, char *why, size_t why_len);

/* A new journal, locked.  @dir is not kept; the journal has a copy. */
int journal_create(struct journal **journal, int dir);

/*
 * journal_take - lock and read the journal @name of a dead recorder
 * -EWOULDBLOCK: its recorder lives; -ENOENT: gone meanwhile; -ESTALE: of
 * another boot (the journal is returned: remove it); -EPERM: not a file of
 * ours; -EBADMSG: not understood.  @list gets the notes.
 */
int journal_take(struct journal **journal, int dir, const char *name, struct note_list *list);

/* On failure the file is as it was. */
int journal_note(struct journal *journal, const struct note *note);
int journal_done(struct journal *journal, size_t number);

/* Remove the file; the lock stays until journal_close(). */
int journal_remove(struct journal *journal);
/* NULL is fine. */
void journal_close(struct journal *journal);

/* Is this the name of a journal? */
bool journal_is_name(const char *name);

#endif
