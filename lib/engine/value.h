/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * value.h - evaluate fields, modifiers and operators for an event
 *
 * A value is a tree, as the kernel's struct hist_field.  Arithmetic is unsigned 64 bits, as in
 * hist_fn_call(); a signed field is sign-extended.
 */
#ifndef LIB_ENGINE_VALUE_H
#define LIB_ENGINE_VALUE_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "lib/engine/engine.h"
#include "lib/event/event.h"

struct map_element;
struct hist_engine_machine;
struct map_shape;

enum value_fn {
	/* numbers of an event, in host byte order and swapped */
	VALUE_U8,
	VALUE_S8,
	VALUE_U16,
	VALUE_S16,
	VALUE_U32,
	VALUE_S32,
	VALUE_U64,
	VALUE_U16_SWAP,
	VALUE_S16_SWAP,
	VALUE_U32_SWAP,
	VALUE_S32_SWAP,
	VALUE_U64_SWAP,
	VALUE_NUMBER,
	VALUE_TIME,
	VALUE_TIME_USECS, /* rounded, as .usecs does */
	VALUE_TIME_CUT,	  /* common_timestamp/1000 */
	VALUE_CPU,
	VALUE_LOG2,
	VALUE_FINE_LOG2, /* .log2=K */
	VALUE_BUCKET,
	VALUE_REFERENCE,
	VALUE_NEGATE,
	VALUE_ADD,
	VALUE_SUB,
	VALUE_MUL,
	VALUE_DIV,
	VALUE_DIV_SHIFT, /* by a power of two */
	VALUE_DIV_PLAIN, /* by a constant */
	VALUE_DIV_SHORT, /* by a constant, with multiply and shift (expr_tree.h) */
	/* strings */
	VALUE_ARRAY,
	VALUE_DATA_LOC,
	VALUE_REL_LOC,
	VALUE_COMM, /* comm of the task that created the element */
	VALUE_TASK, /* comm of the task of the event */
	/* stacks */
	VALUE_STACK,	    /* a field of a synthetic event */
	VALUE_KERNEL_STACK, /* the stack at the event */
};

/*
 * A load without a branch, if host and event are little-endian.  It loads the eight bytes that
 * end with the field, shifts them right, and applies a mask.
 */
struct fast_load {
	uint64_t mask;
	uint32_t at;
	unsigned char shift;
};

struct value {
	enum value_fn fn;
	uint32_t offset; /* in the event */
	uint32_t size;	 /* of an array, in bytes */
	uint64_t number; /* constant, divisor, bucket, shift, K of FINE_LOG2 */
	uint64_t factor; /* DIV_SHORT */
	unsigned int reference;
	const struct value *left, *right;
	bool is_quick; /* the next member is valid */
	struct fast_load quick;
	bool swap;	 /* the byte order of the location of a string or stack differs */
	bool wide;	 /* stacks: 8 bytes per address */
	bool is_signed;	 /* FINE_LOG2: negative numbers have one bucket */
	unsigned int room; /* bytes that a string takes in a key or a variable */
	bool is_string, is_stack;
};

/* One event that is being counted. */
struct hit {
	const unsigned char *data;
	uint32_t len;
	unsigned int cpu;
	uint64_t time;
	const uint64_t *stack; /* of the event, outermost last; NULL: not recorded */
	unsigned int nstack;
	bool swap;    /* the byte order differs from the host's */
	bool damaged; /* set if a string is outside the event */
	enum hist_run_scope scope;
	unsigned int queue; /* in which the event waits for its stack: stack_wait.c */
	const struct hist_engine_machine *machine;
	char comm[16]; /* the string of VALUE_TASK */
};

