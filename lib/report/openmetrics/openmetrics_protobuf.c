// SPDX-License-Identifier: LGPL-2.1
/*
 * openmetrics_protobuf.c - the families as protobuf messages, with native histograms
 *
 * A message is built from the inside out, because its length is in front of it.
 *
 * A native histogram of schema 0 has the bucket (2^(n-1), 2^n] at the index n, as .log2 has it, so
 * nothing is moved between buckets.  Its zero bucket has the numbers from -1 to 1: there it has the
 * row of 0 and 1.  Runs of buckets with hits are spans, and each count is the difference from the
 * one before.
 */
#include <math.h>
#include <string.h>

#include "lib/base/varint.h"
#include "lib/report/openmetrics/openmetrics.h"

/* enum MetricType, and the field of struct Metric for it */
static const struct {
	const char *text;
	unsigned int type, field;
} protobuf_types[] = {
	{ "counter", 0, 3 },
	{ "gauge", 1, 2 },
	{ "info", 1, 2 },
	{ "histogram", 4, 7 },
};

enum { PROTOBUF_VARINT, PROTOBUF_DOUBLE, PROTOBUF_BYTES };

static void protobuf_put_key(struct hist_strbuf *b, unsigned int field, unsigned int wire)
{
	varint_put(b, field << 3 | wire);
}

static void protobuf_put_varint(struct hist_strbuf *b, unsigned int field, uint64_t v)
{
	protobuf_put_key(b, field, PROTOBUF_VARINT);
	varint_put(b, v);
}

static void protobuf_put_double(struct hist_strbuf *b, unsigned int field, double v)
{
	uint64_t bits;
	unsigned int i;

	memcpy(&bits, &v, sizeof(bits));
	protobuf_put_key(b, field, PROTOBUF_DOUBLE);
	for (i = 0; i < 8; i++)
		hist_strbuf_char(b, (char)(bits >> 8 * i));
}

static void protobuf_put_bytes(struct hist_strbuf *b, unsigned int field, const char *s, size_t len)
{
	protobuf_put_key(b, field, PROTOBUF_BYTES);
	varint_put(b, len);
	hist_strbuf_add(b, s, len);
}

/* The message @from; its errors become those of @b. */
static void protobuf_put_message(struct hist_strbuf *b, unsigned int field,
				 const struct hist_strbuf *from)
{
	hist_strbuf_fail(b, from->error);
	protobuf_put_bytes(b, field, from->data, from->len);
}

static void protobuf_end(struct openmetrics *o)
{
	struct openmetrics_protobuf *p = &o->messages;

	if (!p->any)
		return;
	hist_strbuf_fail(&o->base.out, p->buffers[OM_FAMILY].error);
	varint_put(&o->base.out, p->buffers[OM_FAMILY].len);
	hist_strbuf_append(&o->base.out, &p->buffers[OM_FAMILY]);
	hist_strbuf_drain(&o->base.out, o->base.o.f);
	p->any = false;
	p->has_exemplars = false;
}

static void protobuf_begin(struct openmetrics *o, const char *name, const char *suffix,
			   const char *type, const char *help, size_t help_len)
{
	struct openmetrics_protobuf *p = &o->messages;
	struct hist_strbuf *b;

	protobuf_end(o);
	b = hist_strbuf_clear(&p->buffers[OM_FAMILY]);
	for (p->type = 0; strcmp(protobuf_types[p->type].text, type);)
		p->type++;
	p->any = true;
	hist_strbuf_str(hist_strbuf_clear(&p->buffers[OM_VALUE]), name);
	hist_strbuf_str(&p->buffers[OM_VALUE], suffix);
	protobuf_put_message(b, 1, &p->buffers[OM_VALUE]);
	protobuf_put_bytes(b, 2, help, help_len);
	protobuf_put_varint(b, 3, protobuf_types[p->type].type);
	p->head_len = b->len;
}

/* Add the labels a="x",b="y" to @to as pairs; openmetrics_put_label() wrote them. */
static void protobuf_put_labels(struct openmetrics_protobuf *p, struct hist_strbuf *to,
				const char *at, size_t len)
{
	struct hist_strbuf *label = &p->buffers[OM_LABEL], *text = &p->buffers[OM_TEXT];
	const char *end = at + len, *name;

	while (at < end) {
		name = at;
		at = memchr(at, '=', end - at);
		protobuf_put_bytes(hist_strbuf_clear(label), 1, name, at - name);
		hist_strbuf_clear(text);
		for (at += 2; *at != '"'; at++)
			hist_strbuf_char(text, *at == '\\' ? *++at : *at);
		protobuf_put_message(label, 2, text);
		protobuf_put_message(to, 1, label);
		at += at + 1 < end ? 2 : 1;
	}
}

static void protobuf_put_timestamp(struct openmetrics_protobuf *p, struct hist_strbuf *to,
				   unsigned int field, uint64_t wall)
{
	struct hist_strbuf *text = hist_strbuf_clear(&p->buffers[OM_TEXT]);

	protobuf_put_varint(text, 1, wall / 1000000000);
	protobuf_put_varint(text, 2, wall % 1000000000);
	protobuf_put_message(to, field, text);
}

static void protobuf_put_exemplar(struct openmetrics_protobuf *p, struct hist_strbuf *to,
				  unsigned int field, const struct hist_exemplar *exemplar)
{
	struct hist_strbuf *b = hist_strbuf_clear(&p->buffers[OM_EXEMPLAR]);

	if (!exemplar)
		return;
	protobuf_put_labels(p, b, exemplar->labels, strlen(exemplar->labels));
	protobuf_put_double(b, 2, exemplar->value);
	protobuf_put_timestamp(p, b, 3, exemplar->wall);
	protobuf_put_message(to, field, b);
}

