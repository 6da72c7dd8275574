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
#include "lib/engine/value.h"
#include "lib/hist/key_kind.h"

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

/* order_base_2() of all 64 bits; a 32-bit kernel uses only the lower 32. */
static uint64_t order_base_2(uint64_t n)
{
	return n > 1 ? 64 - __builtin_clzll(n - 1) : 0;
}

/* The usual functions stand alone, so that value_compute() itself saves no registers for them. */
static __attribute__((noinline)) uint64_t value_log2(const struct value *v, const struct hit *hit,
						     const uint64_t *refs)
{
	return order_base_2(value_number(v->left, hit, refs));
}

/* log2_bucket_first() of kernel-patches, as the number of the bucket. */
static __attribute__((noinline)) uint64_t
value_fine_log2(const struct value *v, const struct hit *hit, const uint64_t *refs)
{
	return hist_log2_find_bucket(v->number, value_number(v->left, hit, refs), v->is_signed);
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
	if (v->fn == VALUE_FINE_LOG2)
		return value_fine_log2(v, hit, refs);
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
