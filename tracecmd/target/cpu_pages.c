// SPDX-License-Identifier: GPL-2.0
/*
 * cpu_pages.c - fetch the pages of an instance's ring buffers, CPU by CPU
 *
 * Invariant: a CPU that once had a ring buffer has one, so its errors are errors of the round. At
 * least one CPU has a ring buffer in each instance.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/expr/filter.h"
#include "tracecmd/target/cpu_pages.h"
#include "tracecmd/target/target_path.h"

bool cpu_pages_is_absent(int fd)
{
	char byte;

	return read(fd, &byte, 1) < 0 && errno == ENODEV;
}

enum { ABSENT, SEEN /* to be asked: it may have a ring buffer now */, PRESENT };

static void see_all(struct cpu_pages *p)
{
	unsigned int cpu;

	for (cpu = 0; cpu < p->target->cpus; cpu++)
		p->states[cpu] += p->states[cpu] == ABSENT;
}

/* Old helpers refuse to read the list, and boards without sysfs lack it. False: not known. */
static bool read_list(struct cpu_pages *p, uint64_t *cpus)
{
	if (p->target->ops->read(p->target, TARGET_CPUS_PRESENT, &p->list))
		return false;
	p->list.data[strcspn(p->list.data, "\n")] = '\0';
	return *p->list.data && hist_filter_parse_cpus(cpus, p->list.data, 0);
}

/* It costs little to ask each CPU of this machine. */
static void see_plugged(struct cpu_pages *p)
{
	uint64_t cpus[HIST_FILTER_CPUS_MAX / 64] = { 0 };
	unsigned int cpu;

	if (!memchr(p->states, ABSENT, p->target->cpus))
		return;
	if (p->target->ops->descriptor || !read_list(p, cpus)) {
		see_all(p);
		return;
	}
	for (cpu = 0; cpu < p->target->cpus && cpu < HIST_FILTER_CPUS_MAX; cpu++) {
		if (cpus[cpu / 64] >> cpu % 64 & 1 && p->states[cpu] == ABSENT)
			p->states[cpu] = SEEN;
	}
}

int cpu_pages_init(struct cpu_pages *p, struct hist_target *target, const char *dir,
		   const char *file)
{
	*p = (struct cpu_pages){ .target = target, .dir = dir, .file = file };
	p->states = calloc(target->cpus, sizeof(*p->states));
	return p->states ? 0 : -ENOMEM;
}

void cpu_pages_clear(struct cpu_pages *p)
{
	free(p->states);
	free(p->list.data);
	*p = (struct cpu_pages){ 0 };
}

void cpu_pages_begin(struct cpu_pages *p, bool last)
{
	p->next = 0;
	p->error = 0;
	if (last && !p->last)
		see_all(p);
	else if (!last)
		see_plugged(p);
	p->last = last;
}

/* per_cpu/ has no directory for a number that no CPU can have. */
static bool cpu_pages_is_absence(int error)
{
	return error == -ENODEV || error == -ENXIO || error == -ENOENT;
}

int cpu_pages_next(struct cpu_pages *p, size_t most, struct target_buf *buf, unsigned int *cpu)
{
	int ret;

	while (p->next < p->target->cpus) {
		*cpu = p->next++;
		if (p->states[*cpu] == ABSENT)
			continue;
		ret = target_pagesf(p->target, most, buf, "%s/per_cpu/cpu%u/%s", p->dir, *cpu,
				    p->file);
		if (p->states[*cpu] != PRESENT && cpu_pages_is_absence(ret)) {
			p->states[*cpu] = ABSENT;
			p->error = ret;
			continue;
		}
		if (ret)
			return ret;
		p->present += p->states[*cpu] != PRESENT;
		p->states[*cpu] = PRESENT;
		if (buf->len)
			return 1;
	}
	return p->present ? 0 : p->error;
}
