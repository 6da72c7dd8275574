// SPDX-License-Identifier: GPL-2.0
/*
 * undo.c - what was changed on a target, so that it can be taken back
 *
 * Notes are kept in memory and, before each change, in a journal
 * (undo_journal.c).  Taking back goes from the newest note to the oldest: the
 * kernel refuses to remove a trigger whose variables a later one uses, and an
 * instance that has such triggers.
 *
 * Invariant: taking back twice is harmless.  What is already as it was before
 * counts as taken back, so a note that could not be marked as done, or whose
 * change was never made, does nothing.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "complain.h"
#include "undo.h"
#include "undo_change.h"
#include "undo_journal.h"

struct undo {
	struct hist_target *target;
	struct journal *journal;
	struct note_list list;
	bool ended;
};

int undo_new(struct undo **undo, struct hist_target *target, char *why, size_t why_len)
{
	struct undo *new = calloc(1, sizeof(*new));
	int dir, ret;

	if (!new) {
		snprintf(why, why_len, "out of memory");
		return -ENOMEM;
	}
	dir = journal_dir_open(true, why, why_len);
	if (dir < 0) {
		free(new);
		return dir;
	}
	new->target = target;
	ret = journal_create(&new->journal, dir);
	close(dir);
	if (ret) {
		snprintf(why, why_len, "cannot keep a journal: %s", strerror(-ret));
		free(new);
		return ret;
	}
	*undo = new;
	return 0;
}

static int add_note(struct undo *undo, enum note_type type, const char *path,
		    const char *text, uint64_t before)
{
	struct note *note;
	int ret;

	if (undo->ended || !target_path_ok(path))
		return -EINVAL;
	ret = note_list_add(&undo->list, type, path, text, before);
	if (ret)
		return ret;
	note = &undo->list.notes[undo->list.count - 1];
	ret = journal_note(undo->journal, note);
	if (ret) {
		free(note->path);
		free(note->text);
		undo->list.count--;
	}
	return ret;
}

int undo_note_instance(struct undo *undo, const char *instance_dir)
{
	const char *name = instance_dir + strlen("instances/");

	/* rmdir must never be asked to remove anything else. */
	if (strncmp(instance_dir, "instances/", strlen("instances/")) || !*name ||
	    !strcmp(name, ".") || strchr(name, '/'))
		return -EINVAL;
	return add_note(undo, NOTE_INSTANCE, instance_dir, NULL, 0);
}

int undo_note_trigger(struct undo *undo, const char *path, const char *text)
{
	if (!target_path_ok(path))
		return -EINVAL;
	return add_note(undo, NOTE_TRIGGER, path, text, change_hash_file(undo->target, path));
}

