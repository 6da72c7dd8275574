// SPDX-License-Identifier: GPL-2.0
/*
 * test_data.c - see test_data.h
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "utest/unit/test_data.h"

const char *test_data_path(const char *name)
{
	static char paths[4][4096];
	static unsigned int turn;
	char *path = paths[turn++ % 4];

	snprintf(path, sizeof(paths[0]), "%s/%s", UTEST_DATA, name);
	return path;
}

const char *test_error(const struct hist_error *error)
{
	static char texts[4][2 * HIST_ERROR_MAX];
	static unsigned int turn;
	char *text = texts[turn++ % 4];

	snprintf(text, sizeof(texts[0]), "%s%s%s", error->what, *error->hint ? "\n" : "",
		 error->hint);
	return text;
}

char *test_read_file(const char *path, size_t *len)
{
	FILE *f = fopen(path, "rb");
	char *data = NULL;
	long size = 0;

	if (f && !fseek(f, 0, SEEK_END) && (size = ftell(f)) >= 0)
		data = malloc(size + 1);
	if (!data || fseek(f, 0, SEEK_SET) || fread(data, 1, size, f) != (size_t)size) {
		fprintf(stderr, "unit-tests: %s: %s\n", path, strerror(errno));
		exit(2);
	}
	fclose(f);
	data[size] = '\0';
	*len = size;
	return data;
}

static char dir[32];
static int dir_before;

int test_dir_enter(void)
{
	strcpy(dir, "/tmp/unit-tests.XXXXXX");
	dir_before = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	return dir_before < 0 || !mkdtemp(dir) || chdir(dir);
}

int test_dir_leave(void)
{
	DIR *d = opendir(dir);
	struct dirent *e;

	while (d && (e = readdir(d)))
		unlinkat(dirfd(d), e->d_name, 0);
	return !d || closedir(d) || fchdir(dir_before) || close(dir_before) || rmdir(dir);
}

static FILE *said;
static int stderr_before;

void test_stderr_begin(void)
{
	fflush(stderr);
	said = tmpfile();
	stderr_before = dup(2);
	if (!said || stderr_before < 0 || dup2(fileno(said), 2) < 0)
		abort();
}

const char *test_stderr_end(void)
{
	static char text[8192];

	fflush(stderr);
	dup2(stderr_before, 2);
	close(stderr_before);
	rewind(said);
	text[fread(text, 1, sizeof(text) - 1, said)] = '\0';
	fclose(said);
	return text;
}

bool test_is_long(void)
{
	return getenv("CHECK_LONG");
}

uint64_t test_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1du;
}
