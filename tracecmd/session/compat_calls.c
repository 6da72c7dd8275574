// SPDX-License-Identifier: GPL-2.0
/*
 * compat_calls.c - find the numbers of system calls that 32-bit programs used
 *
 * On x86-64, ia32_sys_call(regs, number) runs all 32-bit calls since Linux 6.9, and in kernels that
 * have the same fix, such as 6.1.192 of Debian. Before, their entries do_int80_syscall_32(regs) and
 * do_fast_syscall_32(regs) are the only functions of 32-bit calls; since 5.8, a kprobe on them is
 * not possible. regs->orig_ax has the number. On arm64, do_el0_svc_compat(regs) finds the number in
 * regs->regs[7], and do_el0_svc(regs) in regs->regs[8].
 *
 * On x86-64, execve() of a 32-bit program begins as the 64-bit call, and returns as the 32-bit call
 * (set_personality_ia32()).
 *
 * The event of the call is before the kprobe on x86-64, so the number is read again at the next
 * tick if both are read between them.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/hist/key_names.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/unique_name.h"
#include "tracecmd/session/compat_calls.h"
#include "tracecmd/target/target_path.h"
#include "tracecmd/trigger/traced_event.h"

#define GROUP "tch_calls"
#define TRIGGER "hist:keys=id"

/* Functions and the place of the number of the call, "FUNCTION id=NUMBER"; NULL: none. */
struct compat_places {
	const char *machine; /* as in uname, also of a 32-bit program */
	const char *compat,
		*old_compat[2]; /* 32-bit calls; the older kernels have both functions */
	const char *native; /* 64-bit calls */
	const char *compat_exec, *native_exec; /* where execve() becomes a call of the other kind */
};

static const struct compat_places compat_places[] = {
	{ "x86_64", "ia32_sys_call id=%si:s32",
	  { "do_int80_syscall_32 id=+120(%di):s32", "do_fast_syscall_32 id=+120(%di):s32" },
	  "x64_sys_call id=%si:s32",
	  "set_personality_ia32 id=\\11:s32", "set_personality_64bit id=\\59:s32" },
	{ "i[3-6]86", "ia32_sys_call id=%si:s32",
	  { "do_int80_syscall_32 id=+120(%di):s32", "do_fast_syscall_32 id=+120(%di):s32" },
	  "x64_sys_call id=%si:s32",
	  "set_personality_ia32 id=\\11:s32", "set_personality_64bit id=\\59:s32" },
	{ "aarch64", "do_el0_svc_compat id=+56(%x0):s32", { NULL, NULL },
	  "do_el0_svc id=+64(%x0):s32", NULL, NULL },
	{ "arm*", "do_el0_svc_compat id=+56(%x0):s32", { NULL, NULL },
	  "do_el0_svc id=+64(%x0):s32", NULL, NULL },
};

static const struct compat_places *compat_find_places(const struct hist_target *t)
{
	const char *machine = t->uname ? strrchr(t->uname, ' ') : NULL;
	unsigned int i;

	for (i = 0; machine && i < sizeof(compat_places) / sizeof(*compat_places); i++)
		if (!fnmatch(compat_places[i].machine, machine + 1, 0))
			return &compat_places[i];
	return NULL;
}

static bool compat_names_calls(struct traced_event *sources, unsigned int n)
{
	struct traced_hist *h = NULL;
	unsigned int i;

	while ((h = traced_event_next_hist(sources, n, h)))
		for (i = 0; i < h->expr->keys.n; i++)
			if (h->expr->keys.field[i].modifier == HIST_MOD_SYSCALL)
				return true;
	return false;
}

int compat_calls_check(struct compat_calls *c, struct hist_target *t,
		       struct hist_machine_names *names, struct traced_event *sources,
		       unsigned int nsources)
{
	bool native = hist_machine_names_user_is_32(names);
	const struct compat_places *places = compat_find_places(t);
	const char *exec;
	char event[64];
	int ret = 0;

	/* the numbers of a kernel with 32 bits have one meaning */
	if (!places || t->long_size != 8 || !compat_names_calls(sources, nsources))
		return 0;
	snprintf(event, sizeof(event), "p:" GROUP "/calls_%d_%04x", getpid(), unique_number());
	ret = asprintf(&c->definition, "%s %s", event, native ? places->native : places->compat);
	if (ret < 0)
		c->definition = NULL;
	else if (!native && places->old_compat[0])
		ret = asprintf(&c->fallback, "%s %s\n%s %s", event, places->old_compat[0], event,
			       places->old_compat[1]);
	exec = native ? places->native_exec : places->compat_exec;
	if (ret >= 0 && exec)
		ret = asprintf(&c->exec, "%s %s", event, exec);
	if (ret < 0)
		return message_error_memory();
	c->names = names;
	c->loss = native ? HIST_LOSS_NATIVE_CALLS : HIST_LOSS_COMPAT_CALLS;
	c->plan = (struct query_dynevent){
		.kind = QUERY_DYNAMIC, .definition = c->definition, .fallback = c->fallback,
	};
	c->wanted = true;
	return 0;
}

void compat_calls_print(const struct compat_calls *c)
{
	const char *name;

	if (!c->wanted)
		return;
	name = c->definition + strlen("p:" GROUP "/");
	printf("dynamic_events %s\n", c->definition);
	if (c->exec)
		printf("dynamic_events %s\n", c->exec);
	printf(GROUP ":%.*s " TRIGGER "\n", (int)strcspn(name, " "), name);
}

