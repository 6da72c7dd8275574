// SPDX-License-Identifier: GPL-2.0
/*
 * cpu_pages_test.c - which CPUs a round asks for their pages, if some of them are absent
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/CUnit.h>

#include "tracecmd/target/cpu_pages.h"
#include "utest/unit/tests.h"

#define CPUS 4

struct machine {
	struct hist_target target;
	struct hist_target_ops ops;
	const char *plugged;	  /* NULL: cannot be read */
	const char *pages[CPUS];  /* NULL: the CPU is absent */
	int error;		  /* of absent CPUs */
	char asked[64], got[64];  /* in the last round: "0 1", "0=a" */
	unsigned int lists;	  /* how often @plugged was read */
};

static int machine_read(struct hist_target *t, const char *path, struct target_buf *buf)
{
	struct machine *m = (struct machine *)t;

	CU_ASSERT_STRING_EQUAL(path, "/sys/devices/system/cpu/present");
	m->lists++;
	buf->len = 0;
	return m->plugged ? target_buf_append(buf, m->plugged, strlen(m->plugged)) : -EINVAL;
}

static int machine_pages(struct hist_target *t, const char *path, size_t most, struct target_buf *buf)
{
	struct machine *m = (struct machine *)t;
	unsigned int cpu;
	char file[32];

	CU_ASSERT_EQUAL(most, 77);
	CU_ASSERT_EQUAL_FATAL(sscanf(path, "instances/x/per_cpu/cpu%u/%31s", &cpu, file), 2);
	CU_ASSERT_STRING_EQUAL(file, "trace_pipe_raw");
	snprintf(m->asked + strlen(m->asked), sizeof(m->asked) - strlen(m->asked), "%s%u",
		 *m->asked ? " " : "", cpu);
	buf->len = 0;
	return m->pages[cpu] ? target_buf_append(buf, m->pages[cpu], strlen(m->pages[cpu])) : m->error;
}

static int machine_descriptor(struct hist_target *t, const char *path)
{
	(void)t;
	(void)path;
	return -ENOENT;
}

static void begin(struct machine *m, struct cpu_pages *p, const char *plugged, bool local)
{
	*m = (struct machine){
		.ops = {
			.read = machine_read,
			.pages = machine_pages,
			.descriptor = local ? machine_descriptor : NULL,
		},
		.plugged = plugged,
		.pages = { "a", "" },
		.error = -ENODEV,
	};
	m->target = (struct hist_target){ .ops = &m->ops, .cpus = CPUS };
	CU_ASSERT_EQUAL_FATAL(cpu_pages_init(p, &m->target, "instances/x", "trace_pipe_raw"), 0);
}

/* One round. Returns the result of its last call. */
static int round_of(struct machine *m, struct cpu_pages *p, bool last)
{
	struct target_buf buf = { 0 };
	unsigned int cpu;
	int ret;

	*m->asked = *m->got = '\0';
	m->lists = 0;
	cpu_pages_begin(p, last);
	while ((ret = cpu_pages_next(p, 77, &buf, &cpu)) > 0)
		snprintf(m->got + strlen(m->got), sizeof(m->got) - strlen(m->got), "%s%u=%s",
			 *m->got ? " " : "", cpu, buf.data);
	free(buf.data);
	return ret;
}

static void test_local(void)
{
	struct cpu_pages p;
	struct machine m;

	begin(&m, &p, NULL, true);
	CU_ASSERT_EQUAL(round_of(&m, &p, false), 0);
	CU_ASSERT_STRING_EQUAL(m.asked, "0 1 2 3");
	CU_ASSERT_STRING_EQUAL(m.got, "0=a");
	/* CPU 3 comes; CPU 1 has events now, whether or not it is still online */
	m.pages[3] = "d";
	m.pages[1] = "b";
	CU_ASSERT_EQUAL(round_of(&m, &p, false), 0);
	CU_ASSERT_STRING_EQUAL(m.asked, "0 1 2 3");
	CU_ASSERT_STRING_EQUAL(m.got, "0=a 1=b 3=d");
	CU_ASSERT_EQUAL(m.lists, 0);
	cpu_pages_clear(&p);
}

static void test_remote(void)
{
	struct cpu_pages p;
	struct machine m;

	begin(&m, &p, "0-2\n", false);
	CU_ASSERT_EQUAL(round_of(&m, &p, false), 0);
	CU_ASSERT_STRING_EQUAL(m.asked, "0 1 2");
	CU_ASSERT_STRING_EQUAL(m.got, "0=a");
	CU_ASSERT_EQUAL(m.lists, 1);
	/* CPU 1 is unplugged, and its ring buffer stays; CPU 2 comes online */
	m.plugged = "0,2\n";
	m.pages[1] = "b";
	m.pages[2] = "c";
	CU_ASSERT_EQUAL(round_of(&m, &p, false), 0);
	CU_ASSERT_STRING_EQUAL(m.got, "0=a 1=b 2=c");
	/* CPU 3 was there between two rounds */
	m.pages[3] = "d";
	CU_ASSERT_EQUAL(round_of(&m, &p, false), 0);
	CU_ASSERT_STRING_EQUAL(m.got, "0=a 1=b 2=c");
	CU_ASSERT_EQUAL(round_of(&m, &p, true), 0);
	CU_ASSERT_STRING_EQUAL(m.got, "0=a 1=b 2=c 3=d");
	/* all have ring buffers: no list is needed */
	CU_ASSERT_EQUAL(round_of(&m, &p, false), 0);
	CU_ASSERT_EQUAL(m.lists, 0);
	cpu_pages_clear(&p);
}

