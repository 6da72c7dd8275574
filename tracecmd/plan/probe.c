// SPDX-License-Identifier: GPL-2.0
/*
 * probe.c - translate the argument of --kprobe, --uprobe or --usdt to a definition for the kernel
 *
 * All forms of the argument are split into a head ("p", "r16"), a name, a place and arguments,
 * which are then written in the kernel's form. The definition always has a name, because the probe
 * is found and removed by its name.
 */
#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/infile.h"
#include "tracecmd/elf/elf_symbol.h"
#include "tracecmd/elf/usdt.h"
#include "tracecmd/plan/probe.h"

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
#define NAME_CHARS LETTERS "0123456789"
#define NAME_MAX_LEN 63 /* MAX_EVENT_NAME_LEN less the NUL */

/*
 * With KRETPROBE_MAXACTIVE_MAX calls in progress. The kernel's default is only twice the number of
 * CPUs: a function that sleeps then misses most returns. Each call needs about 100 bytes.
 */
#define RETURN_HEAD "r4096"

struct probe {
	enum probe_kind kind;
	char *head; /* "p", "r", "r16" */
	char *group, *name; /* NULL: to be made up */
	char *path; /* of a uprobe, absolute */
	char *provider; /* of a static probe */
	char *symbol; /* without +OFFS, or the static probe; NULL for a plain offset */
	uint64_t plus; /* OFFS; the file's offset without a symbol */
	bool is_return;
	const char *args; /* in the text */
	struct hist_error *error;
};

#define refuse(p, err, ...) hist_error_set((p)->error, (err), __VA_ARGS__)

static bool probe_is_name(const char *text, size_t len)
{
	return len && strspn(text, NAME_CHARS) >= len && !isdigit((unsigned char)*text);
}

/* The length of a "p", "r" or "r16" that a blank or a colon follows, or 0. */
static size_t kernel_head(const char *text)
{
	size_t len;

	if (*text != 'p' && *text != 'r')
		return 0;
	len = 1 + strspn(text + 1, "0123456789");
	if (text[len] == ':')
		/* "r:GROUP/NAME PLACE", not the NAME= of "p:x=do_fork" */
		return strcspn(text, " \t") > strcspn(text, "=") ? 0 : len;
	return text[len] == ' ' || text[len] == '\t' ? len : 0;
}

static int probe_set_name(struct probe *p, const char *text, size_t len, char separator)
{
	const char *cut = memchr(text, separator, len);
	size_t group = cut ? cut + 1 - text : 0;

	if ((cut && !probe_is_name(text, group - 1)) || !probe_is_name(text + group, len - group))
		return refuse(p, -EINVAL, "%.*s: an event name contains only letters, digits and "
			      "_, and does not begin with a digit", (int)len, text);
	if (cut) {
		p->group = strndup(text, group - 1);
		if (!p->group)
			return -ENOMEM;
	}
	p->name = strndup(text + group, len - group);
	return p->name ? 0 : -ENOMEM;
}

/* Parse "p:GROUP/NAME " or "NAME=", and move *@text to its end. */
static int take_name(struct probe *p, const char **text)
{
	const char *at = *text, *equals;
	size_t head = kernel_head(at), word;
	int ret = 0;

	if (head) {
		p->head = strndup(at, head);
		p->is_return = *at == 'r';
		at += head;
		word = strcspn(at, " \t");
		if (word)
			ret = probe_set_name(p, at + 1, word - 1, '/');
		at += word;
		*text = at + strspn(at, " \t");
		return p->head ? ret : -ENOMEM;
	}
	equals = at + strspn(at, NAME_CHARS ":");
	if (*equals != '=')
		return 0;
	*text = equals + 1;
	return probe_set_name(p, at, equals - at, ':');
}

static int probe_parse_number(const char *text, uint64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 0);
	return !isdigit((unsigned char)*text) || *end || errno ? -EINVAL : 0;
}

