// SPDX-License-Identifier: GPL-2.0
/*
 * traced_reader_test.c - when a source is read by hist_raw, and when by its text
 *
 * The target is two files that are made here: the text, and hist_raw.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/CUnit.h>

#include "tracecmd/trigger/traced_event.h"
#include "utest/unit/lib/histfile/raw_make.h"
#include "utest/unit/tests.h"

#define DIR "instances/x/events/kmem/kmalloc"
#define PID "hist:keys=pid:vals=hitcount:sort=hitcount:size=2048"
#define SYMBOL "hist:keys=ip.sym:vals=hitcount:sort=hitcount:size=2048"
#define STACK "hist:keys=common_stacktrace:vals=hitcount:sort=hitcount:size=2048"
#define KEY 0x1

enum { TEXT = 1, RAW = 2 };

struct two_files {
	struct hist_target target;
	bool has_raw;
	char text[1024];
	struct raw_make raw;
	unsigned int open; /* TEXT | RAW */
	unsigned int read; /* which was read last */
	unsigned int cut;  /* so often the text ends with ENODEV */
};

static int fill(struct target_buf *buf, const void *data, size_t len)
{
	if (target_buf_reserve(buf, len + 1))
		return -ENOMEM;
	memcpy(buf->data, data, len);
	buf->data[len] = '\0';
	buf->len = len;
	return 0;
}

static int two_open(struct hist_target *t, const char *path, int *handle)
{
	const bool is_text = !strcmp(path, DIR "/hist");

	if (!is_text)
		CU_ASSERT_STRING_EQUAL(path, DIR "/hist_raw");
	*handle = is_text ? TEXT : RAW;
	((struct two_files *)t)->open |= *handle;
	return 0;
}

static int two_reread(struct hist_target *t, int handle, struct target_buf *buf)
{
	struct two_files *two = (struct two_files *)t;

	CU_ASSERT_EQUAL(handle, TEXT);
	two->read = TEXT;
	if (two->cut) {
		two->cut--;
		return -ENODEV;
	}
	return fill(buf, two->text, strlen(two->text));
}

static int two_snapshot(struct hist_target *t, int handle, struct target_buf *buf)
{
	struct two_files *two = (struct two_files *)t;

	CU_ASSERT_EQUAL(handle, RAW);
	two->read = RAW;
	raw_make_file(&two->raw);
	return fill(buf, two->raw.data, two->raw.len);
}

static void two_close(struct hist_target *t, int handle)
{
	((struct two_files *)t)->open &= ~handle;
}

static int two_exists(struct hist_target *t, const char *path)
{
	if (strcmp(path, "events/ftrace/print/hist_raw"))
		CU_ASSERT_STRING_EQUAL(path, DIR "/hist_raw");
	return ((struct two_files *)t)->has_raw;
}

static const struct hist_target_ops ops = {
	.open = two_open,
	.reread = two_reread,
	.snapshot = two_snapshot,
	.close = two_close,
	.exists = two_exists,
};

static const struct hist_target_ops remote_ops = {
	.open = two_open,
	.reread = two_reread,
	.close = two_close,
	.exists = two_exists,
};

static struct two_files two;
static struct traced_event source;
static struct target_buf buf;

/* A source with one histogram, as traced_event_attach() leaves it. */
static void begin(const char *trigger, uint32_t flags, uint32_t size)
{
	const struct hist_text_block block = { .trigger = trigger,
					       .trigger_len = strlen(trigger) };
	struct traced_hist *h;

	two = (struct two_files){
		.target.ops = &ops, .has_raw = true,
		.raw = { .id = 1, .trigger = trigger, .entry_size = 8 + size, .nfields = 2,
			 .fields = { { 0, 0, 8, "hitcount", 0 },
				     { KEY | flags, 8, size, "a key", 0 } } },
	};
	memset(&source, 0, sizeof(source));
	source.dir = strdup(DIR);
	CU_ASSERT_EQUAL_FATAL(traced_reader_open(&source, &two.target), 0);
	source.system = strdup("kmem");
	source.name = strdup("kmalloc");
	source.full_name = strdup("kmem:kmalloc");
	h = traced_event_new_hist(&source, false);
	CU_ASSERT_PTR_NOT_NULL_FATAL(h);
	CU_ASSERT_EQUAL_FATAL(traced_event_learn_block(h, &block), 0);
}

