// SPDX-License-Identifier: GPL-2.0
/*
 * key_test.c - files with keys: which are taken, and what is in a new one
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>

#include <CUnit/Basic.h>

#include "helper/wire/key.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

/* The result, and a reason exactly when it is none. */
static int parse(struct key *key, const char *text, size_t len)
{
	struct hist_error error = { 0 };
	int ret;

	memset(key, 0xaa, sizeof(*key));
	ret = key_parse(key, text, len, &error);
	CU_ASSERT_EQUAL(!ret, !*test_error(&error));
	CU_ASSERT_TRUE(!ret || !key->len);
	return ret;
}

static void test_text(void)
{
	static const char digits[] = "00112233445566778899aabbccddeeffFEDCBA98765432100123456789abCDef";
	static const unsigned char bytes[] = {
		0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd,
		0xee, 0xff, 0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10, 0x01, 0x23, 0x45, 0x67,
		0x89, 0xab, 0xcd, 0xef,
	};
	struct key key;
	char text[100];
	size_t len;
	int c;

	for (len = 0; len <= 64; len++) {
		if (len < 2 * KEY_MIN || len % 2) {
			CU_ASSERT_EQUAL(parse(&key, digits, len), -EINVAL);
			continue;
		}
		CU_ASSERT_EQUAL(parse(&key, digits, len), 0);
		CU_ASSERT_EQUAL(key.len, len / 2);
		CU_ASSERT_EQUAL(memcmp(key.bytes, bytes, len / 2), 0);
	}
	/* white space around it, and none in it */
	snprintf(text, sizeof(text), " \t\r\n%s \r\n\n", digits);
	CU_ASSERT_EQUAL(parse(&key, text, strlen(text)), 0);
	CU_ASSERT_EQUAL(memcmp(key.bytes, bytes, sizeof(bytes)), 0);
	snprintf(text, sizeof(text), "%.32s\n%s", digits, digits + 34);
	CU_ASSERT_EQUAL(parse(&key, text, strlen(text)), -EINVAL);
	snprintf(text, sizeof(text), "%s%.2s", digits, digits);
	CU_ASSERT_EQUAL(parse(&key, text, strlen(text)), -EINVAL);
	/* no other byte is a digit */
	for (c = 0; c < 256; c++) {
		memcpy(text, digits, 64);
		text[40] = (char)c;
		CU_ASSERT_EQUAL(parse(&key, text, 64),
				c && strchr("0123456789abcdefABCDEF", c) ? 0 : -EINVAL);
	}
}

static void put(const char *name, const char *text, mode_t mode)
{
	int fd;

	unlink(name);
	fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0600);
	CU_ASSERT_TRUE_FATAL(fd >= 0);
	CU_ASSERT_EQUAL(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	CU_ASSERT_EQUAL(fchmod(fd, mode), 0);
	close(fd);
}

static int load(const char *name)
{
	struct hist_error error = { 0 };
	struct key key;
	int ret = key_load(&key, name, &error);

	CU_ASSERT_EQUAL(!ret, !*test_error(&error));
	CU_ASSERT_TRUE(ret ? !key.len : key.len >= KEY_MIN);
	return ret;
}

static void test_file(void)
{
	static const char good[] = "0123456789abcdef0123456789abcdef\n";
	char large[200];
	mode_t bit;

	put("key", good, 0600);
	CU_ASSERT_EQUAL(load("key"), 0);
	put("key", good, 0400);
	CU_ASSERT_EQUAL(load("key"), 0);
	for (bit = 1; bit <= 040; bit <<= 1) {
		put("key", good, 0600 | bit);
		CU_ASSERT_EQUAL(load("key"), -EPERM);
	}
	put("key", "", 0600);
	CU_ASSERT_EQUAL(load("key"), -EINVAL);
	/* as large as a file may be, and one byte more */
	memset(large, ' ', sizeof(large));
	memcpy(large, good, strlen(good));
	large[80] = '\0';
	put("key", large, 0600);
	CU_ASSERT_EQUAL(load("key"), 0);
	large[80] = ' ';
	large[81] = '\0';
	put("key", large, 0600);
	CU_ASSERT_EQUAL(load("key"), -EFBIG);
	unlink("key");
	CU_ASSERT_EQUAL(load("key"), -ENOENT);
	CU_ASSERT_EQUAL(load("."), -EINVAL);
	/* nobody writes into it, and it does not wait for one */
	CU_ASSERT_EQUAL(mkfifo("fifo", 0600), 0);
	CU_ASSERT_EQUAL(load("fifo"), -EINVAL);
	unlink("fifo");
	CU_ASSERT_EQUAL(load("/dev/zero"), -EINVAL);
	if (geteuid())
		return;
	/* somebody else's is theirs; root may read it, and does not take it */
	put("key", good, 0600);
	CU_ASSERT_EQUAL(chown("key", 1, 0), 0);
	CU_ASSERT_EQUAL(load("key"), -EPERM);
	unlink("key");
}

