// SPDX-License-Identifier: GPL-2.0
/*
 * undo_list.c - a list of changes to a target, undone in reverse order
 *
 * Notes are kept in memory and, before each change, in a journal (undo_journal.c).
 * Changes are undone from the newest to the oldest. The kernel refuses to remove a
 * trigger whose variables a later trigger uses, and an instance with such triggers.
 *
 * Writing "!" and the text of a trigger removes the trigger. The kernel also returns 0
 * if the trigger does not exist, and it would remove an equal trigger of another user.
 * Therefore the note keeps a hash of the trigger file from before the change. If the
 * file still has this hash, it does not contain a trigger of the recorder. The same
 * applies to synthetic events and probes, which are removed by name.
 *
 * Invariant: it is harmless to undo a change twice. A state that equals the state
 * before the change counts as undone. Therefore a note that could not be marked as
 * done, or whose change was never made, does nothing.
 */
#include "helper/port/port.h"

#include "helper/port/text.h"
#include "helper/undo/undo_list.h"

/* --- one change --- */

/*
 * The kernel closes the files of a killed recorder one by one. The journal may be
 * unlocked while an instance or a probe is still in use for a short time.
 */
#define BUSY_TRIES 50
#define BUSY_WAIT_MS 10

/* FNV-1a; never 0, which means "not known". */
static uint64_t hash_text(const char *text, size_t len)
{
	uint64_t hash = 0xcbf29ce484222325u;

	while (len--) {
		hash ^= (unsigned char)*text++;
		hash *= 0x100000001b3u;
	}
	return hash ? hash : 1;
}

/* Hash of a whole file; 0 means "not known": the file cannot be read. */
static uint64_t undo_change_hash_file(struct hist_target *target, const char *path)
{
	struct target_buf buf = { 0 };
	uint64_t hash = 0;

	if (!target->ops->read(target, path, &buf))
		hash = hash_text(buf.data, buf.len);
	free(buf.data);
	return hash;
}

/* Files whose value is the word in brackets: "local [mono]". */
static bool has_choice(const char *path)
{
	const char *name = strrchr(path, '/');

	return !strcmp(name ? name + 1 : path, "trace_clock") ||
	       !strcmp(path, "hwlat_detector/mode");
}

/* Trailing spaces are ignored. */
char *undo_change_extract_value(const char *path, const char *text)
{
	size_t len = strlen(text);

	if (has_choice(path) && strchr(text, '['))
		return target_parse_clock(text);
	while (len && strchr(" \t\n", text[len - 1]))
		len--;
	return strndup(text, len);
}

/* The file or directory disappeared with its instance, its event or its kernel. */
static bool is_gone(int err)
{
	return err == -ENOENT || err == -ENODEV || err == -ENOTDIR;
}

/*
 * Each of these functions returns 1 undone (or, in a dry run, would be undone), 0
 * nothing to do, or -errno.
 */
static int remove_instance(struct hist_target *target, const struct undo_note *note, bool dry_run)
{
	int tries, ret;

	ret = target->ops->exists(target, note->path);
	if (ret <= 0 || dry_run)
		return ret;
	for (tries = 0; tries < BUSY_TRIES; tries++) {
		ret = target->ops->rmdir(target, note->path);
		if (ret != -EBUSY)
			break;
		poll(NULL, 0, BUSY_WAIT_MS);
	}
	if (is_gone(ret))
		return 0;
	return ret ? ret : 1;
}

/*
 * True if a line of the file begins with the trigger's command ("hist") or the name of
 * the synthetic event. The kernel prints the rest of a trigger differently, so the rest
 * cannot be compared.
 */
static bool has_sort(const char *file, const char *text)
{
	size_t len = strcspn(text, ": \t;\n");
	const char *line;

	for (line = file; line && *line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, text, len) && (!line[len] || strchr(": \t;\n", line[len])))
			return true;
	}
	return false;
}

