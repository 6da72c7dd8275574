// SPDX-License-Identifier: GPL-2.0
/*
 * events_test.c - recorded files: what is in them, seeking, and what comes of damage
 *
 * That all events are those which libtracecmd finds is events.sh's to prove.  Here
 * stand a few, with what stock `trace-cmd report` prints of them.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include <tracehist/events.h>

#include "alloc_fail.h"
#include "test_data.h"
#include "tests.h"

#define SEVERAL "events/several.dat"
#define SIX "events/six.dat"
#define LOST "events/lost.dat"

/*
 * `trace-cmd report -t --cpu 0 several.dat`: the first and the last event of the top buffer.  A
 * task, and lines of the kallsyms that it was recorded with.
 */
#define KNOWN_EVENTS 361
#define KNOWN_FIRST UINT64_C(46162010205)
#define KNOWN_LAST UINT64_C(46734762223)
#define KNOWN_PID 184
#define KNOWN_COMM "dd"
#define KNOWN_ADDRESS UINT64_C(0xffffffffb4e45480)
#define KNOWN_SYMBOL "vfs_read"
#define KNOWN_SIZE 0x8d0
#define MODULE_ADDRESS UINT64_C(0xffffffffc0457980)
#define MODULE_SYMBOL "null_queue_rq [null_blk]"
#define END_ADDRESS UINT64_C(0xffffffffb7630000)

static struct hist_events *opened(const char *name)
{
	struct hist_events *events = NULL;
	char why[200] = "";

	if (hist_events_open(&events, test_data_path(name), why, sizeof(why)))
		CU_FAIL_FATAL("the file does not open");
	CU_ASSERT_STRING_EQUAL(why, "");
	return events;
}

static unsigned int type_of(const struct hist_page *page, const unsigned char *data)
{
	uint16_t type;

	memcpy(&type, data, sizeof(type));
	return page->big_endian ? be16toh(type) : le16toh(type);
}

/* What a walk finds. */
struct found {
	uint64_t events, first, last, types, lost, gaps, pages, bad;
};

static void walk(const struct hist_events *events, unsigned int buffer, unsigned int cpu,
		 struct found *f)
{
	const unsigned char *data;
	struct hist_pages *pages;
	struct hist_page page;
	uint64_t done = 0;
	uint32_t len;
	int ret;

	memset(f, 0, sizeof(*f));
	CU_ASSERT_EQUAL_FATAL(hist_pages_open(&pages, events, buffer, cpu), 0);
	while ((ret = hist_pages_next(pages, &page))) {
		CU_ASSERT_FATAL(ret == 1 || ret == -EBADMSG);
		CU_ASSERT(hist_pages_done(pages) >= done);
		done = hist_pages_done(pages);
		f->bad += ret != 1;
		if (ret != 1)
			continue;
		f->pages++;
		f->gaps += page.lost != 0;
		f->lost += page.lost == HIST_PAGE_LOST_SOME ? 0 : page.lost;
		while (hist_page_next(&page, &data, &len)) {
			if (!f->events++)
				f->first = page.time;
			f->last = page.time;
			f->types += type_of(&page, data);
		}
		f->bad += page.damaged;
	}
	if (!f->bad)
		CU_ASSERT_EQUAL(done, hist_pages_bytes(pages));
	CU_ASSERT_EQUAL(hist_pages_next(pages, &page), 0);
	hist_pages_free(pages);
}

