// SPDX-License-Identifier: GPL-2.0
/*
 * undo_change.c - undo one change
 *
 * Invariant: it is harmless to undo a change twice. A state that equals the state
 * before the change counts as undone.
 *
 * Writing "!" and the text of a trigger removes the trigger. The kernel also returns 0
 * if the trigger does not exist, and it would remove an equal trigger of another user.
 * Therefore the note keeps a hash of the trigger file from before the change. If the
 * file still has this hash, it does not contain a trigger of the recorder. The same
 * applies to synthetic events and probes, which are removed by name.
 */
#include "helper/port/port.h"

#include "helper/port/text.h"
#include "helper/undo/undo_change.h"

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

uint64_t undo_change_hash_file(struct hist_target *target, const char *path)
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

int undo_change_revert(struct hist_target *target, const struct undo_note *note, bool dry_run)
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
