// SPDX-License-Identifier: LGPL-2.1
/*
 * trigger_hit.c - run the triggers of an event for one hit
 *
 * The steps are those of the kernel:
 *   1. Build the key.
 *   2. Resolve references to variables of other histograms.  If one is not set, nothing is
 *      counted.
 *   3. Find or create the element.
 *   4. Update sums and variables.
 *   5. Resolve references to variables of this histogram.
 *   6. Run the actions.
 *
 * trace() generates a synthetic event, which runs its triggers in the same way.  A field takes 8
 * bytes, or 256 if it is a string of fixed length.  Dynamic strings and stacks are stored after all
 * fields, and their fields have offset and length.  Byte order is that of the host, and addresses
 * have 64 bits.  A synthetic event has the time, CPU and task of its source event.
 *
 * Source: event_triggers_call() in kernel/trace/trace_events_trigger.c; event_hist_trigger(),
 * resolve_var_refs(), hist_trigger_elt_update() and hist_trigger_actions() in
 * kernel/trace/trace_events_hist.c; trace_event_raw_event_synth() in
 * kernel/trace/trace_events_synth.c.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/bytes.h"
#include "lib/engine/engine_names.h"
#include "lib/engine/filter_eval.h"
#include "lib/engine/map.h"
#include "lib/engine/run.h"
#include "lib/engine/value.h"

/* Writes at most 16 addresses to @stack and returns their number; -1: damaged, or no stack. */
static int value_stack(const struct value *v, struct hit *hit, uint64_t *stack)
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

/* The word of a synthetic event that has @n in a field of @size bytes. */
static inline uint64_t synth_number(uint64_t n, unsigned int size)
{
	n <<= 64 - size * 8;
	return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? n : n >> (64 - size * 8);
}

/* Copy common_flags to common_pid from the source event. */
static inline void synth_put_common(unsigned char *record, const struct hit *hit)
{
	uint32_t pid = load_u32(hit->data + 4, hit->swap);

	memcpy(record + 2, hit->data + 2, 2);
	memcpy(record + 4, &pid, sizeof(pid));
}

static void synth_fire_put_bytes(unsigned char *record, const struct hist_event_field *field,
				 uint64_t value, uint32_t *end)
{
	unsigned char *to = record + field->offset;
	const void *from = (const void *)(uintptr_t)value;
	const uint64_t *stack;
	uint32_t len, loc;

	if (hist_field_is_stack(field)) {
		/*
		 * trace_stack() copies the words up to the first 0; the first one is their number
		 */
		stack = from;
		for (len = 0; len < ENGINE_STACK_DEPTH * 8 && stack[len / 8]; len += 8)
			;
	} else {
		len = strlen(from) + 1;
	}
	if (!field->is_dynamic) {
		memcpy(to, from, len);
		return;
	}
	memcpy(record + *end, from, len);
	loc = len << 16 | *end;
	memcpy(to, &loc, sizeof(loc));
	*end += len;
}

/* Generates the synthetic event of an action.  @refs: values of its references. */
static __attribute__((noinline)) int
synth_fire_event(struct hist_run *run, const struct engine_action *action, const struct hit *hit,
		 const uint64_t *refs)
{
	const struct engine_event *on = action->synth;
	struct hist_strbuf *b = &run->records[run->nesting - 1];
	uint32_t end = on->record_size;
	size_t room = end + (size_t)on->nfields * ENGINE_STRING_BYTES;
	struct hit fired = { .cpu = hit->cpu, .time = hit->time, .machine = hit->machine };
	const struct hist_event_field *field;
	unsigned char *record;
	unsigned int i;
	uint64_t n;

	if (!on->ntriggers)
		return 0;
	b->len = 0;
	if (!hist_strbuf_reserve(b, room))
		return b->error;
	record = (unsigned char *)b->data;
	/* strings and stacks fill what follows */
	memset(record, 0, end);
	synth_put_common(record, hit);
	for (i = 0; i < on->nfields; i++) {
		field = hist_event_field(on->own, i);
		if (synth_has_bytes(field)) {
			synth_fire_put_bytes(record, field, refs[action->params[i]], &end);
			continue;
		}
		n = synth_number(refs[action->params[i]], field->size);
		memcpy(record + field->offset, &n, sizeof(n));
	}
	fired.data = (const unsigned char *)b->data;
	fired.len = end;
	return trigger_hit_event(run, on, &fired);
}