static void test_what_is_there(void)
{
	struct hist_events *events = opened(SEVERAL);
	const struct hist_events_machine *m = hist_events_machine(events);
	const struct hist_events_buffer *b;
	struct hist_pages *none;
	struct found f;

	CU_ASSERT_STRING_EQUAL(m->host, "vm");
	CU_ASSERT(!strncmp(m->uname, "Linux vm 6.12.", 14));
	CU_ASSERT_EQUAL(m->cpus, 2);
	CU_ASSERT_EQUAL(m->page_size, 4096);
	CU_ASSERT_EQUAL(m->user_long_size, 8);
	CU_ASSERT_EQUAL(m->layout.long_size, 8);
	CU_ASSERT_FALSE(m->layout.big_endian);
	CU_ASSERT(strstr(m->header_page, "local_t commit;") != NULL);
	CU_ASSERT(strstr(m->header_event, "type_len") != NULL);

	CU_ASSERT_EQUAL_FATAL(hist_events_nbuffers(events), 2);
	b = hist_events_buffer(events, 0);
	CU_ASSERT_STRING_EQUAL(b->name, "");
	CU_ASSERT_STRING_EQUAL(b->clock, "mono");
	CU_ASSERT(strstr(b->clock_text, " [mono] ") != NULL);
	CU_ASSERT_EQUAL(b->cpus, 2);
	b = hist_events_buffer(events, 1);
	CU_ASSERT_STRING_EQUAL(b->name, "inner");
	CU_ASSERT_PTR_NULL(hist_events_buffer(events, 2));

	walk(events, 0, 0, &f);
	CU_ASSERT_EQUAL(f.events, KNOWN_EVENTS);
	CU_ASSERT_EQUAL(f.first, KNOWN_FIRST);
	CU_ASSERT_EQUAL(f.last, KNOWN_LAST);
	CU_ASSERT_EQUAL(f.bad, 0);
	/* no such CPU, no such buffer */
	walk(events, 0, 2, &f);
	CU_ASSERT_EQUAL(f.events, 0);
	CU_ASSERT_EQUAL(hist_pages_open(&none, events, 2, 0), -EINVAL);
	hist_events_free(events);

	events = opened(SIX);
	CU_ASSERT_EQUAL_FATAL(hist_events_nbuffers(events), 2);
	CU_ASSERT_STRING_EQUAL(hist_events_machine(events)->host, "vm");
	CU_ASSERT_STRING_EQUAL(hist_events_buffer(events, 0)->clock, "local");
	CU_ASSERT_STRING_EQUAL(hist_events_buffer(events, 1)->name, "inner");
	CU_ASSERT_EQUAL(hist_events_buffer(events, 1)->bytes, 8192);
	walk(events, 1, 1, &f);
	CU_ASSERT_EQUAL(f.events, 6);
	CU_ASSERT_EQUAL(f.first, UINT64_C(63796465227));
	hist_events_free(events);
	hist_events_free(NULL);
	hist_pages_free(NULL);
}

static void test_formats(void)
{
	struct hist_events *events = opened(SEVERAL);
	const char *system, *text, *other;
	unsigned int i, ftrace = 0;
	size_t len, other_len;

	CU_ASSERT_EQUAL(hist_events_format(events, "sched", "sched_switch", &text, &len), 0);
	CU_ASSERT(!strncmp(text, "name: sched_switch\nID: ", 23));
	CU_ASSERT(!memcmp(text + len - 1, "\n", 1));
	CU_ASSERT_EQUAL(hist_events_format(events, "ftrace", "kernel_stack", &text, &len), 0);
	CU_ASSERT_EQUAL(hist_events_format(events, "kmem", "sched_switch", &text, &len), -ENOENT);
	CU_ASSERT_EQUAL(hist_events_format(events, "sched", "sched_swit", &text, &len), -ENOENT);
	CU_ASSERT_EQUAL(hist_events_format(events, "sched", "sched_switch\nID", &text, &len),
			-ENOENT);
	for (i = 0; hist_events_format_at(events, i, &system, &text, &len); i++) {
		char name[100];

		CU_ASSERT_EQUAL_FATAL(sscanf(text, "name: %99s", name), 1);
		CU_ASSERT_EQUAL(hist_events_format(events, system, name, &other, &other_len), 0);
		CU_ASSERT_PTR_EQUAL(other, text);
		ftrace += !strcmp(system, "ftrace");
	}
	CU_ASSERT_EQUAL(i, 22);
	CU_ASSERT_EQUAL(ftrace, 18);
	hist_events_free(events);
}

