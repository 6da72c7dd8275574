// SPDX-License-Identifier: GPL-2.0
/*
 * event_test.c - the fields of format files, whole and damaged ones
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "utest/unit/lib/event/format_file.h"
#include "utest/unit/tests.h"

static const char *const type_names[] = {
	[HIST_FIELD_NUMBER] = "number",
	[HIST_FIELD_STRING] = "string",
	[HIST_FIELD_STACK] = "stack",
	[HIST_FIELD_OTHER] = "other",
};

static const struct {
	const char *event;
	const char *fields; /* "NAME TYPE SIZE[s][d] 'CTYPE'", one a line; the own ones only */
} field_cases[] = {
	{ "sched:sched_switch", "prev_comm string 16 'char[16]'\n"
				"prev_pid number 4s 'pid_t'\n"
				"prev_prio number 4s 'int'\n"
				"prev_state number 8s 'long'\n"
				"next_comm string 16 'char[16]'\n"
				"next_pid number 4s 'pid_t'\n"
				"next_prio number 4s 'int'\n" },
	{ "kmem:kmalloc", "call_site number 8 'unsigned long'\n"
			  "ptr number 8 'const void *'\n"
			  "bytes_req number 8 'size_t'\n"
			  "bytes_alloc number 8 'size_t'\n"
			  "gfp_flags number 8 'unsigned long'\n"
			  "node number 4s 'int'\n" },
	{ "raw_syscalls:sys_enter", "id number 8s 'long'\n"
				    "args other 48 'unsigned long[6]'\n" },
	{ "synthetic:block_lat", "pid number 4s 'pid_t'\n"
				 "delta number 8 'u64'\n"
				 "stack stack 8sd '__data_loc unsigned long[]'\n"
				 "comm string 16s 'char[16]'\n"
				 "file string 8sd '__data_loc char[]'\n" },
	/* The same file of another system: its long[] is no stack. */
	{ "other:block_lat", "pid number 4s 'pid_t'\n"
			     "delta number 8 'u64'\n"
			     "stack other 8sd '__data_loc unsigned long[]'\n"
			     "comm string 16s 'char[16]'\n"
			     "file string 8sd '__data_loc char[]'\n" },
	{ "tcp:tcp_probe", "saddr other 28 '__u8[28]'\n"
			   "daddr other 28 '__u8[28]'\n"
			   "sport number 2 '__u16'\n"
			   "dport number 2 '__u16'\n"
			   "saddr4 number 4 '__u8[4]'\n"
			   "mark number 4 '__u32'\n"
			   "mask other 4d '__data_loc cpumask_t'\n"
			   "name string 4d '__rel_loc char[]'\n"
			   "cmd string 16 'unsigned char[16]'\n"
			   "path number 8 'const char *'\n"
			   "ts other 16 'struct timespec64'\n"
			   "grid string 32 'char[4][8]'\n" },
};

#define N_CASES (sizeof(field_cases) / sizeof(*field_cases))

static void test_fields(void)
{
	const struct hist_event_field *f;
	struct hist_event *event;
	char got[2048];
	unsigned int j;
	size_t i, len;

	for (i = 0; i < N_CASES; i++) {
		event = format_event(field_cases[i].event);
		for (j = 0, len = 0; j < event->nfields - 4; j++) {
			f = hist_event_field(event, j);
			len += snprintf(got + len, sizeof(got) - len, "%s %s %u%s%s '%s'\n",
					f->name, type_names[f->type], f->size,
					f->is_signed ? "s" : "", f->is_dynamic ? "d" : "",
					f->ctype);
			CU_ASSERT_PTR_EQUAL(hist_event_find(event, f->name), f);
		}
		CU_ASSERT_STRING_EQUAL(got, field_cases[i].fields);
		/* The common ones come last, in their own order. */
		CU_ASSERT_STRING_EQUAL(hist_event_field(event, j)->name, "common_type");
		CU_ASSERT_STRING_EQUAL(hist_event_field(event, j + 3)->name, "common_pid");
		CU_ASSERT_TRUE(hist_event_field(event, j + 3)->is_signed);
		CU_ASSERT_PTR_NULL(hist_event_field(event, j + 4));
		CU_ASSERT_PTR_NULL(hist_event_find(event, "common_cpu"));
		CU_ASSERT_PTR_NULL(hist_event_find(event, "prev_"));
		CU_ASSERT_STRING_EQUAL(event->name,
				       strchr(field_cases[i].event, ':') + 1);
		CU_ASSERT_EQUAL(strncmp(event->system, field_cases[i].event,
					strlen(event->system)),
				0);
		hist_event_free(event);
	}
}

static void test_places(void)
{
	struct hist_event *event = format_event("kmem:kmalloc");

	CU_ASSERT_EQUAL(event->id, 593);
	CU_ASSERT_EQUAL(hist_event_size(event), 52);
	CU_ASSERT_EQUAL(hist_event_find(event, "common_type")->offset, 0);
	CU_ASSERT_EQUAL(hist_event_find(event, "common_pid")->offset, 4);
	CU_ASSERT_EQUAL(hist_event_find(event, "call_site")->offset, 8);
	CU_ASSERT_EQUAL(hist_event_find(event, "node")->offset, 48);
	hist_event_free(event);
}

#define COMMON "name: x\nID: 1\nformat:\n"
#define END "\nprint fmt: \"\"\n"

