// SPDX-License-Identifier: LGPL-2.1
/*
 * filter_eval.c - evaluate event filters
 *
 * The class of the field, the operator and the value select one comparison function.  Numbers
 * are compared in the width of the field: "u8 == 256" compares with 0.
 *
 * Strings are compared with a text, or with a pattern after "~".  The kernel has these special
 * cases: a text that begins with a digit is not a pattern; "*x" compares the end of the array, not
 * of the string in it; "*x*" also searches after the NUL.  The matcher of other patterns backtracks
 * only to the last "*", because a "*" matches any characters.
 *
 * Source: parse_pred(), filter_parse_regex(), filter_build_regex() and regex_match_*() in
 * kernel/trace/trace_events_filter.c, glob_match_len() in lib/glob.c.
 */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/engine/engine_names.h"
#include "lib/engine/filter_eval.h"
#include "lib/engine/value.h"
#include "lib/expr/expr_parts.h"

enum glob_pattern_kind {
	GLOB_PATTERN_FULL,
	GLOB_PATTERN_FRONT,
	GLOB_PATTERN_MIDDLE,
	GLOB_PATTERN_END,
	GLOB_PATTERN_GLOB,
};

struct glob_pattern {
	enum glob_pattern_kind kind;
	char *text;
	uint32_t len;
	bool invert; /* "!..." of a glob */
};

/* The kind of a pattern; *@text is moved to the text to find, which is cut after its end. */
static enum glob_pattern_kind glob_find_kind(char **text, bool *invert)
{
	enum glob_pattern_kind kind = GLOB_PATTERN_FULL;
	char *s = *text;
	size_t i, len;

	*invert = *s == '!';
	s += *invert;
	*text = s;
	len = strlen(s);
	if (*s >= '0' && *s <= '9')
		return GLOB_PATTERN_FULL;
	for (i = 0; i < len; i++) {
		if (strchr("[?\\", s[i]))
			return GLOB_PATTERN_GLOB;
		if (s[i] != '*')
			continue;
		if (!i) {
			kind = GLOB_PATTERN_END;
		} else if (i == len - 1) {
			kind = kind == GLOB_PATTERN_END ? GLOB_PATTERN_MIDDLE : GLOB_PATTERN_FRONT;
			s[i] = '\0';
			break;
		} else {
			return GLOB_PATTERN_GLOB;
		}
	}
	*text += *s == '*';
	return kind;
}

static int glob_pattern_init(struct glob_pattern *pattern, const char *text, bool is_glob)
{
	char *s = strdup(text), *found = s;

	*pattern = (struct glob_pattern){ .kind = GLOB_PATTERN_FULL };
	if (!s)
		return -ENOMEM;
	if (is_glob) {
		pattern->kind = glob_find_kind(&found, &pattern->invert);
		memmove(s, found, strlen(found) + 1);
	}
	pattern->text = s;
	pattern->len = strlen(s);
	return 0;
}

/* @is_glob: the operator is ~.  -ENOMEM. */
static void glob_pattern_clear(struct glob_pattern *pattern)
{
	free(pattern->text);
	pattern->text = NULL;
}

/*
 * The class after a "[": 1 if @c is in it, otherwise 0, with *@end after its "]".  -1: it does not
 * end, and the bracket is a plain character.
 */
static int in_class(const char *s, unsigned char c, const char **end)
{
	bool invert = *s == '!', found = false, first = true;
	unsigned char low, high;

	for (s += invert; *s && (first || *s != ']'); first = false) {
		low = high = *s++;
		if (s[0] == '-' && s[1] != ']') {
			high = s[1];
			if (!high)
				return -1;
			s += 2;
		}
		found |= low <= c && c <= high;
	}
	if (!*s)
		return -1;
	*end = s + 1;
	return found != invert;
}

/* Does the first item of *@pattern match @c, which is not NUL?  If so, skip the item. */
static bool take_one(const char **pattern, unsigned char c)
{
	const char *s = *pattern, *end = s + 1;
	int in = -1;

	if (*s == '[')
		in = in_class(s + 1, c, &end);
	else if (*s == '\\')
		end = ++s + 1;
	else if (*s == '?')
		in = 1;
	if (in < 0)
		in = (unsigned char)*s == c;
	if (in)
		*pattern = end;
	return in;
}