static void protobuf_begin_metric(struct openmetrics *o)
{
	struct openmetrics_protobuf *p = &o->messages;

	hist_strbuf_clear(&p->buffers[OM_METRIC]);
	hist_strbuf_fail(&p->buffers[OM_METRIC], o->labels.error);
	if (!p->buffers[OM_METRIC].error)
		protobuf_put_labels(p, &p->buffers[OM_METRIC], o->labels.data + 1,
				    o->labels.len - 1);
	hist_strbuf_clear(&p->buffers[OM_VALUE]);
}

/* The time since when a counter counts, as a google.protobuf.Timestamp. */
static void protobuf_put_start(struct openmetrics *o, unsigned int field)
{
	const struct hist_recorder_facts *recorder = o->base.o.recorder;
	struct openmetrics_protobuf *p = &o->messages;

	if (recorder && recorder->started)
		protobuf_put_timestamp(p, &p->buffers[OM_VALUE], field, recorder->started);
}

static void protobuf_end_metric(struct openmetrics_protobuf *p)
{
	protobuf_put_message(&p->buffers[OM_METRIC], protobuf_types[p->type].field,
			     &p->buffers[OM_VALUE]);
	protobuf_put_message(&p->buffers[OM_FAMILY], 4, &p->buffers[OM_METRIC]);
}

static void protobuf_add(struct openmetrics *o, double v)
{
	struct openmetrics_protobuf *p = &o->messages;

	protobuf_begin_metric(o);
	protobuf_put_double(&p->buffers[OM_VALUE], 1, v);
	if (!protobuf_types[p->type].type)
		protobuf_put_start(o, 3);
	protobuf_end_metric(p);
}

static void protobuf_put_native(struct openmetrics_protobuf *p, const struct om_bin *buckets,
				size_t n)
{
	uint64_t zero = 0, before = 0;
	int next = 0; /* the octave after the last span */
	size_t i, end;

	hist_strbuf_clear(&p->buffers[OM_DELTAS]);
	for (i = 0; i < n; i = end) {
		end = i + 1;
		if (!buckets[i].count)
			continue;
		if (buckets[i].octave == OM_ZERO_BUCKET) {
			zero += buckets[i].count;
			continue;
		}
		while (end < n && buckets[end].count &&
		       buckets[end].octave == buckets[end - 1].octave + 1)
			end++;
		hist_strbuf_clear(&p->buffers[OM_PART]);
		protobuf_put_varint(&p->buffers[OM_PART], 1,
				    varint_zigzag(buckets[i].octave - next));
		protobuf_put_varint(&p->buffers[OM_PART], 2, end - i);
		protobuf_put_message(&p->buffers[OM_VALUE], 12, &p->buffers[OM_PART]);
		next = buckets[end - 1].octave + 1;
		for (; i < end; i++) {
			varint_put(&p->buffers[OM_DELTAS],
				   varint_zigzag((int64_t)(buckets[i].count - before)));
			before = buckets[i].count;
		}
	}
	/* a threshold above 0 also says that the histogram is native */
	protobuf_put_double(&p->buffers[OM_VALUE], 6, 1);
	protobuf_put_varint(&p->buffers[OM_VALUE], 7, zero);
	protobuf_put_message(&p->buffers[OM_VALUE], 13, &p->buffers[OM_DELTAS]);
	for (i = 0; i < n; i++)
		protobuf_put_exemplar(p, &p->buffers[OM_VALUE], 16, buckets[i].exemplar);
}

static void protobuf_put_classic(struct openmetrics_protobuf *p, const struct om_bin *buckets,
				 size_t n)
{
	uint64_t count = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		count += buckets[i].count;
		hist_strbuf_clear(&p->buffers[OM_PART]);
		protobuf_put_varint(&p->buffers[OM_PART], 1, count);
		protobuf_put_double(&p->buffers[OM_PART], 2, buckets[i].le);
		protobuf_put_exemplar(p, &p->buffers[OM_PART], 3, buckets[i].exemplar);
		protobuf_put_message(&p->buffers[OM_VALUE], 3, &p->buffers[OM_PART]);
	}
}

/*
 * Begin a message of the same family again.  Prometheus takes the exemplars of the first native
 * histogram of a message only, and those of others from the number on that it has taken.  Source:
 * ProtobufParser.Next() in model/textparse/protobufparse.go of 3.5, which does not reset
 * exemplarPos.
 */
static void protobuf_repeat_family(struct openmetrics *o)
{
	struct openmetrics_protobuf *p = &o->messages;

	protobuf_end(o);
	p->buffers[OM_FAMILY].len = p->head_len;
	p->any = true;
}

static void protobuf_add_histogram(struct openmetrics *o, const struct om_bin *buckets, size_t n,
				   bool native, double sum)
{
	struct openmetrics_protobuf *p = &o->messages;
	bool has_exemplars = false;
	uint64_t count = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		count += buckets[i].count;
		has_exemplars |= native && buckets[i].exemplar;
	}
	if (has_exemplars && p->has_exemplars)
		protobuf_repeat_family(o);
	p->has_exemplars |= has_exemplars;
	protobuf_begin_metric(o);
	protobuf_put_varint(&p->buffers[OM_VALUE], 1, count);
	protobuf_put_double(&p->buffers[OM_VALUE], 2, sum);
	if (native)
		protobuf_put_native(p, buckets, n);
	else
		protobuf_put_classic(p, buckets, n);
	protobuf_put_start(o, 15);
	protobuf_end_metric(p);
}

const struct om_emitter openmetrics_protobuf = {
	.begin = protobuf_begin,
	.add = protobuf_add,
	.add_histogram = protobuf_add_histogram,
	.end = protobuf_end,
};
