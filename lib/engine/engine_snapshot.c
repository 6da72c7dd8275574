// SPDX-License-Identifier: LGPL-2.1
/*
 * engine_snapshot.c - make a snapshot from the counts of runs
 *
 * Keys and values equal those that lib/histfile/hist_text*.c reads from the text of a kernel:
 * names, symbols, percentages.  Only blanks at the end of a name are kept, which the text pads with
 * blanks.  Each element keeps its entry number in the table, so only new elements need names.
 *
 * Source: hist_trigger_print_key(), hist_trigger_print_val() and track_data_print() in
 * kernel/trace/trace_events_hist.c, __sprint_symbol() in kernel/kallsyms.c.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/text.h"
#include "lib/engine/engine_names.h"
#include "lib/engine/map.h"
#include "lib/engine/run.h"
#include "lib/hist/saved_fields.h"

static bool engine_find_symbol(const struct hist_engine_machine *machine, uint64_t address,
			       struct hist_symbol *symbol)
{
	return machine->symbol && !machine->symbol(machine->data, address, symbol);
}

/* %ps: "func" or "func [module]"; "0x..." for an unknown address */
static void engine_put_symbol(struct hist_strbuf *b, const struct hist_engine_machine *machine,
			      uint64_t address)
{
	struct hist_symbol symbol;

	if (engine_find_symbol(machine, address, &symbol)) {
		hist_strbuf_str(b, symbol.name);
	} else {
		hist_strbuf_str(b, "0x");
		hist_strbuf_hex(b, address);
	}
}

/* %pS: "func+0x1f/0xa0" or "func+0x1f/0xa0 [module]" */
static void engine_put_symbol_offset(struct hist_strbuf *b,
				     const struct hist_engine_machine *machine, uint64_t address)
{
	struct hist_symbol symbol;
	const char *module;

	if (!engine_find_symbol(machine, address, &symbol)) {
		engine_put_symbol(b, machine, address);
		return;
	}
	module = strstr(symbol.name, " [");
	hist_strbuf_add(b, symbol.name,
			module ? (size_t)(module - symbol.name) : strlen(symbol.name));
	hist_strbuf_str(b, "+0x");
	hist_strbuf_hex(b, symbol.offset);
	/* the size of the last symbol of a module is unknown */
	if (symbol.size) {
		hist_strbuf_str(b, "/0x");
		hist_strbuf_hex(b, symbol.size);
	}
	hist_strbuf_str(b, module ? module : "");
}

struct snapshot_sum {
	struct hist_run *const *runs;
	unsigned int n;
	const struct hist_engine_machine *machine;
	const struct engine_histogram *hist;
	struct hist_table *table;
	struct hist_snapshot *snap;
	struct hist_strbuf text;
};

static struct map *engine_run_map(const struct snapshot_sum *c, unsigned int run)
{
	return &c->runs[run]->maps[c->hist->number];
}

static int engine_intern_string(struct snapshot_sum *c, uint32_t *id)
{
	/* an empty name also needs a valid address */
	if (!hist_strbuf_reserve(&c->text, 1))
		return c->text.error;
	return hist_table_intern(c->table, c->text.data, c->text.len, id);
}

static void print_stack(struct snapshot_sum *c, const uint64_t *stack)
{
	unsigned int i;

	for (i = 0; i < ENGINE_STACK_DEPTH && stack[i]; i++) {
		if (i)
			hist_strbuf_char(&c->text, '\n');
		engine_put_symbol_offset(&c->text, c->machine, stack[i]);
	}
}

static int engine_make_cell(struct snapshot_sum *c, const struct hist_key_desc *desc,
			    const struct key_part *part, const struct map_element *elt,
			    struct hist_cell *cell)
{
	const uint64_t *key = elt->words + part->at / 8;
	const struct hist_syscalls *syscalls = c->runs[0]->engine->syscalls;
	const char *name;