static bool glob_match_chars(const char *pattern, const char *s, uint32_t len)
{
	const char *star = NULL;
	uint32_t i = 0, mark = 0;

	for (;;) {
		if (*pattern == '*') {
			star = ++pattern;
			mark = i;
			if (!*pattern)
				return true;
			continue;
		}
		if (i == len || !s[i])
			return !*pattern || !strcmp(pattern, "\\");
		if (take_one(&pattern, s[i])) {
			i++;
		} else if (star) {
			pattern = star;
			i = ++mark;
		} else {
			return false;
		}
	}
}

/* @len: of the array, or from the event; @room: number of readable bytes, if @len is 0. */
static bool glob_pattern_match(const struct glob_pattern *p, const char *s, uint32_t len,
			       uint32_t room)
{
	size_t n;

	switch (p->kind) {
	case GLOB_PATTERN_FULL:
	case GLOB_PATTERN_FRONT:
		n = strnlen(s, len ? len : room);
		return (p->kind == GLOB_PATTERN_FULL ? n == p->len : n >= p->len) &&
		       !memcmp(s, p->text, p->len);
	case GLOB_PATTERN_MIDDLE:
		return memmem(s, len ? len : strnlen(s, room), p->text, p->len);
	case GLOB_PATTERN_END:
		return len > p->len && !memcmp(s + len - 1 - p->len, p->text, p->len);
	default:
		return glob_match_chars(p->text, s, len);
	}
}

enum test_kind {
	TEST_AND,
	TEST_OR,
	TEST_NOT,
	TEST_NUMBER,	 /* compare a field with a number */
	TEST_CPU,	 /* compare the CPU with a number */
	TEST_CPU_SET,	 /* compare the CPU with CPUS{} of several */
	TEST_NUMBER_SET, /* compare a number field with CPUS{} of several */
	TEST_SET,	 /* compare a cpumask field with CPUS{} */
	TEST_STRING,
	TEST_COMM,
	TEST_FUNCTION, /* an address within a function */
	TEST_NEVER,
};

#define ENGINE_FUNCTION_BYTES 512 /* KSYM_NAME_LEN */

struct filter_test {
	enum test_kind kind;
	struct filter_test *left, *right;
	enum hist_filter_op op;
	struct value field;
	unsigned int width; /* of the field, in bytes */
	bool is_signed;
	uint64_t number;
	struct glob_pattern pattern;
	char *function;
	bool has_module; /* the function is "MODULE:NAME" */
	uint64_t *cpus; /* HIST_FILTER_CPUS_MAX bits */
};

void filter_eval_free(struct filter_test *test)
{
	if (!test)
		return;
	filter_eval_free(test->left);
	filter_eval_free(test->right);
	glob_pattern_clear(&test->pattern);
	free(test->function);
	free(test->cpus);
	free(test);
}

/* --- compile --- */

struct filter_compilation {
	const struct hist_engine *engine;
	struct engine_event *on;
	const struct hist_event *event;
	bool swap;
	struct hist_error *error;
};

static bool cpu_set_has(const uint64_t *cpus, uint64_t cpu)
{
	return cpu < HIST_FILTER_CPUS_MAX && (cpus[cpu / 64] >> cpu % 64 & 1);
}

/* The number of CPUs: 0, 1, or 2 for more; *@first is the lowest. */
static unsigned int filter_eval_count_cpus(const uint64_t *cpus, uint64_t *first)
{
	unsigned int i, n = 0;

	for (i = 0; i < HIST_FILTER_CPUS_MAX && n < 2; i++) {
		if (!cpu_set_has(cpus, i))
			continue;
		if (!n++)
			*first = i;
	}
	return n;
}

