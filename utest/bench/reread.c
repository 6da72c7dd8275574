// SPDX-License-Identifier: GPL-2.0
/*
 * reread.c - what the kernel does for a snapshot, in a VM that counts instructions
 *
 *	bench-reread ENTRIES
 *
 * Fills a histogram by process and system call with ENTRIES entries, reads it
 * as cat does, opening the file, and then once more as the recorder does,
 * through the descriptor that it keeps.  With QEMU's -icount shift=0 a
 * nanosecond of the guest is an instruction.  Prints "ENTRIES CAT KEPT".
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "helper/local/target.h"
#include "tracecmd/target/target_open.h"

#define INSTANCE "instances/bench-reread"
#define EVENT INSTANCE "/events/raw_syscalls/sys_enter"
/* No such system calls: the kernel counts them and does nothing else. */
#define FIRST_CALL 10000

static void must(int ret, const char *what)
{
	if (ret >= 0)
		return;
	fprintf(stderr, "bench-reread: %s: %s\n", what, strerror(-ret));
	exit(2);
}

static unsigned long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static void write_file(struct hist_target *t, const char *path, const char *text)
{
	must(t->ops->write(t, path, text, strlen(text), true), path);
}

static void make_trigger(char *text, size_t len, const char *remove, unsigned long entries)
{
	/* what this program reads with is left out */
	snprintf(text, len, "%shist:keys=common_pid.execname,id:size=%lu if id >= %d && "
			    "common_pid == %d", remove, entries, FIRST_CALL, (int)getpid());
}

static void fill(struct hist_target *t, unsigned long entries)
{
	char trigger[160];
	unsigned long i;

	must(t->ops->mkdir(t, INSTANCE), INSTANCE);
	make_trigger(trigger, sizeof(trigger), "", entries);
	write_file(t, EVENT "/trigger", trigger);
	/* in no order: by a stride that is prime to powers of two */
	for (i = 0; i < entries; i++)
		syscall(FIRST_CALL + i * 7919 % entries);
}

static void expect_all(const struct target_buf *buf, unsigned long entries)
{
	char total[64];

	snprintf(total, sizeof(total), "Entries: %lu\n", entries);
	must(strstr(buf->data, total) ? 0 : -EILSEQ, "not all entries are there");
}

/* The least of a few, where they are short: what is done once only is not meant. */
static void measure(struct hist_target *t, unsigned long entries)
{
	unsigned long long begin, took, cat = -1ull, kept = -1ull;
	unsigned int round, rounds = entries > 16384 ? 1 : 3;
	/* the memory that both read into is there already */
	struct target_buf buf = { .room = entries * 128, .data = malloc(entries * 128) };
	int handle;

	must(buf.data ? 0 : -ENOMEM, "buffer");
	memset(buf.data, 1, buf.room);
	for (round = 0; round < rounds; round++) {
		begin = now();
		must(t->ops->open(t, EVENT "/hist", &handle), "hist");
		must(t->ops->reread(t, handle, &buf), "hist");
		took = now() - begin;
		cat = took < cat ? took : cat;
		expect_all(&buf, entries);
		begin = now();
		must(t->ops->reread(t, handle, &buf), "hist");
		took = now() - begin;
		kept = took < kept ? took : kept;
		expect_all(&buf, entries);
		t->ops->close(t, handle);
	}
	printf("%lu %llu %llu\n", entries, cat, kept);
	free(buf.data);
}

int main(int argc, char **argv)
{
	unsigned long entries = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	struct hist_error error = { 0 };
	char trigger[160];
	struct hist_target *t;

	if (!entries)
		return 2;
	if (target_local_new(&t, &error)) {
		fprintf(stderr, "bench-reread: %s\n", error.what);
		return 2;
	}
	fill(t, entries);
	measure(t, entries);
	make_trigger(trigger, sizeof(trigger), "!", entries);
	write_file(t, EVENT "/trigger", trigger);
	must(t->ops->rmdir(t, INSTANCE), INSTANCE);
	t->ops->free(t);
	return 0;
}
