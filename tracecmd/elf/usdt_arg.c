// SPDX-License-Identifier: GPL-2.0
/*
 * usdt_arg.c - translate the arguments of a statically defined probe to fetch arguments
 *
 * Each machine has a parser for its operands. What a fetch argument cannot express is refused: sums
 * of registers, variables by name, and floating-point registers.
 */
#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/text.h"
#include "tracecmd/elf/usdt_arg.h"

/* Move *@at to the next argument; its length, or 0. A blank in brackets does not end it. */
static size_t next_arg(const char **at)
{
	bool in = false;
	size_t len;

	*at += strspn(*at, " \t");
	for (len = 0; (*at)[len] && (in || !strchr(" \t", (*at)[len])); len++) {
		if (strchr("([", (*at)[len]))
			in = true;
		else if (strchr(")]", (*at)[len]))
			in = false;
	}
	return len;
}

unsigned int usdt_arg_count(const char *args)
{
	unsigned int n = 0;
	size_t len;

	for (; n < USDT_ARGS_MAX && (len = next_arg(&args)); args += len)
		n++;
	return n;
}

/* "rax", "eax", "ax", "al" to the kernel's name "ax"; false: not a general register. */
static bool find_x86_register(const char *name, char reg[8])
{
	static const char *const words[] = { "ax", "bx", "cx", "dx", "si", "di", "bp", "sp" };
	static const char *const bytes[] = { "al", "bl", "cl", "dl", "sil", "dil", "bpl", "spl" };
	unsigned int i;
	int len = 0;

	for (i = 0; i < 8; i++) {
		if (!strcmp(name, words[i]) || !strcmp(name, bytes[i]) ||
		    (strchr("re", *name) && !strcmp(name + 1, words[i]))) {
			strcpy(reg, words[i]);
			return true;
		}
	}
	if (sscanf(name, "r%u%n", &i, &len) != 1 || i < 8 || i > 15)
		return false;
	snprintf(reg, 8, "r%u", i);
	return !name[len] || (strchr("dwb", name[len]) && !name[len + 1]);
}

/* "$5", "%eax", "(%rax)", "-24(%rbp)" */
static bool decode_x86(struct usdt_arg *arg, const char *text)
{
	char name[8], reg[8], *end;
	long long n;
	int len = 0;

	if (*text == '$') {
		n = strtoll(text + 1, &end, 0);
		arg->is_constant = true;
		snprintf(arg->fetch, sizeof(arg->fetch), "\\%lld", n);
		return end > text + 1 && !*end;
	}
	if (*text == '%') {
		if (strlen(text) > sizeof(name) || !find_x86_register(text + 1, reg))
			return false;
		snprintf(arg->fetch, sizeof(arg->fetch), "%%%s", reg);
		return true;
	}
	n = strtoll(text, &end, 0);
	if (sscanf(end, "(%%%7[a-z0-9])%n", name, &len) != 1 || !len || end[len] ||
	    !find_x86_register(name, reg))
		return false;
	snprintf(arg->fetch, sizeof(arg->fetch), "%+lld(%%%s)", n, reg);
	return true;
}

/* "x0", "w19", "sp" to the kernel's name. */
static bool find_arm64_register(const char *name, char reg[8])
{
	unsigned int i;
	int len = 0;

	if (!strcmp(name, "sp")) {
		strcpy(reg, "sp");
		return true;
	}
	if ((*name != 'x' && *name != 'w') || sscanf(name + 1, "%2u%n", &i, &len) != 1 ||
	    name[1 + len] || i > 30)
		return false;
	snprintf(reg, 8, "x%u", i);
	return true;
}