static int remove_trigger(struct hist_target *target, const struct undo_note *note, bool dry_run)
{
	struct target_buf buf = { 0 };
	uint64_t now = 0;
	char *text = NULL;
	int ret, err;

	ret = target->ops->read(target, note->path, &buf);
	if (ret)
		goto out;
	now = hash_text(buf.data, buf.len);
	if (now == note->before || !has_sort(buf.data, note->text))
		goto out; /* ret is 0 */
	ret = 1;
	if (dry_run)
		goto out;
	text = text_join("!", note->text, NULL);
	if (!text) {
		ret = -ENOMEM;
		goto out;
	}
	err = target_write_str(target, note->path, text, true);
	if (err == -EBUSY) {
		ret = err;
		goto out;
	}
	/* Without a matching trigger, the kernel removes nothing and returns 0 or EINVAL. */
	ret = target->ops->read(target, note->path, &buf);
	if (ret)
		goto out;
	if (!err)
		ret = hash_text(buf.data, buf.len) != now;
	else if (has_sort(buf.data, note->text))
		ret = err;
out:
	free(text);
	free(buf.data);
	return is_gone(ret) ? 0 : ret;
}

/*
 * True if the object that @removal names ("!NAME" or "-:GROUP/EVENT") has a line. Lines
 * begin with "NAME\t", or with "p:GROUP/EVENT " or "r16:GROUP/EVENT ".
 */
static bool undo_change_has_dynevent(const char *file, const char *removal)
{
	bool probe = removal[0] == '-';
	const char *name = removal + (probe ? 2 : 1), *line, *at;
	size_t len = strlen(name);

	for (line = file; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		at = line;
		if (probe) {
			at += strcspn(at, ":\n");
			at += *at == ':';
		}
		if (!strncmp(at, name, len) && (!at[len] || strchr(" \t\n", at[len])))
			return true;
	}
	return false;
}

static int undo_change_remove_dynevent(struct hist_target *target, const struct undo_note *note,
				       bool dry_run)
{
	struct target_buf buf = { 0 };
	int tries, ret;

	ret = target->ops->read(target, note->path, &buf);
	if (ret)
		goto out;
	if (hash_text(buf.data, buf.len) == note->before ||
	    !undo_change_has_dynevent(buf.data, note->text))
		goto out; /* ret is 0 */
	ret = 1;
	for (tries = 0; !dry_run && tries < BUSY_TRIES; tries++) {
		ret = target_write_str(target, note->path, note->text, true) ?: 1;
		if (ret != -EBUSY)
			break;
		poll(NULL, 0, BUSY_WAIT_MS);
	}
out:
	free(buf.data);
	return is_gone(ret) ? 0 : ret;
}

/*
 * One write for each line, because set_event reads only one word of each. The first
 * write truncates; for an empty value that is sufficient.
 */
static int write_lines(struct hist_target *target, const char *path, const char *value)
{
	bool append = false;
	int ret;

	do {
		size_t len = strcspn(value, "\n");

		ret = target->ops->write(target, path, value, len, append);
		value += len;
		value += *value == '\n';
		append = true;
	} while (!ret && *value);
	return ret;
}

static int restore_value(struct hist_target *target, const struct undo_note *note, bool dry_run)
{
	struct target_buf buf = { 0 };
	char *now = NULL;
	int ret;

	ret = target->ops->read(target, note->path, &buf);
	if (ret)
		goto out;
	now = undo_change_extract_value(note->path, buf.data);
	if (!now)
		ret = -ENOMEM;
	else if (strcmp(note->text, now))
		ret = dry_run ? 1 : write_lines(target, note->path, note->text) ?: 1;
out:
	free(now);
	free(buf.data);
	return is_gone(ret) ? 0 : ret;
}

/* 1 undone (or, in a dry run, would be undone), 0 nothing to do, or -errno. */
static int undo_change_revert(struct hist_target *target, const struct undo_note *note,
			      bool dry_run)
{
	switch (note->type) {
	case UNDO_NOTE_INSTANCE:
		return remove_instance(target, note, dry_run);
	case UNDO_NOTE_TRIGGER:
		return remove_trigger(target, note, dry_run);
	case UNDO_NOTE_DYNEVENT:
		return undo_change_remove_dynevent(target, note, dry_run);
	case UNDO_NOTE_VALUE:
		return restore_value(target, note, dry_run);
	}
	return -EINVAL;
}

/* --- the list --- */

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
	if (list->ended)
		return -EINVAL;
	return undo_journal_add_note(list->journal, &list->notes, type, path, text, before);
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