/* Copy a string into the key, as strncpy(), with a NUL in the last byte of the part. */
static bool trigger_put_key_string(const struct key_part *part, struct hit *hit, uint64_t *key)
{
	uint32_t len, max = part->size - 1;
	const char *s = value_string(part->value, hit, &len);

	if (!s)
		return false;
	len = strnlen(s, len < max ? len : max);
	memset(key + part->at / 8, 0, part->size);
	memcpy((char *)key + part->at, s, len);
	return true;
}

/* The same for a key that is one string.  Only pairs of words up to its end are written. */
static bool trigger_make_string_key(const struct key_part *part, struct hit *hit, uint64_t *key,
				    uint32_t *words)
{
	uint32_t len, max = part->size - 1;
	const char *s = value_string(part->value, hit, &len);

	if (!s)
		return false;
	len = strnlen(s, len < max ? len : max);
	*words = (len / 16 + 1) * 2;
	key[*words - 2] = key[*words - 1] = 0;
	memcpy(key, s, len);
	return true;
}

/* Clear the bytes after the first NUL of a little-endian word.  False: the word has no NUL. */
static inline bool trigger_end_word(uint64_t *word)
{
	uint64_t nuls = bytes_find_below(*word, 1);

	if (!nuls)
		return false;
	*word &= ((nuls & -nuls) >> 7) - 1;
	return true;
}

/* Copies a string word by word, up to its NUL. */
static void trigger_put_key_words(const struct key_part *part, const struct hit *hit,
				  uint64_t *key)
{
	const unsigned char *from = hit->data + part->value->offset;
	uint64_t *to = key + part->at / 8, *end = to + part->size / 8;
	bool ends;

	do {
		memcpy(to, from, 8);
		from += 8;
		ends = trigger_end_word(to++);
	} while (!ends && to < end);
	if (!ends)
		to[-1] &= UINT64_MAX >> 8;
	while (to < end)
		*to++ = 0;
}

/* The same for a string of two words, such as the name of a task. */
static inline void trigger_make_name_key(const struct key_part *part, const struct hit *hit,
					 uint64_t *key)
{
	memcpy(key, hit->data + part->value->offset, 16);
	if (trigger_end_word(&key[0]))
		key[1] = 0;
	else if (!trigger_end_word(&key[1]))
		key[1] &= UINT64_MAX >> 8;
}

static __attribute__((noinline)) bool
trigger_make_mixed_key(const struct engine_histogram *hist, struct hit *hit, uint64_t *key)
{
	unsigned int i;

	for (i = 0; i < hist->nkeys; i++) {
		const struct key_part *part = &hist->keys[i];

		switch (part->type) {
		case KEY_NUMBER:
			key[part->at / 8] = value_number(part->value, hit, NULL);
			break;
		case KEY_WORDS:
			trigger_put_key_words(part, hit, key);
			break;
		case KEY_STRING:
			if (!trigger_put_key_string(part, hit, key))
				return false;
			break;
		case KEY_STACK:
			if (value_stack(part->value, hit, key + part->at / 8) < 0)
				return false;
			break;
		}
	}
	return true;
}

/*
 * The first *@words words of the key are written; the others are 0.  The key of each element is
 * made in the same way, so words that are not written need no comparison.
 */
static bool trigger_make_long_key(const struct engine_histogram *hist, struct hit *hit,
				  uint64_t *key, uint32_t *words)
{
	*words = hist->key_words;
	if (hist->key_form == KEY_IS_WORDS) {
		trigger_put_key_words(&hist->keys[0], hit, key);
		return true;
	}
	if (hist->key_form == KEY_IS_STRING)
		return trigger_make_string_key(&hist->keys[0], hit, key, words);
	return trigger_make_mixed_key(hist, hit, key);
}

static inline uint32_t trigger_make_number_key(const struct engine_histogram *hist,
					       const struct hit *hit, uint64_t *key)
{
	unsigned int i;

	key[0] = value_number(hist->keys[0].value, hit, NULL);
	for (i = 1; i < hist->nkeys; i++)
		key[i] = value_number(hist->keys[i].value, hit, NULL);
	return i;
}

/* The hash of the whole key: pairs of words that are 0 do not change the hash of a long key. */
static inline uint32_t trigger_hash_key(const struct engine_histogram *hist, uint64_t seed,
					const uint64_t *key, uint32_t words)
{
	return hist->key_words > MAP_SHORT ? map_hash_long(seed, key, words) :
					     map_hash(seed, key, words);
}

/* resolve_var_refs() */
static inline bool trigger_read_variable(const struct engine_reference *ref,
					 const struct map_element *elt, uint64_t *n)
{
	const struct map_shape *shape = &ref->of->shape;

	*n = elt->words[shape->vars + ref->index];
	return elt->words[shape->set] >> ref->index & 1;
}

