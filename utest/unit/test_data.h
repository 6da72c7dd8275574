/* SPDX-License-Identifier: GPL-2.0 */
/*
 * test_data.h - the files in utest/data, a directory for files, stderr,
 * random numbers that repeat, and whether a sample is enough
 */
#ifndef UTEST_UNIT_TEST_DATA_H
#define UTEST_UNIT_TEST_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "UTEST_DATA/NAME"; in a buffer that the fourth call from now uses again. */
const char *test_data_path(const char *name);

/* The whole file, malloc'ed, with a NUL behind it; ends the program without it. */
char *test_read_file(const char *path, size_t *len);

/*
 * set_up() and tear_down() of a suite that writes files: an empty directory is the current one
 * for its tests, and is removed with its files.  Only one suite is there at a time.
 */
int test_dir_enter(void);
int test_dir_leave(void);

/*
 * From test_stderr_begin() on, stderr is a file.  test_stderr_end() returns what is in it, until the
 * next call.
 */
void test_stderr_begin(void);
const char *test_stderr_end(void);

/* CHECK_LONG is set: all cases are asked for, and not a sample of them. */
bool test_is_long(void);

/* xorshift64*: the same numbers in each run.  @state must not be 0. */
uint64_t test_random(uint64_t *state);

struct hist_error;

/* "SENTENCE" or "SENTENCE\nHINT", "" if the error is empty; valid until the fourth call after it.
 */
const char *test_error(const struct hist_error *error);

#endif
