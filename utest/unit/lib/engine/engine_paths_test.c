// SPDX-License-Identifier: GPL-2.0
/*
 * engine_paths_test.c - the short paths of the engine count what the general path counts
 *
 * A trigger with a string variable takes the general path.  The same trigger without this variable
 * takes a short one, if all its keys and variables are numbers.
 */
#include <stdio.h>
#include <string.h>

#include <CUnit/CUnit.h>

#include "utest/unit/lib/engine/engine_fixture.h"
#include "utest/unit/tests.h"

/* Triggers of START and END, and histograms of the synthetic event. */
static const struct {
	const char *start, *end, *hist;
} shapes[] = {
	{ "ts0=common_timestamp.usecs", "lat=common_timestamp.usecs-$ts0", "keys=lat.log2" },
	{ "ts0=common_timestamp.usecs", "lat=common_timestamp.usecs-$ts0",
	  "keys=lat.log2:worst=lat:onmax($worst).save(common_timestamp,cpu,common_pid,prio)" },
	{ "ts0=common_timestamp", "lat=common_timestamp-$ts0", "keys=pid:vals=lat" },
	{ "ts0=common_timestamp:vals=prio", "lat=common_timestamp-$ts0+1", "keys=prio:size=100" },
	{ "ts0=common_timestamp:size=100", "lat=common_timestamp-$ts0-5:size=100",
	  "keys=lat.buckets=500000:vals=pid" },
	{ "ts0=common_timestamp:a=prio:b=pid:c=prio", "lat=common_timestamp-$ts0:vals=next_prio",
	  "keys=lat.log2,cpu" },
	{ "ts0=common_timestamp:a=pid", "lat=common_timestamp-$ts0:d=next_pid-$a", "keys=lat.log2" },
	{ "ts0=common_timestamp.usecs", "lat=common_timestamp.usecs-$ts0",
	  "keys=common_pid,cpu:vals=lat,prio if lat > 40" },
	{ "ts0=common_timestamp/1000", "lat=common_timestamp/1000-$ts0", "keys=lat.log2" },
	{ "ts0=common_timestamp/1000:size=100", "lat=common_timestamp/1000-$ts0", "keys=pid,lat" },
	{ "ts0=common_timestamp/500", "lat=common_timestamp/500-$ts0", "keys=lat.log2:vals=lat" },
	/* searches pass many keys that begin alike */
	{ "ts0=common_timestamp.usecs", "lat=common_timestamp.usecs-$ts0", "keys=prio,lat:size=128" },
};

struct paths {
	struct engine_fixture f;
	const struct hist_event *start, *end;
};

static void paths_add(struct paths *p, const struct hist_event *event, const char *trigger)
{
	int ret = fixture_add(&p->f, event, trigger);

	if (ret < 0)
		printf("\n%s: %s\n", trigger, p->f.error.what);
	CU_ASSERT_FATAL(ret >= 0);
}

/* Set the triggers of shape @n; @general: with strings. */
static void paths_init(struct paths *p, unsigned int n, bool general)
{
	const struct hist_event *synth;
	const char *filter = strstr(shapes[n].hist, " if ");
	char text[256];

	fixture_init(&p->f, false, 8);
	p->start = fixture_event(&p->f, "t:start", 20,
				 "char comm[16]:16;pid_t pid:-4;s16 prio:-2;s16 pad:2");
	p->end = fixture_event(&p->f, "t:end", 21,
			       "char next_comm[16]:16;pid_t next_pid:-4;int next_prio:-4");
	synth = fixture_synth(&p->f, general ? "lat u64 lat; pid_t pid; s16 prio; char name[16]" :
					       "lat u64 lat; pid_t pid; s16 prio");
	snprintf(text, sizeof(text), "hist:keys=pid:%s:prio0=prio%s", shapes[n].start,
		 general ? ":text=comm" : "");
	paths_add(p, p->start, text);
	snprintf(text, sizeof(text),
		 "hist:keys=next_pid:%s%s:onmatch(t.start).trace(lat,$lat,next_pid,$prio0%s)",
		 shapes[n].end, general ? ":next=next_comm" : "", general ? ",next_comm" : "");
	paths_add(p, p->end, text);
	snprintf(text, sizeof(text), "hist:%.*s%s%s", (int)strcspn(shapes[n].hist, " "),
		 shapes[n].hist, general ? ":kept=name" : "", filter ? filter : "");
	paths_add(p, synth, text);
}

/* An event of one of 150 tasks at a time that only grows. */
static void paths_hit(struct paths *p, unsigned int i, uint64_t random)
{
	bool start = random % 2;
	struct record r;

	record_begin(&r, &p->f, start ? p->start : p->end, 100 + random / 2 % 3);
	record_number(&r, start ? "pid" : "next_pid", random / 8 % 150 - 3);
	record_number(&r, start ? "prio" : "next_prio", random / 128 % 7 - 3);
	record_string(&r, start ? "comm" : "next_comm", "task");
	fixture_hit(&p->f, random / 1024 % 2, 1000 + i * 9700, &r);
}

static void test_latencies(void)
{
	struct paths fast, general;
	uint64_t random = 4711;
	unsigned int n, i, h;
	char expected[sizeof(fast.f.text)];

	for (n = 0; n < sizeof(shapes) / sizeof(*shapes); n++) {
		paths_init(&fast, n, false);
		paths_init(&general, n, true);
		for (i = 0; i < 3000; i++) {
			random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
			paths_hit(&fast, i, random >> 32);
			paths_hit(&general, i, random >> 32);
		}
		for (h = 0; h < 3; h++) {
			strcpy(expected, fixture_rows(&general.f, h));
			CU_ASSERT_STRING_EQUAL(fixture_rows(&fast.f, h), expected);
			CU_ASSERT(strlen(expected) > 30);
		}
		fixture_clear(&fast.f);
		fixture_clear(&general.f);
	}
}