/* "SYMBOL+OFFS" or, in a uprobe, "0xOFFSET". */
static int take_symbol(struct probe *p, char *place)
{
	char *plus = strrchr(place, '+');

	if (isdigit((unsigned char)*place)) {
		if (p->kind == PROBE_USER && !probe_parse_number(place, &p->plus))
			return 0;
		return refuse(p, -EINVAL, "%s: not a function name", place);
	}
	if (plus) {
		if (probe_parse_number(plus + 1, &p->plus))
			return refuse(p, -EINVAL, "%s: an offset in bytes must follow '+'", place);
		*plus = '\0';
	}
	if (!*place)
		return refuse(p, -EINVAL, "no function name is given");
	p->symbol = strdup(place);
	return p->symbol ? 0 : -ENOMEM;
}

/* Search PATH as execvp(3) does. */
static char *probe_search_path(const char *name)
{
	const char *dirs = getenv("PATH");
	char path[PATH_MAX];

	for (; dirs && *dirs; dirs += strcspn(dirs, ":"), dirs += *dirs == ':') {
		snprintf(path, sizeof(path), "%.*s/%s", (int)strcspn(dirs, ":"), dirs, name);
		if (!access(path, X_OK))
			return realpath(path, NULL);
	}
	return NULL;
}

int probe_find_file(const char *name, char **path, struct hist_error *error)
{
	int fd, err;

	if (strchr(name, '/')) {
		/* realpath(3) follows any link, also one that another user has put there */
		fd = infile_open(name, error);
		if (fd >= 0)
			close(fd);
		*path = fd < 0 ? NULL : realpath(name, NULL);
		err = fd < 0 ? -fd : errno;
		return *path ? 0 : hist_error_prefix(error, -err, "%s: ", name);
	}
	*path = probe_search_path(name);
	if (!*path)
		hist_error_set(error, -ENOENT,
			       "%s: not found in PATH\n"
			       "use the full path of the program or library",
			       name);
	return *path ? 0 : -ENOENT;
}

/* "PROVIDER:PROBE" after the path */
static int take_static(struct probe *p, char *place, const char *name)
{
	char *colon = strrchr(place, ':');

	if (!colon || colon == place || !colon[1] || !*name)
		return refuse(p, -EINVAL, "%s:%s: must be PATH:PROVIDER:PROBE\n"
			      "run 'trace-cmd hist list --usdt PATH'", place, name);
	if (p->is_return)
		return refuse(p, -EINVAL, "%s: %%return cannot be used, because a USDT probe is "
			      "not a function\n"
			      "leave out %%return", name);
	*colon = '\0';
	p->provider = strdup(colon + 1);
	p->symbol = strdup(name);
	return p->provider && p->symbol ? 0 : -ENOMEM;
}

static int take_path(struct probe *p, char *place)
{
	char *colon = strrchr(place, ':');
	int ret;

	/* a symbol has no slash: the path has a blank */
	if (!colon || colon == place || strchr(colon, '/'))
		return refuse(p, -EINVAL, "%s: must be PATH:SYMBOL%s", place,
			      strchr(p->args, ':') || (colon && strchr(colon, '/')) ?
			      ", and PATH must not contain spaces\n"
			      "create a hard link at a path without spaces" : "");
	*colon = '\0';
	if (p->kind == PROBE_STATIC) {
		ret = take_static(p, place, colon + 1);
		if (ret)
			return ret;
	}
	ret = probe_find_file(place, &p->path, p->error);
	if (ret)
		return ret;
	if (strpbrk(p->path, " \t\n"))
		return refuse(p, -EINVAL, "%s: the path must not contain spaces\n"
			      "create a hard link at a path without spaces", p->path);
	return p->kind == PROBE_STATIC ? 0 : take_symbol(p, colon + 1);
}