static void test_names(void)
{
	struct hist_events *events = opened(SEVERAL);
	uint64_t offset = 0;
	const char *name;

	CU_ASSERT_STRING_EQUAL(hist_events_comm(events, 0), "<idle>");
	CU_ASSERT_STRING_EQUAL(hist_events_comm(events, KNOWN_PID), KNOWN_COMM);
	CU_ASSERT_PTR_NULL(hist_events_comm(events, 999999));
	CU_ASSERT_PTR_NULL(hist_events_comm(events, UINT32_MAX));

	CU_ASSERT_EQUAL_FATAL(hist_events_symbol(events, KNOWN_ADDRESS + 7, &name, &offset), 0);
	CU_ASSERT_STRING_EQUAL(name, KNOWN_SYMBOL);
	CU_ASSERT_EQUAL(offset, 7);
	CU_ASSERT_EQUAL(hist_events_symbol_size(events, KNOWN_ADDRESS + 7), KNOWN_SIZE);
	CU_ASSERT_EQUAL_FATAL(hist_events_symbol(events, MODULE_ADDRESS, &name, &offset), 0);
	CU_ASSERT_STRING_EQUAL(name, MODULE_SYMBOL);
	CU_ASSERT_EQUAL(offset, 0);
	/* before all; behind the kernel's end, which is itself no part of it */
	CU_ASSERT_EQUAL(hist_events_symbol(events, 0x1000, &name, &offset), -ENOENT);
	CU_ASSERT_EQUAL(hist_events_symbol(events, END_ADDRESS, &name, &offset), -ENOENT);
	CU_ASSERT_EQUAL(hist_events_symbol(events, END_ADDRESS + 100, &name, &offset), -ENOENT);
	CU_ASSERT_EQUAL(hist_events_symbol(events, END_ADDRESS - 1, &name, &offset), 0);
	CU_ASSERT_EQUAL(hist_events_symbol_size(events, END_ADDRESS), 0);
	hist_events_free(events);
}

/* A file of version 6 with nothing but these symbols. */
static struct hist_events *with_symbols(const char *text)
{
	static const char start[] = "\x17\x08\x44tracing6\0\0\x08\0\x10\0\0header_page\0",
			  page[] = "field: u64 timestamp; size:8;\nfield: long commit; size:8;\n",
			  next[] = "header_event\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
			  last[] = "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0flyrecord";
	uint64_t page_len = strlen(page);
	uint32_t len = strlen(text);
	struct hist_events *events;
	char path[64], why[200];
	FILE *f;
	int fd;

	fd = memfd_create("symbols", 0);
	f = fdopen(fd, "wb");
	fwrite(start, 1, sizeof(start) - 1, f);
	fwrite(&(uint64_t){ htole64(page_len) }, 8, 1, f);
	fwrite(page, 1, page_len, f);
	fwrite(next, 1, 13 + 8 + 8, f);
	fwrite(&(uint32_t){ htole32(len) }, 4, 1, f);
	fwrite(text, 1, len, f);
	fwrite(last, 1, sizeof(last), f);
	fflush(f);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (hist_events_open(&events, path, why, sizeof(why))) {
		fprintf(stderr, "%s\n", why);
		exit(2);
	}
	fclose(f);
	return events;
}

static void expect_symbol(struct hist_events *events, uint64_t address, const char *want)
{
	const char *name = NULL;
	uint64_t offset;
	char got[200];

	if (!hist_events_symbol(events, address, &name, &offset))
		snprintf(got, sizeof(got), "%s+%d/%d", name, (int)offset,
			 (int)hist_events_symbol_size(events, address));
	else
		strcpy(got, "-");
	CU_ASSERT_STRING_EQUAL(got, want);
	if (strcmp(got, want))
		fprintf(stderr, "%lx: %s, not %s\n", (unsigned long)address, got, want);
}

static void test_symbols(void)
{
	struct hist_events *events;

	events = with_symbols("0000000000000000 A fixed_percpu_data\n"
			      "0000000000005000 a cpu_data\n"
			      "ffffffff81000000 T _stext\n"
			      "ffffffff81000010 T __pfx_first\n"
			      "ffffffff81000020 T first\n"
			      "ffffffff81000020 T alias\n"
			      "ffffffff81000040 t $a\n"
			      "ffffffff81000050 d data\n"
			      "ffffffff81000060 B __brk_limit\n"
			      "ffffffff81000060 B _end\n"
			      "ffffffffc0002000 t later\t[one]\n"
			      "ffffffffc0003000 t there\t[two]\n"
			      "ffffffffc0001000 t earlier\t[one]\n"
			      "ffffffffc0001000 t again\t[one]\n"
			      "not a line\n"
			      "ffffffffc0004000 t cut");
	expect_symbol(events, 0x5000, "-");
	expect_symbol(events, 0xffffffff81000000, "_stext+0/16");
	expect_symbol(events, 0xffffffff81000018, "__pfx_first+8/16");
	expect_symbol(events, 0xffffffff81000021, "first+1/48");
	expect_symbol(events, 0xffffffff81000048, "first+40/48");
	expect_symbol(events, 0xffffffff8100005f, "data+15/16");
	expect_symbol(events, 0xffffffff81000060, "-");
	expect_symbol(events, 0xffffffffc0000fff, "-");
	expect_symbol(events, 0xffffffffc0001001, "earlier [one]+1/4096");
	expect_symbol(events, 0xffffffffc0002010, "later [one]+16/0");
	expect_symbol(events, 0xffffffffc0003000, "there [two]+0/0");
	/* the last line has no end */
	expect_symbol(events, 0xffffffffc0004001, "there [two]+4097/0");
	hist_events_free(events);

	/* of a kernel without data in its list */
	events = with_symbols("80100000 T first\n80200000 T _etext\n80300000 T __init_begin\n"
			      "80300010 t setup\n80400000 T _einittext\n");
	expect_symbol(events, 0x80100004, "first+4/1048576");
	expect_symbol(events, 0x80200004, "-");
	expect_symbol(events, 0x80300014, "setup+4/1048560");
	expect_symbol(events, 0x80400000, "-");
	hist_events_free(events);

	/* hidden; nothing */
	events = with_symbols("0000000000000000 T first\n0000000000000000 T second\n");
	expect_symbol(events, 0, "-");
	expect_symbol(events, 1, "-");
	hist_events_free(events);
	events = with_symbols("");
	expect_symbol(events, 0x80100000, "-");
	hist_events_free(events);
}

