// SPDX-License-Identifier: GPL-2.0
/*
 * synth_test.c - definitions of synthetic events
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/base/strbuf.h"
#include "lib/expr/synth.h"
#include "utest/unit/tests.h"

/* "NAME: FIELD TYPE SIZE[u][$][@][*], ..." for unsigned, string, stack, dynamic. */
static void describe(struct hist_strbuf *b, const struct hist_synth *synth)
{
	const struct hist_synth_field *f;
	unsigned int i;

	hist_strbuf_printf(b, "%s:", synth->name);
	for (i = 0; i < synth->nfields; i++) {
		f = &synth->fields[i];
		hist_strbuf_printf(b, "%s %s <%s> %u%s%s%s%s", i ? "," : "", f->name, f->type,
				   f->size, f->is_signed ? "" : "u", f->is_string ? "$" : "",
				   f->is_stack ? "@" : "", f->is_dynamic ? "*" : "");
	}
	hist_strbuf_char(b, '\0');
}

static const struct {
	const char *text, *says;
} good[] = {
	{ "wake u64 lat", "wake: lat <u64> 8u" },
	{ "  wake\tu64  lat ; pid_t pid;\n", "wake: lat <u64> 8u, pid <pid_t> 4" },
	{ "old u64 lat pid_t pid int prio", "old: lat <u64> 8u, pid <pid_t> 4, prio <int> 4" },
	{ "w unsigned long a; unsigned char b; long c",
	  "w: a <unsigned long> 8u, b <unsigned char> 1u, c <long> 8" },
	{ "w char a[16]; char[16] b; char c; bool d; gfp_t e",
	  "w: a <char[16]> 16$, b <char[16]> 16$, c <char> 1, d <bool> 1, e <gfp_t> 4u" },
	{ "w char a[]; char[] b; char[0] c; char d[256]",
	  "w: a <char[]> 8$*, b <char[]> 8$*, c <char[0]> 8$*, d <char[256]> 256$" },
	{ "w unsigned long[] st; long s2[]", "w: st <unsigned long[]> 8@*, s2 <long[]> 8@*" },
	{ "s:w u8 a; s16 b", "w: a <u8> 1u, b <s16> 2" },
	{ "s:synthetic/w u8 a", "w: a <u8> 1u" },
	{ "w u8 a;;u8 b;", "w: a <u8> 1u, b <u8> 1u" },
};

static void test_good(void)
{
	struct hist_strbuf b = { 0 };
	struct hist_synth *synth;
	struct hist_event *event;
	const struct hist_event_field *f;
	unsigned int n;
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(*good); i++) {
		CU_ASSERT_EQUAL_FATAL(hist_synth_parse(&synth, good[i].text, NULL), 0);
		b.len = 0;
		describe(&b, synth);
		CU_ASSERT_STRING_EQUAL(b.data, good[i].says);
		/* As an event it has the same fields, the common ones behind them. */
		CU_ASSERT_EQUAL_FATAL(hist_synth_make_event(&event, synth), 0);
		n = synth->nfields;
		CU_ASSERT_EQUAL(event->nfields, n + 4);
		CU_ASSERT_STRING_EQUAL(event->system, "synthetic");
		while (n--) {
			f = hist_event_field(event, n);
			CU_ASSERT_STRING_EQUAL(f->name, synth->fields[n].name);
			CU_ASSERT_EQUAL(f->size, synth->fields[n].size);
			CU_ASSERT_EQUAL(f->is_signed, synth->fields[n].is_signed);
			CU_ASSERT_EQUAL(f->type == HIST_FIELD_STRING,
					synth->fields[n].is_string);
			CU_ASSERT_EQUAL(f->type == HIST_FIELD_STACK,
					synth->fields[n].is_stack);
		}
		hist_event_free(event);
		hist_synth_free(synth);
	}
	hist_strbuf_free(&b);
	hist_synth_free(NULL);
}

