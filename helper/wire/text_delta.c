// SPDX-License-Identifier: GPL-2.0
/*
 * text_delta.c - encode a text as the difference from the previous text
 *
 * The sender looks up each piece by its hash. It first tries the position that
 * continues the last run, then a table of the previous text. Pieces such as "hitcount:
 * 1" repeat, and a continued run is shorter than a new one. Therefore the first look-up
 * nearly always succeeds.
 *
 * Invariant: both ends number pieces identically, because text_delta_piece_len() depends only on
 * the bytes.
 */
#include "helper/port/port.h"

#include "helper/wire/text_delta.h"

#define NO_PIECE UINT32_MAX
#define LITERAL_MAX 8192

/* Length of the piece at @s, or 0 if @len bytes do not contain the whole piece. */
static size_t text_delta_piece_len(const char *s, size_t len)
{
	size_t i, blanks = 0, end = len < TEXT_DELTA_PIECE_MAX ? len : TEXT_DELTA_PIECE_MAX;

	for (i = 0; i < end; i++) {
		if (s[i] == '\n')
			return i + 1;
		if (s[i] != ' ')
			continue;
		if (i && s[i - 1] == '}')
			return i + 1;
		if (blanks++ == 1 && i >= 2 && s[i - 1] == ' ' && s[i - 2] == ':')
			return i + 1;
	}
	return end == TEXT_DELTA_PIECE_MAX ? end : 0;
}

/* Multiply and fold; the seed prevents intentional collisions. */
static uint64_t text_delta_hash_piece(const char *s, size_t len, uint64_t seed)
{
	uint64_t h = seed ^ len * 0x9e3779b97f4a7c15u, word;

	for (; len >= 8; s += 8, len -= 8) {
		memcpy(&word, s, 8);
		h = (h ^ word) * 0xff51afd7ed558ccdu;
		h ^= h >> 29;
	}
	word = 0;
	memcpy(&word, s, len);
	h = (h ^ word) * 0xc4ceb9fe1a85ec53u;
	return h ^ h >> 32;
}

static size_t put_varint(unsigned char *p, uint64_t v)
{
	size_t n = 0;

	for (; v >= 0x80; v >>= 7)
		p[n++] = v | 0x80;
	p[n++] = v;
	return n;
}

/* The hashes of the pieces of one text, by number. */
struct pieces {
	uint64_t *hashes;
	uint32_t n, room;
};

struct text_delta_encoder {
	uint64_t seed;
	struct pieces before, now;
	uint32_t *table; /* piece numbers in @before, by hash; NO_PIECE: unused */
	uint32_t size;	 /* of @table: a power of two, or 0 */
	uint32_t expected; /* the number after the last run */
	uint32_t run_start, run;
	size_t left, literal;
	char tail[TEXT_DELTA_PIECE_MAX]; /* the start of an incomplete piece */
	char bytes[LITERAL_MAX];    /* new text not yet sent */
};

struct text_delta_encoder *text_delta_encoder_new(uint64_t seed)
{
	struct text_delta_encoder *e = calloc(1, sizeof(*e));

	if (e)
		e->seed = seed;
	return e;
}

void text_delta_encoder_free(struct text_delta_encoder *e)
{
	if (!e)
		return;
	free(e->before.hashes);
	free(e->now.hashes);
	free(e->table);
	free(e);
}

/* The slot of the table with the first piece of hash @h, or the unused slot for it. */
static uint32_t text_delta_find_slot(const struct text_delta_encoder *e, uint64_t h)
{
	uint32_t slot = h & (e->size - 1);

	while (e->table[slot] != NO_PIECE && e->before.hashes[e->table[slot]] != h)
		slot = (slot + 1) & (e->size - 1);
	return slot;
}

/*
 * Build the table of the previous text. If memory is short, runs are found only if they
 * continue.
 */
static void index_before(struct text_delta_encoder *e)
{
	uint32_t i, size = 64;

	while (size < e->before.n * 2)
		size *= 2;
	if (size != e->size) {
		free(e->table);
		e->table = malloc(size * sizeof(*e->table));
		e->size = e->table ? size : 0;
	}
	for (i = 0; i < e->size; i++)
		e->table[i] = NO_PIECE;
	/* backwards, so that a look-up finds the first of equal pieces */
	for (i = e->size ? e->before.n : 0; i-- > 0;)
		e->table[text_delta_find_slot(e, e->before.hashes[i])] = i;
}

