// SPDX-License-Identifier: GPL-2.0
/*
 * undo_journal.c - the undo log in a file that survives a kill
 *
 * Invariants: each note is written before its change is made. Only the holder of the
 * lock reads, continues or removes a journal, and only while the file still has its
 * name. undo_journal.h describes the format.
 */
#include "helper/port/port.h"

#include "helper/local/target.h"
#include "helper/port/text.h"
#include "helper/undo/undo_journal.h"

#define STATE_DIR "/run/trace-cmd-hist"
#define MAGIC "trace-cmd-hist-undo 1 "
#define SUFFIX ".journal"
#define MAX_FIELDS 4
/* Much more than a recorder writes.  A larger file could not be read again. */
#define MAX_JOURNAL (16 * 1024 * 1024)
/* The line that marks a note as done. */
#define DONE_MAX 32
/* Memory of a note, in addition to its texts. */
#define NOTE_COST (sizeof(struct undo_note) + 64)

struct undo_journal {
	int dir;
	int fd;
	off_t len; /* of the complete lines */
	size_t open; /* notes that are not done */
	char name[64];
};

static const char *const type_names[] = {
	[UNDO_NOTE_INSTANCE] = "instance",
	[UNDO_NOTE_TRIGGER] = "trigger",
	[UNDO_NOTE_DYNEVENT] = "object",
	[UNDO_NOTE_VALUE] = "value",
};

/* Number of fields in the line of a note; the fourth is the hash. */
static unsigned int count_fields(enum undo_note_type type)
{
	return type == UNDO_NOTE_INSTANCE ? 2 : type == UNDO_NOTE_VALUE ? 3 : 4;
}

static size_t undo_notes_cost(const struct undo_note *note)
{
	return NOTE_COST + strlen(note->path) + (note->text ? strlen(note->text) : 0);
}

/* Copies @path and @text (@text may be NULL).  -ENOMEM; -EFBIG: the list is full. */
static int undo_notes_add(struct undo_notes *list, enum undo_note_type type, const char *path,
			  const char *text, uint64_t before)
{
	struct undo_note note = {
		.type = type, .path = (char *)path, .text = (char *)text, .before = before,
	};
	size_t bytes = undo_notes_cost(&note);

	if (bytes > UNDO_NOTES_MAX - list->bytes)
		return -EFBIG;
	if (list->count == list->room) {
		size_t room = list->room ? list->room * 2 : 16;
		struct undo_note *notes = reallocarray(list->notes, room, sizeof(*notes));

		if (!notes)
			return -ENOMEM;
		list->notes = notes;
		list->room = room;
	}
	note.path = strdup(path);
	note.text = text ? strdup(text) : NULL;
	if (!note.path || (text && !note.text)) {
		free(note.path);
		free(note.text);
		return -ENOMEM;
	}
	list->notes[list->count++] = note;
	list->bytes += bytes;
	return 0;
}

void undo_notes_clear(struct undo_notes *list)
{
	size_t i;

	for (i = 0; i < list->count; i++) {
		free(list->notes[i].path);
		free(list->notes[i].text);
	}
	free(list->notes);
	memset(list, 0, sizeof(*list));
}

const char *undo_journal_dir_path(void)
{
	const char *path = getenv(UNDO_STATE_ENV);

	return path && *path ? path : STATE_DIR;
}

int undo_journal_open_dir(bool create, struct hist_error *error)
{
	const char *path = undo_journal_dir_path();
	struct stat st = { 0 };
	int fd, err;

	if (create && mkdir(path, 0700) < 0 && errno != EEXIST) {
		err = errno;
		goto fail;
	}
	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0) {
		err = errno;
		if (err == ENOENT && !create)
			return -ENOENT;
		goto fail;
	}
	if (fstat(fd, &st) < 0 || st.st_uid != geteuid() || (st.st_mode & 022)) {
		close(fd);
		return text_refuse(error, -EPERM, path,
				   st.st_uid != geteuid()
					   ? ": another user owns the directory"
					   : ": other users can write to the directory",
				   "\nremove the directory, or set " UNDO_STATE_ENV
				   " to a directory of your own",
				   NULL);
	}
	return fd;