static void test_paused(void)
{
	static const char *const ends[] = {
		"hist:keys=next_pid:lat=common_timestamp-$ts0",
		"hist:keys=next_pid:lat=common_timestamp-$ts0:pause",
	};
	struct paths p;
	unsigned int n, i;

	for (n = 0; n < 2; n++) {
		fixture_init(&p.f, false, 8);
		p.start = fixture_event(&p.f, "t:start", 20, "char comm[16]:16;pid_t pid:-4;s16 prio:-2");
		p.end = fixture_event(&p.f, "t:end", 21,
				      "char next_comm[16]:16;pid_t next_pid:-4;int next_prio:-4");
		paths_add(&p, p.start, "hist:keys=pid:ts0=common_timestamp");
		paths_add(&p, p.end, ends[n]);
		for (i = 0; i < 20; i++)
			paths_hit(&p, i, i % 2 ? 8 * 5 : 8 * 5 + 1);
		CU_ASSERT_STRING_EQUAL(fixture_rows(&p.f, 1), n ? "= 0 0 0\n" : "2: 10\n= 10 1 0\n");
		fixture_clear(&p.f);
	}
}

static void test_strings(void)
{
	static const unsigned int lengths[] = { 0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 127, 254 };
	char name[256], one[8192] = "", two[8192] = "";
	const struct hist_event *event;
	struct engine_fixture f;
	unsigned int i, last, hits, n = 0;
	struct record r;

	fixture_init(&f, false, 8);
	event = fixture_event(&f, "t:name", 20, "u32 zero:4;__data_loc char[] name:4");
	CU_ASSERT_EQUAL_FATAL(fixture_add(&f, event, "hist:keys=name"), 0);
	CU_ASSERT_EQUAL_FATAL(fixture_add(&f, event, "hist:keys=name,zero"), 1);
	for (hits = 0; hits < 3; hits++) {
		for (i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
			for (last = 0; last < 2; last++) {
				memset(name, 'x', sizeof(name));
				name[lengths[i]] = '\0';
				if (lengths[i])
					name[lengths[i] - 1] = 'a' + last;
				record_begin(&r, &f, event, 1);
				record_string(&r, "name", name);
				fixture_hit(&f, 0, ++n, &r);
				if (hits || (!lengths[i] && last))
					continue;
				snprintf(one + strlen(one), 300, "%s: %u\n", name, lengths[i] ? 3 : 6);
				snprintf(two + strlen(two), 300, "%s 0: %u\n", name, lengths[i] ? 3 : 6);
			}
		}
	}
	snprintf(one + strlen(one), 30, "= %u %u 0\n", n, n / 3 - 1);
	snprintf(two + strlen(two), 30, "= %u %u 0\n", n, n / 3 - 1);
	CU_ASSERT_STRING_EQUAL(fixture_rows(&f, 0), one);
	CU_ASSERT_STRING_EQUAL(fixture_rows(&f, 1), two);
	fixture_clear(&f);
}

/* Names of each length in an array of 16 bytes, with other bytes after the NUL. */
static void test_names(void)
{
	char one[2048] = "", two[2048] = "", name[17];
	const struct hist_event *event;
	unsigned int len, last, hits, at, n = 0;
	struct engine_fixture f;
	struct record r;

	fixture_init(&f, false, 8);
	event = fixture_event(&f, "t:name", 20, "u32 zero:4;char name[16]:16");
	at = hist_event_find(event, "name")->offset;
	CU_ASSERT_EQUAL_FATAL(fixture_add(&f, event, "hist:keys=name"), 0);
	CU_ASSERT_EQUAL_FATAL(fixture_add(&f, event, "hist:keys=name,zero"), 1);
	for (hits = 0; hits < 3; hits++) {
		for (len = 0; len <= 16; len++) {
			for (last = 0; last < 2; last++) {
				memset(name, 'x', sizeof(name));
				name[len] = '\0';
				if (len)
					name[len - 1] = 'a' + last;
				record_begin(&r, &f, event, 1);
				memset(r.data + at, "\1\x80"[hits % 2], 16);
				memcpy(r.data + at, name, len < 16 ? len + 1 : 16);
				fixture_hit(&f, 0, ++n, &r);
				/* the kernel's key has 15 bytes, so the last one of 16 does not count */
				if (hits || (len % 16 == 0 && last))
					continue;
				snprintf(one + strlen(one), 40, "%.15s: %u\n", name, len % 16 ? 3 : 6);
				snprintf(two + strlen(two), 40, "%.15s 0: %u\n", name, len % 16 ? 3 : 6);
			}
		}
	}
	snprintf(one + strlen(one), 30, "= %u 32 0\n", n);
	snprintf(two + strlen(two), 30, "= %u 32 0\n", n);
	CU_ASSERT_STRING_EQUAL(fixture_rows(&f, 0), one);
	CU_ASSERT_STRING_EQUAL(fixture_rows(&f, 1), two);
	fixture_clear(&f);
}

UNIT_TESTS(
	{ "latencies of numbers are counted as latencies with strings", test_latencies },
	{ "a paused END counts nothing", test_paused },
	{ "strings of any length are keys, alone and with a number", test_strings },
	{ "names of any length are keys, alone and with a number", test_names });