static void test_lost(void)
{
	struct hist_events *events = opened(LOST);
	struct found f[2];

	walk(events, 0, 0, &f[0]);
	walk(events, 0, 1, &f[1]);
	CU_ASSERT_EQUAL(f[0].events + f[1].events, 7897);
	CU_ASSERT_EQUAL(f[0].gaps + f[1].gaps, 12);
	CU_ASSERT_EQUAL(f[0].lost + f[1].lost, 7057);
	hist_events_free(events);
}

#define PAGES_MAX 512

/* The times of all pages, and where seeking to a time leads. */
static void seek_in(const char *name, unsigned int buffer, unsigned int cpu)
{
	struct hist_events *events = opened(name);
	uint64_t times[PAGES_MAX], until;
	struct hist_pages *pages;
	struct hist_page page;
	unsigned int n = 0, i, want, left;
	int step;

	CU_ASSERT_EQUAL_FATAL(hist_pages_open(&pages, events, buffer, cpu), 0);
	while (n < PAGES_MAX && hist_pages_next(pages, &page) == 1)
		times[n++] = page.time;
	CU_ASSERT_FATAL(n > 0);
	for (i = 0; i < n; i++) {
		for (step = -1; step <= 1; step++) {
			until = times[i] + step;
			for (want = n - 1; want && times[want] > until; want--)
				;
			CU_ASSERT_EQUAL_FATAL(hist_pages_seek(pages, until), 0);
			CU_ASSERT_EQUAL_FATAL(hist_pages_next(pages, &page), 1);
			CU_ASSERT_EQUAL(page.time, times[want]);
			/* and all from there on */
			for (left = 1; hist_pages_next(pages, &page) == 1; left++)
				CU_ASSERT_EQUAL(page.time, times[want + left]);
			CU_ASSERT_EQUAL(left, n - want);
		}
	}
	CU_ASSERT_EQUAL(hist_pages_seek(pages, 0), 0);
	CU_ASSERT_EQUAL(hist_pages_next(pages, &page), 1);
	CU_ASSERT_EQUAL(page.time, times[0]);
	CU_ASSERT_EQUAL(hist_pages_seek(pages, UINT64_MAX), 0);
	CU_ASSERT_EQUAL(hist_pages_next(pages, &page), 1);
	CU_ASSERT_EQUAL(page.time, times[n - 1]);
	hist_pages_free(pages);
	/* before anything was read */
	CU_ASSERT_EQUAL_FATAL(hist_pages_open(&pages, events, buffer, cpu), 0);
	CU_ASSERT_EQUAL(hist_pages_seek(pages, times[n / 2]), 0);
	CU_ASSERT_EQUAL(hist_pages_next(pages, &page), 1);
	CU_ASSERT_EQUAL(page.time, times[n / 2]);
	hist_pages_free(pages);
	/* where there is nothing */
	CU_ASSERT_EQUAL_FATAL(hist_pages_open(&pages, events, buffer, 77), 0);
	CU_ASSERT_EQUAL(hist_pages_seek(pages, 1), 0);
	CU_ASSERT_EQUAL(hist_pages_next(pages, &page), 0);
	hist_pages_free(pages);
	hist_events_free(events);
}

static void test_seek(void)
{
	seek_in(LOST, 0, 0);
	seek_in(SEVERAL, 0, 0);
	seek_in(SEVERAL, 1, 1);
	seek_in(SIX, 0, 1);
}