static void end(void)
{
	traced_event_clear(&source, &two.target);
	CU_ASSERT_EQUAL(two.open, 0);
	free(buf.data);
	memset(&buf, 0, sizeof(buf));
}

static void set_raw(uint64_t key, uint64_t hits)
{
	two.raw.nentries = 0;
	raw_make_entry(&two.raw);
	raw_make_number(&two.raw, 8, key);
	raw_make_number(&two.raw, 0, hits);
	two.raw.hits = hits;
}

/* @key: with its braces. */
static void set_text(const char *trigger, const char *key, unsigned int hits)
{
	snprintf(two.text, sizeof(two.text), "# event histogram\n#\n# trigger info: %s [active]\n#\n\n"
		 "%s hitcount: %10u\n\nTotals:\n    Hits: %u\n    Entries: 1\n    Dropped: 0\n",
		 trigger, key, hits, hits);
}

static int take(void)
{
	CU_ASSERT_EQUAL(traced_reader_fetch(&source, &two.target, &buf), 0);
	return traced_reader_take(&source, &two.target, &buf);
}

/* What @call says on stderr goes into @said; its value is returned. */
static int hear(int (*call)(void), char *said, size_t size)
{
	int saved = dup(2), ret;
	FILE *f = tmpfile();
	size_t len;

	fflush(stderr);
	dup2(fileno(f), 2);
	ret = call();
	fflush(stderr);
	dup2(saved, 2);
	close(saved);
	rewind(f);
	len = fread(said, 1, size - 1, f);
	said[len] = '\0';
	fclose(f);
	return ret;
}

static int open_raw(void)
{
	return traced_reader_open_raw(&source, &two.target, DIR, PLAN_READ_RAW);
}

static int open_as(enum plan_read how)
{
	return traced_reader_open_raw(&source, &two.target, DIR, how);
}

static int look_raw(void)
{
	return traced_reader_check_raw(&source, &two.target, PLAN_READ_RAW);
}

#define COMPLAINT "trace-cmd hist: error: --read raw: kmem:kmalloc: "
#define HINT "hint: leave out --read\n"

static void test_choice(void)
{
	char said[512];

	begin(PID, 0, 8);
	CU_ASSERT_EQUAL(open_as(PLAN_READ_TEXT), 0);
	CU_ASSERT_EQUAL(two.open, TEXT);
	two.has_raw = false;
	CU_ASSERT_EQUAL(open_as(PLAN_READ_AUTO), 0);
	CU_ASSERT_EQUAL(hear(open_raw, said, sizeof(said)), -EOPNOTSUPP);
	CU_ASSERT_STRING_EQUAL(said, COMPLAINT "this kernel does not have hist_raw\n" HINT);
	two.has_raw = true;
	two.target.ops = &remote_ops;
	CU_ASSERT_EQUAL(open_as(PLAN_READ_AUTO), 0);
	CU_ASSERT_EQUAL(two.open, TEXT);
	CU_ASSERT_EQUAL(hear(open_raw, said, sizeof(said)), -EOPNOTSUPP);
	CU_ASSERT_STRING_EQUAL(said, COMPLAINT "hist_raw cannot be read with --target\n" HINT);
	two.target.ops = &ops;
	CU_ASSERT_EQUAL(open_as(PLAN_READ_AUTO), 0);
	CU_ASSERT_EQUAL(two.open, TEXT | RAW);
	set_raw(10, 3);
	CU_ASSERT_EQUAL(take(), 0);
	CU_ASSERT_EQUAL(two.read, RAW);
	CU_ASSERT_EQUAL(source.hists[0].snap.hits, 3);
	end();

	begin("hist:keys=pid:v=prio:onmax($v).save(comm)", 0, 8);
	CU_ASSERT_EQUAL(open_as(PLAN_READ_AUTO), 0);
	CU_ASSERT_EQUAL(two.open, TEXT);
	CU_ASSERT_EQUAL(hear(open_raw, said, sizeof(said)), -EOPNOTSUPP);
	CU_ASSERT_STRING_EQUAL(said, COMPLAINT "hist_raw does not contain the values of "
			       "save()\n" HINT);
	end();
}