static inline uint64_t value_load(const struct value *v, const unsigned char *data)
{
	const unsigned char *at = data + v->offset;
	uint16_t w;
	uint32_t l;
	uint64_t q;

	switch (v->fn) {
	case VALUE_U8:
		return *at;
	case VALUE_S8:
		return (int64_t)(int8_t)*at;
	case VALUE_U16:
		memcpy(&w, at, 2);
		return w;
	case VALUE_S16:
		memcpy(&w, at, 2);
		return (int64_t)(int16_t)w;
	case VALUE_U32:
		memcpy(&l, at, 4);
		return l;
	case VALUE_S32:
		memcpy(&l, at, 4);
		return (int64_t)(int32_t)l;
	case VALUE_U64:
		memcpy(&q, at, 8);
		return q;
	case VALUE_U16_SWAP:
		memcpy(&w, at, 2);
		return __builtin_bswap16(w);
	case VALUE_S16_SWAP:
		memcpy(&w, at, 2);
		return (int64_t)(int16_t)__builtin_bswap16(w);
	case VALUE_U32_SWAP:
		memcpy(&l, at, 4);
		return __builtin_bswap32(l);
	case VALUE_S32_SWAP:
		memcpy(&l, at, 4);
		return (int64_t)(int32_t)__builtin_bswap32(l);
	default:
		memcpy(&q, at, 8);
		return v->fn == VALUE_U64_SWAP ? __builtin_bswap64(q) : q;
	}
}

static inline uint64_t fast_load(const struct fast_load *load, const unsigned char *data)
{
	int64_t q;

	memcpy(&q, data + load->at, 8);
	return (uint64_t)(q >> load->shift) & load->mask;
}

static inline bool value_is_load(const struct value *v)
{
	return v->fn <= VALUE_U64_SWAP;
}

static inline uint32_t load_u32(const unsigned char *at, bool swap)
{
	uint32_t l;

	memcpy(&l, at, 4);
	return swap ? __builtin_bswap32(l) : l;
}

static inline uint64_t load_u64(const unsigned char *at, bool swap)
{
	uint64_t q;

	memcpy(&q, at, 8);
	return swap ? __builtin_bswap64(q) : q;
}

/* The function for a field that is a string. */
enum value_fn value_string_fn(const struct hist_event_field *field);

/* The load for a number of @size bytes; VALUE_NUMBER if no load exists for the size. */
enum value_fn value_load_fn(unsigned int size, bool is_signed, bool swap);

static inline uint64_t value_time_usecs(uint64_t time)
{
	return (time + 500) / 1000; /* ns2usecs() */
}

/*
 * div_by_mult_and_shift(): the result for a number below 2^DIVIDE_SHORT_BITS can be one too large;
 * @factor is 2^DIVIDE_SHORT_BITS / @divisor, rounded down.
 */
#define DIVIDE_SHORT_BITS 20

static inline uint64_t value_divide_short(uint64_t n, uint64_t divisor, uint64_t factor)
{
	if (n < UINT64_C(1) << DIVIDE_SHORT_BITS)
		return (n * factor + (UINT64_C(1) << DIVIDE_SHORT_BITS) - 1) >> DIVIDE_SHORT_BITS;
	return n / divisor;
}

static inline uint64_t value_time_cut(uint64_t time)
{
	return value_divide_short(time, 1000, (UINT64_C(1) << DIVIDE_SHORT_BITS) / 1000);
}

/* value_number() for all functions; the operands of a value are mostly leaves. */
uint64_t value_compute(const struct value *v, const struct hit *hit, const uint64_t *refs);

/* Computes a number.  @refs: resolved values of the references; NULL if the value has none. */
static inline uint64_t value_number(const struct value *v, const struct hit *hit,
				    const uint64_t *refs)
{
	if (v->is_quick)
		return fast_load(&v->quick, hit->data);
	if (v->fn == VALUE_REFERENCE)
		return refs[v->reference];
	if (v->fn == VALUE_TIME_USECS)
		return value_time_usecs(hit->time);
	if (v->fn == VALUE_TIME_CUT)
		return value_time_cut(hit->time);
	return value_compute(v, hit, refs);
}

/*
 * The bytes of a string, which ends at a NUL or after *@len bytes.  NULL: the string is outside the
 * event, which is damaged.
 */
const char *value_string(const struct value *v, struct hit *hit, uint32_t *len);

#endif
