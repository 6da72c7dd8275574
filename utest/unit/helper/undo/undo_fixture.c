// SPDX-License-Identifier: GPL-2.0
/*
 * undo_fixture.c - what the tests of undo share
 */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CUnit/CUnit.h>

#include "utest/unit/helper/undo/undo_fixture.h"

char base[64];
struct fake_target *fake;

char *in_base(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", base, name);
	return path;
}

int undo_set_up(void)
{
	snprintf(base, sizeof(base), "/tmp/undo-test-XXXXXX");
	if (!mkdtemp(base))
		return -1;
	setenv("TRACE_CMD_HIST_STATE", in_base("state"), 1);
	fake = fake_target_new(in_base("target"));
	return fake ? 0 : -1;
}

int undo_tear_down(void)
{
	char command[128];

	target_free(&fake->target);
	unsetenv("TRACE_CMD_HIST_STATE");
	snprintf(command, sizeof(command), "rm -rf %s", base);
	return system(command);
}

/* Each test begins with an instance-less target, no journal, and an empty log. */
void fresh(void)
{
	char command[512];

	fake->fail_op = NULL;
	snprintf(command, sizeof(command),
		 "rm -rf %s/state %s/target/* && mkdir -p %s/target/instances", base, base, base);
	CU_ASSERT_EQUAL_FATAL(system(command), 0);
}

void fail_on(const char *op, const char *path, int times, int err)
{
	fake->fail_op = op;
	fake->fail_path = path;
	fake->fail_times = times;
	fake->fail_err = err;
}

/* The path of the only journal, or NULL when there is not exactly one. */
const char *only_journal(void)
{
	static char path[512];
	DIR *dir = opendir(in_base("state"));
	struct dirent *entry;
	int n = 0;

	while (dir && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/state/%s", base, entry->d_name);
		n++;
	}
	if (dir)
		closedir(dir);
	return n == 1 ? path : NULL;
}

int no_journal(void)
{
	return rmdir(in_base("state")) == 0 || errno == ENOENT;
}

char *undo_read_file(const char *path)
{
	char *text = calloc(1, 4096);
	FILE *f = fopen(path, "r");

	if (f) {
		text[fread(text, 1, 4095, f)] = '\0';
		fclose(f);
	}
	return text;
}

void expect_log(const char *expected)
{
	char *log = fake_target_log(fake);

	CU_ASSERT_STRING_EQUAL(log, expected);
	if (strcmp(log, expected))
		printf("\n--- log\n%s--- expected\n%s", log, expected);
	free(log);
}

void expect_file(const char *path, const char *expected)
{
	char *text = fake_target_get(fake, path);

	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	CU_ASSERT_STRING_EQUAL(text, expected);
	free(text);
}

struct undo *new_undo(void)
{
	struct undo *undo = NULL;
	struct hist_error error = { 0 };

	CU_ASSERT_EQUAL_FATAL(undo_new(&undo, &fake->target, &error), 0);
	return undo;
}

/* As a recorder does: note, then make. */
void add_instance(struct undo *undo)
{
	CU_ASSERT_EQUAL(undo_note(undo, UNDO_NOTE_INSTANCE, "instances/h", NULL), 0);
	CU_ASSERT_EQUAL(fake->target.ops->mkdir(&fake->target, "instances/h"), 0);
	CU_ASSERT_EQUAL(fake_target_put(fake, TRIGGER, "# none\n"), 0);
}

void add_trigger(struct undo *undo, const char *path, const char *text)
{
	CU_ASSERT_EQUAL(undo_note(undo, UNDO_NOTE_TRIGGER, path, text), 0);
	CU_ASSERT_EQUAL(target_write_str(&fake->target, path, text, true), 0);
}

void set_value(struct undo *undo, const char *path, const char *value)
{
	char *old = fake_target_get(fake, path);

	CU_ASSERT_EQUAL(undo_note(undo, UNDO_NOTE_VALUE, path, old), 0);
	CU_ASSERT_EQUAL(target_write_str(&fake->target, path, value, false), 0);
	free(old);
}

/* With the output of both streams in one string; free it. */
char *cleanup(bool dry_run, unsigned int *removed, unsigned int *failed)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	CU_ASSERT_EQUAL(undo_cleanup(&fake->target, dry_run, f, f, removed, failed), 0);
	fclose(f);
	return text;
}

void expect_cleanup(unsigned int removed, unsigned int failed, const char *expected)
{
	unsigned int r, f;
	char *text = cleanup(false, &r, &f);

	CU_ASSERT_EQUAL(r, removed);
	CU_ASSERT_EQUAL(f, failed);
	CU_ASSERT_STRING_EQUAL(text, expected);
	if (strcmp(text, expected))
		printf("\n--- got\n%s--- expected\n%s", text, expected);
	free(text);
}

/* A child that runs @make, says so, and waits to be killed. */
pid_t start_recorder(void (*make)(struct undo *))
{
	int ready[2];
	char byte;
	pid_t pid;

	CU_ASSERT_EQUAL_FATAL(pipe(ready), 0);
	fflush(NULL);
	pid = fork();
	if (!pid) {
		make(new_undo());
		if (write(ready[1], "r", 1) != 1)
			abort();
		for (;;)
			pause();
	}
	close(ready[1]);
	CU_ASSERT_EQUAL_FATAL(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	return pid;
}

void kill_recorder(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}