/* As synth_event_define_fields() lays them out: a string in the event has 256 bytes. */
static void test_places(void)
{
	struct hist_synth *synth;
	struct hist_event *event;

	CU_ASSERT_EQUAL_FATAL(
		hist_synth_parse(&synth, "w pid_t pid; char comm[16]; char[] file; u64 lat", NULL),
		0);
	CU_ASSERT_EQUAL_FATAL(hist_synth_make_event(&event, synth), 0);
	CU_ASSERT_EQUAL(hist_event_find(event, "pid")->offset, 8);
	CU_ASSERT_EQUAL(hist_event_find(event, "comm")->offset, 16);
	CU_ASSERT_EQUAL(hist_event_find(event, "file")->offset, 272);
	CU_ASSERT_EQUAL(hist_event_find(event, "lat")->offset, 280);
	CU_ASSERT_EQUAL(hist_event_size(event), 288);
	hist_event_free(event);
	hist_synth_free(synth);
}

#define TYPES                                                                                  \
	"use one of: u8..u64, s8..s64, [unsigned] char, int and long, bool, pid_t, gfp_t, char[], " \
	"long[]"
#define ARRAYS "write char NAME[N] with N up to 256, char[] NAME or long[] NAME"
#define LETTERS "use only letters, digits and '_'"

static const struct {
	const char *text;
	size_t start, len;
	const char *what, *hint;
} bad[] = {
	{ "", 0, 0, "no fields", "write NAME TYPE FIELD[; TYPE FIELD...]" },
	{ "w", 0, 1, "no fields", "write NAME TYPE FIELD[; TYPE FIELD...]" },
	{ "w u64", 0, 1, "no fields", "write NAME TYPE FIELD[; TYPE FIELD...]" },
	{ "w; u64 a", 0, 1, "no fields", "write NAME TYPE FIELD[; TYPE FIELD...]" },
	{ "w u65 a", 2, 3, "\"u65\" is not a known type", TYPES },
	{ "w-x u64 a", 0, 3, "\"w-x\" is not a valid name", LETTERS },
	{ "w u64 a-b", 6, 3, "\"a-b\" is not a valid name", LETTERS },
	{ "w u64 a; u64", 9, 3, "\"u64\" is not a complete field", "write TYPE NAME" },
	{ "w unsigned a", 2, 8, "\"unsigned\" is not a complete type", "write unsigned TYPE NAME" },
	{ "w u64 a[2]", 6, 4, "\"a[2]\" is not a valid array", ARRAYS },
	{ "w char a[257]", 7, 6, "\"a[257]\" is not a valid array", ARRAYS },
	{ "w char a[", 7, 2, "\"a[\" is not a valid array", ARRAYS },
	{ "w char a[x]", 7, 4, "\"a[x]\" is not a valid array", ARRAYS },
	{ "s:x/w u64 a", 0, 11, "\"s:x/w u64 a\" is not a synthetic event",
	  "write s:synthetic/NAME" },
};

static void test_bad(void)
{
	struct hist_synth *synth = NULL;
	struct hist_error error;
	bool same;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		memset(&error, 0xa5, sizeof(error));
		CU_ASSERT_EQUAL(hist_synth_parse(&synth, bad[i].text, &error), -EINVAL);
		CU_ASSERT_PTR_NULL_FATAL(synth);
		same = error.at.start == bad[i].start && error.at.len == bad[i].len &&
		       !strcmp(error.what, bad[i].what) && !strcmp(error.hint, bad[i].hint);
		CU_ASSERT_TRUE(same);
		if (!same)
			fprintf(stderr, "%s\n  %zu+%zu %s; %s\n", bad[i].text, error.at.start,
				error.at.len, error.what, error.hint);
	}
}

static void test_many(void)
{
	char text[2048] = "w";
	struct hist_synth *synth;
	unsigned int i;

	for (i = 0; i < 64; i++)
		sprintf(text + strlen(text), " u64 f%u;", i);
	CU_ASSERT_EQUAL_FATAL(hist_synth_parse(&synth, text, NULL), 0);
	CU_ASSERT_EQUAL(synth->nfields, 64);
	hist_synth_free(synth);
	strcat(text, " u64 g");
	CU_ASSERT_EQUAL(hist_synth_parse(&synth, text, NULL), -EINVAL);
}

UNIT_TESTS(
	{ "the definition of a synthetic event gives its fields, and an event with the same fields",
	  test_good },
	{ "the fields of a synthetic event have the offsets that the kernel gives them",
	  test_places },
	{ "a bad definition of a synthetic event is refused with place, reason and hint",
	  test_bad },
	{ "a synthetic event has at most 64 fields", test_many });