static int make_cpus(struct filter_test *t, const struct filter_compilation *m,
		     const struct hist_filter *f,
		     bool is_cpu, const struct hist_event_field *field)
{
	bool is_set = field && !hist_field_is_number(field);
	unsigned int n;

	t->cpus = calloc(HIST_FILTER_CPUS_MAX / 64, sizeof(*t->cpus));
	if (!t->cpus)
		return -ENOMEM;
	if (!hist_filter_parse_cpus(t->cpus, f->value, m->engine->machine.cpus))
		return hist_expr_error_refuse(m->error, f->value_span, "",
					      "\"%.*s\" is not a list of CPUs of this machine",
					      HIST_SHOW(strlen(f->value)), f->value);
	n = filter_eval_count_cpus(t->cpus, &t->number);
	if (n == 1 && !is_set) {
		/* same as a comparison with the number, unsigned; "&" means "==" */
		t->kind = is_cpu ? TEST_CPU : TEST_NUMBER;
		t->op = f->op == HIST_FILTER_BAND ? HIST_FILTER_EQ : f->op;
	} else if (is_set) {
		t->kind = TEST_SET;
	} else {
		t->kind = is_cpu ? TEST_CPU_SET : TEST_NUMBER_SET;
	}
	return 0;
}

static int filter_eval_make_string_test(struct filter_test *t, const struct filter_compilation *m,
					const struct hist_filter *f,
					const struct hist_event_field *field)
{
	t->kind = TEST_STRING;
	if (!field) {
		t->kind = TEST_COMM;
	} else if (!hist_field_is_string(field)) {
		return hist_expr_error_refuse(m->error, f->field_span, "compare it with a number",
					      "\"%.*s\" points to a string that is not in the "
					      "recording",
					      HIST_SHOW(strlen(f->field)), f->field);
	} else {
		t->field.fn = value_string_fn(field);
		t->field.size = field->size;
	}
	return glob_pattern_init(&t->pattern, f->value, f->op == HIST_FILTER_GLOB);
}

static int make_function(struct filter_test *t, const struct filter_compilation *m,
			 const struct hist_filter *f)
{
	const struct hist_engine_machine *machine = &m->engine->machine;
	struct hist_symbol symbol;

	t->kind = TEST_FUNCTION;
	if (!machine->symbol)
		return hist_expr_error_refuse(m->error, f->field_span, "compare it with an address",
					      "the recording has no function names");
	t->has_module = strchr(f->value, ':');
	if (f->op == HIST_FILTER_GLOB)
		return glob_pattern_init(&t->pattern, f->value, true);
	if (f->value[0] >= '0' && f->value[0] <= '9') {
		if (!hist_expr_parse_number(f->value, strlen(f->value), &t->number) ||
		    machine->symbol(machine->data, t->number, &symbol))
			return hist_expr_error_refuse(m->error, f->value_span, "",
						      "no function at this address");
		t->number -= symbol.offset;
		return 0;
	}
	t->function = strdup(f->value);
	return t->function ? 0 : -ENOMEM;
}

static void make_number(struct filter_test *t, const struct hist_filter *f, bool is_cpu)
{
	bool negative = f->value[0] == '-';

	t->kind = is_cpu ? TEST_CPU : TEST_NUMBER;
	hist_expr_parse_number(f->value + negative, strlen(f->value + negative), &t->number);
	if (negative)
		t->number = -t->number;
}

static int make_compare(struct filter_test *t, const struct filter_compilation *m,
			const struct hist_filter *f)
{
	const struct hist_event_field *field = hist_event_find(m->event, f->field);
	bool is_cpu = !field && (!strcmp(f->field, "common_cpu") || !strcasecmp(f->field, "cpu"));
	int ret = 0;

	if (f->is_user_string)
		return hist_expr_error_refuse(m->error, f->field_span, "",
					      ".ustring reads the memory of tasks, which a "
					      "recording does not contain");
	t->op = f->op;
	t->field.swap = m->swap;
	if (field) {
		t->field.offset = field->offset;
		t->width = field->size;
		t->is_signed = field->is_signed;
		if (m->on->size < field->offset + field->size)
			m->on->size = field->offset + field->size;
	}
	switch (f->type) {
	case HIST_FILTER_CPUS:
		ret = make_cpus(t, m, f, is_cpu, field);
		/* select_comparison_fn(..., false) */
		t->is_signed = false;
		break;
	case HIST_FILTER_STRING:
		return filter_eval_make_string_test(t, m, f, field);
	case HIST_FILTER_FUNCTION:
		ret = make_function(t, m, f);
		break;
	default:
		make_number(t, f, is_cpu);
	}
	if (ret || !field || t->kind == TEST_SET)
		return ret;
	t->field.fn = value_load_fn(field->size, t->is_signed, m->swap);
	if (t->field.fn == VALUE_NUMBER)
		t->kind = TEST_NEVER;
	/* the kernel casts the number to the type of the field */
	if (t->kind == TEST_NUMBER && t->width < 8) {
		t->number &= (UINT64_C(1) << t->width * 8) - 1;
		if (t->is_signed && t->number >> (t->width * 8 - 1))
			t->number |= UINT64_MAX << t->width * 8;
	}
	return 0;
}

