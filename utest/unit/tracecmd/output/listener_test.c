// SPDX-License-Identifier: GPL-2.0
/*
 * listener_test.c - what a listener gets, and what is told of one that goes wrong
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/uio.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "lib/expr/expr.h"
#include "tracecmd/output/listener_sink.h"
#include "tracecmd/target/address.h"
#include "utest/unit/helper/tcp/listener_fixture.h"
#include "utest/unit/lib/tracedat/tracedat_fixture.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

static void test_addresses(void)
{
	static const struct {
		const char *text, *host, *port, *why;
	} cases[] = {
		{ "box:8888", "box", "8888", NULL },
		{ "10.0.2.2:1", "10.0.2.2", "1", NULL },
		{ "[::1]:65535", "::1", "65535", NULL },
		{ "[fe80::1%eth0]:80", "fe80::1%eth0", "80", NULL },
		{ "box", NULL, NULL, "the port is missing in HOST:PORT" },
		{ "", NULL, NULL, "the port is missing in HOST:PORT" },
		{ ":80", NULL, NULL, "the host is missing in HOST:PORT" },
		{ "[]:80", NULL, NULL, "the host is missing in HOST:PORT" },
		{ "box:", NULL, NULL, "the port must be a number from 1 to 65535" },
		{ "box:0", NULL, NULL, "the port must be a number from 1 to 65535" },
		{ "box:65536", NULL, NULL, "the port must be a number from 1 to 65535" },
		{ "box:0x50", NULL, NULL, "the port must be a number from 1 to 65535" },
		{ "box:-1", NULL, NULL, "the port must be a number from 1 to 65535" },
		{ "::1:80", NULL, NULL, "an IPv6 address needs brackets, such as [::1]:80" },
		{ "[::1:80", NULL, NULL, "an IPv6 address needs brackets, such as [::1]:80" },
		{ "[:80", NULL, NULL, "an IPv6 address needs brackets, such as [::1]:80" },
	};
	struct address a;
	struct hist_error error = { 0 };
	size_t i;
	int ret;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		ret = address_parse(&a, cases[i].text, &error);
		if (cases[i].why) {
			CU_ASSERT_EQUAL(ret, -EINVAL);
			CU_ASSERT_STRING_EQUAL(test_error(&error), cases[i].why);
			continue;
		}
		CU_ASSERT_EQUAL_FATAL(ret, 0);
		CU_ASSERT_STRING_EQUAL(a.host, cases[i].host);
		CU_ASSERT_STRING_EQUAL(a.port, cases[i].port);
		address_clear(&a);
	}
}

static struct listener *must_listen(enum listener_script script, size_t limit)
{
	struct listener *l = listener_new(script, limit);

	CU_ASSERT_PTR_NOT_NULL_FATAL(l);
	return l;
}

static struct listener_link *must_start(struct listener *l)
{
	struct listener_link *p = NULL;
	struct hist_error error = { 0 };

	CU_ASSERT_EQUAL(listener_link_open(&p, listener_address(l), &error), 0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(p);
	CU_ASSERT_EQUAL(listener_link_start(p, 4096, &error), 0);
	return p;
}

/* Bytes by chance, in @pieces of all sizes up to @most, into @p. */
static unsigned char *put_pieces(struct listener_link *p, unsigned int pieces, size_t most,
				 size_t *len)
{
	struct tracedat_sink *sink = listener_link_sink(p);
	unsigned char *all = malloc(pieces * (most + 1));
	uint64_t random = 1;
	struct iovec v[3];
	unsigned int i;
	size_t n, j;

	CU_ASSERT_PTR_NOT_NULL_FATAL(all);
	*len = 0;
	for (i = 0; i < pieces; i++) {
		n = test_random(&random) % (most + 1);
		for (j = 0; j < n; j++)
			all[*len + j] = test_random(&random);
		v[0] = (struct iovec){ all + *len, n / 3 };
		v[1] = (struct iovec){ NULL, 0 };
		v[2] = (struct iovec){ all + *len + n / 3, n - n / 3 };
		CU_ASSERT_EQUAL(sink->put(sink, v, 3, *len), 0);
		*len += n;
	}
	return all;
}