	*cell = (struct hist_cell){ .num = part->type == KEY_NUMBER ? *key : 0,
				    .str = HIST_NO_STRING };
	c->text.len = 0;
	switch (hist_key_form(desc->kind)) {
	case HIST_FORM_STRING:
		hist_strbuf_add(&c->text, (const char *)key,
				strnlen((const char *)key, part->size));
		break;
	case HIST_FORM_STACK:
		print_stack(c, key);
		break;
	case HIST_FORM_SYMBOL:
		if (desc->kind == HIST_KEY_SYM)
			engine_put_symbol(&c->text, c->machine, *key);
		else
			engine_put_symbol_offset(&c->text, c->machine, *key);
		break;
	case HIST_FORM_TASK:
		name = engine_get_comm(c->machine, *key);
		hist_strbuf_add(&c->text, name, strnlen(name, 15));
		break;
	case HIST_FORM_SYSCALL:
		name = syscalls ? hist_syscalls_name(syscalls, *key) : NULL;
		hist_strbuf_str(&c->text, name ? name : "unknown_syscall");
		break;
	default:
		cell->num = hist_key_from_kernel(desc, cell->num);
		return 0;
	}
	return engine_intern_string(c, &cell->str);
}

static int engine_find_entry(struct snapshot_sum *c, struct map_element *elt)
{
	const struct hist_schema *schema = c->hist->schema;
	struct hist_cell cells[HIST_KEYS_MAX];
	unsigned int i;
	int ret;

	for (i = 0; i < schema->nkeys; i++) {
		ret = engine_make_cell(c, &schema->keys[i], &c->hist->keys[i], elt, &cells[i]);
		if (ret)
			return ret;
	}
	return hist_table_add(c->table, cells, &elt->entry);
}

static int engine_find_entries(struct snapshot_sum *c)
{
	uint64_t generation = hist_table_generation(c->table);
	unsigned int i;
	uint32_t j;
	int ret;

	for (i = 0; i < c->n; i++) {
		struct map *map = engine_run_map(c, i);
		uint32_t known = hist_table_entries(c->table);

		/* at the end the table has all keys of each map */
		ret = map->n > known ? hist_table_reserve(c->table, map->n - known) : 0;
		if (ret)
			return ret;
		for (j = 0; j < map->n; j++) {
			struct map_element *elt = map_at(map, j);

			if (elt->entry != HIST_NO_ENTRY && map->generation == generation)
				continue;
			ret = engine_find_entry(c, elt);
			if (ret) {
				/* only some elements have entries of this table: redo all */
				map->generation = 0;
				return ret;
			}
		}
		map->generation = generation;
	}
	return 0;
}

/* The text of track_data_print(), with the sign of the field for numbers. */
static int print_saved(struct snapshot_sum *c, const struct map_element *elt, uint64_t *value)
{
	const struct engine_histogram *hist = c->hist;
	const struct hist_saved_desc *saved = hist->schema->saved;
	const uint64_t *vars = elt->words + hist->shape.vars;
	unsigned int i, j;
	bool first = true;
	uint32_t id;
	int ret;

	c->text.len = 0;
	for (i = 0; i < hist->nactions; i++) {
		const struct engine_action *action = &hist->actions[i];

		if (action->handler == HIST_ONMATCH)
			continue;
		hist_strbuf_printf(&c->text, "%s%s: ", first ? "" : "\n\t", saved->name);
		saved_print_number(&c->text, saved++, vars[action->track]);
		first = false;
		for (j = 0; j < hist->nsave_vars; j++, saved++) {
			const struct engine_variable *v = &hist->vars[hist->save_vars[j]];
			const char *s = (const char *)(uintptr_t)vars[v->index];

			hist_strbuf_printf(&c->text, "  %s: ", saved->name);
			if (v->value->is_string)
				hist_strbuf_printf(&c->text, "%-32s", s ? s : "(null)");
			else
				saved_print_number(&c->text, saved, vars[v->index]);
		}
	}
	c->text.len = text_trim(c->text.data, c->text.len);
	ret = engine_intern_string(c, &id);
	*value = id;
	return ret;
}