/* A name alone, as ours is the only thing that may be removed. */
static bool removal_ok(const char *text)
{
	static const char name[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
	size_t group;

	if (text[0] == '!')
		return text[1] && !text[1 + strspn(text + 1, name)];
	if (strncmp(text, "-:", 2))
		return false;
	group = strspn(text + 2, name);
	text += 2 + group;
	return group && *text == '/' && text[1] && !text[1 + strspn(text + 1, name)];
}

int undo_note_object(struct undo *undo, const char *path, const char *removal)
{
	if (!target_path_ok(path) || !target_truncation_harms(path) || !removal_ok(removal))
		return -EINVAL;
	return add_note(undo, NOTE_OBJECT, path, removal, change_hash_file(undo->target, path));
}

int undo_note_value(struct undo *undo, const char *path, const char *old)
{
	char *plain;
	int ret;

	/* Restoring truncates. */
	if (target_truncation_harms(path))
		return -EINVAL;
	plain = change_plain_value(path, old);
	if (!plain)
		return -ENOMEM;
	ret = add_note(undo, NOTE_VALUE, path, plain, 0);
	free(plain);
	return ret;
}

int undo_cancel(struct undo *undo)
{
	size_t i = undo->list.count;

	while (i--) {
		if (!undo->list.notes[i].done) {
			undo->list.notes[i].done = true;
			return journal_done(undo->journal, i);
		}
	}
	return -ENOENT;
}

struct outcome {
	unsigned int removed;
	unsigned int failed;
	int first_err;
};

/* All notes, newest first; the journal goes when nothing is left to do. */
static void take_back_all(struct hist_target *target, struct journal *journal,
			  struct note_list *list, bool dry_run, FILE *report, FILE *trouble,
			  struct outcome *outcome)
{
	unsigned int failed = 0;
	size_t i = list->count;
	int ret;

	while (i--) {
		struct note *note = &list->notes[i];

		if (note->done)
			continue;
		ret = change_take_back(target, note, dry_run);
		if (ret < 0) {
			failed++;
			if (!outcome->first_err)
				outcome->first_err = ret;
			/* Both may be one terminal: in order. */
			if (report)
				fflush(report);
			change_tell_failure(trouble, note, ret);
			continue;
		}
		if (ret) {
			outcome->removed++;
			change_tell_success(report, note, dry_run);
		}
		if (!dry_run) {
			note->done = true;
			/* If this fails, doing it again does no harm. */
			journal_done(journal, i);
		}
	}
	outcome->failed += failed;
	if (!failed && !dry_run)
		journal_remove(journal);
}

int undo_run(struct undo *undo, FILE *report)
{
	struct outcome outcome = { 0 };

	if (undo->ended)
		return 0;
	take_back_all(undo->target, undo->journal, &undo->list, false, NULL, report, &outcome);
	undo->ended = !outcome.failed;
	return outcome.first_err;
}

void undo_free(struct undo *undo)
{
	bool left = false;
	size_t i;

	if (!undo)
		return;
	for (i = 0; i < undo->list.count; i++)
		left |= !undo->list.notes[i].done;
	if (!left && !undo->ended)
		journal_remove(undo->journal);
	journal_close(undo->journal);
	note_list_clear(&undo->list);
	free(undo);
}

static void clean_journal(struct hist_target *target, int dir, const char *name, bool dry_run,
			  FILE *report, FILE *trouble, struct outcome *outcome)
{
	struct note_list list = { 0 };
	struct journal *journal;
	int ret;

	ret = journal_take(&journal, dir, name, &list);
	switch (ret) {
	case 0:
		take_back_all(target, journal, &list, dry_run, report, trouble, outcome);
		break;
	case -ESTALE:
		if (!dry_run)
			journal_remove(journal);
		break;
	case -EWOULDBLOCK: /* its recorder, or another cleanup, is at work */
	case -ENOENT:
		return;
	default:
		outcome->failed++;
		if (!outcome->first_err)
			outcome->first_err = ret;
		if (trouble)
			complain_to(trouble, "%s: %s: left alone", name,
				    ret == -EBADMSG ? "not a journal that this version knows" :
				    ret == -EPERM   ? "not a file of ours" :
						      strerror(-ret));
		return;
	}
	journal_close(journal);
	note_list_clear(&list);
}

static int is_journal(const struct dirent *entry)
{
	return journal_is_name(entry->d_name);
}

int undo_cleanup(struct hist_target *target, bool dry_run, FILE *report, FILE *trouble,
		 unsigned int *removed, unsigned int *failed)
{
	struct outcome outcome = { 0 };
	struct dirent **names = NULL;
	char why[256];
	int dir, n, i, ret = 0;

	*removed = *failed = 0;
	dir = journal_dir_open(false, why, sizeof(why));
	if (dir == -ENOENT)
		return 0;
	if (dir < 0) {
		if (trouble)
			complain_to(trouble, "%s", why);
		return dir;
	}
	n = scandirat(dir, ".", &names, is_journal, alphasort);
	if (n < 0) {
		ret = -errno;
		if (trouble)
			complain_to(trouble, "journals: %s", strerror(errno));
	}
	for (i = 0; i < n; i++) {
		clean_journal(target, dir, names[i]->d_name, dry_run, report, trouble, &outcome);
		free(names[i]);
	}
	free(names);
	close(dir);
	*removed = outcome.removed;
	*failed = outcome.failed;
	return ret;
}