static int filter_eval_make_test(struct filter_test **result, const struct filter_compilation *m,
				 const struct hist_filter *f)
{
	struct filter_test *t = calloc(1, sizeof(*t));
	int ret;

	if (!t)
		return -ENOMEM;
	switch (f->kind) {
	case HIST_FILTER_COMPARE:
		ret = make_compare(t, m, f);
		break;
	case HIST_FILTER_NOT:
		t->kind = TEST_NOT;
		ret = filter_eval_make_test(&t->left, m, f->left);
		break;
	default:
		t->kind = f->kind == HIST_FILTER_AND ? TEST_AND : TEST_OR;
		ret = filter_eval_make_test(&t->left, m, f->left);
		if (!ret)
			ret = filter_eval_make_test(&t->right, m, f->right);
	}
	if (ret)
		filter_eval_free(t);
	else
		*result = t;
	return ret;
}

/* True if the filter looks up names of tasks or functions. */
static bool filter_eval_uses_names(const struct filter_test *t)
{
	return t && (t->kind == TEST_COMM || t->kind == TEST_FUNCTION ||
		     filter_eval_uses_names(t->left) || filter_eval_uses_names(t->right));
}

int filter_eval_new(struct filter_test **test, const struct hist_filter *filter,
		    const struct hist_engine *engine, struct engine_event *on, bool *uses_names,
		    struct hist_error *error)
{
	struct filter_compilation m = {
		.engine = engine,
		.on = on,
		.event = engine_event_format(on),
		.swap = !on->own && engine->machine.layout.swap,
		.error = error,
	};
	int ret = filter_eval_make_test(test, &m, filter);

	*uses_names = !ret && filter_eval_uses_names(*test);
	return ret;
}

/* --- match --- */

static bool filter_eval_compare_numbers(enum hist_filter_op op, int64_t a, int64_t b,
					bool is_signed)
{
	switch (op) {
	case HIST_FILTER_EQ:
		return a == b;
	case HIST_FILTER_NE:
		return a != b;
	case HIST_FILTER_LT:
		return is_signed ? a < b : (uint64_t)a < (uint64_t)b;
	case HIST_FILTER_LE:
		return is_signed ? a <= b : (uint64_t)a <= (uint64_t)b;
	case HIST_FILTER_GT:
		return is_signed ? a > b : (uint64_t)a > (uint64_t)b;
	case HIST_FILTER_GE:
		return is_signed ? a >= b : (uint64_t)a >= (uint64_t)b;
	case HIST_FILTER_BAND:
		return a & b;
	default:
		return false;
	}
}

/* do_filter_scalar_cpumask(): one CPU never equals a set of several. */
static bool filter_eval_match_cpu(const struct filter_test *t, uint64_t cpu)
{
	return t->op == HIST_FILTER_NE || (t->op == HIST_FILTER_BAND && cpu_set_has(t->cpus, cpu));
}

/* Bit @cpu of a cpumask of @len bytes, which is an array of longs. */
static bool mask_has(const struct hist_ring_page_layout *layout, const unsigned char *mask,
		     uint32_t len, uint64_t cpu)
{
	uint32_t byte = cpu / 8, size = layout->long_size;

	if (byte >= len)
		return false;
	if (layout->big_endian)
		byte = byte / size * size + size - 1 - byte % size;
	return byte < len && (mask[byte] >> cpu % 8 & 1);
}

/* do_filter_cpumask() and do_filter_cpumask_scalar() */
static bool match_set(const struct filter_test *t, const struct hist_engine_machine *machine,
		      struct hit *hit)
{
	uint32_t loc = load_u32(hit->data + t->field.offset, t->field.swap), at = loc & 0xffff;
	uint32_t len = loc >> 16, i;
	bool same = true, common = false;