/* The largest value since the last snapshot, which it forgets. */
static uint64_t engine_take_peak(const struct engine_histogram *hist, struct map_element *elt)
{
	uint64_t value = 0, *peak;
	unsigned int i;

	for (i = 0; i < hist->nactions; i++) {
		if (hist->actions[i].peak < 0)
			continue;
		peak = &elt->words[hist->shape.vars + hist->actions[i].peak];
		value = *peak;
		*peak = 0;
	}
	return value;
}

/* Add the values of one element, whose HIST_VALUE_SAVED or HIST_VALUE_WORST is a text. */
static int engine_add_values(struct snapshot_sum *c, struct map_element *elt)
{
	const struct hist_schema *schema = c->hist->schema;
	uint64_t *values = c->snap->values + (size_t)elt->entry * schema->nvalues, peak;
	unsigned int v;
	int ret = 0;

	for (v = 0; v < schema->nvalues && !ret; v++) {
		switch (schema->values[v].kind) {
		case HIST_VALUE_SAVED:
		case HIST_VALUE_WORST:
			ret = print_saved(c, elt, &values[v]);
			break;
		case HIST_VALUE_PEAK:
			peak = engine_take_peak(c->hist, elt);
			values[v] = peak > values[v] ? peak : values[v];
			break;
		default:
			values[v] += elt->words[c->hist->shape.sums + c->hist->shown[v]];
			break;
		}
	}
	return ret;
}

static int engine_sum_runs(struct snapshot_sum *c)
{
	unsigned int i;
	uint32_t j;
	int ret = 0;

	for (i = 0; i < c->n && !ret; i++) {
		const struct map *map = engine_run_map(c, i);

		for (j = 0; j < map->n && !ret; j++)
			ret = engine_add_values(c, map_at(map, j));
	}
	return ret;
}

static void make_shares(struct snapshot_sum *c, unsigned int v, enum hist_value_kind kind)
{
	unsigned int n = c->hist->schema->nvalues;
	uint64_t total = 0, max = 0, *value;
	uint32_t i;

	for (i = 0; i < c->snap->nentries; i++) {
		value = &c->snap->values[(size_t)i * n + v];
		total += *value;
		max = *value > max ? *value : max;
	}
	for (i = 0; i < c->snap->nentries; i++) {
		value = &c->snap->values[(size_t)i * n + v];
		/* all bits, which a 32-bit kernel does not use */
		*value =
			hist_value_convert(kind, *value, kind == HIST_VALUE_GRAPH ? max : total, 8);
	}
}

static int engine_fill_values(struct snapshot_sum *c)
{
	const struct hist_schema *schema = c->hist->schema;
	unsigned int v;
	int ret;

	ret = engine_find_entries(c);
	if (!ret)
		ret = hist_snapshot_grow(c->snap, schema, hist_table_entries(c->table));
	if (ret)
		return ret;
	if (c->snap->nentries)
		memset(c->snap->values, 0,
		       (size_t)c->snap->nentries * schema->nvalues * sizeof(uint64_t));
	ret = engine_sum_runs(c);
	for (v = 0; !ret && v < schema->nvalues; v++)
		if (schema->values[v].kind == HIST_VALUE_PERCENT ||
		    schema->values[v].kind == HIST_VALUE_GRAPH)
			make_shares(c, v, schema->values[v].kind);
	return ret;
}

