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

static int key_set_reason(int ret, char *why, size_t why_len, const char *text)
{
	text_join_to(why, why_len, text, NULL);
	return ret;
}

static int key_set_errno(char *why, size_t why_len)
{
	int ret = -errno;

	text_join_to(why, why_len, strerror(-ret), NULL);
	return ret;
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

int key_parse(struct key *key, const char *text, size_t len, char *why, size_t why_len)
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
			return key_set_reason(-EINVAL, why, why_len,
					      "not a key: a key consists only of hexadecimal "
					      "digits");
	}
	if (len < 2 * KEY_MIN)
		return key_set_reason(-EINVAL, why, why_len,
				      "the key is too short: it has fewer than 32 digits\n"
				      "create a key with --new-key FILE");
	if (len > 2 * KEY_MAX || len % 2)
		return key_set_reason(-EINVAL, why, why_len,
				      "not a key: a key has an even number of digits, from 32 to "
				      "64");
	for (i = 0; i < len; i += 2)
		key->bytes[key->len++] =
			text_parse_digit(text[i]) << 4 | text_parse_digit(text[i + 1]);
	return 0;
}

static int check_file(int fd, char *why, size_t why_len)
{
	struct stat st;

	if (fstat(fd, &st))
		return key_set_errno(why, why_len);
	if (!S_ISREG(st.st_mode))
		return key_set_reason(-EINVAL, why, why_len,
				      "not a regular file");
	if (st.st_uid != geteuid() && st.st_uid != 0)
		return key_set_reason(-EPERM, why, why_len,
				      "the file belongs to another user\n"
				      "create your own key with --new-key FILE");
	if (st.st_mode & 077)
		return key_set_reason(-EPERM, why, why_len,
				      "other users can read or write the file\ncreate a new key, "
				      "or use chmod 600");
	return 0;
}

int key_load(struct key *key, const char *path, char *why, size_t why_len)
{
	char text[FILE_MAX + 1];
	size_t len = 0;
	ssize_t n;
	int fd, ret;

	key->len = 0;
	/* O_NONBLOCK prevents a hang if the file is a FIFO. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return key_set_errno(why, why_len);
	ret = check_file(fd, why, why_len);
	while (!ret && len < sizeof(text)) {
		n = read(fd, text + len, sizeof(text) - len);
		if (n < 0)
			ret = key_set_errno(why, why_len);
		if (n <= 0)
			break;
		len += (size_t)n;
	}
	if (!ret && len == sizeof(text))
		ret = key_set_reason(-EFBIG, why, why_len,
				     "the file is too large for a key");
	if (!ret)
		ret = key_parse(key, text, len, why, why_len);
	key_wipe_bytes(text, sizeof(text));
	close(fd);
	return ret;
}

int key_create(const char *path, char *why, size_t why_len)
{
	unsigned char bytes[KEY_MAX];
	char text[2 * KEY_MAX + 1];
	ssize_t n;
	size_t i;
	int fd, ret;

	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return key_set_errno(why, why_len);
	ret = key_get_random(bytes, sizeof(bytes));
	if (ret) {
		text_join_to(why, why_len, strerror(-ret), NULL);
		goto out;
	}
	for (i = 0; i < sizeof(bytes); i++) {
		text[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
		text[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
	}
	text[2 * i] = '\n';
	n = write(fd, text, sizeof(text));
	if (n < 0)
		ret = key_set_errno(why, why_len);
	else if (n != sizeof(text))
		ret = key_set_reason(-EIO, why, why_len, "only part of the file was written; the "
				     "disk may be full");
out:
	key_wipe_bytes(bytes, sizeof(bytes));
	key_wipe_bytes(text, sizeof(text));
	close(fd);
	if (ret)
		unlinkat(AT_FDCWD, path, 0);
	return ret;
}
