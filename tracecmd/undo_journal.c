// SPDX-License-Identifier: GPL-2.0
/*
 * undo_journal.c - the notes of undo.h, in a file that outlives a kill
 *
 * Invariants: what the file says was written before the change it tells of; a
 * journal is read, continued or removed only by the holder of its lock, and only
 * while it still has its name.  undo_journal.h has the format.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "target.h"
#include "undo_journal.h"

#define STATE_DIR "/run/trace-cmd-hist"
#define STATE_ENV "TRACE_CMD_HIST_STATE"
#define MAGIC "trace-cmd-hist-undo 1 "
#define SUFFIX ".journal"
#define MAX_FIELDS 4
/* Far more than a recorder writes. */
#define MAX_JOURNAL (16 * 1024 * 1024)

struct journal {
	int dir;
	int fd;
	off_t len; /* of the complete lines */
	char name[64];
};

static const char *const type_names[] = {
	[NOTE_INSTANCE] = "instance",
	[NOTE_TRIGGER] = "trigger",
	[NOTE_OBJECT] = "object",
	[NOTE_VALUE] = "value",
};

int note_list_add(struct note_list *list, enum note_type type, const char *path,
		  const char *text, uint64_t before)
{
	struct note note = { .type = type, .before = before };

	if (list->count == list->room) {
		size_t room = list->room ? list->room * 2 : 16;
		struct note *notes = reallocarray(list->notes, room, sizeof(*notes));

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
	return 0;
}

void note_list_clear(struct note_list *list)
{
	size_t i;

	for (i = 0; i < list->count; i++) {
		free(list->notes[i].path);
		free(list->notes[i].text);
	}
	free(list->notes);
	memset(list, 0, sizeof(*list));
}

int journal_dir_open(bool create, char *why, size_t why_len)
{
	const char *path = getenv(STATE_ENV);
	struct stat st;
	int fd, err;

	if (!path || !*path)
		path = STATE_DIR;
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
		snprintf(why, why_len,
			 "%s: not a directory of ours alone: remove it or set " STATE_ENV, path);
		return -EPERM;
	}
	return fd;

fail:
	if (err == ELOOP || err == ENOTDIR)
		snprintf(why, why_len, "%s: not a directory: remove it or set " STATE_ENV, path);
	else
		snprintf(why, why_len, "%s: %s: set " STATE_ENV " to a directory of yours", path,
			 strerror(err));
	return -err;
}

bool journal_is_name(const char *name)
{
	size_t len = strlen(name), suffix = strlen(SUFFIX);

	return len > suffix && len < sizeof(((struct journal *)0)->name) &&
	       !strcmp(name + len - suffix, SUFFIX);
}

/* Journals of an earlier boot tell of a tracefs that is gone. */
static void read_boot_id(char *id, size_t len)
{
	FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");

	if (!f || !fgets(id, len, f))
		snprintf(id, len, "unknown");
	if (f)
		fclose(f);
	id[strcspn(id, "\n")] = '\0';
}

static struct journal *journal_alloc(int dir, const char *name, int fd)
{
	struct journal *journal = calloc(1, sizeof(*journal));

	if (!journal)
		return NULL;
	snprintf(journal->name, sizeof(journal->name), "%s", name);
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

static int lock(int fd, int how)
{
	while (flock(fd, how) < 0) {
		if (errno != EINTR)
			return -errno;
	}
	return 0;
}

static int append(struct journal *journal, const char *line, size_t len)
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
	/* Half a line would spoil the next one. */
	if (ftruncate(journal->fd, journal->len) < 0)
		return -errno;
	return -ENOSPC;
}

