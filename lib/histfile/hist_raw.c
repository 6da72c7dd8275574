// SPDX-License-Identifier: LGPL-2.1
/*
 * hist_raw.c - the header of a hist_raw file, and its histograms
 *
 * Invariant: once a file is open, each histogram is inside the file, and so are its fields, its
 * trigger and its entries.  raw_reader.c checks the contents of the fields.
 */
#include <errno.h>

#include "lib/base/text.h"
#include "lib/histfile/raw_private.h"

/* The length of the trigger without the newline and the state that the text prints after it. */
static size_t without_state(const char *trigger, size_t len)
{
	while (len && trigger[len - 1] == '\n')
		len--;
	if (text_ends_with(trigger, len, " [active]") || text_ends_with(trigger, len, " [paused]"))
		len -= strlen(" [active]");
	return len;
}

/* Read the histogram at @pos.  -EBADMSG: the histogram is not inside the file. */
static int raw_read_block(const struct hist_raw *raw, size_t pos, struct hist_raw_block *block)
{
	const unsigned char *data = raw->data + pos, *end;
	size_t left = raw->size - pos;
	uint32_t trigger;

	if (left < HIST_SIZE)
		return -EBADMSG;
	block->data = data;
	block->size = bytes_u64(raw->big_endian, data + HIST_BLOCK_SIZE);
	block->id = bytes_u64(raw->big_endian, data + HIST_ID);
	block->resets = bytes_u64(raw->big_endian, data + HIST_RESETS);
	block->hits = bytes_u64(raw->big_endian, data + HIST_HITS);
	block->dropped = bytes_u64(raw->big_endian, data + HIST_DROPS);
	block->paused = bytes_u32(raw->big_endian, data + HIST_FLAGS) & HIST_FL_PAUSED;
	block->nentries = bytes_u32(raw->big_endian, data + HIST_ENTRIES_COUNT);
	block->entry_size = bytes_u32(raw->big_endian, data + HIST_ENTRY_SIZE);
	block->nfields = bytes_u32(raw->big_endian, data + HIST_FIELDS_COUNT);
	block->field_size = bytes_u32(raw->big_endian, data + HIST_FIELD_SIZE);
	block->fields = bytes_u32(raw->big_endian, data + HIST_FIELDS);
	block->comm = bytes_u32(raw->big_endian, data + HIST_COMM);
	block->entries = bytes_u32(raw->big_endian, data + HIST_ENTRIES);
	trigger = bytes_u32(raw->big_endian, data + HIST_TRIGGER);
	if (block->size < HIST_SIZE || block->size > left || block->field_size < FIELD_SIZE ||
	    block->fields + (uint64_t)block->nfields * block->field_size > block->size ||
	    block->entries + (uint64_t)block->nentries * block->entry_size > block->size ||
	    trigger >= block->size ||
	    (block->comm && (uint64_t)block->comm + RAW_COMM > block->entry_size))
		return -EBADMSG;
	end = memchr(data + trigger, '\0', block->size - trigger);
	if (!end)
		return -EBADMSG;
	block->trigger = (const char *)data + trigger;
	block->trigger_len = without_state(block->trigger, end - (data + trigger));
	return 0;
}

int hist_raw_open(struct hist_raw *raw, const void *data, size_t len)
{
	struct hist_raw r = { .data = data, .size = len };
	struct hist_raw_block block;
	uint32_t i, n;
	size_t pos;

	if (len < HEAD_SIZE)
		return -EBADMSG;
	r.big_endian = bytes_u32(true, data) == RAW_MAGIC;
	if (!r.big_endian && bytes_u32(false, data) != RAW_MAGIC)
		return -EBADMSG;
	if (bytes_u16(r.big_endian, r.data + HEAD_VERSION) != RAW_VERSION)
		return -ENOTSUP;
	r.first = bytes_u16(r.big_endian, r.data + HEAD_HEAD_SIZE);
	r.long_size = bytes_u32(r.big_endian, r.data + HEAD_LONG_SIZE);
	r.timestamp = bytes_u64(r.big_endian, r.data + HEAD_TIMESTAMP);
	memcpy(r.clock, r.data + HEAD_CLOCK, HEAD_CLOCK_LEN);
	if (r.first < HEAD_SIZE || r.first > len || (r.long_size != 4 && r.long_size != 8) ||
	    bytes_u64(r.big_endian, r.data + HEAD_FILE_SIZE) != len)
		return -EBADMSG;
	n = bytes_u32(r.big_endian, r.data + HEAD_HISTS);
	pos = r.first;
	for (i = 0; i < n; i++) {
		if (raw_read_block(&r, pos, &block))
			return -EBADMSG;
		pos += block.size;
	}
	if (pos != len)
		return -EBADMSG;
	*raw = r;
	return 0;
}

bool hist_raw_next_block(const struct hist_raw *raw, size_t *pos, struct hist_raw_block *block)
{
	if (!*pos)
		*pos = raw->first;
	if (*pos >= raw->size || raw_read_block(raw, *pos, block))
		return false;
	*pos += block->size;
	return true;
}