struct turn {
	const struct hist_events *events;
	unsigned int cpu;
	uint64_t sum;
};

static void *sum_in_thread(void *arg)
{
	struct turn *t = arg;
	const unsigned char *data;
	struct hist_pages *pages;
	struct hist_page page;
	uint32_t len;
	int i;

	/* CUnit's assertions are for one thread */
	for (i = 0; i < 20; i++) {
		if (hist_pages_open(&pages, t->events, 0, t->cpu))
			return NULL;
		while (hist_pages_next(pages, &page) == 1)
			while (hist_page_next(&page, &data, &len))
				t->sum += page.time + len;
		hist_pages_free(pages);
	}
	return NULL;
}

static void test_threads(void)
{
	struct hist_events *events = opened(SEVERAL);
	struct turn turns[6], alone = { events, 0, 0 };
	pthread_t threads[6];
	unsigned int i;

	sum_in_thread(&alone);
	for (i = 0; i < 6; i++) {
		turns[i] = (struct turn){ events, i & 1, 0 };
		CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, sum_in_thread, &turns[i]),
				      0);
	}
	for (i = 0; i < 6; i++) {
		pthread_join(threads[i], NULL);
		CU_ASSERT_EQUAL(turns[i].sum, turns[i & 1].sum);
	}
	CU_ASSERT_EQUAL(turns[0].sum, alone.sum);
	CU_ASSERT_NOT_EQUAL(turns[0].sum, turns[1].sum);
	hist_events_free(events);
}

/* All that there is to do with a file; how many events. */
static uint64_t use(struct hist_events *events)
{
	const struct hist_events_buffer *b;
	const char *name, *text;
	struct hist_pages *pages;
	struct hist_page page;
	const unsigned char *data;
	uint64_t n = 0, offset = 0;
	unsigned int i, cpu;
	uint32_t len;
	size_t size;
	int ret;

	for (i = 0; (b = hist_events_buffer(events, i)); i++) {
		for (cpu = 0; cpu < b->cpus && cpu < 8; cpu++) {
			if (hist_pages_open(&pages, events, i, cpu))
				continue;
			while ((ret = hist_pages_next(pages, &page)) && ret != -ENOMEM)
				while (ret == 1 && hist_page_next(&page, &data, &len))
					n++;
			hist_pages_seek(pages, KNOWN_LAST - 1000000);
			hist_pages_next(pages, &page);
			hist_pages_free(pages);
		}
	}
	/* sanitizers see it if they are not all there */
	for (i = 0; hist_events_format_at(events, i, &name, &text, &size); i++)
		offset += strlen(name) + (size ? text[0] + text[size - 1] : 0);
	hist_events_format(events, "sched", "sched_switch", &text, &size);
	hist_events_symbol(events, KNOWN_ADDRESS, &name, &offset);
	hist_events_symbol_size(events, KNOWN_ADDRESS);
	hist_events_comm(events, KNOWN_PID);
	return n;
}

static int open_bytes(struct hist_events **events, const char *data, size_t len)
{
	char path[64], why[200] = "";
	int fd = memfd_create("damaged", 0), ret;

	if (fd < 0 || write(fd, data, len) != (ssize_t)len)
		exit(2);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	ret = hist_events_open(events, path, why, sizeof(why));
	close(fd);
	CU_ASSERT_EQUAL(!ret, !*why);
	return ret;
}

static void damage(const char *name, unsigned int rounds)
{
	struct hist_events *events;
	uint64_t seed = 99, n, whole;
	unsigned int i, j, ok = 0;
	char *data, *copy;
	size_t len, cut;

	data = test_read_file(test_data_path(name), &len);
	copy = malloc(len);
	CU_ASSERT_EQUAL_FATAL(open_bytes(&events, data, len), 0);
	whole = use(events);
	hist_events_free(events);
	CU_ASSERT(whole > 0);
	/* cut */
	for (i = 0; i < rounds; i++) {
		cut = i < 200 ? i : test_random(&seed) % len;
		if (open_bytes(&events, data, cut))
			continue;
		CU_ASSERT(use(events) <= whole);
		hist_events_free(events);
		ok++;
	}
	/* some bytes are others: mostly where sizes and offsets are */
	for (i = 0; i < rounds; i++) {
		memcpy(copy, data, len);
		for (j = 0; j <= i % 3; j++)
			copy[test_random(&seed) % len] = test_random(&seed) % 3
								 ? test_random(&seed) >> 8 : 0xff;
		n = 0;
		if (!open_bytes(&events, copy, len)) {
			n = use(events);
			hist_events_free(events);
			ok++;
		}
		CU_ASSERT(n <= whole * 3 + 1000);
	}
	CU_ASSERT(ok > 0);
	free(copy);
	free(data);
}