fail:
	if (err == ELOOP || err == ENOTDIR)
		return text_refuse(error, -err, path,
				   ": not a directory\nremove the file, or set " UNDO_STATE_ENV
				   " to a directory of your own",
				   NULL);
	return text_refuse(error, -err, path, ": ", strerror(err),
			   "\nset " UNDO_STATE_ENV " to a directory of your own", NULL);
}

bool undo_journal_is_name(const char *name)
{
	size_t len = strlen(name), suffix = strlen(SUFFIX);

	return len > suffix && len < sizeof(((struct undo_journal *)0)->name) &&
	       !strcmp(name + len - suffix, SUFFIX);
}

/* A journal of an earlier boot describes a tracefs that no longer exists. */
static void read_boot_id(char *id, size_t len)
{
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, id, len - 1);

	if (fd >= 0)
		close(fd);
	if (got <= 0) {
		text_join_to(id, len, "unknown", NULL);
		return;
	}
	id[got] = '\0';
	id[strcspn(id, "\n")] = '\0';
}

static struct undo_journal *journal_alloc(int dir, const char *name, int fd)
{
	struct undo_journal *journal = calloc(1, sizeof(*journal));

	if (!journal)
		return NULL;
	text_join_to(journal->name, sizeof(journal->name), name, NULL);
	journal->fd = fd;
	journal->dir = fcntl(dir, F_DUPFD_CLOEXEC, 0);
	if (journal->dir < 0) {
		free(journal);
		return NULL;
	}
	return journal;
}

static bool has_its_name(int dir, const char *name, int fd)
{
	struct stat now, ours;

	return !fstat(fd, &ours) && !fstatat(dir, name, &now, AT_SYMLINK_NOFOLLOW) &&
	       ours.st_dev == now.st_dev && ours.st_ino == now.st_ino;
}

static int journal_lock_file(int fd, int how)
{
	while (flock(fd, how) < 0) {
		if (errno != EINTR)
			return -errno;
	}
	return 0;
}

static int journal_append_line(struct undo_journal *journal, const char *line, size_t len)
{
	ssize_t done;

	do
		done = write(journal->fd, line, len);
	while (done < 0 && errno == EINTR);
	if (done == (ssize_t)len) {
		journal->len += len;
		return 0;
	}
	if (done < 0)
		return -errno;
	/* An incomplete line would corrupt the next line. */
	if (ftruncate(journal->fd, journal->len) < 0)
		return -errno;
	return -ENOSPC;
}