/* Larger than the buffers of the sockets, so that sends are cut short. */
static void test_messages(void)
{
	struct listener *l = must_listen(LISTENER_GOOD, SIZE_MAX);
	struct listener_link *p = must_start(l);
	const struct listener_file *f;
	unsigned char *all;
	size_t len;

	all = put_pieces(p, 300, 50000, &len);
	CU_ASSERT_EQUAL(listener_link_finish(p, -1), 0);
	CU_ASSERT_PTR_NULL(listener_link_error(p));
	CU_ASSERT_EQUAL(listener_link_unsent(p), 0);
	listener_link_free(p);
	f = listener_join(l);
	CU_ASSERT_EQUAL(f->cpus, 0);
	CU_ASSERT_EQUAL(f->page_size, 4096);
	CU_ASSERT_EQUAL(f->options, 0);
	CU_ASSERT_EQUAL(f->longest, 8192);
	CU_ASSERT_EQUAL(f->empty, 0);
	CU_ASSERT_TRUE(f->messages >= len / 8180);
	CU_ASSERT_TRUE(f->finished && f->closed && !f->odd);
	CU_ASSERT_EQUAL_FATAL(f->len, len);
	CU_ASSERT_EQUAL(memcmp(f->data, all, len), 0);
	free(all);
	listener_free(l);
}

static void test_nothing(void)
{
	struct listener *l = must_listen(LISTENER_GOOD, SIZE_MAX);
	struct listener_link *p = must_start(l);
	const struct listener_file *f;

	CU_ASSERT_EQUAL(listener_link_finish(p, -1), 0);
	f = listener_join(l);
	CU_ASSERT_TRUE(f->finished && f->closed && !f->odd && !f->messages);
	listener_link_free(p);
	listener_free(l);
}

/* Dropped without an end, the listener has what was sent, and nothing else. */
static void test_dropped(void)
{
	struct listener *l = must_listen(LISTENER_WAITS, 20000);
	struct listener_link *p = must_start(l);
	const struct listener_file *f;
	unsigned char *all;
	size_t len;

	all = put_pieces(p, 10, 5000, &len);
	listener_link_free(p);
	listener_go_on(l);
	f = listener_join(l);
	CU_ASSERT_TRUE(f->len <= len && !f->finished && !f->odd);
	CU_ASSERT_TRUE(!f->len || !memcmp(f->data, all, f->len));
	free(all);
	listener_free(l);
	listener_link_free(NULL);
}

/* Silence makes it send what it was given for that, between whole pieces. */
static void test_alive(void)
{
	struct listener *l = must_listen(LISTENER_GOOD, SIZE_MAX);
	struct listener_link *p = must_start(l);
	unsigned char piece[103], alive[64];
	const struct listener_file *f;
	struct tracedat_sink *sink = listener_link_sink(p);

	memset(piece, 'p', sizeof(piece));
	memset(alive, 'a', sizeof(alive));
	CU_ASSERT_EQUAL(sink->put(sink, &(struct iovec){ piece, 103 }, 1, 0), 0);
	listener_link_set_keepalive(p, alive, sizeof(alive));
	listener_wait(l, 103 + 64);
	CU_ASSERT_EQUAL(listener_link_finish(p, -1), 0);
	f = listener_join(l);
	CU_ASSERT_EQUAL(f->empty, 0);
	CU_ASSERT_TRUE_FATAL(f->len >= 103 + 64);
	CU_ASSERT_EQUAL(memcmp(f->data, piece, 103), 0);
	CU_ASSERT_EQUAL(memcmp(f->data + 103, alive, 64), 0);
	listener_link_free(p);
	listener_free(l);
}

static void expect_refused(enum listener_script script, const char *expected)
{
	struct listener *l = must_listen(script, 0);
	struct listener_link *p = NULL;
	struct hist_error error = { 0 };
	int ret;

	ret = listener_link_open(&p, listener_address(l), &error);
	if (!ret)
		ret = listener_link_start(p, 4096, &error);
	CU_ASSERT_NOT_EQUAL(ret, 0);
	CU_ASSERT_STRING_EQUAL(test_error(&error), expected);
	listener_link_free(p);
	listener_free(l);
}

