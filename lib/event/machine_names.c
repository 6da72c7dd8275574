// SPDX-License-Identifier: LGPL-2.1
/*
 * machine_names.c - names of numbers that only the machine of the events knows
 *
 * /proc/interrupts has lines "NUMBER: COUNT... CHIP HWIRQ-LEVEL  ACTION, ACTION" (show_interrupts()
 * in kernel/irq/proc.c); two blanks come before the actions.  /proc/diskstats has lines
 * "MAJOR MINOR NAME ...".  /proc/1/maps has lines "ADDRESS-ADDRESS ..." with at least 8 digits
 * each.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/text.h"
#include "lib/event/machine_names.h"
#include "lib/event/syscall_names.h"

/* Limits for hostile texts. */
#define NAMES_MAX 65536
#define NAME_MAX_LEN 256

#define MINOR_BITS 20

struct number_name {
	uint64_t num;
	char *name;
};

struct name_list {
	struct number_name *names;
	size_t n;
};

struct hist_machine_names {
	unsigned int owners;
	bool is_usual; /* the architecture has the usual numbers of errors and signals */
	bool user_is_32;
	struct hist_syscalls *compat; /* the 32-bit system calls of a 64-bit kernel, or NULL */
	struct name_list interrupts, disks, calls;
};

/* These have other numbers of errors from 35 on, and other signals (asm/errno.h, asm/signal.h). */
static bool machine_is_usual(const char *machine)
{
	static const char *const others[] = { "mips", "alpha", "sparc", "parisc" };
	unsigned int i;

	for (i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (!strncmp(machine, others[i], strlen(others[i])))
			return false;
	return true;
}

struct hist_machine_names *hist_machine_names_new(const char *uname)
{
	struct hist_machine_names *m = calloc(1, sizeof(*m));
	const char *machine = uname ? strrchr(uname, ' ') : NULL;

	if (!m)
		return NULL;
	m->owners = 1;
	m->is_usual = machine_is_usual(machine ? machine + 1 : uname ? uname : "");
	if (hist_syscalls_new(&m->compat, uname, true) == -ENOMEM) {
		free(m);
		return NULL;
	}
	return m;
}

struct hist_machine_names *hist_machine_names_get(struct hist_machine_names *m)
{
	if (m)
		__atomic_add_fetch(&m->owners, 1, __ATOMIC_RELAXED);
	return m;
}

static void name_list_free(struct name_list *list)
{
	while (list->n--)
		free(list->names[list->n].name);
	free(list->names);
}

void hist_machine_names_put(struct hist_machine_names *m)
{
	if (!m || __atomic_sub_fetch(&m->owners, 1, __ATOMIC_ACQ_REL))
		return;
	name_list_free(&m->interrupts);
	name_list_free(&m->disks);
	name_list_free(&m->calls);
	hist_syscalls_free(m->compat);
	free(m);
}

static int name_list_add(struct name_list *list, uint64_t num, const char *name, size_t len)
{
	char *copy;

	if (list->n == NAMES_MAX || !len || len > NAME_MAX_LEN)
		return 0;
	copy = strndup(name, len);
	if (!copy || array_add(&list->names, list->n, sizeof(*list->names))) {
		free(copy);
		return -ENOMEM;
	}
	list->names[list->n++] = (struct number_name){ num, copy };
	return 0;
}

static const char *name_list_find(const struct name_list *list, uint64_t num)
{
	size_t i;

	for (i = 0; i < list->n; i++)
		if (list->names[i].num == num)
			return list->names[i].name;
	return NULL;
}

/* Take a decimal number after blanks; false if there is none of at most 32 bits. */
static bool take_number(const char **p, const char *end, uint64_t *num)
{
	const char *start;

	while (*p < end && *p[0] == ' ')
		++*p;
	start = *p;
	for (*num = 0; *p < end && text_is_digit(**p) && *num <= UINT32_MAX; ++*p)
		*num = *num * 10 + (**p - '0');
	return *p > start && *num <= UINT32_MAX;
}

static int add_interrupt(struct hist_machine_names *m, const char *p, const char *end)
{
	const char *name;
	uint64_t num;

	if (!take_number(&p, end, &num) || p == end || *p != ':')
		return 0;
	/* the counts */
	for (p++; p < end && (*p == ' ' || text_is_digit(*p)); p++)
		;
	while (end > p && text_is_blank(end[-1]))
		end--;
	for (name = end; name > p && (name[-1] != ' ' || name[-2] != ' '); name--)
		;
	/* a line that ends with a count or a chip has no action */
	if (name <= p || text_is_digit(*name))
		return 0;
	return name_list_add(&m->interrupts, num, name, end - name);
}

static int add_disk(struct hist_machine_names *m, const char *p, const char *end)
{
	uint64_t major, minor;
	const char *name;

	if (!take_number(&p, end, &major) || !take_number(&p, end, &minor))
		return 0;
	while (p < end && *p == ' ')
		p++;
	for (name = p; p < end && *p != ' '; p++)
		;
	return name_list_add(&m->disks, major << MINOR_BITS | minor, name, p - name);
}

/* The stack of a 64-bit program is above 4 GiB. */
static int add_map(struct hist_machine_names *m, const char *p, const char *end)
{
	const char *start = p;

	while (p < end && isxdigit((unsigned char)*p))
		p++;
	if (p - start > 8)
		m->user_is_32 = false;
	return 0;
}

/* @name: "sda", or "8:0 sda" as machine_put_disk() writes it. */
static int machine_add_disk(struct hist_machine_names *m, uint64_t dev, const char *name,
			    size_t len)
{
	const char *blank = memchr(name, ' ', len);
	size_t skip = blank ? blank + 1 - name : 0;

	/* "8:0" is not a name */
	if (!blank && memchr(name, ':', len))
		return 0;
	return name_list_add(&m->disks, dev, name + skip, len - skip);
}

int hist_machine_names_add(struct hist_machine_names *m, enum hist_machine_name what, uint64_t num,
			   const char *name, size_t len)
{
	if (what == HIST_MACHINE_DISK)
		return machine_add_disk(m, num, name, len);
	return name_list_add(what == HIST_MACHINE_CALL ? &m->calls : &m->interrupts, num, name,
			     len);
}

static int add_lines(struct hist_machine_names *m, const char *text, size_t len,
		     int (*add)(struct hist_machine_names *m, const char *p, const char *end))
{
	const char *end = text + len, *nl;
	int ret = 0;

	for (; !ret && text < end; text = nl + 1) {
		nl = memchr(text, '\n', end - text);
		if (!nl)
			nl = end;
		ret = add(m, text, nl);
	}
	return ret;
}

int hist_machine_names_add_interrupts(struct hist_machine_names *m, const char *text, size_t len)
{
	return add_lines(m, text, len, add_interrupt);
}

int hist_machine_names_add_disks(struct hist_machine_names *m, const char *text, size_t len)
{
	return add_lines(m, text, len, add_disk);
}

bool hist_machine_names_next_shared(const struct hist_machine_names *m, size_t *i, uint64_t *irq,
				    const char **first, size_t *len)
{
	const struct number_name *name;
	const char *comma;

	while (*i < m->interrupts.n) {
		name = &m->interrupts.names[(*i)++];
		comma = strstr(name->name, ", ");
		if (!comma)
			continue;
		*irq = name->num;
		*first = name->name;
		*len = comma - name->name;
		return true;
	}
	return false;
}

bool hist_machine_names_has_interrupts(const struct hist_machine_names *m)
{
	return m && m->interrupts.n;
}

int hist_machine_names_add_maps(struct hist_machine_names *m, const char *text, size_t len)
{
	m->user_is_32 = len > 0;
	return add_lines(m, text, len, add_map);
}

bool hist_machine_names_user_is_32(const struct hist_machine_names *m)
{
	return m && m->user_is_32;
}

static bool machine_put_interrupt(const struct hist_machine_names *m, uint64_t irq,
				  struct hist_strbuf *b)
{
	const char *name = m ? name_list_find(&m->interrupts, irq) : NULL;

	if (name)
		hist_strbuf_str(b, name);
	return name;
}

static bool machine_put_disk(const struct hist_machine_names *m, uint64_t dev,
			     struct hist_strbuf *b)
{
	const char *name = m ? name_list_find(&m->disks, dev) : NULL;

	hist_strbuf_printf(b, "%" PRIu64 ":%" PRIu64 "%s%s", dev >> MINOR_BITS,
			   dev & ((UINT64_C(1) << MINOR_BITS) - 1), name ? " " : "",
			   name ? name : "");
	return true;
}

static bool machine_put_error(const struct hist_machine_names *m, uint64_t number,
			      struct hist_strbuf *b)
{
	/* include/linux/errno.h: these do not reach programs */
	static const struct {
		unsigned int number;
		const char *name;
	} internal[] = {
		{ 512, "ERESTARTSYS" },	  { 513, "ERESTARTNOINTR" }, { 514, "ERESTARTNOHAND" },
		{ 515, "ENOIOCTLCMD" },	  { 516, "ERESTART_RESTARTBLOCK" },
		{ 517, "EPROBE_DEFER" },  { 518, "EOPENSTALE" },     { 519, "ENOPARAM" },
		{ 521, "EBADHANDLE" },	  { 522, "ENOTSYNC" },	     { 523, "EBADCOOKIE" },
		{ 524, "ENOTSUPP" },	  { 525, "ETOOSMALL" },	     { 526, "ESERVERFAULT" },
		{ 527, "EBADTYPE" },	  { 528, "EJUKEBOX" },	     { 529, "EIOCBQUEUED" },
		{ 530, "ERECALLCONFLICT" }, { 531, "ENOGRACE" },
	};
	const char *name = NULL;
	unsigned int i;

	if (number && number < (!m || m->is_usual ? 200 : 35))
		name = strerrorname_np(number);
	for (i = 0; i < sizeof(internal) / sizeof(*internal); i++)
		if (number == internal[i].number)
			name = internal[i].name;
	if (name)
		hist_strbuf_str(b, name);
	return name;
}

static bool machine_put_signal(const struct hist_machine_names *m, uint64_t number,
			       struct hist_strbuf *b)
{
	const char *name = number < 32 && (!m || m->is_usual) ? sigabbrev_np(number) : NULL;

	if (name) {
		hist_strbuf_str(b, "SIG");
		hist_strbuf_str(b, name);
	}
	return name;
}

static bool machine_put_call(const struct hist_machine_names *m, uint64_t number,
			     struct hist_strbuf *b)
{
	const char *name = m ? name_list_find(&m->calls, number) : NULL;

	if (!name && m && m->user_is_32 && m->compat)
		name = hist_syscalls_name(m->compat, number) ?: "unknown_syscall";
	if (name)
		hist_strbuf_str(b, name);
	return name;
}

static bool machine_put_priority(int64_t prio, struct hist_strbuf *b)
{
	if (prio < -1 || prio > 139)
		return false;
	if (prio < 0)
		hist_strbuf_str(b, "DL");
	else if (prio < 100)
		hist_strbuf_printf(b, "RT %d", (int)(99 - prio));
	else
		hist_strbuf_printf(b, "nice %d", (int)(prio - 120));
	return true;
}

bool hist_machine_names_write(const struct hist_machine_names *m, enum hist_machine_name what,
			      uint64_t num, struct hist_strbuf *b)
{
	switch (what) {
	case HIST_MACHINE_INTERRUPT:
		return machine_put_interrupt(m, num, b);
	case HIST_MACHINE_DISK:
		return machine_put_disk(m, num, b);
	case HIST_MACHINE_CALL:
		return machine_put_call(m, num, b);
	case HIST_MACHINE_ERROR:
		return machine_put_error(m, num, b);
	case HIST_MACHINE_SIGNAL:
		return machine_put_signal(m, num, b);
	case HIST_MACHINE_PRIORITY:
		return machine_put_priority((int64_t)num, b);
	}
	return false;
}

bool hist_machine_names_mixed_call(const struct hist_machine_names *m, uint64_t number,
				   struct hist_strbuf *b)
{
	const char *name = m && m->compat ? hist_syscalls_name(m->compat, number) : NULL;

	hist_strbuf_printf(b, "32-bit%s%s or 64-bit", name ? " " : "", name ? name : "");
	return true;
}
