/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * key_kind.h - the table of the kinds of keys
 *
 * A modifier decides how the kernel stores and prints a key.  Each kind has one row in key_kind.c,
 * and all other code uses that row: a writer switches on the form of a cell, and an axis gets the
 * bounds of a bucket.  ARCHITECTURE.md lists what else a new modifier needs.
 */
#ifndef LIB_HIST_KEY_KIND_H
#define LIB_HIST_KEY_KIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hist_key_names;
struct hist_strbuf;

/* The numbers are part of the file format (trace-cmd-hist.dat(5)): never renumber. */
enum hist_key_kind {
	HIST_KEY_NUM = 0,	 /* "%10llu" */
	HIST_KEY_HEX = 1,	 /* "%llx" */
	HIST_KEY_SYM = 2,	 /* "[%llx] %-45ps" */
	HIST_KEY_SYM_OFFSET = 3, /* "[%llx] %-55pS" */
	HIST_KEY_EXECNAME = 4,	 /* "%-16s[%10llu]" */
	HIST_KEY_SYSCALL = 5,	 /* "%-30s[%3llu]" */
	HIST_KEY_STACK = 6,
	HIST_KEY_LOG2 = 7,     /* n, meaning (2^(n-1), 2^n]  "~ 2^%-2llu"; or HIST_LOG2_NEGATIVE */
	HIST_KEY_BUCKETS = 8,  /* k, meaning [k, k+bucket-1] "~ %llu-%llu" */
	HIST_KEY_USECS = 9,    /* microseconds  "%10llu" */
	HIST_KEY_STRING = 10,  /* "%-50s" */
	HIST_KEY_UNKNOWN = 11, /* number or string: the first row decides */
	HIST_KEY_FINE_LOG2 =
		12, /* the number of a bucket of .log2=K, see key_kind.c  "~ %llu-%llu" */
	HIST_KEY_KINDS,
};

/* The contents of a cell (struct hist_cell in table.h). */
enum hist_key_form {
	HIST_FORM_NUMBER,  /* num */
	HIST_FORM_HEX,	   /* num, shown in hex */
	HIST_FORM_SYMBOL,  /* num: an address; str: its symbol */
	HIST_FORM_TASK,	   /* num: a pid; str: its comm */
	HIST_FORM_SYSCALL, /* num: an id; str: its name */
	HIST_FORM_STACK,   /* str: frames, innermost first, separated by '\n' */
	HIST_FORM_RANGE,   /* num: the number of a bucket (struct hist_range_ops) */
	HIST_FORM_STRING,  /* str */
	HIST_FORM_UNKNOWN, /* num or str */
};

/* If there are several keys, the axis is the key with the lowest rank except HIST_AXIS_NONE. */
enum hist_axis_rank {
	HIST_AXIS_NONE, /* not an axis: the numbers are names, or text */
	HIST_AXIS_RANGE,
	HIST_AXIS_TIME,
	HIST_AXIS_PLAIN, /* if the name of the field is not that of an identifier */
};

/*
 * The number of a LOG2 or FINE_LOG2 cell for all negative numbers of a signed field except the
 * smallest.  For LOG2, the kernel treats negative numbers as huge unsigned numbers and prints 64,
 * or 32 if a long has 32 bits.
 */
#define HIST_LOG2_NEGATIVE UINT64_MAX

/* True if @n is in the bucket of the negative numbers. */
static inline bool hist_log2_is_negative(uint64_t n, bool is_signed)
{
	return is_signed && (int64_t)n < 0 && (int64_t)n != INT64_MIN;
}

/*
 * hist_log2_find_bucket - the bucket of .log2=@bits of the number @n
 * Buckets are numbered from 0 without gaps (key_kind.c).
 */
static inline uint64_t hist_log2_find_bucket(unsigned int bits, uint64_t n, bool is_signed)
{
	unsigned int shift;

	if (hist_log2_is_negative(n, is_signed))
		return HIST_LOG2_NEGATIVE;
	if (n <= UINT64_C(2) << bits)
		return n;
	shift = 63 - __builtin_clzll(n - 1) - bits;
	return ((uint64_t)shift << bits) + ((n - 1) >> shift) + 1;
}

struct hist_key_desc {
	char *name; /* the name that the kernel prints: "common_pid" */
	enum hist_key_kind kind;
	bool is_signed;	 /* show num as int64_t; only for kinds with a sign */
	/*
	 * N of .buckets=N; K of .log2=K; for a signed LOG2, the lowest number that the kernel
	 * prints for negative numbers; otherwise 0
	 */
	uint64_t bucket;
	/*
	 * The names of the numbers of a HIST_KEY_NUM or HIST_KEY_SYSCALL (key_names.h), shared;
	 * NULL: it has none.
	 */
	struct hist_key_names *names;
	bool shows_numbers; /* --raw-names: show numbers and addresses instead of names */
	const char *unit; /* "ns" or "us", static; NULL: the name has the unit, or there is none */
	/* A string of so many bytes may be cut; 0: no string, or a reader does not know. */
	unsigned int longest;
};