static void test_last(void)
{
	struct cpu_pages p;
	struct machine m;

	begin(&m, &p, "0-1\n", false);
	CU_ASSERT_EQUAL(round_of(&m, &p, true), 0);
	CU_ASSERT_STRING_EQUAL(m.asked, "0 1 2 3");
	/* nothing is recorded any more, so no CPU comes */
	CU_ASSERT_EQUAL(round_of(&m, &p, true), 0);
	CU_ASSERT_STRING_EQUAL(m.asked, "0 1");
	cpu_pages_clear(&p);
}

static void test_no_list(void)
{
	static const char *const lists[] = { NULL, "", "\n", "0-", "what", "9000\n" };
	struct cpu_pages p;
	struct machine m;
	size_t i;

	for (i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		begin(&m, &p, lists[i], false);
		CU_ASSERT_EQUAL(round_of(&m, &p, false), 0);
		CU_ASSERT_EQUAL(round_of(&m, &p, false), 0);
		CU_ASSERT_STRING_EQUAL(m.asked, "0 1 2 3");
		CU_ASSERT_STRING_EQUAL(m.got, "0=a");
		cpu_pages_clear(&p);
	}
}

static void test_errors(void)
{
	static const int absences[] = { -ENODEV, -ENXIO, -ENOENT };
	struct cpu_pages p;
	struct machine m;
	size_t i;

	for (i = 0; i < sizeof(absences) / sizeof(*absences); i++) {
		begin(&m, &p, "0-1\n", false);
		m.error = absences[i];
		CU_ASSERT_EQUAL(round_of(&m, &p, true), 0);
		/* a ring buffer does not go away */
		m.pages[1] = NULL;
		CU_ASSERT_EQUAL(round_of(&m, &p, false), absences[i]);
		cpu_pages_clear(&p);
		/* nor is there an instance without one */
		begin(&m, &p, "0-1\n", false);
		m.error = absences[i];
		m.pages[0] = m.pages[1] = NULL;
		CU_ASSERT_EQUAL(round_of(&m, &p, false), absences[i]);
		cpu_pages_clear(&p);
	}
	begin(&m, &p, "0-2\n", false);
	m.error = -EIO;
	CU_ASSERT_EQUAL(round_of(&m, &p, false), -EIO);
	CU_ASSERT_STRING_EQUAL(m.got, "0=a");
	cpu_pages_clear(&p);
}

static int list_names(struct hist_target *t, const char *path, struct target_buf *buf)
{
	const char *names = ((struct machine *)t)->plugged;
	int ret;

	CU_ASSERT_STRING_EQUAL(path, "per_cpu");
	if (!names)
		return -ENOENT;
	buf->len = 0;
	ret = target_buf_append(buf, names, strlen(names));
	for (char *p = buf->data; !ret && *p; p++)
		*p = *p == ' ' ? '\0' : *p;
	/* one more NUL ends the list */
	return ret ? ret : target_buf_append(buf, "", 1);
}

static unsigned int count(const char *names)
{
	struct machine m = { .ops.list = list_names, .plugged = names };

	m.target.ops = &m.ops;
	return target_count_cpus(&m.target);
}

static void test_count(void)
{
	CU_ASSERT_EQUAL(count("cpu0"), 1);
	CU_ASSERT_EQUAL(count("cpu1 cpu0"), 2);
	CU_ASSERT_EQUAL(count("cpu0 cpu11 cpu3"), 12);
	CU_ASSERT_EQUAL(count("cpu0 cpu2x cpux stats 7 cpu99999999999 cpu65536"), 1);
	CU_ASSERT_EQUAL(count("cpu65535"), 65536);
	CU_ASSERT_EQUAL(count(""), 1);
	CU_ASSERT_EQUAL(count(NULL), 1);
}

UNIT_TESTS(
	{ "each round asks the absent CPUs of this machine again", test_local },
	{ "a round asks the CPUs that are plugged into a remote machine, and the last round all",
	  test_remote },
	{ "only the first of several last rounds asks absent CPUs", test_last },
	{ "without a list of CPUs, each round asks all", test_no_list },
	{ "a CPU is absent only before it has a ring buffer, and one CPU is not", test_errors },
	{ "the number of CPUs is that of the directories in per_cpu/", test_count });