/* What cannot be is refused before a trigger is set: nothing is attached, no table made. */
static void test_look(void)
{
	struct traced_hist *h;
	char said[512];

	begin(PID, 0, 8);
	h = source.hists;
	hist_text_parser_free(h->triggers[0].parser);
	hist_table_free(h->table);
	h->triggers[0].parser = NULL;
	h->table = NULL;
	CU_ASSERT_EQUAL(look_raw(), 0);
	two.has_raw = false;
	CU_ASSERT_EQUAL(traced_reader_check_raw(&source, &two.target, PLAN_READ_AUTO), 0);
	CU_ASSERT_EQUAL(hear(look_raw, said, sizeof(said)), -EOPNOTSUPP);
	CU_ASSERT_STRING_EQUAL(said, COMPLAINT "this kernel does not have hist_raw\n" HINT);
	two.has_raw = true;
	two.target.ops = &remote_ops;
	CU_ASSERT_EQUAL(hear(look_raw, said, sizeof(said)), -EOPNOTSUPP);
	CU_ASSERT_STRING_EQUAL(said, COMPLAINT "hist_raw cannot be read with --target\n" HINT);
	end();

	begin("hist:keys=pid:v=prio:onmax($v).save(comm)", 0, 8);
	hist_text_parser_free(source.hists->triggers[0].parser);
	hist_table_free(source.hists->table);
	source.hists->triggers[0].parser = NULL;
	source.hists->table = NULL;
	CU_ASSERT_EQUAL(hear(look_raw, said, sizeof(said)), -EOPNOTSUPP);
	CU_ASSERT_STRING_EQUAL(said, COMPLAINT "hist_raw does not contain the values of "
			       "save()\n" HINT);
	end();
}

/* A trigger with actions went in the middle of the text: it is read again, but not forever. */
static void test_cut_text(void)
{
	begin(PID, 0, 8);
	set_text(PID, "{ pid:         10 }", 6);
	two.cut = 2;
	CU_ASSERT_EQUAL(take(), 0);
	CU_ASSERT_EQUAL(source.hists[0].snap.hits, 6);
	two.cut = 1000;
	CU_ASSERT_EQUAL(traced_reader_fetch(&source, &two.target, &buf), -ENODEV);
	CU_ASSERT(two.cut >= 990);
	end();
}

/* "first" in 45 columns */
#define FIRST "{ ip: [1000] first                                         }"

/* A new name: the text, which is the snapshot then; and hist_raw again. */
static void test_names(void)
{
	begin(SYMBOL, 0x200, 8);
	CU_ASSERT_EQUAL(open_as(PLAN_READ_AUTO), 0);
	set_raw(0x1000, 5);
	set_text(SYMBOL, FIRST, 6);
	CU_ASSERT_EQUAL(take(), -EAGAIN);
	CU_ASSERT_EQUAL(two.read, RAW);
	CU_ASSERT_EQUAL(take(), 0);
	CU_ASSERT_EQUAL(two.read, TEXT);
	CU_ASSERT_EQUAL(source.hists[0].snap.hits, 6);
	set_raw(0x1000, 7);
	CU_ASSERT_EQUAL(take(), 0);
	CU_ASSERT_EQUAL(two.read, RAW);
	CU_ASSERT_EQUAL(source.hists[0].snap.values[0], 7);
	/* cleared, which takes the names along: that is not forgotten over the text */
	two.raw.resets = 1;
	source.hists[0].snap.seq = 42;
	set_raw(0x1000, 8);
	set_text(SYMBOL, FIRST, 9);
	CU_ASSERT_EQUAL(take(), -EAGAIN);
	CU_ASSERT_EQUAL(take(), 0);
	CU_ASSERT_EQUAL(two.read, TEXT);
	CU_ASSERT_EQUAL(source.hists[0].snap.flags, HIST_SNAP_RESET);
	CU_ASSERT_EQUAL(source.hists[0].snap.seq, 42);
	CU_ASSERT_EQUAL(source.hists[0].snap.values[0], 9);
	set_raw(0x1000, 10);
	CU_ASSERT_EQUAL(take(), 0);
	CU_ASSERT_EQUAL(source.hists[0].snap.flags, 0);
	end();
}