static int take_place(struct probe *p, const char *text)
{
	static const char suffix[] = "%return";
	size_t len = strcspn(text, " \t"), end = strlen(suffix);
	char *place = strndup(text, len);
	int ret;

	if (!place)
		return -ENOMEM;
	p->args = text + len + strspn(text + len, " \t");
	if (len > end && !strcmp(place + len - end, suffix)) {
		p->is_return = true;
		place[len - end] = '\0';
	}
	ret = p->kind == PROBE_KERNEL ? take_symbol(p, place) : take_path(p, place);
	if (!ret && p->is_return && p->symbol && p->plus)
		ret = refuse(p, -EINVAL, "%s+%llu: a return probe cannot have an offset",
			     p->symbol, (unsigned long long)p->plus);
	free(place);
	return ret;
}

/* "victim_0x1234", "foo_constprop_0", "vfs_read__return". */
static int make_name(struct probe *p)
{
	const char *base = p->path ? strrchr(p->path, '/') + 1 : "";
	char *name, *c;
	int n;

	if (p->name)
		return 0;
	if (p->provider)
		n = asprintf(&name, "%s_%s", p->provider, p->symbol);
	else if (p->symbol && !p->plus)
		n = asprintf(&name, "%s%s", p->symbol, p->is_return ? "__return" : "");
	else
		n = asprintf(&name, "%s_0x%llx%s", p->symbol ? p->symbol : base,
			     (unsigned long long)p->plus, p->is_return ? "__return" : "");
	if (n < 0)
		return -ENOMEM;
	p->name = name;
	for (c = name; *c; c++) {
		if (!strchr(NAME_CHARS, *c))
			*c = '_';
	}
	if (isdigit((unsigned char)*name))
		*name = '_';
	return 0;
}

/* The C calling convention of a machine: the first of @registers has $arg1. */
static const struct convention {
	int machine;
	const char *registers[8];
} conventions[] = {
	{ EM_X86_64, { "%di", "%si", "%dx", "%cx", "%r8", "%r9" } },
	{ EM_386, { "$stack1", "$stack2", "$stack3", "$stack4", "$stack5", "$stack6" } },
	{ EM_AARCH64, { "%x0", "%x1", "%x2", "%x3", "%x4", "%x5", "%x6", "%x7" } },
	{ EM_ARM, { "%r0", "%r1", "%r2", "%r3" } },
	{ EM_PPC64, { "%gpr3", "%gpr4", "%gpr5", "%gpr6", "%gpr7", "%gpr8", "%gpr9", "%gpr10" } },
	{ EM_RISCV, { "%a0", "%a1", "%a2", "%a3", "%a4", "%a5", "%a6", "%a7" } },
	{ EM_S390, { "%r2", "%r3", "%r4", "%r5", "%r6" } },
};

static const char *probe_find_argument(int machine, unsigned long n)
{
	size_t i;

	for (i = 0; i < sizeof(conventions) / sizeof(conventions[0]); i++) {
		if (conventions[i].machine == machine && n >= 1 && n <= 8)
			return conventions[i].registers[n - 1];
	}
	return NULL;
}

/* @args with each $argN of a uprobe replaced; malloc'ed. */
static int probe_translate_args(struct probe *p, int machine, char **args)
{
	const char *from = p->args, *at, *place;
	size_t len;
	FILE *f = open_memstream(args, &len);
	int ret = 0;

	if (!f)
		return -ENOMEM;
	for (; (at = strstr(from, "$arg")) && isdigit((unsigned char)at[4]); ) {
		char *end;
		unsigned long n = strtoul(at + 4, &end, 10);

		if (p->is_return)
			ret = refuse(p, -EINVAL, "$arg%lu: not available when a function "
				     "returns\nuse $retval, or a probe without %%return", n);
		else if (p->plus)
			ret = refuse(p, -EINVAL, "$arg%lu: available only at the start of a "
				     "function\nuse a register, such as %%di", n);
		place = ret ? NULL : probe_find_argument(machine, n);
		if (!ret && !place)
			ret = refuse(p, -EINVAL, "$arg%lu: the register of this argument is "
				     "unknown on the architecture of this machine\n"
				     "use a register, or +N(%%sp)", n);
		if (ret)
			break;
		fprintf(f, "%.*s%s", (int)(at - from), from, place);
		from = end;
	}
	fputs(from, f);
	if (fclose(f))
		return -ENOMEM;
	return ret;
}