int journal_create(struct journal **journal, int dir)
{
	char name[64], line[128], id[64];
	unsigned int number, tries;
	struct journal *new;
	int fd, ret;

	for (tries = 0; tries < 1000; tries++) {
		if (getrandom(&number, sizeof(number), GRND_NONBLOCK) != sizeof(number))
			number = tries;
		snprintf(name, sizeof(name), "%d-%08x" SUFFIX, (int)getpid(), number);
		fd = openat(dir, name, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
		if (fd < 0 && errno == EEXIST)
			continue;
		if (fd < 0)
			return -errno;
		ret = lock(fd, LOCK_EX);
		if (ret) {
			unlinkat(dir, name, 0);
			close(fd);
			return ret;
		}
		/* A cleanup may have seen it without a lock and removed it. */
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
	ret = append(new, line, snprintf(line, sizeof(line), MAGIC "%s\n", id));
	if (ret) {
		journal_remove(new);
		journal_close(new);
		return ret;
	}
	*journal = new;
	return 0;
}

static void put_field(FILE *f, const char *text)
{
	putc('\t', f);
	for (; *text; text++) {
		switch (*text) {
		case '\t':
			fputs("\\t", f);
			break;
		case '\n':
			fputs("\\n", f);
			break;
		case '\\':
			fputs("\\\\", f);
			break;
		default:
			putc(*text, f);
		}
	}
}

int journal_note(struct journal *journal, const struct note *note)
{
	char *line = NULL;
	size_t len = 0;
	int ret;
	FILE *f = open_memstream(&line, &len);

	if (!f)
		return -ENOMEM;
	fputs(type_names[note->type], f);
	put_field(f, note->path);
	if (note->text)
		put_field(f, note->text);
	if (note->type == NOTE_TRIGGER || note->type == NOTE_OBJECT)
		fprintf(f, "\t%" PRIx64, note->before);
	putc('\n', f);
	ret = fclose(f) ? -ENOMEM : append(journal, line, len);
	free(line);
	return ret;
}

int journal_done(struct journal *journal, size_t number)
{
	char line[32];

	return append(journal, line, snprintf(line, sizeof(line), "done\t%zu\n", number));
}

int journal_remove(struct journal *journal)
{
	return unlinkat(journal->dir, journal->name, 0) < 0 ? -errno : 0;
}

void journal_close(struct journal *journal)
{
	if (!journal)
		return;
	close(journal->fd);
	close(journal->dir);
	free(journal);
}

/* In place. False for a backslash that nobody wrote. */
static bool unescape(char *text)
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

static bool parse_number(const char *text, int base, uint64_t *value)
{
	char *end;

	if (!isxdigit((unsigned char)*text))
		return false;
	errno = 0;
	*value = strtoull(text, &end, base);
	return !errno && !*end;
}

/* @line without its newline; it is taken apart. */
static int parse_line(char *line, struct note_list *list)
{
	char *fields[MAX_FIELDS + 1];
	uint64_t number = 0;
	unsigned int n = 0;

	while (line) {
		if (n > MAX_FIELDS - 1)
			return -EBADMSG;
		fields[n] = strsep(&line, "\t");
		if (!unescape(fields[n++]))
			return -EBADMSG;
	}
	if (n == 2 && !strcmp(fields[0], "done")) {
		if (!parse_number(fields[1], 10, &number) || number >= list->count)
			return -EBADMSG;
		list->notes[number].done = true;
		return 0;
	}
	if (n < 2 || !target_path_ok(fields[1]))
		return -EBADMSG;
	if (n == 2 && !strcmp(fields[0], type_names[NOTE_INSTANCE]))
		return note_list_add(list, NOTE_INSTANCE, fields[1], NULL, 0);
	if (n == 3 && !strcmp(fields[0], type_names[NOTE_VALUE]))
		return note_list_add(list, NOTE_VALUE, fields[1], fields[2], 0);
	if (n == 4 && !strcmp(fields[0], type_names[NOTE_TRIGGER]) &&
	    parse_number(fields[3], 16, &number))
		return note_list_add(list, NOTE_TRIGGER, fields[1], fields[2], number);
	if (n == 4 && !strcmp(fields[0], type_names[NOTE_OBJECT]) &&
	    parse_number(fields[3], 16, &number))
		return note_list_add(list, NOTE_OBJECT, fields[1], fields[2], number);
	return -EBADMSG;
}

static int parse(struct journal *journal, char *text, size_t len, struct note_list *list)
{
	char *line = text, *end;
	char id[64];
	int ret;

	/* Killed before it had written its first line: nothing was changed. */
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
	/* So that a "done" does not continue an unfinished line. */
	if (*line && ftruncate(journal->fd, journal->len) < 0)
		return -errno;
	return 0;
}

static int read_journal(struct journal *journal, struct note_list *list)
{
	struct stat st;
	ssize_t len;
	char *text;
	int ret;

	if (fstat(journal->fd, &st) < 0)
		return -errno;
	if (st.st_size > MAX_JOURNAL)
		return -EBADMSG;
	text = malloc(st.st_size + 1);
	if (!text)
		return -ENOMEM;
	len = pread(journal->fd, text, st.st_size, 0);
	if (len < 0) {
		ret = -errno;
	} else {
		text[len] = '\0';
		ret = parse(journal, text, len, list);
	}
	free(text);
	return ret;
}

int journal_take(struct journal **journal, int dir, const char *name, struct note_list *list)
{
	struct journal *old;
	struct stat st;
	int fd, ret;

	fd = openat(dir, name, O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return errno == ELOOP ? -EPERM : -errno;
	ret = fstat(fd, &st) < 0 ? -errno : 0;
	if (!ret && (!S_ISREG(st.st_mode) || st.st_uid != geteuid()))
		ret = -EPERM;
	if (!ret)
		ret = lock(fd, LOCK_EX | LOCK_NB);
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
		journal_close(old);
		note_list_clear(list);
		return ret;
	}
	*journal = old;
	return ret;
}
