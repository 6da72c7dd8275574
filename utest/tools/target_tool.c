// SPDX-License-Identifier: GPL-2.0
/*
 * target_tool.c - lets test scripts use a target and its undo: the local one, or with
 * "-t URL" before the verb another
 *
 *	target_tool clock CLOCK [INSTANCE]
 *		print the time on the clock
 *	target_tool reread FILE MARKER TEXT
 *		print the file, write TEXT to MARKER, print the file again through
 *		the same handle, with a line "--" in between
 *	target_tool list DIR
 *		print the names in the directory, a line each
 *	target_tool hold CHANGE...
 *		make the changes, each noted for undo first, print "ready", wait
 *		for the end of standard input, take all back
 *		instance DIR | trigger FILE TEXT | value FILE NEW
 *		| noted FILE TEXT: a trigger that is noted, and not yet written
 *	target_tool tai SECONDS
 *		set the kernel's offset of CLOCK_TAI to CLOCK_REALTIME
 *	target_tool describe
 *		print what is known of the machine
 *
 * Paths are relative to tracefs.  Exit status 0, or 2 after an error line.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timex.h>
#include <unistd.h>

#include "helper/local/target.h"
#include "tracecmd/target/target_open.h"
#include "tracecmd/undo/undo.h"

static int fail(const char *what, int err)
{
	fprintf(stderr, "target_tool: %s: %s\n", what, strerror(-err));
	return 2;
}

static int show_clock(struct hist_target *t, int argc, char **argv)
{
	uint64_t now;
	int ret;

	if (argc < 1)
		return fail("clock", -EINVAL);
	ret = t->ops->clock(t, argv[0], argc > 1 ? argv[1] : NULL, &now);
	if (ret)
		return fail(argv[0], ret);
	printf("%llu\n", (unsigned long long)now);
	return 0;
}

static int reread(struct hist_target *t, int argc, char **argv)
{
	struct target_buf buf = { 0 };
	int handle, ret;

	if (argc != 3)
		return fail("reread", -EINVAL);
	ret = t->ops->open(t, argv[0], &handle);
	if (ret)
		return fail(argv[0], ret);
	ret = t->ops->reread(t, handle, &buf);
	if (!ret)
		printf("%s--\n", buf.data);
	if (!ret)
		ret = target_write_str(t, argv[1], argv[2], true);
	if (!ret)
		ret = t->ops->reread(t, handle, &buf);
	if (!ret)
		printf("%s", buf.data);
	t->ops->close(t, handle);
	free(buf.data);
	return ret ? fail(argv[0], ret) : 0;
}

static int list(struct hist_target *t, int argc, char **argv)
{
	struct target_buf buf = { 0 };
	size_t at;
	int ret;

	ret = argc == 1 ? t->ops->list(t, argv[0], &buf) : -EINVAL;
	if (!ret) {
		for (at = 0; at < buf.len; at += strlen(buf.data + at) + 1)
			puts(buf.data + at);
	}
	free(buf.data);
	return ret ? fail("list", ret) : 0;
}

/* One change from the arguments; the number of arguments used, or -errno. */
static int change(struct hist_target *t, struct undo *undo, int argc, char **argv)
{
	struct target_buf old = { 0 };
	int ret, used = 3;

	if (argc >= 2 && !strcmp(argv[0], "instance")) {
		used = 2;
		ret = undo_note(undo, UNDO_NOTE_INSTANCE, argv[1], NULL);
		if (!ret)
			ret = t->ops->mkdir(t, argv[1]);
	} else if (argc >= 3 && !strcmp(argv[0], "trigger")) {
		ret = undo_note(undo, UNDO_NOTE_TRIGGER, argv[1], argv[2]);
		if (!ret)
			ret = target_write_str(t, argv[1], argv[2], true);
	} else if (argc >= 3 && !strcmp(argv[0], "noted")) {
		ret = undo_note(undo, UNDO_NOTE_TRIGGER, argv[1], argv[2]);
	} else if (argc >= 3 && !strcmp(argv[0], "value")) {
		ret = t->ops->read(t, argv[1], &old);
		if (!ret)
			ret = undo_note(undo, UNDO_NOTE_VALUE, argv[1], old.data);
		if (!ret)
			ret = target_write_str(t, argv[1], argv[2], false);
		free(old.data);
	} else {
		return -EINVAL;
	}
	return ret ? ret : used;
}

static int hold(struct hist_target *t, int argc, char **argv)
{
	struct undo *undo;
	struct hist_error error = { 0 };
	char byte;
	int ret;

	ret = undo_new(&undo, t, &error);
	if (ret)
		return fail(error.what, ret);
	while (argc) {
		ret = change(t, undo, argc, argv);
		if (ret < 0) {
			fail(argv[0], ret);
			break;
		}
		argc -= ret;
		argv += ret;
	}
	puts("ready");
	fflush(stdout);
	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
	if (undo_run(undo, stderr))
		ret = -1;
	undo_free(undo);
	return ret < 0 ? 2 : 0;
}

static int set_tai(int argc, char **argv)
{
	struct timex timex = { .modes = ADJ_TAI };

	if (argc != 1)
		return fail("tai", -EINVAL);
	timex.constant = atoi(argv[0]);
	return adjtimex(&timex) < 0 ? fail("tai", -errno) : 0;
}

static int describe(struct hist_target *t)
{
	printf("uname %s\nhost %s\ncpus %u\npage %u\nlong %u\nbig %d\n", t->uname, t->host,
	       t->cpus, t->page_size, t->long_size, t->big_endian);
	return 0;
}

int main(int argc, char **argv)
{
	const char *verb, *url = NULL;
	struct hist_target *t;
	struct hist_error error = { 0 };
	int ret;

	if (argc > 2 && !strcmp(argv[1], "-t")) {
		url = argv[2];
		argc -= 2;
		argv += 2;
	}
	verb = argc > 1 ? argv[1] : "";
	ret = target_open(&t, url, &error);
	if (ret)
		return fail(error.what, ret);
	argc -= 2;
	argv += 2;
	if (!strcmp(verb, "clock"))
		ret = show_clock(t, argc, argv);
	else if (!strcmp(verb, "reread"))
		ret = reread(t, argc, argv);
	else if (!strcmp(verb, "list"))
		ret = list(t, argc, argv);
	else if (!strcmp(verb, "hold"))
		ret = hold(t, argc, argv);
	else if (!strcmp(verb, "tai"))
		ret = set_tai(argc, argv);
	else if (!strcmp(verb, "describe"))
		ret = describe(t);
	else
		ret = fail("usage", -EINVAL);
	target_free(t);
	return ret;
}