static void test_cleared(void)
{
	begin(PID, 0, 8);
	CU_ASSERT_EQUAL(open_as(PLAN_READ_AUTO), 0);
	set_raw(10, 3);
	CU_ASSERT_EQUAL(take(), 0);
	two.raw.resets = 1;
	set_raw(11, 5);
	CU_ASSERT_EQUAL(take(), 0);
	CU_ASSERT_EQUAL(two.read, RAW);
	CU_ASSERT_EQUAL(source.hists[0].snap.flags, HIST_SNAP_RESET);
	CU_ASSERT_EQUAL(source.hists[0].snap.nentries, 1);
	CU_ASSERT_EQUAL(source.hists[0].snap.values[0], 5);
	CU_ASSERT_EQUAL(take(), 0);
	CU_ASSERT_EQUAL(source.hists[0].snap.flags, 0);
	end();
}

/* An address that is no kernel's: by the text for good. */
static void test_no_symbol(void)
{
	begin(STACK, 0x8, 16);
	CU_ASSERT_EQUAL(open_as(PLAN_READ_AUTO), 0);
	set_raw(0x10, 5);
	set_text(STACK, "{ common_stacktrace:\n         0x10\n}", 6);
	CU_ASSERT_EQUAL(take(), -EAGAIN);
	CU_ASSERT_EQUAL(two.open, TEXT);
	CU_ASSERT_EQUAL(take(), 0);
	CU_ASSERT_EQUAL(two.read, TEXT);
	CU_ASSERT_EQUAL(take(), 0);
	CU_ASSERT_EQUAL(two.read, TEXT);
	CU_ASSERT_EQUAL(source.hists[0].snap.hits, 6);
	end();
}

static void test_errors(void)
{
	char said[512];

	begin(PID, 0, 8);
	CU_ASSERT_EQUAL(open_as(PLAN_READ_AUTO), 0);
	set_raw(10, 3);
	two.raw.trigger = "hist:keys=prio";
	CU_ASSERT_EQUAL(hear(take, said, sizeof(said)), -ENOENT);
	CU_ASSERT_STRING_EQUAL(said, "trace-cmd hist: error: kmem:kmalloc: another program removed "
			       "the trigger\n");
	two.raw.trigger = PID;
	two.raw.fields[1].flags = 0;
	CU_ASSERT_EQUAL(hear(take, said, sizeof(said)), -EBADMSG);
	CU_ASSERT_STRING_EQUAL(said, "trace-cmd hist: error: kmem:kmalloc: cannot parse hist_raw: "
			       "0 keys, but the trigger has 1\nhint: use --read text\n");
	end();
}

/* The text after hist_raw tells that the histogram was cleared since, also if no row is left. */
static void test_cleared_between(void)
{
	begin(PID, 0, 8);
	CU_ASSERT_EQUAL(open_as(PLAN_READ_RAW), 0);
	set_raw(10, 3);
	CU_ASSERT_EQUAL(take(), 0);
	CU_ASSERT_EQUAL(source.hists[0].snap.hits, 3);
	traced_reader_close_raw(&source, &two.target);
	strcpy(two.text, "# event histogram\n#\n# trigger info: " PID " [active]\n#\n\n\n"
	       "Totals:\n    Hits: 0\n    Entries: 0\n    Dropped: 0\n");
	CU_ASSERT_EQUAL(take(), 0);
	CU_ASSERT_EQUAL(two.read, TEXT);
	CU_ASSERT_EQUAL(source.hists[0].snap.hits, 0);
	CU_ASSERT_TRUE(source.hists[0].snap.flags & HIST_SNAP_RESET);
	end();
}

UNIT_TESTS(
	{ "the text after hist_raw tells that the histogram was cleared", test_cleared_between },
	{ "hist_raw is read on this machine, not over --target, on a kernel with hist_raw and without save()",
	  test_choice },
	{ "--read raw is refused before a trigger is set if hist_raw cannot be read", test_look },
	{ "a hist file that ends early is read again a limited number of times", test_cut_text },
	{ "a new symbol is read from the text once, and then hist_raw is read again", test_names },
	{ "a clearing that hist_raw reports is marked in the next snapshot only", test_cleared },
	{ "a stack with an unknown address is read from the text from then on", test_no_symbol },
	{ "a removed trigger and an invalid hist_raw file are reported", test_errors });