int undo_journal_create(struct undo_journal **journal, int dir)
{
	char name[64], line[128], id[64], pid[TEXT_NUMBER_MAX], hex[TEXT_NUMBER_MAX];
	unsigned int number, tries;
	struct undo_journal *new;
	int fd, ret;

	for (tries = 0; tries < 1000; tries++) {
		if (getrandom(&number, sizeof(number), GRND_NONBLOCK) != sizeof(number))
			number = tries;
		text_join_to(name, sizeof(name), text_format_number(pid, getpid(), 10, 1), "-",
			     text_format_number(hex, number, 16, 8), SUFFIX, NULL);
		fd = openat(dir, name, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
		if (fd < 0 && errno == EEXIST)
			continue;
		if (fd < 0)
			return -errno;
		ret = journal_lock_file(fd, LOCK_EX);
		if (ret) {
			unlinkat(dir, name, 0);
			close(fd);
			return ret;
		}
		/* A cleanup may have removed the file before it was locked. */
		if (has_its_name(dir, name, fd))
			goto have_it;
		close(fd);
	}
	return -EEXIST;

have_it:
	new = journal_alloc(dir, name, fd);
	if (!new) {
		unlinkat(dir, name, 0);
		close(fd);
		return -ENOMEM;
	}
	read_boot_id(id, sizeof(id));
	text_join_to(line, sizeof(line), MAGIC, id, "\n", NULL);
	ret = journal_append_line(new, line, strlen(line));
	if (ret) {
		undo_journal_remove(new);
		undo_journal_close(new);
		return ret;
	}
	*journal = new;
	return 0;
}

/* Escape @text into @to, which needs twice the length of @text; returns the end. */
static char *journal_put_field(char *to, const char *text)
{
	*to++ = '\t';
	for (; *text; text++) {
		if (*text == '\t' || *text == '\n' || *text == '\\')
			*to++ = '\\';
		*to++ = *text == '\t' ? 't' : *text == '\n' ? 'n' : *text;
	}
	return to;
}

/* Take back the last undo_notes_add(). */
static void undo_notes_drop_last(struct undo_notes *list)
{
	struct undo_note *note = &list->notes[--list->count];

	list->bytes -= undo_notes_cost(note);
	free(note->path);
	free(note->text);
}

/* On failure the file is unchanged.  -EFBIG: it is full; notes can still be marked as done. */
static int undo_journal_write_note(struct undo_journal *journal, const struct undo_note *note)
{
	const char *type = type_names[note->type];
	size_t room = strlen(type) + 2 * strlen(note->path) + TEXT_NUMBER_MAX + 4;
	char number[TEXT_NUMBER_MAX], *line, *at;
	int ret;

	room += note->text ? 2 * strlen(note->text) : 0;
	line = malloc(room);
	if (!line)
		return -ENOMEM;
	text_join_to(line, room, type, NULL);
	at = journal_put_field(line + strlen(line), note->path);
	if (note->text)
		at = journal_put_field(at, note->text);
	if (count_fields(note->type) == 4)
		at = journal_put_field(at, text_format_number(number, note->before, 16, 1));
	*at++ = '\n';
	/* leave room to mark each note as done */
	if (journal->len + (at - line) + (off_t)(journal->open + 1) * DONE_MAX > MAX_JOURNAL)
		ret = -EFBIG;
	else
		ret = journal_append_line(journal, line, at - line);
	free(line);
	journal->open += !ret;
	return ret;
}

int undo_journal_add_note(struct undo_journal *journal, struct undo_notes *list,
			  enum undo_note_type type, const char *path, const char *text,
			  uint64_t before)
{
	int ret = undo_notes_add(list, type, path, text, before);

	if (ret || !journal)
		return ret;
	ret = undo_journal_write_note(journal, &list->notes[list->count - 1]);
	if (ret)
		undo_notes_drop_last(list);
	return ret;
}

int undo_journal_mark_done(struct undo_journal *journal, size_t number)
{
	char line[DONE_MAX], digits[TEXT_NUMBER_MAX];

	journal->open -= journal->open > 0;
	text_join_to(line, sizeof(line), "done\t", text_format_number(digits, number, 10, 1), "\n",
		     NULL);
	return journal_append_line(journal, line, strlen(line));
}

int undo_journal_remove(struct undo_journal *journal)
{
	return unlinkat(journal->dir, journal->name, 0) < 0 ? -errno : 0;
}

void undo_journal_close(struct undo_journal *journal)
{
	if (!journal)
		return;
	close(journal->fd);
	close(journal->dir);
	free(journal);
}

/* Unescape in place. False if an escape sequence is invalid. */
static bool journal_unescape_field(char *text)
{
	char *to = text;

	for (; *text; text++) {
		if (*text != '\\') {
			*to++ = *text;
			continue;
		}
		switch (*++text) {
		case 't':
			*to++ = '\t';
			break;
		case 'n':
			*to++ = '\n';
			break;
		case '\\':
			*to++ = '\\';
			break;
		default:
			return false;
		}
	}
	*to = '\0';
	return true;
}

/* @line does not include its newline; the function modifies @line. */
static int parse_line(char *line, struct undo_notes *list)
{
	char *fields[MAX_FIELDS + 1];
	uint64_t number = 0;
	unsigned int n = 0, type;

	while (line) {
		if (n > MAX_FIELDS - 1)
			return -EBADMSG;
		fields[n] = strsep(&line, "\t");
		if (!journal_unescape_field(fields[n++]))
			return -EBADMSG;
	}
	if (n == 2 && !strcmp(fields[0], "done")) {
		if (!text_parse_number(fields[1], 10, &number) || number >= list->count)
			return -EBADMSG;
		list->notes[number].done = true;
		return 0;
	}
	if (n < 2 || !target_path_is_valid(fields[1]))
		return -EBADMSG;
	for (type = 0; type <= UNDO_NOTE_VALUE; type++) {
		if (n == count_fields(type) && !strcmp(fields[0], type_names[type]) &&
		    (n < 4 || text_parse_number(fields[3], 16, &number)))
			return undo_notes_add(list, type, fields[1], n > 2 ? fields[2] : NULL,
					      number);
	}
	return -EBADMSG;
}

static int journal_parse_text(struct undo_journal *journal, char *text, size_t len,
			      struct undo_notes *list)
{
	char *line = text, *end;
	char id[64];
	int ret;

	/* The recorder was killed before it wrote the first line: it made no changes. */
	end = memchr(text, '\n', len);
	if (!end)
		return 0;
	if (memchr(text, '\0', len))
		return -EBADMSG;
	*end = '\0';
	if (strncmp(line, MAGIC, strlen(MAGIC)))
		return -EBADMSG;
	read_boot_id(id, sizeof(id));
	if (strcmp(line + strlen(MAGIC), id))
		return -ESTALE;
	for (line = end + 1; (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		ret = parse_line(line, list);
		if (ret)
			return ret;
	}
	journal->len = line - text;
	journal->open = list->count;
	/* A later "done" line must not continue the incomplete line. */
	if (*line && ftruncate(journal->fd, journal->len) < 0)
		return -errno;
	return 0;
}

static int read_journal(struct undo_journal *journal, struct undo_notes *list)
{
	struct stat st;
	ssize_t len;
	char *text;
	int ret;

	if (fstat(journal->fd, &st) < 0)
		return -errno;
	if (st.st_size > MAX_JOURNAL)
		return -EFBIG;
	text = malloc(st.st_size + 1);
	if (!text)
		return -ENOMEM;
	len = pread(journal->fd, text, st.st_size, 0);
	if (len < 0) {
		ret = -errno;
	} else {
		text[len] = '\0';
		ret = journal_parse_text(journal, text, len, list);
	}
	free(text);
	return ret;
}

int undo_journal_lock(struct undo_journal **journal, int dir, const char *name,
		      struct undo_notes *list)
{
	struct undo_journal *old;
	struct stat st;
	int fd, ret;

	fd = openat(dir, name, O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return errno == ELOOP ? -EPERM : -errno;
	ret = fstat(fd, &st) < 0 ? -errno : 0;
	if (!ret && (!S_ISREG(st.st_mode) || st.st_uid != geteuid()))
		ret = -EPERM;
	if (!ret)
		ret = journal_lock_file(fd, LOCK_EX | LOCK_NB);
	if (!ret && !has_its_name(dir, name, fd))
		ret = -ENOENT;
	if (ret) {
		close(fd);
		return ret;
	}
	old = journal_alloc(dir, name, fd);
	if (!old) {
		close(fd);
		return -ENOMEM;
	}
	ret = read_journal(old, list);
	if (ret && ret != -ESTALE) {
		undo_journal_close(old);
		undo_notes_clear(list);
		return ret;
	}
	*journal = old;
	return ret;
}