	if (at > hit->len || len > hit->len - at) {
		hit->damaged = true;
		return false;
	}
	for (i = 0; i < HIST_FILTER_CPUS_MAX; i++) {
		bool in = mask_has(&machine->layout, hit->data + at, len, i);
		bool asked = cpu_set_has(t->cpus, i);

		same &= in == asked;
		common |= in && asked;
	}
	return t->op == HIST_FILTER_EQ ? same : t->op == HIST_FILTER_NE ? !same : common;
}

static bool filter_eval_match_text(const struct filter_test *t, const char *s, uint32_t len,
				   uint32_t room)
{
	bool invert = t->op == HIST_FILTER_NE || (t->op == HIST_FILTER_GLOB && t->pattern.invert);

	return glob_pattern_match(&t->pattern, s, len, room) != invert;
}

/* Compare "NAME [MODULE]" with a name, or with "MODULE:NAME". */
static bool match_function_name(const struct filter_test *t, const char *name)
{
	char text[ENGINE_FUNCTION_BYTES];
	size_t len = strcspn(name, " "), module = 0;

	if (t->has_module) {
		const char *open = strchr(name + len, '['),
			   *close = open ? strchr(open, ']') : NULL;

		if (!close || (size_t)(close - open) + len >= sizeof(text))
			return false;
		module = close - open;
		memcpy(text, open + 1, module - 1);
		text[module - 1] = ':';
	}
	if (module + len >= sizeof(text))
		return false;
	memcpy(text + module, name, len);
	len += module;
	text[len] = '\0';
	return t->op == HIST_FILTER_GLOB ?
		       glob_pattern_match(&t->pattern, text, len + 1, sizeof(text)) :
		       !strcmp(text, t->function);
}

static bool match_function(const struct filter_test *t, const struct hist_engine_machine *machine,
			   struct hit *hit)
{
	uint64_t address = value_load(&t->field, hit->data);
	struct hist_symbol symbol;
	bool in;

	if (machine->symbol(machine->data, address, &symbol)) {
		in = false;
	} else if (t->op == HIST_FILTER_GLOB || t->function) {
		/* all names of the address are names of the function */
		do {
			in = match_function_name(t, symbol.name);
		} while (!in && hist_kallsyms_next_name(&symbol));
	} else {
		in = address - symbol.offset == t->number;
	}
	return in != (t->op == HIST_FILTER_GLOB ? t->pattern.invert : t->op == HIST_FILTER_NE);
}

bool filter_eval_match(const struct filter_test *t, const struct hist_engine_machine *machine,
		       struct hit *hit)
{
	uint32_t len = 0;
	const char *s;
	char comm[16];

	switch (t->kind) {
	case TEST_AND:
		return filter_eval_match(t->left, machine, hit) &&
		       filter_eval_match(t->right, machine, hit);
	case TEST_OR:
		return filter_eval_match(t->left, machine, hit) ||
		       filter_eval_match(t->right, machine, hit);
	case TEST_NOT:
		return !filter_eval_match(t->left, machine, hit);
	case TEST_NUMBER:
		return filter_eval_compare_numbers(t->op, value_load(&t->field, hit->data),
						   t->number, t->is_signed);
	case TEST_CPU:
		/* filter_pred_cpu() compares as int and does not know "&" */
		return t->op != HIST_FILTER_BAND &&
		       filter_eval_compare_numbers(t->op, (int)hit->cpu, (int)t->number, true);
	case TEST_CPU_SET:
		return filter_eval_match_cpu(t, hit->cpu);
	case TEST_NUMBER_SET: {
		uint64_t cpu = (uint32_t)value_load(&t->field, hit->data);

		return cpu < (machine->cpus ? machine->cpus : HIST_FILTER_CPUS_MAX) &&
		       filter_eval_match_cpu(t, cpu);
	}
	case TEST_SET:
		return match_set(t, machine, hit);
	case TEST_STRING:
		s = value_string(&t->field, hit, &len);
		return s && filter_eval_match_text(t, s, len,
						   (const char *)hit->data + hit->len - s);
	case TEST_COMM:
		engine_get_task_comm(machine, hit, comm);
		return filter_eval_match_text(t, comm, sizeof(comm), sizeof(comm));
	case TEST_FUNCTION:
		return match_function(t, machine, hit);
	default:
		return false;
	}
}
