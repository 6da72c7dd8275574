// SPDX-License-Identifier: GPL-2.0
/*
 * task_set.c - parse lists of thread IDs, and find the family of a task
 *
 * A family is found in passes over all tasks: a task belongs to it if the first thread of its
 * process, or that of the parent process, does. The passes end when one finds no more.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "tracecmd/session/task_filter.h"

struct task {
	uint32_t pid, tgid, ppid;
	bool in;
};

struct task_tree {
	struct task *tasks; /* sorted by pid */
	size_t n;
};

static int compare_u32(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static int task_set_add(struct task_set *set, uint32_t id)
{
	if (array_add(&set->ids, set->n, sizeof(*set->ids)))
		return -ENOMEM;
	set->ids[set->n++] = id;
	return 0;
}

static void task_set_sort(struct task_set *set)
{
	size_t i, n = 0;

	if (set->n)
		qsort(set->ids, set->n, sizeof(*set->ids), compare_u32);
	for (i = 0; i < set->n; i++) {
		if (!n || set->ids[n - 1] != set->ids[i])
			set->ids[n++] = set->ids[i];
	}
	set->n = n;
}

int task_set_parse(struct task_set *set, const char *text)
{
	char *end;

	set->n = 0;
	while (*text) {
		if (!isdigit((unsigned char)*text)) {
			text++;
			continue;
		}
		if (task_set_add(set, strtoul(text, &end, 10)))
			return -ENOMEM;
		text = end;
	}
	task_set_sort(set);
	return 0;
}

bool task_set_has(const struct task_set *set, uint32_t id)
{
	return set->n && bsearch(&id, set->ids, set->n, sizeof(*set->ids), compare_u32);
}

int task_set_subtract(struct task_set *set, const struct task_set *a, const struct task_set *b)
{
	size_t i;

	set->n = 0;
	for (i = 0; i < a->n; i++) {
		if (!task_set_has(b, a->ids[i]) && task_set_add(set, a->ids[i]))
			return -ENOMEM;
	}
	return 0;
}

static int compare_tasks(const void *a, const void *b)
{
	/* the pid is the first member */
	return compare_u32(a, b);
}

/* The lines of a thread come in the order Tgid, Pid, PPid. */
static int parse_tasks(struct task_tree *tree, const char *status)
{
	uint32_t tgid = 0, pid = 0;
	const char *line;

	for (line = status; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		if (!strncmp(line, "Tgid:", 5))
			tgid = strtoul(line + 5, NULL, 10);
		else if (!strncmp(line, "Pid:", 4))
			pid = strtoul(line + 4, NULL, 10);
		if (strncmp(line, "PPid:", 5))
			continue;
		if (array_add(&tree->tasks, tree->n, sizeof(*tree->tasks)))
			return -ENOMEM;
		tree->tasks[tree->n++] = (struct task){
			.pid = pid, .tgid = tgid, .ppid = strtoul(line + 5, NULL, 10),
		};
	}
	if (tree->n)
		qsort(tree->tasks, tree->n, sizeof(*tree->tasks), compare_tasks);
	return 0;
}

static bool is_in(const struct task_tree *tree, uint32_t pid)
{
	const struct task key = { .pid = pid }, *found;

	found = bsearch(&key, tree->tasks, tree->n, sizeof(key), compare_tasks);
	return found && found->in;
}

static void find_family(struct task_tree *tree, const struct task_set *roots, uint32_t spare)
{
	bool more = true;
	size_t i;

	for (i = 0; i < tree->n; i++)
		tree->tasks[i].in = task_set_has(roots, tree->tasks[i].pid);
	while (more) {
		more = false;
		for (i = 0; i < tree->n; i++) {
			struct task *t = &tree->tasks[i];

			if (t->in || (spare && t->tgid == spare) ||
			    (!is_in(tree, t->tgid) && !is_in(tree, t->ppid)))
				continue;
			t->in = more = true;
		}
	}
}

int task_set_parse_family(struct task_set *set, const char *status, const struct task_set *roots,
			  uint32_t spare)
{
	struct task_tree tree = { 0 };
	int ret = parse_tasks(&tree, status);
	size_t i;

	set->n = 0;
	if (!ret)
		find_family(&tree, roots, spare);
	for (i = 0; i < tree.n && !ret; i++) {
		if (tree.tasks[i].in)
			ret = task_set_add(set, tree.tasks[i].pid);
	}
	free(tree.tasks);
	return ret;
}
