// SPDX-License-Identifier: GPL-2.0
/*
 * outfile_test.c - output files: on a machine that has no random numbers yet, and taken names
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "tracecmd/base/outfile.h"
#include "tracecmd/base/unique_name.h"
#include "utest/unit/tests.h"

/* The machine has started a moment ago. */
static bool just_started;
/* Calls that the kernel would have answered minutes later. */
static unsigned int waits;

/* Instead of the function in the C library. */
ssize_t getrandom(void *buffer, size_t length, unsigned int flags)
{
	if (!just_started)
		return syscall(SYS_getrandom, buffer, length, flags);
	waits += !(flags & GRND_NONBLOCK);
	errno = EAGAIN;
	return -1;
}

static void just_start(void)
{
	just_started = true;
	waits = 0;
}

static void write_file(const char *path, const char *text)
{
	struct outfile f;

	CU_ASSERT_EQUAL_FATAL(outfile_open(&f, path, false), 0);
	CU_ASSERT(write(f.fd, text, 3) == 3);
	CU_ASSERT_EQUAL(outfile_publish(&f), 0);
	outfile_close(&f);
}

static void test_replace(void)
{
	char dir[] = "/tmp/outfile_test.XXXXXX", path[64], text[8] = "";
	int fd;

	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/a.dat", dir);
	just_start();
	write_file(path, "old");
	write_file(path, "new");
	just_started = false;
	CU_ASSERT_EQUAL(waits, 0);
	fd = open(path, O_RDONLY);
	CU_ASSERT(read(fd, text, sizeof(text)) == 3);
	CU_ASSERT_STRING_EQUAL(text, "new");
	close(fd);
	unlink(path);
	/* empty, so no temporary name remains */
	CU_ASSERT_EQUAL(rmdir(dir), 0);
}

/* Another user takes the name between the look at it and the end of the file. */
static void test_taken(void)
{
	char dir[] = "/tmp/outfile_test.XXXXXX", path[64], next[64], text[8] = "";
	struct file_place place;
	struct outfile f;
	int fd;

	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/r.1", dir);
	snprintf(next, sizeof(next), "%s/r.2", dir);
	CU_ASSERT_EQUAL_FATAL(file_place_find_dir(&place, path), 0);
	CU_ASSERT_EQUAL_FATAL(symlink("/nowhere", path), 0);
	CU_ASSERT_EQUAL_FATAL(outfile_open_new(&f, &place, "r.1", path), 0);
	CU_ASSERT(write(f.fd, "new", 3) == 3);
	CU_ASSERT_EQUAL(outfile_publish_new(&f), -EEXIST);
	CU_ASSERT_EQUAL(outfile_rename(&f, "r.2", next), 0);
	CU_ASSERT_EQUAL(outfile_publish_new(&f), 0);
	CU_ASSERT_EQUAL(outfile_check(&f), 0);
	outfile_close(&f);
	fd = open(next, O_RDONLY);
	CU_ASSERT(read(fd, text, sizeof(text)) == 3);
	CU_ASSERT_STRING_EQUAL(text, "new");
	close(fd);
	CU_ASSERT(readlink(path, text, sizeof(text)) == (ssize_t)sizeof(text));
	file_place_clear(&place);
	unlink(path);
	unlink(next);
	CU_ASSERT_EQUAL(rmdir(dir), 0);
}

static void test_numbers(void)
{
	uint64_t first, second;
	int i;

	just_start();
	first = unique_number_64();
	second = first;
	/* a clock can be coarse */
	for (i = 0; i < 100000 && second == first; i++)
		second = unique_number_64();
	just_started = false;
	CU_ASSERT_EQUAL(waits, 0);
	CU_ASSERT_NOT_EQUAL(second, first);
}

UNIT_TESTS(
	{ "a file is replaced before the machine has random numbers", test_replace },
	{ "a file that may replace nothing gets another name if the first is taken", test_taken },
	{ "numbers differ before the machine has random numbers", test_numbers });