/* The references to variables of other histograms.  Those of one histogram need one lookup. */
static inline __attribute__((always_inline)) bool
trigger_resolve_others(struct hist_run *run, const struct engine_histogram *hist,
		       const uint64_t *key, uint32_t hash, uint64_t *refs)
{
	const struct engine_histogram *of = NULL;
	const struct engine_reference *ref;
	struct map_element *elt = NULL;
	unsigned int i;

	for (i = 0; i < hist->nothers; i++) {
		ref = &hist->refs[hist->others[i]];
		if (ref->of != of) {
			of = ref->of;
			/* its key may be shorter */
			elt = map_find(&run->maps[of->number], key, of->key_words,
				       of->key_words == hist->key_words ? hash :
				       map_hash_key(run->engine->seed, key, of->key_words));
		}
		if (!elt || !trigger_read_variable(ref, elt, &refs[hist->others[i]]))
			return false;
		if (ref->once)
			elt->words[of->shape.set] &= ~(UINT64_C(1) << ref->index);
	}
	return true;
}

/* The references to variables of this histogram, whose element is @elt. */
static inline __attribute__((always_inline)) bool
trigger_resolve_own(const struct engine_histogram *hist, const struct map_element *elt,
		    uint64_t *refs)
{
	unsigned int i;

	for (i = 0; i < hist->nowns; i++)
		if (!trigger_read_variable(&hist->refs[hist->owns[i]], elt, &refs[hist->owns[i]]))
			return false;
	return true;
}

static void trigger_copy_variable_string(struct hist_run *run, const struct engine_histogram *hist,
					 const struct value *v,
					 struct map_element *elt, struct hit *hit, char *to)
{
	uint32_t len = ENGINE_STRING_BYTES, size = v->room;
	const char *s;

	if (v->fn == VALUE_COMM) {
		s = engine_get_comm(&run->engine->machine, elt->words[hist->shape.comm]);
		len = 15;
	} else {
		s = value_string(v, hit, &len);
	}
	if (!s)
		return;
	size = size < ENGINE_STRING_BYTES ? size : ENGINE_STRING_BYTES;
	len = strnlen(s, len < size - 1 ? len : size - 1);
	memcpy(to, s, len);
	to[len] = '\0';
}

/* Copy the number of addresses and the addresses; a 0 follows if there is room. */
static void copy_stack(const struct value *v, struct hit *hit, char *to)
{
	uint64_t words[ENGINE_STACK_DEPTH + 1];
	int n = value_stack(v, hit, words + 1);

	words[0] = n > 0 ? n : 0;
	memcpy(to, words, sizeof(words));
}

/* Set the bytes of a string or a stack, and return their address. */
static uintptr_t trigger_set_bytes(struct hist_run *run, const struct engine_histogram *hist,
				   const struct engine_variable *variable,
				   struct map_element *elt, struct hit *hit)
{
	char *to = elt->strings + (size_t)variable->string * ENGINE_STRING_BYTES;

	if (variable->value->is_string)
		trigger_copy_variable_string(run, hist, variable->value, elt, hit, to);
	else
		copy_stack(variable->value, hit, to);
	return (uintptr_t)to;
}

static inline void set_variable(struct hist_run *run, const struct engine_histogram *hist,
				const struct engine_variable *variable, struct map_element *elt,
				struct hit *hit, const uint64_t *refs)
{
	const struct map_shape *shape = &hist->shape;

	elt->words[shape->vars + variable->index] =
		variable->string < 0 ? value_number(variable->value, hit, refs) :
				       trigger_set_bytes(run, hist, variable, elt, hit);
	elt->words[shape->set] |= UINT64_C(1) << variable->index;
}

static inline void trigger_add_sums(const struct engine_histogram *hist, struct map_element *elt,
				    const struct hit *hit, const uint64_t *refs)
{
	uint64_t *sums = elt->words + hist->shape.sums;
	unsigned int i;

	sums[0]++;
	for (i = 1; i < hist->nsums; i++)
		sums[i] += value_number(hist->sums[i], hit, refs);
}

static inline __attribute__((always_inline)) void
trigger_update_element(struct hist_run *run, const struct engine_histogram *hist,
		       struct map_element *elt, struct hit *hit, const uint64_t *refs)
{
	unsigned int i;

	trigger_add_sums(hist, elt, hit, refs);
	for (i = 0; i < hist->ndefined; i++)
		set_variable(run, hist, &hist->vars[i], elt, hit, refs);
	for (i = 0; i < hist->nfield_vars; i++)
		set_variable(run, hist, &hist->vars[hist->field_vars[i]], elt, hit, refs);
}

