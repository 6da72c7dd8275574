// SPDX-License-Identifier: GPL-2.0
/*
 * live_symbols.c - names of kernel symbols and tasks for events counted in user space
 *
 * The name of a task comes from tracefs's saved_cmdlines when the name is first needed, otherwise
 * from /proc. A task that is in neither has no name. The file of a large machine has thousands of
 * lines, so it is read only for a task without a name, and at most once in a round.
 *
 * Invariant: tasks are sorted by number.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/event/kallsyms.h"
#include "lib/label/label.h"
#include "tracecmd/base/message.h"
#include "tracecmd/kernel/kernel_symbols.h"
#include "tracecmd/live/live_symbols.h"
#include "tracecmd/target/target_path.h"

struct task {
	uint32_t pid;
	char comm[16];
};

struct live_names {
	const struct trigger_set *set;
	struct hist_kallsyms *symbols;
	bool looked; /* symbols were read, or cannot be read */
	bool fresh; /* saved_cmdlines was read in this round */
	struct task *tasks;
	size_t ntasks;
	struct target_buf text;
	struct target_buf stack_format;
	int error; /* result of live_names_error() */
};

/* Index of @pid, or the index at which it would be inserted. */
static size_t live_names_find_place(const struct live_names *n, uint32_t pid)
{
	size_t low = 0, high = n->ntasks, middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (n->tasks[middle].pid < pid)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool live_names_has_task(const struct live_names *n, size_t at, uint32_t pid)
{
	return at < n->ntasks && n->tasks[at].pid == pid;
}

static const char *add_task(struct live_names *n, uint32_t pid, const char *comm, size_t len)
{
	size_t at = live_names_find_place(n, pid);

	if (live_names_has_task(n, at, pid))
		return n->tasks[at].comm;
	if (array_add(&n->tasks, n->ntasks, sizeof(*n->tasks))) {
		n->error = -ENOMEM;
		return NULL;
	}
	memmove(n->tasks + at + 1, n->tasks + at, (n->ntasks - at) * sizeof(*n->tasks));
	n->ntasks++;
	n->tasks[at] = (struct task){ .pid = pid };
	memcpy(n->tasks[at].comm, comm, len < 15 ? len : 15);
	return n->tasks[at].comm;
}

static void take_tasks(struct live_names *n)
{
	char *line, *rest, *comm;
	unsigned long pid;

	for (rest = n->text.data; rest && (line = strsep(&rest, "\n"));) {
		pid = strtoul(line, &comm, 10);
		if (comm > line && *comm == ' ')
			add_task(n, pid, comm + 1, strlen(comm + 1));
	}
}

/* Add the tasks that the kernel has seen since the last call. */
static void live_names_read_tasks(struct live_names *n)
{
	struct hist_target *t = n->set->target;
	int ret = t->ops->read(t, "saved_cmdlines", &n->text);

	n->fresh = true;
	/* the kernel may not have this file */
	if (!ret)
		take_tasks(n);
	else if (ret == -ENOMEM)
		n->error = ret;
}

void live_names_begin_round(struct live_names *n)
{
	n->fresh = false;
}

int live_names_error(const struct live_names *n)
{
	return n->error;
}

static const char *live_names_find_comm(void *data, uint32_t pid)
{
	struct live_names *n = data;
	size_t at = live_names_find_place(n, pid);
	char path[64], text[32];
	ssize_t len;
	int fd;

	if (!live_names_has_task(n, at, pid) && !n->fresh) {
		live_names_read_tasks(n);
		at = live_names_find_place(n, pid);
	}
	if (live_names_has_task(n, at, pid))
		return n->tasks[at].comm;
	/* /proc of a remote target is not accessible from this machine */
	if (!n->set->target->ops->descriptor)
		return NULL;
	snprintf(path, sizeof(path), "/proc/%u/comm", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	len = read(fd, text, sizeof(text));
	close(fd);
	return len > 1 ? add_task(n, pid, text, len - 1) : NULL;
}

static int live_names_find_symbol(void *data, uint64_t address, struct hist_symbol *symbol)
{
	struct live_names *n = data;

	if (!n->looked) {
		if (kernel_symbols_read(n->set->target, &n->symbols))
			n->error = -ENOMEM;
		n->looked = true;
	}
	return n->symbols ? hist_kallsyms_find(n->symbols, address, symbol) : -ENOENT;
}

int live_names_new(struct live_names **names, const struct trigger_set *set,
		   struct hist_engine_machine *machine)
{
	struct live_names *n = calloc(1, sizeof(*n));

	if (!n)
		return message_error_memory();
	*names = n;
	n->set = set;
	machine->cpus = set->target->cpus;
	machine->clock_is_ns = hist_clock_is_ns(set->instance->clock);
	machine->symbol = live_names_find_symbol;
	machine->comm = live_names_find_comm;
	machine->data = n;
	machine->uname = set->target->uname;
	if (!target_readf(set->target, &n->stack_format, "events/ftrace/kernel_stack/format")) {
		machine->stack_format = n->stack_format.data;
		machine->stack_format_len = n->stack_format.len;
	}
	return 0;
}

void live_names_free(struct live_names *n)
{
	if (!n)
		return;
	hist_kallsyms_free(n->symbols);
	free(n->stack_format.data);
	free(n->tasks);
	free(n->text.data);
	free(n);
}