static const struct {
	const char *format;
	int ret;
} text_cases[] = {
	{ COMMON "\tfield:int a;\toffset:0;\tsize:4;\tsigned:1;\n" END, 0 },
	/* Kernels before 2.6.32. */
	{ COMMON "\tfield:int a;\toffset:0;\tsize:4;\n" END, 0 },
	{ COMMON "\tfield:char a[TASK_COMM_LEN];\toffset:0;\tsize:16;\tsigned:0;\n" END, 0 },
	{ "", -EINVAL },
	{ "\n", -EINVAL },
	{ COMMON END, -EINVAL },
	{ COMMON "\tfield:int a;\toffset:0;\tsize:4;\tsigned:1;\n", -EINVAL },
	{ "ID: 1\n\tfield:int a;\toffset:0;\tsize:4;\tsigned:1;\n" END, -EINVAL },
	{ "name: x y\n\tfield:int a;\toffset:0;\tsize:4;\tsigned:1;\n" END, -EINVAL },
	{ COMMON "name: y\n\tfield:int a;\toffset:0;\tsize:4;\tsigned:1;\n" END, -EINVAL },
	{ COMMON "\tfield:a;\toffset:0;\tsize:4;\tsigned:1;\n" END, -EINVAL },
	{ COMMON "\tfield:int ;\toffset:0;\tsize:4;\tsigned:1;\n" END, -EINVAL },
	{ COMMON "\tfield:int 4a[];\toffset:0;\tsize:4;\tsigned:1;\n" END, -EINVAL },
	{ COMMON "\tfield:int a];\toffset:0;\tsize:4;\tsigned:1;\n" END, -EINVAL },
	{ COMMON "\tfield:in\x1bt a;\toffset:0;\tsize:4;\tsigned:1;\n" END, -EINVAL },
	{ COMMON "\tfield:int a;\toffset:0;\tsize:;\tsigned:1;\n" END, -EINVAL },
	{ COMMON "\tfield:int a;\toffset:0;\tsize:4294967300;\tsigned:1;\n" END, -EINVAL },
	{ COMMON "\tfield:int a;\tsize:4;\toffset:0;\tsigned:1;\n" END, -EINVAL },
	{ COMMON "\tfield:int a;\toffset:0;\tsize:4;\tsigned:x;\n" END, -EINVAL },
	{ "name: x\nID: 65536\n\tfield:int a;\toffset:0;\tsize:4;\tsigned:1;\n" END, -EINVAL },
	{ "name: x\nID: -1\n\tfield:int a;\toffset:0;\tsize:4;\tsigned:1;\n" END, -EINVAL },
	{ COMMON "\tfield:__data_loc char[] a;\toffset:0;\tsize:2;\tsigned:0;\n" END, -EINVAL },
	{ COMMON "garbage\n\tfield:int a;\toffset:0;\tsize:4;\tsigned:1;\n" END, -EINVAL },
};

static void test_texts(void)
{
	struct hist_event *event;
	size_t i;
	int ret;

	for (i = 0; i < sizeof(text_cases) / sizeof(*text_cases); i++) {
		event = NULL;
		ret = hist_event_parse(&event, "sys", text_cases[i].format,
				       strlen(text_cases[i].format));
		if (ret != text_cases[i].ret)
			fprintf(stderr, "text %zu: %d\n", i, ret);
		CU_ASSERT_EQUAL(ret, text_cases[i].ret);
		CU_ASSERT_EQUAL(!event, ret != 0);
		hist_event_free(event);
	}
	hist_event_free(NULL);
}

/* Cut anywhere before the print format it is an error, and never more than that. */
static void test_damage(void)
{
	static const char bytes[] = { 0,   '\n', '\t', ' ', ':', ';',
				      '[', ']',	 '9',  'a', '*', (char)0xff };
	struct hist_event *event;
	size_t i, j, k, len, whole;
	char *text, *copy, saved;
	bool holds = true;
	int ret;

	for (i = 0; i < N_CASES; i++) {
		text = format_text(strchr(field_cases[i].event, ':') + 1, &len);
		whole = strstr(text, "print fmt:") - text + strlen("print fmt:");
		for (j = 0; j <= len; j++) {
			/* A copy of the right size, so that reading on is noticed. */
			copy = malloc(j ? j : 1);
			memcpy(copy, text, j);
			event = NULL;
			ret = hist_event_parse(&event, "sys", copy, j);
			CU_ASSERT_EQUAL(ret, j < whole ? -EINVAL : 0);
			hist_event_free(event);
			free(copy);
		}
		for (j = 0; j < len; j++) {
			saved = text[j];
			for (k = 0; k < sizeof(bytes); k++) {
				text[j] = bytes[k];
				event = NULL;
				ret = hist_event_parse(&event, "synthetic", text, len);
				holds &= (ret == 0 || ret == -EINVAL) && !event == (ret != 0);
				hist_event_free(event);
			}
			text[j] = saved;
		}
		free(text);
	}
	CU_ASSERT_TRUE(holds);
}

UNIT_TESTS(
	{ "each field of a format file has its name, type, size, sign and C type", test_fields },
	{ "the ID, the size and the field offsets of an event come from its format file",
	  test_places },
	{ "the parser accepts old and new format files, and refuses text that is not a format",
	  test_texts },
	{ "a truncated format file is refused, and a changed byte gives an event or an error",
	  test_damage });
