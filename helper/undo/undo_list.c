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
#include "helper/port/port.h"

#include "helper/undo/undo_change.h"
#include "helper/undo/undo_list.h"

struct undo_list {
	struct hist_target *target;
	struct undo_journal *journal; /* or NULL */
	struct undo_notes notes;
	bool ended;
};

struct undo_list *undo_list_new(struct hist_target *target, struct undo_journal *journal)
{
	struct undo_list *list = calloc(1, sizeof(*list));

	if (list) {
		list->target = target;
		list->journal = journal;
	}
	return list;
}

static int undo_list_add_note(struct undo_list *list, enum undo_note_type type, const char *path,
			      const char *text, uint64_t before)
{
	struct undo_note *note;
	int ret;

	if (list->ended)
		return -EINVAL;
	ret = undo_notes_add(&list->notes, type, path, text, before);
	if (ret || !list->journal)
		return ret;
	note = &list->notes.notes[list->notes.count - 1];
	ret = undo_journal_add_note(list->journal, note);
	if (ret) {
		undo_notes_drop_last(&list->notes);
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
	static const char name[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
	size_t group;

	if (text[0] == '!')
		return text[1] && !text[1 + strspn(text + 1, name)];
	if (strncmp(text, "-:", 2))
		return false;
	group = strspn(text + 2, name);
	text += 2 + group;
	return group && *text == '/' && text[1] && !text[1 + strspn(text + 1, name)];
}

static int undo_list_note_old_value(struct undo_list *list, const char *path, const char *old)
{
	char *plain = undo_change_extract_value(path, old);
	int ret;

	if (!plain)
		return -ENOMEM;
	ret = undo_list_add_note(list, UNDO_NOTE_VALUE, path, plain, 0);
	free(plain);
	return ret;
}

int undo_list_note(struct undo_list *list, enum undo_note_type type, const char *path,
		   const char *text)
{
	if (!target_path_is_valid(path) || !text != (type == UNDO_NOTE_INSTANCE))
		return -EINVAL;
	switch (type) {
	case UNDO_NOTE_INSTANCE:
		return instance_ok(path) ? undo_list_add_note(list, type, path, NULL, 0) : -EINVAL;
	case UNDO_NOTE_TRIGGER:
	case UNDO_NOTE_DYNEVENT:
		/* only a file of triggers or objects may be read into memory */
		if (!target_truncation_harms(path) ||
		    (type == UNDO_NOTE_DYNEVENT && !removal_ok(text)))
			return -EINVAL;
		return undo_list_add_note(list, type, path, text,
					  undo_change_hash_file(list->target, path));
	case UNDO_NOTE_VALUE:
		/* Restoring a value truncates the file. */
		return target_truncation_harms(path) ? -EINVAL :
		       undo_list_note_old_value(list, path, text);
	}
	return -EINVAL;
}

int undo_list_cancel(struct undo_list *list)
{
	size_t i = list->notes.count;

	while (i--) {
		if (!list->notes.notes[i].done) {
			list->notes.notes[i].done = true;
			return list->journal ? undo_journal_mark_done(list->journal, i) : 0;
		}
	}
	return -ENOENT;
}

static void undo_list_report_note(const struct undo_report *report, const struct undo_note *note,
				  int ret, bool dry_run)
{
	if (!report)
		return;
	if (ret < 0 && report->failure)
		report->failure(report->arg, note, ret);
	else if (ret > 0 && report->success)
		report->success(report->arg, note, dry_run);
}

/* Undo all notes, newest first. Removes the journal if all notes are done. */
static void undo_list_revert_all(struct hist_target *target, struct undo_journal *journal,
				 struct undo_notes *list, bool dry_run,
				 const struct undo_report *report, struct undo_outcome *outcome)
{
	unsigned int failed = 0;
	size_t i = list->count;
	int ret;

	while (i--) {
		struct undo_note *note = &list->notes[i];

		if (note->done)
			continue;
		ret = undo_change_revert(target, note, dry_run);
		undo_list_report_note(report, note, ret, dry_run);
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
				undo_journal_mark_done(journal, i);
		}
	}
	outcome->failed += failed;
	if (!failed && !dry_run && journal)
		undo_journal_remove(journal);
}

void undo_list_run(struct undo_list *list, const struct undo_report *report,
		   struct undo_outcome *outcome)
{
	unsigned int failed = outcome->failed;

	if (list->ended)
		return;
	undo_list_revert_all(list->target, list->journal, &list->notes, false, report, outcome);
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
		undo_journal_remove(list->journal);
	undo_journal_close(list->journal);
	undo_notes_clear(&list->notes);
	free(list);
}

static void clean_journal(struct hist_target *target, int dir, const char *name, bool dry_run,
			  const struct undo_report *report, struct undo_outcome *outcome)
{
	struct undo_notes list = { 0 };
	struct undo_journal *journal;
	int ret;

	ret = undo_journal_lock(&journal, dir, name, &list);
	switch (ret) {
	case 0:
		undo_list_revert_all(target, journal, &list, dry_run, report, outcome);
		break;
	case -ESTALE:
		if (!dry_run)
			undo_journal_remove(journal);
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
	undo_journal_close(journal);
	undo_notes_clear(&list);
}

/* The smallest of the NUL-separated names that is greater than @after, or NULL. */
static const char *next_name(const struct target_buf *names, const char *after)
{
	const char *name, *next = NULL, *end = names->data + names->len;

	for (name = names->data; name < end; name += strlen(name) + 1) {
		if ((!after || strcmp(name, after) > 0) && (!next || strcmp(name, next) < 0) &&
		    undo_journal_is_name(name))
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