static void test_damaged(void)
{
	damage(SEVERAL, 600);
	damage(SIX, 600);
	damage(LOST, 200);
}

/* Cut between two pages: it is said once that there were more. */
static void test_cut(void)
{
	struct hist_events *events;
	struct found f;
	char *data;
	size_t len;

	data = test_read_file(test_data_path(SIX), &len);
	CU_ASSERT_EQUAL_FATAL(open_bytes(&events, data, len - 4096), 0);
	walk(events, 1, 0, &f);
	CU_ASSERT_EQUAL(f.bad, 0);
	CU_ASSERT_EQUAL(f.pages, 1);
	walk(events, 1, 1, &f);
	CU_ASSERT_EQUAL(f.bad, 1);
	CU_ASSERT_EQUAL(f.pages, 0);
	hist_events_free(events);
	free(data);
}

static void test_no_such_file(void)
{
	struct hist_events *events;
	char why[200];
	char *data;
	size_t len;

	CU_ASSERT_EQUAL(hist_events_open(&events, "/nonexistent/x", why, sizeof(why)), -ENOENT);
	CU_ASSERT_STRING_EQUAL(why, "cannot be opened");
	CU_ASSERT_EQUAL(hist_events_open(&events, "/", why, sizeof(why)), -EINVAL);
	CU_ASSERT_STRING_EQUAL(why, "not a regular file");
	CU_ASSERT_EQUAL(open_bytes(&events, "", 0), -EINVAL);
	CU_ASSERT_EQUAL(open_bytes(&events, "hello, world, and more", 22), -EINVAL);
	data = test_read_file(test_data_path(SIX), &len);
	data[10] = '8';
	CU_ASSERT_EQUAL(open_bytes(&events, data, len), -ENOTSUP);
	free(data);
	data = test_read_file(test_data_path(SEVERAL), &len);
	/* the name of the compression, behind the page size */
	CU_ASSERT_FATAL(!strcmp(data + 18, "zstd"));
	memcpy(data + 18, "zeus", 4);
	CU_ASSERT_EQUAL(open_bytes(&events, data, len), -ENOTSUP);
	free(data);
	/* histograms and no events */
	CU_ASSERT_EQUAL(hist_events_open(&events, test_data_path("recorded.dat"), why, sizeof(why)),
			0);
	CU_ASSERT_EQUAL(use(events), 0);
	hist_events_free(events);
}

/* Without memory at any one place: an error, or a name less, and nothing is lost. */
static void test_no_memory(void)
{
	static const char *const names[] = { SEVERAL, SIX };
	struct hist_events *events;
	unsigned int i;
	char why[200];
	long n, seen;
	int ret;

	for (i = 0; i < 2; i++) {
		/* at first none fails, and they are counted */
		for (n = -1, seen = 0; n < seen; n++) {
			alloc_fail_after(n);
			ret = hist_events_open(&events, test_data_path(names[i]), why, sizeof(why));
			if (!ret)
				use(events);
			if (n < 0)
				seen = alloc_fail_seen();
			alloc_fail_after(-1);
			CU_ASSERT(!ret || ret == -ENOMEM);
			if (!ret)
				hist_events_free(events);
		}
		CU_ASSERT(n > 20);
	}
}

int events_tests(void)
{
	CU_TestInfo tests[] = {
		{ "machine, buffers, events", test_what_is_there },
		{ "formats", test_formats },
		{ "symbols and comms of a recording", test_names },
		{ "symbols, as the kernel finds them", test_symbols },
		{ "lost events", test_lost },
		{ "seeking to a time", test_seek },
		{ "threads", test_threads },
		{ "no such file, and others", test_no_such_file },
		{ "a file cut between pages", test_cut },
		{ "damaged files", test_damaged },
		{ "no memory", test_no_memory },
		CU_TEST_INFO_NULL,
	};
	CU_SuiteInfo suites[] = {
		{ "events", NULL, NULL, NULL, NULL, tests },
		CU_SUITE_INFO_NULL,
	};

	return CU_register_suites(suites);
}
