// SPDX-License-Identifier: GPL-2.0
/*
 * undo_list.c - a list of changes to a target, undone in reverse order
 *
 * Notes are kept in memory and, before each change, in a journal (undo_journal.c).
 * Changes are undone from the newest to the oldest. The kernel refuses to remove a
 * trigger whose variables a later trigger uses, and an instance with such triggers.
 *
 * Invariant: it is harmless to undo a change twice. A state that equals the state
 * before the change counts as undone. Therefore a note that could not be marked as
 * done, or whose change was never made, does nothing.
 */
#include "target/port/port.h"

#include "target/undo/undo_change.h"
#include "target/undo/undo_list.h"

struct undo_list {
	struct hist_target *target;
	struct journal *journal; /* or NULL */
	struct note_list notes;
	bool ended;
};

struct undo_list *undo_list_new(struct hist_target *target, struct journal *journal)
{
	struct undo_list *list = calloc(1, sizeof(*list));

	if (list) {
		list->target = target;
		list->journal = journal;
	}
	return list;
}

static int add_note(struct undo_list *list, enum note_type type, const char *path,
		    const char *text, uint64_t before)
{
	struct note *note;
	int ret;

	if (list->ended)
		return -EINVAL;
	ret = note_list_add(&list->notes, type, path, text, before);
	if (ret || !list->journal)
		return ret;
	note = &list->notes.notes[list->notes.count - 1];
	ret = journal_note(list->journal, note);
	if (ret) {
		free(note->path);
		free(note->text);
		list->notes.count--;
	}
	return ret;
}

/* rmdir() must only remove instances. */
static bool instance_ok(const char *path)
{
	static const char in[] = "instances/";
	const char *name = path + sizeof(in) - 1;

	return !strncmp(path, in, sizeof(in) - 1) && *name && strcmp(name, ".") &&
	       !strchr(name, '/');
}

/* Only a single name is allowed, so that only the recorder's own object is removed. */
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

static int note_value(struct undo_list *list, const char *path, const char *old)
{
	char *plain = change_plain_value(path, old);
	int ret;

	if (!plain)
		return -ENOMEM;
	ret = add_note(list, NOTE_VALUE, path, plain, 0);
	free(plain);
	return ret;
}

int undo_list_note(struct undo_list *list, enum note_type type, const char *path,
		   const char *text)
{
	if (!target_path_ok(path) || !text != (type == NOTE_INSTANCE))
		return -EINVAL;
	switch (type) {
	case NOTE_INSTANCE:
		return instance_ok(path) ? add_note(list, type, path, NULL, 0) : -EINVAL;
	case NOTE_TRIGGER:
	case NOTE_OBJECT:
		/* only a file of triggers or objects may be read into memory */
		if (!target_truncation_harms(path) || (type == NOTE_OBJECT && !removal_ok(text)))
			return -EINVAL;
		return add_note(list, type, path, text, change_hash_file(list->target, path));
	case NOTE_VALUE:
		/* Restoring a value truncates the file. */
		return target_truncation_harms(path) ? -EINVAL : note_value(list, path, text);
	}
	return -EINVAL;
}

int undo_list_cancel(struct undo_list *list)
{
	size_t i = list->notes.count;

	while (i--) {
		if (!list->notes.notes[i].done) {
			list->notes.notes[i].done = true;
			return list->journal ? journal_done(list->journal, i) : 0;
		}
	}
	return -ENOENT;
}

static void tell(const struct undo_report *report, const struct note *note, int ret, bool dry_run)
{
	if (!report)
		return;
	if (ret < 0 && report->failure)
		report->failure(report->arg, note, ret);
	else if (ret > 0 && report->success)
		report->success(report->arg, note, dry_run);
}

/* Undo all notes, newest first. Removes the journal if all notes are done. */
static void take_back_all(struct hist_target *target, struct journal *journal,
			  struct note_list *list, bool dry_run,
			  const struct undo_report *report, struct undo_outcome *outcome)
{
	unsigned int failed = 0;
	size_t i = list->count;
	int ret;

	while (i--) {
		struct note *note = &list->notes[i];

		if (note->done)
			continue;
		ret = change_take_back(target, note, dry_run);
		tell(report, note, ret, dry_run);
		if (ret < 0) {
			failed++;
			if (!outcome->first_err)
				outcome->first_err = ret;
			continue;
		}
		outcome->removed += ret;
		if (!dry_run) {
			note->done = true;
			/* A failure is harmless, because the change may be undone twice. */
			if (journal)
				journal_done(journal, i);
		}
	}
	outcome->failed += failed;
	if (!failed && !dry_run && journal)
		journal_remove(journal);
}

void undo_list_run(struct undo_list *list, const struct undo_report *report,
		   struct undo_outcome *outcome)
{
	unsigned int failed = outcome->failed;

	if (list->ended)
		return;
	take_back_all(list->target, list->journal, &list->notes, false, report, outcome);
	list->ended = outcome->failed == failed;
}

void undo_list_free(struct undo_list *list)
{
	bool left = false;
	size_t i;

	if (!list)
		return;
	for (i = 0; i < list->notes.count; i++)
		left |= !list->notes.notes[i].done;
	if (!left && !list->ended && list->journal)
		journal_remove(list->journal);
	journal_close(list->journal);
	note_list_clear(&list->notes);
	free(list);
}

static void clean_journal(struct hist_target *target, int dir, const char *name, bool dry_run,
			  const struct undo_report *report, struct undo_outcome *outcome)
{
	struct note_list list = { 0 };
	struct journal *journal;
	int ret;

	ret = journal_take(&journal, dir, name, &list);
	switch (ret) {
	case 0:
		take_back_all(target, journal, &list, dry_run, report, outcome);
		break;
	case -ESTALE:
		if (!dry_run)
			journal_remove(journal);
		break;
	case -EWOULDBLOCK: /* its recorder or another cleanup is running */
	case -ENOENT:
		return;
	default:
		outcome->failed++;
		if (!outcome->first_err)
			outcome->first_err = ret;
		if (report && report->odd)
			report->odd(report->arg, name, ret);
		return;
	}
	journal_close(journal);
	note_list_clear(&list);
}

/* The smallest of the NUL-separated names that is greater than @after, or NULL. */
static const char *next_name(const struct target_buf *names, const char *after)
{
	const char *name, *next = NULL, *end = names->data + names->len;

	for (name = names->data; name < end; name += strlen(name) + 1) {
		if ((!after || strcmp(name, after) > 0) && (!next || strcmp(name, next) < 0) &&
		    journal_is_name(name))
			next = name;
	}
	return next;
}

int undo_list_clean(struct hist_target *target, int dir, bool dry_run,
		    const struct undo_report *report, struct undo_outcome *outcome)
{
	struct target_buf names = { 0 };
	const char *name = NULL;
	int ret;

	ret = target_list_names(dir, &names);
	if (!ret) {
		while ((name = next_name(&names, name)))
			clean_journal(target, dir, name, dry_run, report, outcome);
	}
	free(names.data);
	return ret;
}
