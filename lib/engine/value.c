// SPDX-License-Identifier: LGPL-2.1
/*
 * value.c - evaluate fields, modifiers and operators for an event
 *
 * Each case is one of the functions that hist_fn_call() calls.  The compiler of a value ensures
 * that fixed fields end within the shortest event.  An event has the location of a dynamic string
 * or stack; this file checks it.
 *
 * Source: hist_fn_call() in kernel/trace/trace_events_hist.c.
 */
#include "lib/engine/engine_names.h"

enum value_fn value_load_fn(unsigned int size, bool is_signed, bool swap)
{
	switch (size) {
	case 1:
		return is_signed ? VALUE_S8 : VALUE_U8;
	case 2:
		return swap ? (is_signed ? VALUE_S16_SWAP : VALUE_U16_SWAP)
			    : (is_signed ? VALUE_S16 : VALUE_U16);
	case 4:
		return swap ? (is_signed ? VALUE_S32_SWAP : VALUE_U32_SWAP)
			    : (is_signed ? VALUE_S32 : VALUE_U32);
	case 8:
		return swap ? VALUE_U64_SWAP : VALUE_U64;
	default:
		return VALUE_NUMBER;
	}
}

enum value_fn value_string_fn(const struct hist_event_field *field)
{
	if (!field->is_dynamic)
		return VALUE_ARRAY;
	return strstr(field->ctype, "__rel_loc") ? VALUE_REL_LOC : VALUE_DATA_LOC;
}

void value_set_load(struct value *v, unsigned int offset, unsigned int size, bool is_signed,
		    bool swap)
{
	v->fn = value_load_fn(size, is_signed, swap);
	v->offset = offset;
	v->size = size;
	if (v->fn == VALUE_NUMBER || swap || offset + size < 8 ||
	    __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
		return;
	v->is_quick = true;
	v->quick.at = offset + size - 8;
	v->quick.shift = 64 - size * 8;
	v->quick.mask = is_signed || size == 8 ? UINT64_MAX : (UINT64_C(1) << size * 8) - 1;
}

/* order_base_2() of all 64 bits; a 32-bit kernel uses only the lower 32. */
static uint64_t order_base_2(uint64_t n)
{
	return n > 1 ? 64 - __builtin_clzll(n - 1) : 0;
}

/* hist_field_get_div_fn() */
void value_divide_by(struct value *v, uint64_t divisor)
{
	v->number = divisor;
	if (!(divisor & (divisor - 1))) {
		v->fn = VALUE_DIV_SHIFT;
		v->number = __builtin_ctzll(divisor);
	} else if (divisor > UINT64_C(1) << DIVIDE_SHORT_BITS) {
		v->fn = VALUE_DIV_PLAIN;
	} else {
		v->fn = VALUE_DIV_SHORT;
		v->factor = (UINT64_C(1) << DIVIDE_SHORT_BITS) / divisor;
	}
}

/* The usual functions stand alone, so that value_compute() itself saves no registers for them. */
static __attribute__((noinline)) uint64_t value_log2(const struct value *v, const struct hit *hit,
						     const uint64_t *refs)
{
	return order_base_2(value_number(v->left, hit, refs));
}

static __attribute__((noinline)) uint64_t
value_subtract(const struct value *v, const struct hit *hit, const uint64_t *refs)
{
	uint64_t n = value_number(v->left, hit, refs);

	return n - value_number(v->right, hit, refs);
}

static __attribute__((noinline)) uint64_t
value_compute_rare(const struct value *v, const struct hit *hit, const uint64_t *refs)
{
	uint64_t n;

	switch (v->fn) {
	case VALUE_NUMBER:
		return v->number;
	case VALUE_TIME:
		return hit->time;
	case VALUE_CPU:
		return hit->cpu;
	case VALUE_BUCKET:
		n = value_number(v->left, hit, refs);
		return n - n % v->number;
	case VALUE_NEGATE:
		return -value_number(v->left, hit, refs);
	case VALUE_ADD:
		return value_number(v->left, hit, refs) + value_number(v->right, hit, refs);
	case VALUE_MUL:
		return value_number(v->left, hit, refs) * value_number(v->right, hit, refs);
	case VALUE_DIV:
		/* hist_field_div() */
		n = value_number(v->right, hit, refs);
		return n ? value_number(v->left, hit, refs) / n : UINT64_MAX;
	case VALUE_DIV_SHIFT:
		return value_number(v->left, hit, refs) >> v->number;
	case VALUE_DIV_PLAIN:
		return value_number(v->left, hit, refs) / v->number;
	case VALUE_DIV_SHORT:
		return value_divide_short(value_number(v->left, hit, refs), v->number, v->factor);
	case VALUE_ARRAY:
	case VALUE_DATA_LOC:
	case VALUE_REL_LOC:
	case VALUE_COMM:
	case VALUE_TASK:
	case VALUE_STACK:
	case VALUE_KERNEL_STACK:
		return 0;
	default:
		return value_load(v, hit->data);
	}
}

uint64_t value_compute(const struct value *v, const struct hit *hit, const uint64_t *refs)
{
	if (v->fn == VALUE_LOG2)
		return value_log2(v, hit, refs);
	if (v->fn == VALUE_SUB)
		return value_subtract(v, hit, refs);
	return value_compute_rare(v, hit, refs);
}

const char *value_string(const struct value *v, struct hit *hit, uint32_t *len)
{
	uint32_t loc, at;

	if (v->fn == VALUE_ARRAY) {
		*len = v->size;
		return (const char *)hit->data + v->offset;
	}
	if (v->fn == VALUE_TASK) {
		if (!engine_get_task_comm(hit->machine, hit, hit->comm))
			strcpy(hit->comm, "<...>");
		*len = strlen(hit->comm);
		return hit->comm;
	}
	loc = load_u32(hit->data + v->offset, v->swap);
	at = loc & 0xffff;
	if (v->fn == VALUE_REL_LOC)
		at += v->offset + 4;
	*len = loc >> 16;
	if (at > hit->len || *len > hit->len - at) {
		hit->damaged = true;
		return NULL;
	}
	return (const char *)hit->data + at;
}

int value_stack(const struct value *v, struct hit *hit, uint64_t *stack)
{
	unsigned int size = v->wide ? 8 : 4, i;
	uint32_t at, len;
	uint64_t n;

	memset(stack, 0, ENGINE_STACK_DEPTH * sizeof(*stack));
	if (v->fn == VALUE_KERNEL_STACK) {
		if (!hit->stack)
			return -1;
		n = hit->nstack < ENGINE_STACK_DEPTH ? hit->nstack : ENGINE_STACK_DEPTH;
		memcpy(stack, hit->stack, n * sizeof(*stack));
		return n;
	}
	at = load_u32(hit->data + v->offset, v->swap);
	len = at >> 16;
	at &= 0xffff;
	if (at > hit->len || len > hit->len - at) {
		hit->damaged = true;
		return -1;
	}
	if (len < size)
		return 0;
	/* the first word is the number of addresses; trace_stack() keeps 16 words in total */
	n = v->wide ? load_u64(hit->data + at, v->swap) : load_u32(hit->data + at, v->swap);
	for (i = 0; i < n && i < ENGINE_STACK_DEPTH && (i + 2) * size <= len; i++) {
		const unsigned char *p = hit->data + at + (i + 1) * size;

		stack[i] = v->wide ? load_u64(p, v->swap) : load_u32(p, v->swap);
	}
	return i;
}
