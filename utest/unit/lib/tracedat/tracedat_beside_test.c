// SPDX-License-Identifier: GPL-2.0
/*
 * tracedat_beside_test.c - many files beside another are read with few descriptors
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "lib/tracedat/tracedat_format.h"
#include "utest/unit/lib/tracedat/tracedat_files.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

#define MANY 150 /* more than a pool has descriptors */

static void write_sample(const char *name)
{
	size_t len, first;
	unsigned char *data = sample_file(HIST_COMPRESS_NONE, false, &len, &first);
	int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0600);

	CU_ASSERT_FATAL(fd >= 0);
	CU_ASSERT_EQUAL_FATAL(write(fd, data, len), (ssize_t)len);
	close(fd);
	free(data);
}

/* The file that loses its descriptor is opened again as it was first: in the directory @of. */
static void test_many(void)
{
	struct tracedat_pool *pool = tracedat_pool_new();
	struct tracedat_reader *dat[MANY];
	unsigned int i, lost = 0, opened = 0;
	struct file_place of;
	char name[16], *text;

	CU_ASSERT_PTR_NOT_NULL_FATAL(pool);
	CU_ASSERT_EQUAL_FATAL(mkdir("in", 0700), 0);
	CU_ASSERT_EQUAL_FATAL(file_place_find_dir(&of, "in/r.dat"), 0);
	CU_ASSERT_EQUAL_FATAL(chdir("in"), 0);
	for (i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "%u", i);
		write_sample(name);
		CU_ASSERT_EQUAL_FATAL(tracedat_open_beside(pool, &dat[i], &of, name, geteuid()), 0);
	}
	/* another user replaces the directory */
	CU_ASSERT_EQUAL_FATAL(chdir(".."), 0);
	CU_ASSERT_EQUAL_FATAL(rename("in", "aside"), 0);
	CU_ASSERT_EQUAL_FATAL(mkdir("in", 0700), 0);
	for (i = 0; i < MANY; i++) {
		CU_ASSERT_EQUAL_FATAL(tracedat_read_names(dat[i], &text), 0);
		free(text);
		opened += dat[i]->source->fd >= 0;
	}
	CU_ASSERT_EQUAL(opened, MANY);
	for (i = opened = 0; i < MANY; i++)
		opened += dat[i]->source->fd >= 0;
	CU_ASSERT_EQUAL(opened, 64);
	CU_ASSERT_PTR_NULL(tracedat_pool_lost(pool));

	/* links replace the files: those without a descriptor cannot be read any more */
	for (i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "%u", i);
		CU_ASSERT_EQUAL(renameat(of.dir, name, AT_FDCWD, name), 0);
		CU_ASSERT_EQUAL(symlinkat("/etc/hostname", of.dir, name), 0);
		if (dat[i]->source->fd < 0) {
			lost++;
			CU_ASSERT_EQUAL(tracedat_source_fd(dat[i]->source), -EIO);
		}
	}
	CU_ASSERT_EQUAL(lost, MANY - 64);
	CU_ASSERT_PTR_NOT_NULL(tracedat_pool_lost(pool));
	for (i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "%u", i);
		CU_ASSERT_EQUAL(unlinkat(of.dir, name, 0), 0);
		tracedat_reader_free(dat[i]);
	}
	CU_ASSERT_EQUAL(rmdir("aside"), 0);
	CU_ASSERT_EQUAL(rmdir("in"), 0);
	tracedat_pool_free(pool);
	file_place_clear(&of);
}

static void test_refused(void)
{
	struct tracedat_reader *dat = NULL;
	struct file_place of;

	CU_ASSERT_EQUAL_FATAL(file_place_find_dir(&of, "r.dat"), 0);
	write_sample("file");
	CU_ASSERT_EQUAL(symlink("file", "link"), 0);
	CU_ASSERT_EQUAL(mkfifo("fifo", 0600), 0);
	CU_ASSERT_EQUAL(tracedat_open_beside(NULL, &dat, &of, "file", geteuid() + 1), -EPERM);
	CU_ASSERT_EQUAL(tracedat_open_beside(NULL, &dat, &of, "link", geteuid()), -EPERM);
	CU_ASSERT_EQUAL(tracedat_open_beside(NULL, &dat, &of, "fifo", geteuid()), -EPERM);
	CU_ASSERT_EQUAL(tracedat_open_beside(NULL, &dat, &of, "none", geteuid()), -ENOENT);
	CU_ASSERT_PTR_NULL(dat);
	CU_ASSERT_EQUAL_FATAL(tracedat_open_beside(NULL, &dat, &of, "file", geteuid()), 0);
	tracedat_reader_free(dat);
	file_place_clear(&of);
}

UNIT_TESTS_WITH(test_dir_enter, test_dir_leave,
	{ "many files beside another are opened again in its directory", test_many },
	{ "a link, a FIFO and a file of another owner are not opened", test_refused });