/* True, with the value stored, if the action must run (ontrack_action()). */
static inline __attribute__((always_inline)) bool
trigger_track_value(const struct engine_histogram *hist,
				const struct engine_action *action, struct map_element *elt,
				const uint64_t *refs)
{
	uint64_t *before = &elt->words[hist->shape.vars + action->track];
	uint64_t now = refs[action->tracked];
	uint64_t *peak = action->peak < 0 ? NULL : &elt->words[hist->shape.vars + action->peak];

	if (peak && now > *peak)
		*peak = now;
	if (action->handler == HIST_ONMAX ? now <= *before : now == *before)
		return false;
	*before = now;
	elt->words[hist->shape.set] |= UINT64_C(1) << action->track;
	return true;
}

/* synth_fire_event() of an event whose fields are numbers: each takes 8 bytes. */
static inline int trigger_fire_numbers(struct hist_run *run, const struct engine_action *action,
				       const struct hit *hit, const uint64_t *refs)
{
	const struct engine_event *on = action->synth;
	uint64_t record[1 + HIST_SYNTH_FIELDS_MAX];
	struct hit fired = { .data = (const unsigned char *)record, .len = on->record_size,
			     .cpu = hit->cpu, .time = hit->time, .machine = hit->machine };
	unsigned int i;

	if (!on->ntriggers)
		return 0;
	record[0] = 0;
	synth_put_common((unsigned char *)record, hit);
	for (i = 0; i < on->nfields; i++)
		record[i + 1] = synth_number(refs[action->params[i]], on->own->fields[i].size);
	return trigger_hit_event(run, on, &fired);
}

static inline __attribute__((always_inline)) int
trigger_run_actions(struct hist_run *run, const struct engine_histogram *hist,
		    struct map_element *elt, struct hit *hit, const uint64_t *refs)
{
	unsigned int i, j;
	int ret = 0;

	for (i = 0; !ret && i < hist->nactions; i++) {
		const struct engine_action *action = &hist->actions[i];

		if (action->handler != HIST_ONMATCH &&
		    !trigger_track_value(hist, action, elt, refs))
			continue;
		if (action->kind == HIST_ACTION_TRACE)
			ret = action->synth->has_numbers ?
				trigger_fire_numbers(run, action, hit, refs) :
				synth_fire_event(run, action, hit, refs);
		for (j = 0; action->kind == HIST_ACTION_SAVE && j < hist->nsave_vars; j++)
			set_variable(run, hist, &hist->vars[hist->save_vars[j]], elt, hit, refs);
	}
	return ret;
}

/* trigger_count_plain() if the key is a string of two words. */
static __attribute__((noinline)) int trigger_count_name(struct hist_run *run,
							const struct engine_histogram *hist,
							const struct hit *hit)
{
	struct map *map = &run->maps[hist->number];
	struct map_element *elt;
	uint64_t key[2];
	uint32_t hash;
	int ret;

	trigger_make_name_key(&hist->keys[0], hit, key);
	hash = map_hash(map->seed, key, 2);
	elt = map_find_numbers(map, key, 2, hash);
	if (!elt) {
		ret = map_add(map, key, 2, hash, &elt);
		if (ret < 0)
			return ret == -ENOSPC ? 0 : ret;
	}
	trigger_add_sums(hist, elt, hit, NULL);
	return 0;
}

__attribute__((noinline)) int
trigger_count_plain(struct hist_run *run, const struct engine_histogram *hist, struct hit *hit)
{
	struct map *map = &run->maps[hist->number];
	uint64_t key[ENGINE_KEY_WORDS];
	struct map_element *elt;
	uint32_t words, hash;
	int ret;

	if (hist->key_form == KEY_IS_WORDS && hist->key_words == 2)
		return trigger_count_name(run, hist, hit);
	if (!trigger_make_long_key(hist, hit, key, &words))
		return 0;
	hash = trigger_hash_key(hist, map->seed, key, words);
	ret = map_insert(map, key, words, hash, &elt);
	if (ret < 0)
		return ret == -ENOSPC ? 0 : ret;
	trigger_add_sums(hist, elt, hit, NULL);
	return 0;
}

/* Steps 4 to 6, for the element of a hit. */
static inline __attribute__((always_inline)) int
trigger_update(struct hist_run *run, const struct engine_histogram *hist, struct map_element *elt,
	       struct hit *hit, uint64_t *refs)
{
	trigger_update_element(run, hist, elt, hit, refs);
	if (!hist->nactions || !trigger_resolve_own(hist, elt, refs))
		return 0;
	return trigger_run_actions(run, hist, elt, hit, refs);
}

