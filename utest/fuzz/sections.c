// SPDX-License-Identifier: GPL-2.0
/*
 * sections.c - our sections in an input of a fuzzer: sums put right, and sections mutated
 *
 * A section is found by its magic at any place, in either byte order, so that inputs may
 * hold several files and other bytes before them.  A mutation changes the bytes of an
 * input anywhere, or only those of its first line, of a body or of a header; or it
 * repeats a section at another place, or drops one.  Sizes follow the body, and then all
 * checksums are put right.  Compressed bodies are only changed as bytes.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "lib/series/record.h"
#include "utest/fuzz/sections.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

#define SECTION_HEADER_SIZE 16
#define SECTIONS_MAX 512

struct section {
	size_t at; /* of its 40 bytes */
	size_t len; /* of its body */
	bool be;
};

/* True: 40 bytes of ours, with a body that is there. */
static bool is_section(const uint8_t *p, size_t left, struct section *s)
{
	if (left < RECORD_HEADER_SIZE)
		return false;
	s->be = bytes_u32(true, p) == RECORD_MAGIC;
	if (!s->be && bytes_u32(false, p) != RECORD_MAGIC)
		return false;
	s->len = bytes_u32(s->be, p + 28);
	return s->len <= left - RECORD_HEADER_SIZE;
}

void sections_fix(uint8_t *data, size_t size)
{
	struct section s;
	uint8_t *p;
	size_t i;
	bool be;

	/* from the end: a section inside another is put right first */
	for (i = size; i-- > 0;) {
		p = data + i;
		if (is_section(p, size - i, &s))
			bytes_put_u32(s.be, p + 32, crc32(0, p + RECORD_HEADER_SIZE, s.len));
		if (size - i >= RECORD_HEADER_SIZE && (bytes_u32(true, p) == RECORD_MAGIC ||
						       bytes_u32(false, p) == RECORD_MAGIC))
			bytes_put_u32(bytes_u32(true, p) == RECORD_MAGIC, p + 36,
					 crc32(0, p, 36));
		if (size - i < TRACEDAT_HIST_OPTION_SIZE)
			continue;
		be = bytes_u32(true, p) == TRACEDAT_HIST_MAGIC;
		if (be || bytes_u32(false, p) == TRACEDAT_HIST_MAGIC)
			bytes_put_u32(be, p + 16, crc32(0, p, 16));
	}
}

static unsigned int find_sections(const uint8_t *data, size_t size, struct section *found)
{
	unsigned int n = 0;
	size_t i;

	for (i = SECTION_HEADER_SIZE; i < size && n < SECTIONS_MAX; i++) {
		if (!is_section(data + i, size - i, &found[n]))
			continue;
		found[n].at = i;
		i += RECORD_HEADER_SIZE + found[n].len - 1;
		n++;
	}
	return n;
}

/* The @old bytes at @at become @len others; the new size, or the old one where that is too much. */
static size_t replace(uint8_t *data, size_t size, size_t max_size, size_t at, size_t old,
		      const uint8_t *bytes, size_t len)
{
	if (size - old + len > max_size)
		return size;
	memmove(data + at + len, data + at + old, size - at - old);
	if (len)
		memcpy(data + at, bytes, len);
	return size - old + len;
}

/* Mutates the @old bytes at @at; *@len: how many they are now. */
static size_t mutate_part(uint8_t *data, size_t size, size_t max_size, size_t at, size_t old,
			  size_t *len)
{
	size_t room = max_size - size + old, mutated;
	uint8_t *part = malloc(room + 1);

	*len = old;
	if (!part)
		return size;
	memcpy(part, data + at, old);
	mutated = LLVMFuzzerMutate(part, old, room);
	if (size - old + mutated <= max_size) {
		size = replace(data, size, max_size, at, old, part, mutated);
		*len = mutated;
	}
	free(part);
	return size;
}

static size_t mutate_body(uint8_t *data, size_t size, size_t max_size, const struct section *s)
{
	uint8_t *head = data + s->at;
	size_t len;

	size = mutate_part(data, size, max_size, s->at + RECORD_HEADER_SIZE, s->len, &len);
	if (!(bytes_u32(s->be, head + 12) & RECORD_COMPRESSED))
		bytes_put_u32(s->be, head + 24, len);
	bytes_put_u32(s->be, head + 28, len);
	/* the header of the section around it */
	bytes_put_u32(s->be, head - (s->be ? 4 : 8), RECORD_HEADER_SIZE + len);
	return size;
}

/* From the type up to the time: what is behind them are sizes. */
static size_t mutate_header(uint8_t *data, size_t size, const struct section *s)
{
	size_t len;

	return mutate_part(data, size, size, s->at + 5, 19, &len);
}

/* A copy of @s behind @after. */
static size_t repeat(uint8_t *data, size_t size, size_t max_size, const struct section *s,
		     const struct section *after)
{
	size_t len = SECTION_HEADER_SIZE + RECORD_HEADER_SIZE + s->len;
	uint8_t *copy = malloc(len);

	if (!copy)
		return size;
	memcpy(copy, data + s->at - SECTION_HEADER_SIZE, len);
	size = replace(data, size, max_size, after->at + RECORD_HEADER_SIZE + after->len, 0, copy, len);
	free(copy);
	return size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	static struct section found[SECTIONS_MAX];
	unsigned int n = find_sections(data, size, found);
	const struct section *s = &found[n ? seed / 16 % n : 0];
	const uint8_t *line = memchr(data, '\n', size < 200 ? size : 200);
	size_t len;

	switch (n ? seed % 16 : line ? seed % 4 : 0) {
	case 0:
	case 1:
	case 2:
		size = LLVMFuzzerMutate(data, size, max_size);
		break;
	case 3:
		size = line ? mutate_part(data, size, max_size, 0, line - data, &len) :
			      LLVMFuzzerMutate(data, size, max_size);
		break;
	case 4:
	case 5:
		size = mutate_header(data, size, s);
		break;
	case 6:
		size = repeat(data, size, max_size, s, &found[seed / 16 / n % n]);
		break;
	case 7:
		size = replace(data, size, max_size, s->at - SECTION_HEADER_SIZE,
			       SECTION_HEADER_SIZE + RECORD_HEADER_SIZE + s->len, NULL, 0);
		break;
	default:
		size = mutate_body(data, size, max_size, s);
	}
	/* now and then a sum is wrong */
	if (seed / 16 % 32)
		sections_fix(data, size);
	return size;
}