void text_delta_encoder_begin(struct text_delta_encoder *e, int whole)
{
	struct pieces old = e->before;

	e->before = e->now;
	e->now = old;
	e->now.n = 0;
	if (whole || e->before.n > TEXT_DELTA_PIECES_MAX)
		e->before.n = 0;
	e->expected = e->run = 0;
	e->left = e->literal = 0;
	index_before(e);
}

static int flush_run(struct text_delta_encoder *e, text_delta_emit emit, void *arg)
{
	int64_t distance = (int64_t)e->run_start - e->expected;
	unsigned char op[20];
	size_t n;

	if (!e->run)
		return 0;
	n = put_varint(op, (uint64_t)e->run * 2);
	n += put_varint(op + n, (uint64_t)distance << 1 ^ (uint64_t)(distance >> 63));
	e->expected = e->run_start + e->run;
	e->run = 0;
	return emit(arg, op, n);
}

static int flush_literal(struct text_delta_encoder *e, text_delta_emit emit, void *arg)
{
	unsigned char op[10];
	size_t len = e->literal;
	int ret;

	if (!len)
		return 0;
	e->literal = 0;
	ret = emit(arg, op, put_varint(op, (uint64_t)len * 2 + 1));
	return ret ? ret : emit(arg, e->bytes, len);
}

static uint32_t text_delta_find_piece(const struct text_delta_encoder *e, uint64_t h)
{
	uint32_t next = e->run ? e->run_start + e->run : e->expected;

	if (next < e->before.n && e->before.hashes[next] == h)
		return next;
	/* skip one changed piece: the usual case after new text */
	if (next + 1 < e->before.n && e->before.hashes[next + 1] == h)
		return next + 1;
	return e->size ? e->table[text_delta_find_slot(e, h)] : NO_PIECE;
}

static int text_delta_add_piece(struct text_delta_encoder *e, uint64_t h)
{
	struct pieces *now = &e->now;
	uint32_t room;
	uint64_t *hashes;

	/* a text above the limit is not stored: begin() detects it */
	if (now->n > TEXT_DELTA_PIECES_MAX)
		return 0;
	if (now->n == now->room) {
		room = now->room ? now->room * 2 : 64;
		hashes = realloc(now->hashes, room * sizeof(*hashes));
		if (!hashes)
			return -ENOMEM;
		now->hashes = hashes;
		now->room = room;
	}
	now->hashes[now->n++] = h;
	return 0;
}

static int add_piece(struct text_delta_encoder *e, const char *s, size_t len, text_delta_emit emit,
		     void *arg)
{
	uint64_t h = text_delta_hash_piece(s, len, e->seed);
	uint32_t number = text_delta_find_piece(e, h);
	int ret = text_delta_add_piece(e, h);

	if (ret)
		return ret;
	if (number == NO_PIECE) {
		ret = flush_run(e, emit, arg);
		if (!ret && e->literal + len > LITERAL_MAX)
			ret = flush_literal(e, emit, arg);
		if (ret)
			return ret;
		memcpy(e->bytes + e->literal, s, len);
		e->literal += len;
		return 0;
	}
	ret = flush_literal(e, emit, arg);
	if (!ret && e->run && number != e->run_start + e->run)
		ret = flush_run(e, emit, arg);
	if (ret)
		return ret;
	if (!e->run)
		e->run_start = number;
	e->run++;
	return 0;
}

int text_delta_encoder_add(struct text_delta_encoder *e, const char *text, size_t len,
			   text_delta_emit emit,
			   void *arg)
{
	size_t n, take;
	int ret;

	while (len) {
		if (!e->left) {
			n = text_delta_piece_len(text, len);
			if (!n) {
				memcpy(e->tail, text, len);
				e->left = len;
				return 0;
			}
			ret = add_piece(e, text, n, emit, arg);
			take = n;
		} else {
			/* complete the piece that the previous call left incomplete */
			take = sizeof(e->tail) - e->left;
			if (take > len)
				take = len;
			memcpy(e->tail + e->left, text, take);
			n = text_delta_piece_len(e->tail, e->left + take);
			if (!n) {
				e->left += take;
				return 0;
			}
			take = n - e->left;
			e->left = 0;
			ret = add_piece(e, e->tail, n, emit, arg);
		}
		if (ret)
			return ret;
		text += take;
		len -= take;
	}
	return 0;
}

int text_delta_encoder_end(struct text_delta_encoder *e, text_delta_emit emit, void *arg)
{
	int ret = 0;

	if (e->left)
		ret = add_piece(e, e->tail, e->left, emit, arg);
	e->left = 0;
	if (!ret)
		ret = flush_run(e, emit, arg);
	return ret ? ret : flush_literal(e, emit, arg);
}