static void test_refused(void)
{
	struct listener *l = must_listen(LISTENER_HANGS_UP, 0);
	struct hist_error error = { 0 };
	char address[64];
	struct listener_link *p;

	expect_refused(LISTENER_OTHER, "the listener is not 'trace-cmd listen'");
	expect_refused(LISTENER_HANGS_UP, "the listener closed the connection without a greeting; "
		       "it is not 'trace-cmd listen', or it cannot resolve the host name of this "
		       "machine");
	expect_refused(LISTENER_VERSION_2,
		       "the listener is too old for version 3 of the protocol");
	expect_refused(LISTENER_NO_OK,
		       "the listener closed the connection; perhaps another program uses this port");
	expect_refused(LISTENER_WANTS_CPUS, "the listener does not accept a file without events");
	expect_refused(LISTENER_REFUSES, "the listener does not accept a file without events");
	/* nobody there */
	snprintf(address, sizeof(address), "%s", listener_address(l));
	CU_ASSERT_NOT_EQUAL(listener_link_open(&p, address, &error), 0);
	listener_free(l);
	error = (struct hist_error){ 0 };
	CU_ASSERT_EQUAL(listener_link_open(&p, address, &error), -ECONNREFUSED);
	CU_ASSERT_STRING_EQUAL(hist_error_what(&error, -ECONNREFUSED), "Connection refused");
	CU_ASSERT_EQUAL(listener_link_open(&p, "no-such-host.invalid:1", &error), -EHOSTUNREACH);
}

/* The sink says so as soon as it is known, and so does the end. */
static void expect_lost(enum listener_script script, const char *expected)
{
	struct listener *l = must_listen(script, 30000);
	struct listener_link *p = must_start(l);
	struct tracedat_sink *sink = listener_link_sink(p);
	unsigned char piece[1000] = { 0 };
	const struct listener_file *f;
	int ret = 0;

	while (!ret)
		ret = sink->put(sink, &(struct iovec){ piece, sizeof(piece) }, 1, 0);
	CU_ASSERT_EQUAL(ret, -EPIPE);
	CU_ASSERT_EQUAL(listener_link_finish(p, -1), -EPIPE);
	CU_ASSERT_PTR_NOT_NULL_FATAL(listener_link_error(p));
	if (expected)
		CU_ASSERT_STRING_EQUAL(listener_link_error(p), expected);
	listener_link_free(p);
	f = listener_join(l);
	CU_ASSERT_TRUE(f->len >= 30000 && f->len < 30000 + 8192 && !f->finished);
	listener_free(l);
}

static void test_lost(void)
{
	/* hung up or reset: that depends on what was under way */
	expect_lost(LISTENER_BREAKS_OFF, NULL);
	expect_lost(LISTENER_GIVES_UP, "the listener received nothing for 5 s and gave up");
}

static void test_interrupted(void)
{
	struct listener *l = must_listen(LISTENER_NEVER_ENDS, 0);
	struct listener_link *p = must_start(l);
	int stop = eventfd(1, EFD_CLOEXEC);

	CU_ASSERT_EQUAL(listener_link_finish(p, stop), -EINTR);
	/* and taken up again */
	listener_go_on(l);
	CU_ASSERT_EQUAL(listener_link_finish(p, -1), 0);
	CU_ASSERT_TRUE(listener_join(l)->closed);
	close(stop);
	listener_link_free(p);
	listener_free(l);
}

/* --- a whole recording, over a link that stalls --- */

#define KEYS 20000

struct counts {
	struct hist_table *table;
	struct hist_snapshot snap;
	uint64_t random;
};

static void count(struct counts *c)
{
	const struct hist_schema *schema = hist_table_schema(c->table);
	struct hist_cell cell = { .str = HIST_NO_STRING };
	uint64_t added;
	uint32_t entry;
	int i;

	for (i = 0; i < KEYS; i++) {
		cell.num = i;
		added = test_random(&c->random) >> 32;
		CU_ASSERT_EQUAL_FATAL(hist_table_add(c->table, &cell, &entry), 0);
		CU_ASSERT_EQUAL_FATAL(hist_snapshot_grow(&c->snap, schema, entry + 1), 0);
		c->snap.values[entry] += added;
		c->snap.hits += added;
	}
	c->snap.entries = c->snap.nentries;
	c->snap.time += 1000000000;
}