/* event_hist_trigger() */
static __attribute__((noinline)) int
trigger_count_hit(struct hist_run *run, const struct engine_histogram *hist, struct hit *hit)
{
	uint64_t key[ENGINE_KEY_WORDS], refs[ENGINE_VARS_MAX];
	struct map_element *elt;
	uint32_t words, hash;
	int ret;

	if (hist->wants_stack && !hit->stack) {
		run->counts.no_stack++;
		return 0;
	}
	if (!trigger_make_long_key(hist, hit, key, &words))
		return 0;
	hash = trigger_hash_key(hist, run->engine->seed, key, words);
	if (!trigger_resolve_others(run, hist, key, hash, refs)) {
		run->unresolved[hist->number]++;
		return 0;
	}
	ret = map_insert(&run->maps[hist->number], key, words, hash, &elt);
	if (ret < 0)
		return ret == -ENOSPC ? 0 : ret;
	if (ret && hist->has_comm)
		elt->words[hist->shape.comm] = load_u32(hit->data + 4, hit->swap);
	return trigger_update(run, hist, elt, hit, refs);
}

/* The same if all keys and variables are numbers of the event. */
static int trigger_count_numbers(struct hist_run *run, const struct engine_histogram *hist,
				 struct hit *hit)
{
	struct map *map = &run->maps[hist->number];
	uint64_t key[MAP_SHORT], refs[ENGINE_VARS_MAX];
	uint32_t words = trigger_make_number_key(hist, hit, key);
	/* the usual number of keys needs no loops */
	uint32_t hash = words == 1 ? map_hash(map->seed, key, 1) : map_hash(map->seed, key, words);
	struct map_element *elt;
	int ret;

	if (!trigger_resolve_others(run, hist, key, hash, refs)) {
		run->unresolved[hist->number]++;
		return 0;
	}
	elt = words == 1 ? map_find_numbers(map, key, 1, hash) :
			   map_find_numbers(map, key, words, hash);
	if (!elt) {
		ret = map_add(map, key, words, hash, &elt);
		if (ret < 0)
			return ret == -ENOSPC ? 0 : ret;
	}
	return trigger_update(run, hist, elt, hit, refs);
}

/* hist_enable_trigger() and event_trigger_count() */
static __attribute__((noinline)) void trigger_switch_triggers(struct hist_run *run,
							      const struct trigger *t)
{
	const struct engine_event *on = t->switched;
	uint32_t i;

	if (!run->left[t->number])
		return;
	if (run->left[t->number] != UINT64_MAX)
		run->left[t->number]--;
	for (i = 0; on && i < on->ntriggers; i++)
		if (on->triggers[i]->hist)
			run->paused[on->triggers[i]->number] = !t->enable;
}

static inline int trigger_run(struct hist_run *run, const struct trigger *t, struct hit *hit)
{
	if (run->paused[t->number])
		return 0;
	if (hit->scope != HIST_RUN_ALL && t->anywhere != (hit->scope == HIST_RUN_ANYWHERE))
		return 0;
	if (t->filter && !filter_eval_match(t->filter, &run->engine->machine, hit))
		return 0;
	if (t->hist && t->hist->is_numeric)
		return trigger_count_numbers(run, t->hist, hit);
	if (t->hist)
		return t->hist->is_plain ? trigger_count_plain(run, t->hist, hit) :
					   trigger_count_hit(run, t->hist, hit);
	if (t->take)
		return t->take(t->arg, hit->cpu, hit->time, hit->data, hit->len);
	trigger_switch_triggers(run, t);
	return 0;
}

/*
 * The same for an event whose only trigger has neither strings nor a filter, so nothing can be
 * damaged.
 */
static int trigger_hit_numbers(struct hist_run *run, const struct trigger *t, struct hit *hit)
{
	int ret;

	run->nesting++;
	ret = trigger_count_numbers(run, t->hist, hit);
	run->nesting--;
	return ret;
}

int trigger_hit_event(struct hist_run *run, const struct engine_event *on, struct hit *hit)
{
	struct trigger *const *t = on->triggers, *const *const end = t + on->ntriggers;
	int ret;

	/* get_hist_pad() */
	if (run->nesting == ENGINE_NESTING)
		return 0;
	if (on->has_one_numeric && !run->paused[(*t)->number])
		return trigger_hit_numbers(run, *t, hit);
	run->nesting++;
	do {
		ret = trigger_run(run, *t, hit);
	} while (++t != end && !ret && !hit->damaged);
	run->nesting--;
	run->counts.damaged += hit->damaged;
	return ret;
}