int compat_calls_begin(struct compat_calls *c, struct hist_target *t, struct undo *undo, bool quiet)
{
	const struct query_hist hist = { .raw = TRIGGER };
	char event[80];
	int ret;

	if (!c->wanted)
		return 0;
	c->wanted = false;
	if (target_existsf(t, "kprobe_events") <= 0)
		ret = -EOPNOTSUPP;
	else
		ret = dynevent_check(&c->object, t, &c->plan, false);
	c->object.is_optional = true;
	if (!ret)
		ret = dynevent_create(&c->object, t, undo);
	/* the kernel has no such calls */
	if (ret == -ENOENT)
		return 0;
	if (ret && ret != -ENOMEM) {
		if (!quiet)
			message_note("system calls: this kernel does not allow a kprobe on the "
				     "calls of 32-bit programs (%s), so these calls have the names "
				     "of 64-bit calls", strerror(-ret));
		return 0;
	}
	if (ret)
		return ret;
	/* without this place, one row of sys_exit has the name of another call */
	if (c->exec)
		t->ops->write(t, c->object.file, c->exec, strlen(c->exec), true);
	snprintf(event, sizeof(event), "%s:%s", c->object.system, c->object.name);
	ret = traced_event_expect(&c->source, t, event, NULL);
	if (!ret)
		ret = traced_event_read_format(&c->source, t);
	if (!ret)
		ret = traced_event_add_hist(&c->source, &hist, "mono");
	c->wanted = !ret;
	return ret;
}

int compat_calls_attach(struct compat_calls *c, struct hist_target *t, struct undo *undo,
			const struct instance *in, bool lists_tasks)
{
	bool apart = c->wanted && !in->made && !lists_tasks;
	int ret = apart ? instance_make_dir(&c->dir, "calls", t, undo) : 0;

	if (!ret && c->wanted)
		ret = traced_event_attach(&c->source, t, undo, apart ? c->dir : in->dir);
	c->counts = c->wanted && !ret;
	return ret;
}

void compat_calls_add_command(struct compat_calls *c, pid_t pid)
{
	unsigned char other = c->loss == HIST_LOSS_NATIVE_CALLS ? ELFCLASS64 : ELFCLASS32;
	unsigned char ident[EI_NIDENT] = { 0 };
	char path[32];
	int fd;

	if (!c->counts || !c->exec)
		return;
	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	if (read(fd, ident, sizeof(ident)) == sizeof(ident) && !memcmp(ident, ELFMAG, SELFMAG))
		c->execs += ident[EI_CLASS] == other;
	close(fd);
}

int compat_calls_read(struct compat_calls *c, struct hist_target *t)
{
	const struct hist_snapshot *snap;
	const struct hist_table *table;
	uint32_t entry, n;
	uint64_t number;
	int ret;

	if (!c->counts)
		return 0;
	do {
		ret = traced_reader_fetch(&c->source, t, &c->text);
		ret = ret ? message_error_errno(c->source.full_name, ret) :
			    traced_reader_take(&c->source, t, &c->text);
	} while (ret == -EAGAIN);
	if (ret)
		return ret;
	snap = &c->source.hists[0].snap;
	table = c->source.hists[0].table;
	n = snap->nentries;
	c->total = snap->hits + c->execs;
	memset(c->calls, 0, sizeof(c->calls));
	/* "... id=\11:s32" */
	if (c->execs)
		c->calls[strtoul(strchr(c->exec, '\\') + 1, NULL, 10)] = c->execs;
	for (entry = 0; entry < n; entry++) {
		number = hist_table_cells(table, entry)->num;
		if (number < COMPAT_CALLS_MAX)
			c->calls[number] += snap->values[entry];
	}
	return 0;
}

/* Name @number in @names. 0 or -ENOMEM. */
static int compat_set_name(const struct compat_calls *c, struct hist_key_names *names,
			   uint64_t number)
{
	struct hist_strbuf b = { 0 };
	const char *old;
	size_t len;
	int ret;

	hist_machine_names_mixed_call(c->names, number, &b);
	ret = b.error;
	old = hist_key_names_find(names, number, &len);
	if (!ret && (!old || len != b.len || memcmp(old, b.data, len)))
		ret = hist_key_names_set(names, number, b.data, b.len);
	hist_strbuf_free(&b);
	return ret;
}

/* Name the numbers of key @k. Adds their calls to *@calls, each number once. */
static int compat_name_key(const struct compat_calls *c, const struct traced_hist *h,
			   unsigned int k, uint64_t *calls)
{
	struct hist_key_names *names = hist_table_schema(h->table)->keys[k].names;
	bool seen[COMPAT_CALLS_MAX] = { false };
	uint64_t number;
	uint32_t entry;
	int ret = 0;

	for (entry = 0; !ret && entry < h->snap.nentries; entry++) {
		number = hist_table_cells(h->table, entry)[k].num;
		if (number >= COMPAT_CALLS_MAX || !c->calls[number] || seen[number])
			continue;
		seen[number] = true;
		*calls += c->calls[number];
		ret = compat_set_name(c, names, number);
	}
	return ret;
}

int compat_calls_apply(const struct compat_calls *c, struct traced_hist *h)
{
	const struct hist_schema *schema = hist_table_schema(h->table);
	uint64_t calls = 0;
	unsigned int k;
	int ret = 0;

	for (k = 0; !ret && c->total && k < schema->nkeys; k++)
		if (schema->keys[k].kind == HIST_KEY_SYSCALL && schema->keys[k].names)
			ret = compat_name_key(c, h, k, &calls);
	if (calls > h->snap.losses[c->loss])
		h->snap.losses[c->loss] = calls;
	return ret ? message_error_memory() : 0;
}

void compat_calls_clear(struct compat_calls *c, struct hist_target *t)
{
	if (c->source.name)
		traced_event_clear(&c->source, t);
	dynevent_clear(&c->object);
	free(c->dir);
	free(c->definition);
	free(c->fallback);
	free(c->exec);
	free(c->text.data);
	memset(c, 0, sizeof(*c));
}