static void test_new(void)
{
	struct key a, b;
	struct hist_error error = { 0 };
	struct stat st;
	mode_t mask = umask(0);

	CU_ASSERT_EQUAL(key_create("a", &error), 0);
	CU_ASSERT_EQUAL(key_create("b", &error), 0);
	umask(mask);
	CU_ASSERT_EQUAL(stat("a", &st), 0);
	CU_ASSERT_EQUAL(st.st_mode & 07777, 0600);
	CU_ASSERT_EQUAL(st.st_size, 2 * KEY_MAX + 1);
	CU_ASSERT_EQUAL(key_load(&a, "a", &error), 0);
	CU_ASSERT_EQUAL(key_load(&b, "b", &error), 0);
	CU_ASSERT_TRUE(a.len == KEY_MAX && b.len == KEY_MAX);
	CU_ASSERT_NOT_EQUAL(memcmp(a.bytes, b.bytes, KEY_MAX), 0);
	CU_ASSERT_STRING_EQUAL(test_error(&error), "");
	/* one that is there stays as it is */
	CU_ASSERT_EQUAL(key_create("a", &error), -EEXIST);
	CU_ASSERT_STRING_NOT_EQUAL(test_error(&error), "");
	CU_ASSERT_EQUAL(key_load(&b, "a", &error), 0);
	CU_ASSERT_EQUAL(memcmp(a.bytes, b.bytes, KEY_MAX), 0);
	CU_ASSERT_EQUAL(key_create("no/a", &error), -ENOENT);
	/* where it cannot be written, no file is left: a key that is cut off is none */
	CU_ASSERT_EQUAL(symlink("/dev/full", "full"), 0);
	CU_ASSERT_EQUAL(key_create("full", &error), -EEXIST);
	unlink("full");
	unlink("a");
	unlink("b");
	key_wipe(&a);
	memset(&b, 0, sizeof(b));
	CU_ASSERT_EQUAL(memcmp(&a, &b, sizeof(a)), 0);
}

/* Each byte is random: none stays what it was in eight rounds, but once in 2^64. */
static void test_random_key(void)
{
	unsigned char bytes[300], changed[300] = { 0 };
	int round;
	size_t i;

	for (round = 0; round < 8; round++) {
		memset(bytes, 0, sizeof(bytes));
		CU_ASSERT_EQUAL(key_get_random(bytes, sizeof(bytes) - 1), 0);
		for (i = 0; i < sizeof(bytes); i++)
			changed[i] |= bytes[i];
	}
	for (i = 0; i < sizeof(bytes) - 1; i++)
		CU_ASSERT_NOT_EQUAL(changed[i], 0);
	CU_ASSERT_EQUAL(changed[i], 0);
	CU_ASSERT_EQUAL(key_get_random(NULL, 0), 0);
}

UNIT_TESTS_WITH(test_dir_enter, test_dir_leave,
	{ "key_parse() accepts only hex digits of full bytes, with white space around them",
	  test_text },
	{ "key_load() refuses a key file that is not regular, private, small and the user's own",
	  test_file },
	{ "key_create() writes a private random key and never replaces a file", test_new },
	{ "key_get_random() fills every byte of the buffer and no byte after the buffer",
	  test_random_key });
