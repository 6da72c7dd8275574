// SPDX-License-Identifier: GPL-2.0
/*
 * engine_fixture.c - an engine, and events made by hand
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/check/check.h"
#include "utest/unit/lib/engine/engine_fixture.h"

static void must(bool ok, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "engine fixture: %s\n", what);
	exit(2);
}

void fixture_init(struct engine_fixture *f, bool big_endian, unsigned int long_size)
{
	bool native_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

	memset(f, 0, sizeof(*f));
	f->machine.layout.big_endian = big_endian;
	f->machine.layout.swap = big_endian != native_big;
	f->machine.layout.long_size = long_size;
	f->machine.clock_is_ns = true;
	must(!hist_engine_new(&f->engine, &f->machine), "no engine");
}

void fixture_clear(struct engine_fixture *f)
{
	unsigned int i;

	hist_run_free(f->run);
	hist_engine_free(f->engine);
	for (i = 0; i < f->nexprs; i++)
		hist_expr_free(f->exprs[i]);
	for (i = 0; i < f->nswitches; i++)
		hist_switch_free(f->switches[i]);
	for (i = 0; i < f->nevents; i++)
		hist_event_free(f->events[i]);
	for (i = 0; i < f->nsynths; i++)
		hist_synth_free(f->synths[i]);
}

#define COMMON                                                                         \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"         \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"         \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

size_t fixture_format(char *text, size_t room, const char *name, unsigned int id,
		      const char *fields)
{
	const char *p = fields, *end, *size;
	int n, offset = 8, bytes;

	n = snprintf(text, room, "name: %s\nID: %u\nformat:\n" COMMON, strchr(name, ':') + 1, id);
	while (*p) {
		end = strchrnul(p, ';');
		size = memrchr(p, ':', end - p);
		must(size, "a field has no size");
		bytes = abs(atoi(size + 1));
		n += snprintf(text + n, room - n,
			      "\tfield:%.*s;\toffset:%d;\tsize:%d;\tsigned:%d;\n", (int)(size - p),
			      p, offset, bytes, size[1] == '-');
		offset += bytes;
		p = *end ? end + 1 : end;
	}
	return n + snprintf(text + n, room - n, "\nprint fmt: \"\"\n");
}

const struct hist_event *fixture_event(struct engine_fixture *f, const char *name, unsigned int id,
				       const char *fields)
{
	char system[64], text[4096];
	size_t n = fixture_format(text, sizeof(text), name, id, fields);

	snprintf(system, sizeof(system), "%.*s", (int)strcspn(name, ":"), name);
	must(f->nevents < FIXTURE_MAX && !hist_event_parse(&f->events[f->nevents], system, text, n),
	     text);
	return f->events[f->nevents++];
}

const struct hist_event *fixture_synth(struct engine_fixture *f, const char *definition)
{
	must(f->nsynths < FIXTURE_MAX &&
		     !hist_synth_parse(&f->synths[f->nsynths], definition, NULL),
	     definition);
	must(!hist_engine_add_synth(f->engine, f->synths[f->nsynths]), definition);
	must(!hist_synth_make_event(&f->events[f->nevents], f->synths[f->nsynths]), definition);
	f->nsynths++;
	return f->events[f->nevents++];
}

int fixture_add(struct engine_fixture *f, const struct hist_event *event, const char *trigger)
{
	int ret;

	memset(&f->error, 0, sizeof(f->error));
	if (hist_switch_is_trigger(trigger)) {
		must(!hist_switch_parse(&f->switches[f->nswitches], trigger, NULL), trigger);
		return hist_engine_add_switch(f->engine, event, f->switches[f->nswitches++],
					      &f->error);
	}
	must(f->nexprs < FIXTURE_MAX, "too many triggers");
	ret = hist_expr_parse(&f->exprs[f->nexprs], trigger, &f->error);
	if (!ret)
		ret = hist_check_expr(f->exprs[f->nexprs], event, &f->error);
	must(!ret, f->error.what);
	return hist_engine_add(f->engine, event, f->exprs[f->nexprs++], &f->error);
}

static void put(const struct engine_fixture *f, unsigned char *to, uint64_t value,
		unsigned int size)
{
	unsigned int i;

	for (i = 0; i < size; i++)
		to[f->machine.layout.big_endian ? size - 1 - i : i] = value >> 8 * i;
}

void record_begin(struct record *r, const struct engine_fixture *f, const struct hist_event *event,
		  uint32_t pid)
{
	memset(r, 0, sizeof(*r));
	r->f = f;
	r->event = event;
	r->len = hist_event_size(event);
	put(f, r->data, event->id, 2);
	put(f, r->data + 4, pid, 4);
}

void record_number(struct record *r, const char *field, uint64_t value)
{
	const struct hist_event_field *at = hist_event_find(r->event, field);

	must(at, field);
	put(r->f, r->data + at->offset, value, at->size);
}

void record_string(struct record *r, const char *field, const char *s)
{
	const struct hist_event_field *at = hist_event_find(r->event, field);
	uint32_t len = strlen(s) + 1, from;

	must(at, field);
	if (!at->is_dynamic) {
		must(strlen(s) <= at->size, s);
		memcpy(r->data + at->offset, s, strlen(s));
		return;
	}
	from = strstr(at->ctype, "__rel_loc") ? r->len - at->offset - 4 : r->len;
	put(r->f, r->data + at->offset, len << 16 | from, 4);
	must(r->len + len <= sizeof(r->data), s);
	memcpy(r->data + r->len, s, len);
	r->len += len;
}

/* As the only event of a page of its own. */
static void hit_page(struct engine_fixture *f, unsigned int cpu, uint64_t time,
		     const struct record *r)
{
	size_t len = 16 + 4 + r->len;
	unsigned char *data = calloc(1, len);
	struct hist_ring_page page;

	put(f, data, time, 8);
	put(f, data + 8, 4 + r->len, 8);
	put(f, data + 16, r->len / 4, 4);
	memcpy(data + 20, r->data, r->len);
	must(!hist_ring_page_begin(&page, &f->machine.layout, data, len), "a page");
	must(!hist_run_count_page(f->run, cpu, &page, 0, UINT64_MAX), "events of a page");
	free(data);
}