/* "5", "#5", "x0", "w0", "[x0]", "[sp, 8]", "[x29, #-16]" */
static bool decode_arm64(struct usdt_arg *arg, const char *text)
{
	char name[8], reg[8], *end;
	long long n = 0;
	int len = 0;

	if (*text == '[') {
		if (sscanf(text, "[%7[a-z0-9]%n", name, &len) != 1 ||
		    !find_arm64_register(name, reg))
			return false;
		text += len;
		if (*text == ',') {
			text += 1 + strspn(text + 1, " #");
			n = strtoll(text, &end, 0);
			if (end == text)
				return false;
			text = end;
		}
		snprintf(arg->fetch, sizeof(arg->fetch), "%+lld(%%%s)", n, reg);
		return !strcmp(text, "]");
	}
	if (strlen(text) < sizeof(name) && find_arm64_register(text, reg)) {
		snprintf(arg->fetch, sizeof(arg->fetch), "%%%s", reg);
		return true;
	}
	text += *text == '#';
	n = strtoll(text, &end, 0);
	arg->is_constant = true;
	snprintf(arg->fetch, sizeof(arg->fetch), "\\%lld", n);
	return end > text && !*end;
}

/* Parse "-4@"; the operand, or NULL. */
static const char *parse_size(struct usdt_arg *arg, const char *text, int machine)
{
	const char *at = strchr(text, '@');
	char *end;
	long n;

	if (!at) {
		/* old probes: as wide as a register */
		arg->size = machine == EM_386 ? 4 : 8;
		return text;
	}
	n = strtol(text, &end, 10);
	arg->is_signed = n < 0;
	arg->size = n < 0 ? -n : n;
	/* "8f@": a floating-point number */
	if (end != at || (arg->size != 1 && arg->size != 2 && arg->size != 4 && arg->size != 8))
		return NULL;
	return at + 1;
}

int usdt_arg_decode(struct usdt_arg *arg, int machine, const char *args, unsigned int number,
		    struct hist_error *error)
{
	const char *at = args, *operand;
	char text[80];
	unsigned int n;
	size_t len;
	bool good;

	memset(arg, 0, sizeof(*arg));
	while ((len = next_arg(&at)) && --number)
		at += len;
	if (!len) {
		n = usdt_arg_count(args);
		return hist_error_set(error, -EINVAL, "the probe has only %u argument%s", n,
				      text_plural(n));
	}
	snprintf(text, sizeof(text), "%.*s", (int)len, at);
	if (machine != EM_X86_64 && machine != EM_386 && machine != EM_AARCH64) {
		return hist_error_set(error, -EINVAL,
				      "arguments by number, such as $arg1, are supported only on "
				      "x86 and arm64\nuse a register, such as ARG=%%REG");
	}
	operand = len < sizeof(text) ? parse_size(arg, text, machine) : NULL;
	if (machine == EM_AARCH64)
		good = operand && decode_arm64(arg, operand);
	else
		good = operand && decode_x86(arg, operand);
	if (good)
		return 0;
	return hist_error_set(error, -EINVAL, "the kernel cannot fetch \"%s\"", text);
}

int usdt_arg_type(char type[4], int machine, const struct usdt_place *places, size_t n,
		  unsigned int number, struct hist_error *error)
{
	struct usdt_arg arg, chosen = { .is_constant = true };
	size_t i;

	for (i = 0; i < n; i++) {
		if (usdt_arg_decode(&arg, machine, places[i].args, number, error))
			return -EINVAL;
		/* a constant has the type that the others need; among constants, the widest one */
		if (chosen.is_constant && (!arg.is_constant || arg.size > chosen.size))
			chosen = arg;
		if (!arg.is_constant && arg.size != chosen.size) {
			return hist_error_set(error, -EINVAL,
					      "the size of the argument is %u byte%s at one "
					      "location of the probe and %u byte%s at another",
					      chosen.size, text_plural(chosen.size), arg.size,
					      text_plural(arg.size));
		}
	}
	/* a size has at most 8 bytes, and % 100 shows that to the compiler */
	snprintf(type, 4, "%c%u", chosen.is_signed ? 's' : 'u', chosen.size * 8 % 100);
	return 0;
}
