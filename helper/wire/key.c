// SPDX-License-Identifier: GPL-2.0
/*
 * key.c - the pre-shared key of a tcp:// connection
 *
 * Invariants: copies of a key on the stack are erased. Owner and mode are checked with
 * the descriptor that is read, not with the file name.
 */
#include "helper/port/port.h"

#include "helper/port/text.h"
#include "helper/wire/key.h"

/* 64 digits and some white space. */
#define FILE_MAX 80

static int key_set_errno(struct hist_error *error)
{
	int ret = -errno;

	return text_refuse(error, ret, strerror(-ret), NULL);
}

static void key_wipe_bytes(void *data, size_t len)
{
	/* Volatile, because a compiler removes a memset() of memory that is not read later. */
	volatile unsigned char *p = data;

	while (len--)
		*p++ = 0;
}

void key_wipe(struct key *key)
{
	key_wipe_bytes(key, sizeof(*key));
}

int key_get_random(void *to, size_t len)
{
	unsigned char *p = to;
	ssize_t n;

	while (len) {
		n = getrandom(p, len, 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EIO;
		p += n;
		len -= (size_t)n;
	}
	return 0;
}

static bool is_space(char c)
{
	return c && strchr(" \t\n\r", c);
}

int key_parse(struct key *key, const char *text, size_t len, struct hist_error *error)
{
	size_t i;

	while (len && is_space(text[len - 1]))
		len--;
	while (len && is_space(*text)) {
		text++;
		len--;
	}
	key->len = 0;
	for (i = 0; i < len; i++) {
		if (text_parse_digit(text[i]) < 0)
			return text_refuse(error, -EINVAL,
					   "not a key: a key consists only of hexadecimal "
					   "digits",
					   NULL);
	}
	if (len < 2 * KEY_MIN)
		return text_refuse(error, -EINVAL,
				   "the key is too short: it has fewer than 32 digits\n"
				   "create a key with --new-key FILE",
				   NULL);
	if (len > 2 * KEY_MAX || len % 2)
		return text_refuse(error, -EINVAL,
				   "not a key: a key has an even number of digits, from 32 to "
				   "64",
				   NULL);
	for (i = 0; i < len; i += 2)
		key->bytes[key->len++] =
			text_parse_digit(text[i]) << 4 | text_parse_digit(text[i + 1]);
	return 0;
}

static int check_file(int fd, struct hist_error *error)
{
	struct stat st;

	if (fstat(fd, &st))
		return key_set_errno(error);
	if (!S_ISREG(st.st_mode))
		return text_refuse(error, -EINVAL, "not a regular file", NULL);
	if (st.st_uid != geteuid() && st.st_uid != 0)
		return text_refuse(error, -EPERM,
				   "the file belongs to another user\n"
				   "create your own key with --new-key FILE",
				   NULL);
	if (st.st_mode & 077)
		return text_refuse(error, -EPERM,
				   "other users can read or write the file\ncreate a new key, "
				   "or use chmod 600",
				   NULL);
	return 0;
}

int key_load(struct key *key, const char *path, struct hist_error *error)
{
	char text[FILE_MAX + 1];
	size_t len = 0;
	ssize_t n;
	int fd, ret;

	key->len = 0;
	/* O_NONBLOCK prevents a hang if the file is a FIFO. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return key_set_errno(error);
	ret = check_file(fd, error);
	while (!ret && len < sizeof(text)) {
		n = read(fd, text + len, sizeof(text) - len);
		if (n < 0)
			ret = key_set_errno(error);
		if (n <= 0)
			break;
		len += (size_t)n;
	}
	if (!ret && len == sizeof(text))
		ret = text_refuse(error, -EFBIG, "the file is too large for a key", NULL);
	if (!ret)
		ret = key_parse(key, text, len, error);
	key_wipe_bytes(text, sizeof(text));
	close(fd);
	return ret;
}

int key_create(const char *path, struct hist_error *error)
{
	unsigned char bytes[KEY_MAX];
	char text[2 * KEY_MAX + 1];
	ssize_t n;
	size_t i;
	int fd, ret;

	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return key_set_errno(error);
	ret = key_get_random(bytes, sizeof(bytes));
	if (ret) {
		text_refuse(error, ret, strerror(-ret), NULL);
		goto out;
	}
	for (i = 0; i < sizeof(bytes); i++) {
		text[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
		text[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
	}
	text[2 * i] = '\n';
	n = write(fd, text, sizeof(text));
	if (n < 0)
		ret = key_set_errno(error);
	else if (n != sizeof(text))
		ret = text_refuse(error, -EIO,
				  "only part of the file was written; the "
				  "disk may be full",
				  NULL);
out:
	key_wipe_bytes(bytes, sizeof(bytes));
	key_wipe_bytes(text, sizeof(text));
	close(fd);
	if (ret)
		unlinkat(AT_FDCWD, path, 0);
	return ret;
}