/* The number of different keys in all maps.  0 or -ENOMEM. */
static int count_keys(const struct snapshot_sum *c, uint64_t *keys)
{
	struct map_shape shape = c->hist->shape;
	struct map all;
	struct map_element *elt;
	unsigned int i;
	uint32_t j;
	int ret = 0;

	if (c->n == 1) {
		*keys = engine_run_map(c, 0)->n;
		return 0;
	}
	/* the elements have only the key */
	shape.words = shape.key_words;
	shape.nstrings = 0;
	shape.max = UINT32_MAX / 4;
	map_init(&all, &shape, c->runs[0]->engine->seed);
	for (i = 0; i < c->n && ret >= 0; i++)
		for (j = 0; j < engine_run_map(c, i)->n && ret >= 0; j++) {
			elt = map_at(engine_run_map(c, i), j);
			ret = map_insert(&all, elt->words, shape.key_words, elt->hash, &elt);
		}
	*keys = all.n;
	map_clear(&all);
	return ret < 0 ? ret : 0;
}

static uint64_t engine_count_hits(const struct snapshot_sum *c, const struct engine_histogram *hist)
{
	uint64_t hits = 0;
	unsigned int i;
	uint32_t j;

	for (i = 0; i < c->n; i++) {
		struct map *map = &c->runs[i]->maps[hist->number];

		for (j = 0; j < map->n; j++)
			hits += map_at(map, j)->words[hist->shape.sums];
	}
	return hits;
}

/* The histogram with variables of another one whose trace() generates @on, or NULL. */
static const struct engine_histogram *engine_find_end(const struct hist_engine *engine,
						      const struct engine_event *on)
{
	const struct engine_histogram *end;
	unsigned int j;
	uint32_t i;

	for (i = 0; on->own && i < engine->nhists; i++) {
		end = engine->hists[i];
		for (j = 0; end->nothers && j < end->nactions; j++) {
			if (end->actions[j].kind == HIST_ACTION_TRACE &&
			    end->actions[j].synth == on)
				return end;
		}
	}
	return NULL;
}

/* Of a latency: count the pairs that never closed. */
static void engine_count_unmatched(const struct snapshot_sum *c, const struct trigger *t)
{
	const struct engine_histogram *end = engine_find_end(c->runs[0]->engine, t->on);
	uint64_t starts, matched, ends = 0;
	unsigned int i;

	if (!end)
		return;
	matched = engine_count_hits(c, end);
	starts = engine_count_hits(c, end->refs[end->others[0]].of);
	for (i = 0; i < c->n; i++) {
		matched += c->runs[i]->maps[end->number].drops;
		ends += c->runs[i]->unresolved[end->number];
	}
	hist_loss_set_unmatched(c->snap->losses, starts > matched ? starts - matched : 0, ends,
				t->usual_starts, t->usual_ends);
}

uint64_t hist_engine_count_dropped(const struct hist_run *run, unsigned int hist)
{
	return run->maps[run->engine->numbered[hist]->hist->number].drops;
}

int hist_engine_snapshot(struct hist_run *const *runs, unsigned int n, unsigned int hist,
			 struct hist_table *table, struct hist_snapshot *snap)
{
	const struct hist_engine *engine = n ? runs[0]->engine : NULL;
	struct snapshot_sum c = { .runs = runs, .n = n, .table = table, .snap = snap };
	uint64_t hits, drops = 0, keys;
	unsigned int i;
	int ret;

	if (!engine || hist >= engine->nnumbered)
		return -EINVAL;
	c.machine = &engine->machine;
	c.hist = engine->numbered[hist]->hist;
	hits = engine_count_hits(&c, c.hist);
	for (i = 0; i < n; i++)
		drops += engine_run_map(&c, i)->drops;
	ret = count_keys(&c, &keys);
	if (ret)
		return ret;
	if ((n > 1 || runs[0]->is_part) && (drops || keys > c.hist->shape.max))
		return -EOVERFLOW;
	ret = engine_fill_values(&c);
	hist_strbuf_free(&c.text);
	if (ret)
		return ret;
	engine_count_unmatched(&c, engine->numbered[hist]);
	snap->hits = hits;
	snap->entries = keys;
	snap->dropped = drops;
	snap->losses[HIST_LOSS_CUT_KEYS] = hist_snapshot_count_cut(snap, table);
	return 0;
}