/* A text and the offsets of its pieces; starts[n] is the end. */
struct pieced_text {
	char *text;
	size_t len, room;
	size_t *starts;
	uint32_t n, starts_room;
};

struct text_delta_decoder {
	struct pieced_text before, now;
};

struct text_delta_decoder *text_delta_decoder_new(void)
{
	return calloc(1, sizeof(struct text_delta_decoder));
}

void text_delta_decoder_free(struct text_delta_decoder *d)
{
	if (!d)
		return;
	free(d->before.text);
	free(d->before.starts);
	free(d->now.text);
	free(d->now.starts);
	free(d);
}

void text_delta_decoder_forget(struct text_delta_decoder *d)
{
	d->now.len = 0;
	d->now.n = 0;
}

static int text_delta_append_piece(struct pieced_text *t, const char *s, size_t len, size_t limit)
{
	size_t room = t->room ? t->room : 4096;
	char *text;

	if (len > limit || t->len > limit - len)
		return -EFBIG;
	while (room < t->len + len + 1)
		room *= 2;
	if (room != t->room) {
		text = realloc(t->text, room);
		if (!text)
			return -ENOMEM;
		t->text = text;
		t->room = room;
	}
	memcpy(t->text + t->len, s, len);
	t->len += len;
	return 0;
}

static int number_pieces(struct pieced_text *t)
{
	size_t at = 0, n;
	uint32_t room;
	size_t *starts;

	for (t->n = 0;; t->n++, at += n) {
		if (t->n == t->starts_room) {
			room = t->starts_room ? t->starts_room * 2 : 64;
			starts = realloc(t->starts, room * sizeof(*starts));
			if (!starts)
				return -ENOMEM;
			t->starts = starts;
			t->starts_room = room;
		}
		t->starts[t->n] = at;
		if (at == t->len)
			return 0;
		n = text_delta_piece_len(t->text + at, t->len - at);
		if (!n)
			n = t->len - at;
	}
}

static int get_varint(const unsigned char **p, const unsigned char *end, uint64_t *v)
{
	unsigned int shift;

	*v = 0;
	for (shift = 0; *p < end && shift < 64; shift += 7) {
		*v |= (uint64_t)(**p & 0x7f) << shift;
		if (!(*(*p)++ & 0x80))
			return 0;
	}
	return -EBADMSG;
}

static int copy_run(struct text_delta_decoder *d, uint64_t count, int64_t distance,
		    uint64_t *expected,
		    size_t limit)
{
	const struct pieced_text *from = &d->before;
	uint64_t start = *expected + (uint64_t)distance;

	if (!count || start > from->n || count > from->n - start)
		return -EBADMSG;
	*expected = start + count;
	return text_delta_append_piece(&d->now, from->text + from->starts[start],
				       from->starts[start + count] - from->starts[start], limit);
}

static int text_delta_decode_ops(struct text_delta_decoder *d, const unsigned char *p,
				 const unsigned char *end,
				 size_t limit)
{
	uint64_t v, z, expected = 0;
	int ret = 0;

	while (p < end && !ret) {
		ret = get_varint(&p, end, &v);
		if (ret)
			return ret;
		if (v & 1) {
			if (v / 2 > (size_t)(end - p))
				return -EBADMSG;
			ret = text_delta_append_piece(&d->now, (const char *)p, v / 2, limit);
			p += v / 2;
		} else {
			ret = get_varint(&p, end, &z);
			if (!ret)
				ret = copy_run(d, v / 2, (int64_t)(z >> 1 ^ -(z & 1)), &expected,
					       limit);
		}
	}
	return ret;
}

int text_delta_decoder_apply(struct text_delta_decoder *d, const void *ops, size_t len,
			     size_t limit,
			     const char **text, size_t *text_len)
{
	struct pieced_text old = d->before;
	int ret;

	d->before = d->now;
	d->now = old;
	d->now.len = 0;
	d->now.n = 0;
	/* the pointer may be NULL for an empty file */
	ret = len ? text_delta_decode_ops(d, ops, (const unsigned char *)ops + len, limit) : 0;
	if (!ret)
		ret = text_delta_append_piece(&d->now, "", 0, limit);
	if (!ret)
		ret = number_pieces(&d->now);
	if (ret) {
		text_delta_decoder_forget(d);
		return ret;
	}
	d->now.text[d->now.len] = '\0';
	*text = d->now.text;
	*text_len = d->now.len;
	return 0;
}