static void counts_begin(struct counts *c, struct sinks *s)
{
	struct hist_definition def = {
		.event = "kmem:kmalloc", .trigger = "hist:keys=ptr", .engine = "kernel",
		.clock = "mono", .instance = "", .uname = FIXTURE_UNAME, .host = "box",
	};
	struct hist_schema *schema;
	struct hist_expr *expr;

	memset(c, 0, sizeof(*c));
	c->random = 7;
	CU_ASSERT_EQUAL_FATAL(hist_expr_parse(&expr, def.trigger, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(hist_schema_make(&schema, expr, NULL), 0);
	schema->keys[0].kind = HIST_KEY_NUM;
	c->table = hist_table_new(schema);
	CU_ASSERT_PTR_NOT_NULL_FATAL(c->table);
	CU_ASSERT_EQUAL(sinks_define(s, &def, c->table), 0);
	hist_schema_free(schema);
	hist_expr_free(expr);
}

static void expect_file(const struct listener_file *f, uint32_t snapshots, uint64_t skipped,
			uint64_t hits)
{
	struct hist_error error = { 0 };
	char path[] = "/tmp/trace-cmd-hist-push.XXXXXX";
	int fd = mkstemp(path);
	const struct hist_series_damage *damage;
	const struct hist_snapshot *snap;
	struct hist_series *series;
	struct hist_cursor *cursor;
	uint32_t n = 0;
	uint64_t missed = 0, last = 0;

	CU_ASSERT_EQUAL(write(fd, f->data, f->len), (ssize_t)f->len);
	CU_ASSERT_EQUAL_FATAL(hist_series_open(&series, path, &error), 0);
	damage = hist_series_damage(series);
	CU_ASSERT_EQUAL_FATAL(hist_cursor_open(&cursor, series, 0, 0), 0);
	while (hist_cursor_next(cursor, &snap) == 1) {
		CU_ASSERT_EQUAL(snap->seq, n);
		CU_ASSERT_TRUE(snap->missed >= missed);
		/* what was left out there is all that is missing in time */
		CU_ASSERT_EQUAL(snap->time, (n + snap->missed + 1) * 1000000000ull);
		missed = snap->missed;
		last = snap->hits;
		n++;
	}
	CU_ASSERT_EQUAL(n, snapshots);
	CU_ASSERT_EQUAL(missed, skipped);
	CU_ASSERT_EQUAL(last, hits);
	CU_ASSERT_TRUE(!damage->unfinished && !damage->truncated);
	CU_ASSERT_TRUE(!damage->bad_sections && !damage->lost_snapshots);
	hist_cursor_free(cursor);
	hist_series_free(series);
	close(fd);
	unlink(path);
}

static void test_stalled(void)
{
	struct tracedat_contents contents = fixture_contents(HIST_COMPRESS_ZSTD);
	struct listener *l = must_listen(LISTENER_WAITS, 1);
	struct listener_sink s = { 0 };
	struct sinks sinks = { .n = 0 };
	struct counts c;
	uint32_t taken = 0;
	uint64_t skipped;

	listener_sink_init(&s, listener_address(l));
	sinks_append(&sinks, &s.sink);
	CU_ASSERT_EQUAL_FATAL(sinks_run(&sinks, SINK_CONNECT), 0);
	CU_ASSERT_EQUAL_FATAL(sinks_begin(&sinks, &contents), 0);
	counts_begin(&c, &sinks);
	/* until three intervals had no room */
	do {
		count(&c);
		sinks_begin_interval(&sinks, false);
		CU_ASSERT_EQUAL(sinks_add(&sinks, 0, &c.snap), 0);
		c.snap.seq++;
		taken++;
		CU_ASSERT_FATAL(taken < 400);
	} while (s.skipped < 3);
	CU_ASSERT_TRUE(taken > 4);
	CU_ASSERT_EQUAL(s.sink.ops->check(&s.sink), 0);
	/* the last one goes in any case */
	count(&c);
	sinks_begin_interval(&sinks, true);
	CU_ASSERT_EQUAL(sinks_add(&sinks, 0, &c.snap), 0);
	skipped = s.skipped;
	CU_ASSERT_EQUAL(sinks_end(&sinks), 0);
	listener_go_on(l);
	CU_ASSERT_EQUAL(listener_link_finish(s.push, -1), 0);
	expect_file(listener_join(l), taken + 1 - skipped, skipped, c.snap.hits);
	sinks_clear(&sinks);
	hist_table_free(c.table);
	hist_snapshot_clear(&c.snap);
	listener_free(l);
}

/* Sinks that write down what they are asked, and fail at one question. */
static char asked[64];
static const char *failing;

static int ask(const struct sink *s, char letter)
{
	size_t len = strlen(asked);

	snprintf(asked + len, sizeof(asked) - len, "%c%c", letter, s->spare ? '2' : '1');
	return !strcmp(asked + len, failing) ? -EPIPE : 0;
}

static int ask_look(struct sink *s)
{
	return ask(s, 'l');
}

static int ask_begin(struct sink *s, const struct tracedat_contents *contents)
{
	return contents ? -EINVAL : ask(s, 'b');
}

static int ask_define(struct sink *s, const struct hist_definition *def, struct hist_table *table)
{
	int ret = def || table ? -EINVAL : ask(s, 'd');

	return ret ? ret : 7;
}

static int ask_add(struct sink *s, int hist, const struct hist_snapshot *snap)
{
	return hist != 7 || snap ? -EINVAL : ask(s, 'a');
}

static int ask_fd(const struct sink *s)
{
	return s->spare ? 42 : -1;
}

static int ask_check(struct sink *s)
{
	return ask(s, 'c');
}

static int ask_end(struct sink *s)
{
	return ask(s, 'e');
}

static int ask_finish(struct sink *s, int signals)
{
	return signals == 3 ? ask(s, 'f') : -EINVAL;
}

static void ask_clear(struct sink *s)
{
	ask(s, 'x');
}

/* The first has only what a sink must have; the second is spare. */
static void expect_asked(const char *fails, const char *expected, bool lost)
{
	static const struct sink_ops must = {
		.begin = ask_begin, .define = ask_define, .add = ask_add, .end = ask_end,
		.clear = ask_clear,
	}, all = {
		.phase[SINK_CHECK] = ask_look, .begin = ask_begin, .define = ask_define,
		.add = ask_add, .fd = ask_fd, .check = ask_check, .end = ask_end,
		.finish = ask_finish, .clear = ask_clear,
	};
	struct sink first = { .ops = &must }, second = { .ops = &all, .spare = true };
	struct sinks s = { .n = 0 };
	struct pollfd fds[2];
	int number = -1, ret;

	asked[0] = '\0';
	failing = fails;
	sinks_append(&s, &first);
	sinks_append(&s, &second);
	ret = sinks_run(&s, SINK_CHECK);
	if (!ret)
		ret = sinks_run(&s, SINK_OPEN);
	if (!ret)
		ret = sinks_begin(&s, NULL);
	if (!ret)
		number = sinks_define(&s, NULL, NULL);
	if (number >= 0) {
		CU_ASSERT_EQUAL(number, 7);
		sinks_begin_interval(&s, false);
		ret = sinks_add(&s, number, NULL);
		sinks_poll(&s, fds);
		CU_ASSERT_EQUAL(fds[0].fd, -1);
		CU_ASSERT_EQUAL(fds[1].fd, 42);
		CU_ASSERT_EQUAL(fds[1].events, POLLIN);
		fds[1].revents = POLLIN;
		if (!ret)
			ret = sinks_check(&s, fds);
		if (!ret)
			ret = sinks_end(&s);
		if (!ret)
			sinks_finish(&s, 3);
	}
	sinks_clear(&s);
	CU_ASSERT_STRING_EQUAL(asked, expected);
	CU_ASSERT_EQUAL(s.lost, lost);
}

static void test_sinks(void)
{
	expect_asked("", "l2b1b2d1d2a1a2c2e2e1f2x2x1", false);
	/* nothing has been recorded yet: both must work */
	expect_asked("l2", "l2x2x1", false);
	expect_asked("b1", "l2b1x2x1", false);
	expect_asked("b2", "l2b1b2x2x1", false);
	expect_asked("d2", "l2b1b2d1d2x2x1", false);
	/* the failure of the first ends the recording, that of the second does not */
	expect_asked("a1", "l2b1b2d1d2a1x2x1", false);
	expect_asked("a2", "l2b1b2d1d2a1a2c2e2e1f2x2x1", true);
	expect_asked("c2", "l2b1b2d1d2a1a2c2e2e1f2x2x1", true);
	expect_asked("e2", "l2b1b2d1d2a1a2c2e2e1f2x2x1", true);
	expect_asked("e1", "l2b1b2d1d2a1a2c2e2e1x2x1", false);
	expect_asked("f2", "l2b1b2d1d2a1a2c2e2e1f2x2x1", true);
}

UNIT_TESTS(
	{ "address_parse() splits HOST:PORT and explains each invalid address", test_addresses },
	{ "data larger than the socket buffers reach the listener unchanged", test_messages },
	{ "a recording without data reaches the listener as a finished empty file", test_nothing },
	{ "a link that is freed early leaves the listener an unfinished part of the data",
	  test_dropped },
	{ "a silent link sends the keepalive data after a whole piece", test_alive },
	{ "a link to a missing or unsuitable listener fails with the reason", test_refused },
	{ "a lost link makes the next write and the end fail with EPIPE", test_lost },
	{ "an interrupted listener_link_finish() can be called again", test_interrupted },
	{ "snapshots that a stalled link skips are counted, and the last one is always sent",
	  test_stalled },
	{ "a recording ends if its main sink fails, and continues if a spare sink fails",
	  test_sinks });