/* "HEAD:GROUP/NAME" and the places of a static probe. */
static int put_static(struct probe *p, const char *head, const char *group, char **definition)
{
	char *full;
	int ret;

	if (asprintf(&full, "%s:%s/%s", head, group, p->name) < 0)
		return -ENOMEM;
	ret = usdt_define(full, p->path, p->provider, p->symbol, p->args, definition, p->error);
	free(full);
	return ret;
}

static int put_together(struct probe *p, char **definition, char **event)
{
	static const char *const groups[] = {
		[PROBE_KERNEL] = "tch_kprobe", [PROBE_USER] = "tch_uprobe",
		[PROBE_STATIC] = "tch_usdt",
	};
	const char *group = p->group ? p->group : groups[p->kind];
	const char *head = p->head ? p->head : "p";
	struct elf_place place;
	char *args = NULL, plus[32] = "";
	int n, ret;

	if (strlen(group) > NAME_MAX_LEN)
		return refuse(p, -EINVAL, "%.*s...: the name of the group is longer than %d bytes\n"
			      "use a shorter name", NAME_MAX_LEN, group, NAME_MAX_LEN);
	if (strlen(p->name) > NAME_MAX_LEN)
		return refuse(p, -EINVAL, "%.*s...: the name of the event is longer than %d bytes\n"
			      "use a shorter name with NAME=", NAME_MAX_LEN, p->name, NAME_MAX_LEN);
	if (p->is_return && *head == 'p')
		head = p->kind == PROBE_KERNEL && !p->head ? RETURN_HEAD : "r";
	if (p->kind == PROBE_KERNEL) {
		if (p->plus)
			snprintf(plus, sizeof(plus), "+%llu", (unsigned long long)p->plus);
		n = asprintf(definition, "%s:%s/%s %s%s%s%s", head, group, p->name, p->symbol, plus,
			     *p->args ? " " : "", p->args);
	} else if (p->kind == PROBE_STATIC) {
		ret = put_static(p, head, group, definition);
		if (ret)
			return ret;
		n = 0;
	} else {
		ret = p->symbol ? elf_symbol_find(p->path, p->symbol, p->plus, &place, p->error)
				: elf_offset_check(p->path, p->plus, &place, p->error);
		if (!ret)
			ret = probe_translate_args(p, place.machine, &args);
		if (ret) {
			free(args);
			return ret;
		}
		n = asprintf(definition, "%s:%s/%s %s:0x%llx%s%s", head, group, p->name, p->path,
			     (unsigned long long)place.offset, *args ? " " : "", args);
		free(args);
	}
	if (n < 0) {
		*definition = NULL;
		return -ENOMEM;
	}
	if (asprintf(event, "%s:%s", group, p->name) < 0) {
		free(*definition);
		*definition = *event = NULL;
		return -ENOMEM;
	}
	return 0;
}

int probe_define(enum probe_kind kind, const char *text, char **definition, char **event,
		 struct hist_error *error)
{
	struct probe p = { .kind = kind, .error = error };
	int ret;

	*definition = *event = NULL;
	text += strspn(text, " \t");
	if (strchr(text, '\n')) {
		ret = refuse(&p, -EINVAL, "the probe contains a line break");
		goto out;
	}
	ret = take_name(&p, &text);
	if (!ret)
		ret = take_place(&p, text);
	if (!ret)
		ret = make_name(&p);
	if (!ret)
		ret = put_together(&p, definition, event);
out:
	free(p.head);
	free(p.group);
	free(p.name);
	free(p.path);
	free(p.provider);
	free(p.symbol);
	return ret;
}

bool probe_is_plain(enum probe_kind kind, const char *text)
{
	size_t place;

	text += strspn(text, " \t");
	if (kind != PROBE_KERNEL || kernel_head(text))
		return false;
	place = strcspn(text, " \t");
	return !memchr(text, '+', place) && !strpbrk(text + place, "%");
}