/* The numbers of one bucket, both ends included. */
struct hist_bounds {
	bool is_signed; /* read ge and le as int64_t */
	uint64_t ge, le;
};

/* @a < @b, and @n as a number; @is_signed: read them as int64_t. */
static inline bool hist_number_is_less(uint64_t a, uint64_t b, bool is_signed)
{
	return is_signed ? (int64_t)a < (int64_t)b : a < b;
}

static inline double hist_number_real(uint64_t n, bool is_signed)
{
	return is_signed ? (double)(int64_t)n : (double)n;
}

/* Buckets of a HIST_FORM_RANGE; @num is the number in the cell. */
struct hist_range_ops {
	bool is_linear; /* N numbers per bucket, N of .MODIFIER=N; otherwise wider and wider */
	bool is_power;	/* powers of two: the kernel prints the exponent, and not both ends */
	const char *prefix; /* the kernel's text before the number */
	void (*bounds)(const struct hist_key_desc *key, uint64_t num, struct hist_bounds *bounds);
	/* The bucket that a kernel would have written for @num. */
	uint64_t (*round)(const struct hist_key_desc *key, uint64_t num);
	/* The bucket of the number @n. */
	uint64_t (*find)(const struct hist_key_desc *key, uint64_t n);
	/* "(32, 64]", "100-199"; returns the number of columns */
	unsigned int (*label)(struct hist_strbuf *b, const struct hist_key_desc *key,
			      uint64_t num);
};

struct hist_key_traits {
	const char *modifier; /* the modifier in an expression, "" for none */
	enum hist_key_form form;
	enum hist_axis_rank axis;
	bool has_sign;	      /* num is signed if the field is */
	uint8_t column;	      /* width of the name's padded column in the kernel's text, or 0 */
	const char *unit;     /* the unit of the modifier; NULL: the field's name decides */
	const struct hist_range_ops *range; /* for HIST_FORM_RANGE, otherwise NULL */
};

extern const struct hist_key_traits hist_key_kinds[HIST_KEY_KINDS];

static inline const struct hist_key_traits *hist_key_traits(const struct hist_key_desc *key)
{
	return &hist_key_kinds[key->kind];
}

static inline enum hist_key_form hist_key_form(enum hist_key_kind kind)
{
	return hist_key_kinds[kind].form;
}

/* The kind of a field with @modifier; HIST_KEY_KINDS if none, or if @modifier is "". */
enum hist_key_kind hist_key_find(const char *modifier);

/* True if the string is the identity; otherwise it only names the number. */
static inline bool hist_key_is_text(enum hist_key_kind kind)
{
	return kind == HIST_KEY_STRING || kind == HIST_KEY_STACK;
}

/* True if the cell holds a string. */
static inline bool hist_key_has_string(enum hist_key_kind kind)
{
	return hist_key_is_text(kind) || hist_key_kinds[kind].column;
}

/* True if the string names the number. */
static inline bool hist_key_has_name(enum hist_key_kind kind)
{
	return hist_key_has_string(kind) && !hist_key_is_text(kind);
}

/* True if a name is shown instead of the number, so that equal names hide different numbers. */
static inline bool hist_key_has_id(enum hist_key_kind kind)
{
	return hist_key_form(kind) == HIST_FORM_SYMBOL || hist_key_form(kind) == HIST_FORM_SYSCALL;
}

static inline bool hist_key_is_linear(const struct hist_key_desc *key)
{
	return hist_key_traits(key)->range && hist_key_traits(key)->range->is_linear;
}

static inline bool hist_key_is_log2(const struct hist_key_desc *key)
{
	return hist_key_traits(key)->range && hist_key_traits(key)->range->is_power;
}

static inline bool hist_key_is_fine_log2(const struct hist_key_desc *key)
{
	return key->kind == HIST_KEY_FINE_LOG2;
}

/* True if the cell @num of a key with buckets has all negative numbers. */
static inline bool hist_key_is_negative(const struct hist_key_desc *key, uint64_t num)
{
	return key->is_signed && num == HIST_LOG2_NEGATIVE && !hist_key_is_linear(key);
}

/* The distance between neighbours on the axis. */
static inline uint64_t hist_key_step(const struct hist_key_desc *key)
{
	return hist_key_is_linear(key) && key->bucket ? key->bucket : 1;
}

/* The number in a cell for the kernel's number @num. */
static inline uint64_t hist_key_from_kernel(const struct hist_key_desc *key, uint64_t num)
{
	return key->bucket && num >= key->bucket && key->is_signed && hist_key_is_log2(key) ?
		       HIST_LOG2_NEGATIVE : num;
}

/* hist_key_bounds - the numbers that a cell covers; one number if the key does not have buckets */
void hist_key_bounds(const struct hist_key_desc *key, uint64_t num, struct hist_bounds *bounds);

#endif
