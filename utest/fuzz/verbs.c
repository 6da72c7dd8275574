// SPDX-License-Identifier: GPL-2.0
/*
 * verbs.c - a verb of the program, run on an input of a fuzzer
 *
 * The files are in memory and have the names of their descriptors.  What the verb says
 * goes to /dev/null: its FILE is another than that of libFuzzer, which keeps its own.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "utest/fuzz/verbs.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);

static const char magic[] = "\x17\x08\x44tracing";

static int fds[VERB_FILES_MAX];
static char paths[VERB_FILES_MAX][64];

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	unsigned int i;

	(void)argc;
	(void)argv;
	stdout = fopen("/dev/null", "w");
	stderr = stdout;
	for (i = 0; i < VERB_FILES_MAX; i++) {
		fds[i] = memfd_create("fuzz", 0);
		snprintf(paths[i], sizeof(paths[i]), "/proc/self/fd/%d", fds[i]);
	}
	if (!stdout || fds[VERB_FILES_MAX - 1] < 0)
		abort();
	return 0;
}

/* 0: no such option; 1, or 2 with its value. */
static int words_of(const struct fuzz_verb *verb, const char *word)
{
	size_t len = strlen(word);
	const char *const *o;

	for (o = verb->options; *o; o++)
		if (!strncmp(*o, word, len) && (!(*o)[len] || !strcmp(*o + len, "=")))
			return (*o)[len] ? 2 : 1;
	return 0;
}

/* How many words are in @argv behind @line; 0: it is none for us. */
static int take_line(const struct fuzz_verb *verb, char *line, char **argv)
{
	int argc = 0, more = 0;
	char *word;

	for (; verb->always[argc]; argc++)
		argv[argc] = (char *)verb->always[argc];
	for (line = *line ? line : NULL; (word = strsep(&line, "\t"));) {
		if (argc == VERB_WORDS_MAX)
			return 0;
		argv[argc++] = word;
		if (more) {
			more = 0;
			continue;
		}
		more = words_of(verb, word) - 1;
		if (more < 0)
			return 0;
	}
	return more ? 0 : argc;
}

static unsigned int put_files(const struct fuzz_verb *verb, const uint8_t *data, size_t size)
{
	const uint8_t *end = data + size, *next;
	unsigned int n = 0;

	for (; n < verb->files && data < end; data = next) {
		next = end - data < 2 ? NULL : memmem(data + 1, end - data - 1, magic, sizeof(magic) - 1);
		if (!next || n + 1 == verb->files)
			next = end;
		if (ftruncate(fds[n], 0) || pwrite(fds[n], data, next - data, 0) != next - data)
			abort();
		n++;
	}
	return n;
}

int fuzz_verb_run(const struct fuzz_verb *verb, const uint8_t *data, size_t size)
{
	const uint8_t *end = memchr(data, '\n', size);
	char *argv[VERB_WORDS_MAX + VERB_FILES_MAX + 2], *line;
	unsigned int files, i;
	int argc, status = -1;

	if (!end)
		return -1;
	line = strndup((const char *)data, end - data);
	if (!line)
		abort();
	argc = take_line(verb, line, argv);
	files = argc ? put_files(verb, end + 1, data + size - end - 1) : 0;
	/* several on each side */
	for (i = 0; i < files; i++) {
		if (files > 2 && i == files / 2)
			argv[argc++] = (char *)"--";
		argv[argc++] = paths[i];
	}
	argv[argc] = NULL;
	if (files)
		status = verb->command->run(argc, argv);
	fflush(stdout);
	free(line);
	return status;
}