void fixture_hit(struct engine_fixture *f, unsigned int cpu, uint64_t time, const struct record *r)
{
	unsigned char *copy;

	if (!f->run)
		must(!hist_run_new(&f->run, f->engine), "no run");
	if (!f->machine.layout.big_endian && f->machine.layout.long_size == 8 && r->len % 4 == 0 &&
	    r->len <= 28 * 4 && f->scope == HIST_RUN_ALL) {
		hit_page(f, cpu, time, r);
		return;
	}
	/* of its own length, so that whoever reads more is found out */
	copy = malloc(r->len);
	memcpy(copy, r->data, r->len);
	must(!hist_run_count_event(f->run, cpu, f->scope, time, copy, r->len), "an event");
	free(copy);
}

static int print_key(char *to, size_t room, const struct hist_table *table,
		     const struct hist_key_desc *desc, const struct hist_cell *cell)
{
	bool has_num = !hist_key_is_text(desc->kind), has_str = hist_key_has_string(desc->kind);
	const char *s;
	size_t len, i;
	int n = 0;

	if (has_str) {
		s = hist_table_string(table, cell->str, &len);
		for (i = 0; i < len; i++)
			n += snprintf(to + n, room - n, "%c", s[i] == '\n' ? '/' : s[i]);
	}
	if (has_num && has_str)
		n += snprintf(to + n, room - n, "[%llu]", (unsigned long long)cell->num);
	else if (has_num && desc->is_signed)
		n += snprintf(to + n, room - n, "%lld", (long long)cell->num);
	else if (has_num)
		n += snprintf(to + n, room - n, "%llu", (unsigned long long)cell->num);
	return n;
}

const char *fixture_rows_of(struct engine_fixture *f, struct hist_run *const *runs, unsigned int n,
			    unsigned int hist)
{
	const struct hist_schema *schema = hist_engine_schema(f->engine, hist);
	struct hist_table *table = hist_table_new(schema);
	struct hist_snapshot snap = { 0 };
	const size_t room = sizeof(f->text);
	unsigned int v;
	uint32_t i;
	int ret, len = 0;

	must(table, "no table");
	ret = hist_engine_snapshot(runs, n, hist, table, &snap);
	if (ret)
		len += snprintf(f->text, room, "error %d\n", ret);
	for (i = 0; !ret && i < snap.nentries; i++) {
		for (v = 0; v < schema->nkeys; v++) {
			len += snprintf(f->text + len, room - len, "%s", v ? " " : "");
			len += print_key(f->text + len, room - len, table, &schema->keys[v],
					 &hist_table_cells(table, i)[v]);
		}
		len += snprintf(f->text + len, room - len, ":");
		for (v = 0; v < schema->nvalues; v++) {
			uint64_t value = snap.values[(size_t)i * schema->nvalues + v];

			if (hist_value_is_text(schema->values[v].kind))
				len += snprintf(f->text + len, room - len, " {%s}",
						hist_table_string(table, value, NULL));
			else
				len += snprintf(f->text + len, room - len,
						schema->values[v].is_signed ? " %lld" : " %llu",
						(unsigned long long)value);
		}
		len += snprintf(f->text + len, room - len, "\n");
	}
	if (!ret)
		snprintf(f->text + len, room - len, "= %llu %llu %llu\n",
			 (unsigned long long)snap.hits, (unsigned long long)snap.entries,
			 (unsigned long long)snap.dropped);
	hist_snapshot_clear(&snap);
	hist_table_free(table);
	return f->text;
}

const char *fixture_rows(struct engine_fixture *f, unsigned int hist)
{
	if (!f->run)
		must(!hist_run_new(&f->run, f->engine), "no run");
	return fixture_rows_of(f, &f->run, 1, hist);
}
