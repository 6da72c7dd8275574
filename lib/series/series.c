// SPDX-License-Identifier: LGPL-2.1
/*
 * series.c - open a file and index its histograms, and join the files of one recording
 *
 * One walk over the section headers builds the index; it does not read bodies of snapshots.
 * The index keeps the first and last time of each histogram, and the offsets of at most SEEKS_MAX
 * full snapshots.  If a histogram has more, the index drops every second offset and from then on
 * keeps only every second full snapshot.  The index also lists the offsets of all snapshots if
 * there are at most LISTED_MAX.  A walk over one histogram then skips the sections of all others.
 * Invariant: memory does not grow with the number of snapshots.
 * After a damaged header, the walk finds the next header by its magic and checksum.
 *
 * The sections of a joined file follow those of the files before it (tracedat_join()), and are
 * added to the index.  Each file begins with the last snapshot of the file before it, which the
 * walks pass over (series_is_repeated()).  The files are sorted first, so each is looked at once.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "lib/base/array.h"
#include "lib/base/text.h"
#include "lib/hist/regroup.h"
#include "lib/series/series_private.h"

/* Step in bytes of the search for the magic. */
#define RESYNC_STEP 65536

/*
 * Damage at one offset is counted once, even if several walks pass it.  It may be counted more
 * than once if memory runs out or after BAD_MAX offsets.
 */
void series_count_bad(struct hist_series *s, uint64_t offset, unsigned int sections, uint32_t lost)
{
	unsigned int at = s->nbad;

	while (at && s->bad[at - 1] > offset)
		at--;
	if (at && s->bad[at - 1] == offset)
		return;
	s->damage.bad_sections += sections;
	s->damage.lost_snapshots += lost;
	if (s->nbad == BAD_MAX)
		return;
	if (array_grow(&s->bad, &s->bad_room, (size_t)s->nbad + 1, sizeof(*s->bad)))
		return;
	memmove(s->bad + at + 1, s->bad + at, (s->nbad++ - at) * sizeof(*s->bad));
	s->bad[at] = offset;
}

int series_walked(struct hist_series *s, struct series_walk *walk, const struct record_header *h,
		  uint64_t body, int ret)
{
	uint32_t gap = walk->any && h->seq > walk->last_seq ? h->seq - walk->last_seq - 1 : 0;
	uint64_t part_end = tracedat_part_end(s->dat, body);

	/* a file between two joined files is missing: no file is damaged */
	if (walk->part_end != part_end)
		gap = 0;
	walk->part_end = part_end;
	walk->any = true;
	walk->last_seq = h->seq;
	walk->live = !ret;
	if (ret && ret != -EBADMSG && ret != -ENODATA && ret != -ESTALE)
		return ret;
	if (ret || gap)
		series_count_bad(s, body, ret && ret != -ESTALE, gap + !!ret);
	return 0;
}

/* Offset of the next valid record header after @offset; the end of the file if none is left. */
static uint64_t series_find_next_record(struct hist_series *s, uint64_t offset)
{
	bool be = s->dat->big_endian;
	uint64_t size = tracedat_part_end(s->dat, offset), at, limit;
	unsigned char magic[4];
	const unsigned char *data, *found;
	struct record_header h;
	size_t len, skip;

	bytes_put_u32(be, magic, RECORD_MAGIC);
	for (at = offset + TRACEDAT_SECTION_HEADER + 1; at + RECORD_HEADER_SIZE <= size;
	     at += RESYNC_STEP) {
		limit = size - at;
		len = limit < RESYNC_STEP + RECORD_HEADER_SIZE ? limit :
								  RESYNC_STEP + RECORD_HEADER_SIZE;
		if (tracedat_read(s->dat, at, len, (const void **)&data))
			break;
		for (skip = 0; (found = memmem(data + skip, len - skip, magic, 4));
		     skip = found - data + 1) {
			if ((size_t)(data + len - found) < RECORD_HEADER_SIZE)
				break;
			if (!record_header_decode(&h, be, found))
				return at + (found - data) - TRACEDAT_SECTION_HEADER;
		}
	}
	return size;
}

int series_next_record(struct hist_series *s, uint64_t *offset, struct record_header *h,
		       uint64_t *body)
{
	struct tracedat_section section;
	uint64_t next, end;
	const void *data;
	int ret;

	for (;;) {
		end = tracedat_part_end(s->dat, *offset);
		ret = tracedat_read_section(s->dat, *offset, &section);
		if (ret == 0)
			return 0;
		if (ret != 1 && ret != -ENODATA)
			return ret;
		/* the record header is sufficient, even if the section header is damaged */
		if (!tracedat_read(s->dat, *offset + TRACEDAT_SECTION_HEADER, RECORD_HEADER_SIZE,
				   &data) &&
		    !record_header_decode(h, s->dat->big_endian, data)) {
			next = *offset + TRACEDAT_SECTION_HEADER + RECORD_HEADER_SIZE +
			       h->stored_len;
			*body = next - h->stored_len;
			if (next > end) {
				s->damage.truncated = true;
				*offset = end;
				continue;
			}
			*offset = next;
			return 1;
		}
		if (ret == 1 && section.id != TRACEDAT_HIST_ID) {
			*offset = section.data + section.size;
			continue;
		}
		next = series_find_next_record(s, *offset);
		if (next == end && ret == -ENODATA)
			s->damage.truncated = true;
		else
			series_count_bad(s, *offset, 1, 0);
		*offset = next;
	}
}

/* Checked body as stored in the file, valid until the next read.  -EBADMSG, -ENOMEM. */
static int series_read_stored(struct hist_series *s, const struct record_header *h, uint64_t offset,
			      const void **stored)
{
	int ret;

	if (!record_ratio_ok(h->raw_len, h->stored_len) ||
	    !record_weight_ok(h->raw_len, s->dat->size))
		return -EBADMSG;
	ret = tracedat_read(s->dat, offset, h->stored_len, stored);
	if (ret)
		return ret;
	return s->sound || crc32(0, *stored, h->stored_len) == h->body_crc ? 0 : -EBADMSG;
}

int series_read_body(struct hist_series *s, const struct record_header *h, uint64_t offset,
		     const void **body)
{
	const void *stored;
	int ret;

	ret = series_read_stored(s, h, offset, &stored);
	if (ret || !body)
		return ret;
	if (!(h->flags & RECORD_COMPRESSED)) {
		*body = stored;
		return 0;
	}
	return hist_compressor_decompress(s->compressor, stored, h->stored_len, h->raw_len, body);
}

static int series_read_definition(struct hist_series *s, const struct record_header *h,
				  uint64_t offset)
{
	const struct hist_schema *old;
	struct hist_definition def;
	const void *body;
	struct varint_reader t;
	int ret;

	if (h->raw_len > RECORD_DEFINITION_MAX ||
	    !record_weight_ok(s->defined + h->raw_len, s->dat->size))
		return -EBADMSG;
	ret = series_read_body(s, h, offset, &body);
	if (ret)
		return ret;
	old = h->hist < s->nstreams ? s->streams[h->hist].info.def.schema : NULL;
	if (old && hist_schema_is_settled(old))
		return 0;
	t = varint_begin(body, h->raw_len);
	ret = definition_decode(&def, &t);
	if (ret)
		return ret;
	if (old && (old->nkeys != def.schema->nkeys || old->nvalues != def.schema->nvalues))
		ret = -EBADMSG;
	else
		ret = array_grow_zeroed(&s->streams, &s->streams_room, h->hist + 1u,
					sizeof(*s->streams));
	if (ret) {
		definition_free(&def);
		return ret;
	}
	if (old)
		definition_free(&s->streams[h->hist].info.def);
	if (h->hist >= s->nstreams)
		s->nstreams = h->hist + 1u;
	s->streams[h->hist].info.def = def;
	s->defined += h->raw_len;
	return 0;
}

/* Adds names to the keys of a histogram.  Without its definition they have no use. */
static int series_read_names(struct hist_series *s, const struct record_header *h, uint64_t offset)
{
	const struct hist_schema *schema;
	struct varint_reader t;
	const void *body;
	int ret;

	schema = h->hist < s->nstreams ? s->streams[h->hist].info.def.schema : NULL;
	if (!schema)
		return 0;
	if (!record_weight_ok(s->defined + h->raw_len, s->dat->size))
		return -EBADMSG;
	ret = series_read_body(s, h, offset, &body);
	if (ret)
		return ret;
	s->defined += h->raw_len;
	t = varint_begin(body, h->raw_len);
	return definition_decode_names(schema, &t);
}

/* Lists the offset of a snapshot of @x; drops all offsets if there are too many. */
static int list_section(struct hist_series *s, struct stream_index *x, uint64_t offset)
{
	unsigned int i;
	int ret;

	if (s->listed > LISTED_MAX)
		return 0;
	if (s->listed++ < LISTED_MAX) {
		ret = array_grow(&x->sections, &x->sections_room, x->nsections + 1,
				 sizeof(*x->sections));
		if (!ret)
			x->sections[x->nsections++] = offset;
		return ret;
	}
	for (i = 0; i < s->nstreams; i++) {
		free(s->streams[i].sections);
		s->streams[i].sections = NULL;
	}
	return 0;
}

static int add_snapshot(struct hist_series *s, const struct record_header *h, uint64_t offset)
{
	struct stream_index *x;
	unsigned int i;
	int ret;

	if (h->hist >= s->nstreams || !s->streams[h->hist].info.def.schema)
		return s->refused_definition ? -ENOTSUP : -EBADMSG;
	x = &s->streams[h->hist];
	if (x->refused)
		return -ENOTSUP;
	ret = list_section(s, x, offset);
	if (ret)
		return ret;
	if (!x->info.snapshots) {
		x->info.first_seq = h->seq;
		x->info.first_time = h->time;
	}
	x->info.snapshots += !x->info.snapshots || !series_is_repeated(h, x->info.last_seq);
	if ((h->flags & HIST_SNAP_RESET) && !x->info.resets++)
		x->info.first_reset = h->seq;
	if ((h->flags & HIST_SNAP_STOPPED) && !x->info.stops++)
		x->info.first_stop = h->seq;
	x->info.last_seq = h->seq;
	x->info.last_time = h->time;
	if (h->type != RECORD_FULL || x->fulls++ % (x->stride ? x->stride : 1))
		return 0;
	if (!x->stride)
		x->stride = 1;
	if (x->nseeks == SEEKS_MAX) {
		for (i = 0; i < SEEKS_MAX / 2; i++)
			x->seeks[i] = x->seeks[2 * i];
		x->nseeks = SEEKS_MAX / 2;
		x->stride *= 2;
	}
	if (array_add(&x->seeks, x->nseeks, sizeof(*x->seeks)))
		return -ENOMEM;
	/* list_section() has added the snapshot to the list */
	x->seeks[x->nseeks++] = (struct series_seek){ offset, h->time, h->seq, x->nsections - 1 };
	return 0;
}

/* Notes what counters need of the files before this one; joined files have the same, or less. */
static int series_note_base(struct hist_series *s, const struct record_header *h, uint64_t at,
			    uint64_t body)
{
	struct stream_index *x = h->hist < s->nstreams ? &s->streams[h->hist] : NULL;
	const void *stored;
	int ret = series_read_stored(s, h, body, &stored);

	if (ret || !x || s->dat->nparts)
		return ret;
	if (h->type == RECORD_FIRST)
		x->first_at = at;
	else
		x->cleared_at = at;
	return 0;
}

/* A refused definition makes all snapshots unreadable unless an earlier one already counts. */
static void series_refuse_definition(struct hist_series *s, const struct record_header *h)
{
	struct stream_index *x = h->hist < s->nstreams ? &s->streams[h->hist] : NULL;

	s->refused_definition = true;
	if (x && x->info.def.schema && !hist_schema_is_settled(x->info.def.schema)) {
		x->refused = true;
		x->info.snapshots = 0;
	}
}

/* Counts a section that a newer program wrote.  Types above RECORD_END are never needed. */
static void series_refuse_record(struct hist_series *s, const struct record_header *h, uint64_t at)
{
	struct hist_series_damage *d = &s->damage;

	if (h->type < RECORD_DEFINITION || h->type > RECORD_END)
		return;
	if (h->type == RECORD_DEFINITION)
		series_refuse_definition(s, h);
	series_count_bad(s, at, 1, 0);
	d->refused_sections++;
	if (h->version > d->refused_version)
		d->refused_version = h->version;
	d->refused_flags |= h->flags & RECORD_REFUSED_FLAGS;
}

/* Adds the sections from @offset to the end of the file to the index.  -ENOMEM, errno of read(). */
static int series_scan_records(struct hist_series *s, uint64_t offset)
{
	struct record_header h;
	uint64_t at, body;
	int ret;

	s->damage.unfinished = true;
	for (;;) {
		ret = series_next_record(s, &offset, &h, &body);
		if (ret <= 0)
			return ret;
		at = body - RECORD_HEADER_SIZE - TRACEDAT_SECTION_HEADER;
		if (!record_is_readable(&h))
			ret = -ENOTSUP;
		else if (h.type == RECORD_DEFINITION)
			ret = series_read_definition(s, &h, body);
		else if (h.type == RECORD_NAMES)
			ret = series_read_names(s, &h, body);
		else if (h.type == RECORD_FULL || h.type == RECORD_DELTA)
			ret = add_snapshot(s, &h, at);
		else if (h.type == RECORD_FIRST || h.type == RECORD_CLEARED)
			ret = series_note_base(s, &h, at, body);
		else if (h.type == RECORD_END)
			s->damage.unfinished = false;
		if (ret == -ENOTSUP)
			series_refuse_record(s, &h, at);
		else if (ret == -EBADMSG)
			series_count_bad(s, at, 1, 0);
		else if (ret < 0)
			return ret;
	}
}

bool hist_series_format_refused(const struct hist_series_damage *damage, char *buf, size_t len)
{
	char how[64] = "";

	buf[0] = '\0';
	if (!damage->refused_sections)
		return false;
	if (damage->refused_version != RECORD_VERSION)
		snprintf(how, sizeof(how), "; this program reads version %d", RECORD_VERSION);
	else if (damage->refused_flags)
		snprintf(how, sizeof(how), " with unknown flags 0x%08" PRIx32,
			 damage->refused_flags);
	else
		snprintf(how, sizeof(how), " with an unknown kind of key or value");
	snprintf(buf, len,
		 "%" PRIu64 " section%s written by a newer trace-cmd hist cannot be read (format "
		 "version %u%s)",
		 damage->refused_sections, text_plural(damage->refused_sections),
		 damage->refused_version, how);
	return true;
}

static int series_explain_missing(struct hist_series *s, struct hist_error *error)
{
	static const struct {
		int ret;
		const char *what, *hint;
	} states[] = {
		[TRACEDAT_HIST_NONE] = { -ENODATA, "the file has no histograms",
					 "use the original "
					 "file if 'trace-cmd split' created this file" },
		[TRACEDAT_HIST_STALE] = { -ENODATA, "'trace-cmd convert' removed the histograms",
					  "use the original file" },
		[TRACEDAT_HIST_BAD] = { -EBADMSG,
					"the trace.dat option that locates the histograms "
					"is damaged, or was written by a newer trace-cmd hist",
					"" },
	};
	enum tracedat_hist_state state = tracedat_find_hist(s->dat, &s->first);

	return state == TRACEDAT_HIST_FOUND
		       ? 0
		       : hist_error_set(error, states[state].ret, "%s\n%s", states[state].what,
					states[state].hint);
}

/* --- names --- */

/* A histogram is SYS:EVENT, or SYS:EVENT#N if an event has several. */
static int series_compare_events(const void *a, const void *b, void *arg)
{
	const struct hist_series *s = arg;
	unsigned int i = *(const unsigned int *)a, j = *(const unsigned int *)b;
	int diff = strcmp(s->streams[i].info.def.event, s->streams[j].info.def.event);

	return diff ? diff : (i > j) - (i < j);
}

/* Fills nth and same of the known streams.  -ENOMEM. */
static int series_number_names(struct hist_series *s)
{
	unsigned int *order = malloc((s->nknown + 1) * sizeof(*order)), first, end, i;

	if (!order)
		return -ENOMEM;
	memcpy(order, s->known, s->nknown * sizeof(*order));
	qsort_r(order, s->nknown, sizeof(*order), series_compare_events, s);
	for (first = 0; first < s->nknown; first = end) {
		const char *event = s->streams[order[first]].info.def.event;

		for (end = first + 1; end < s->nknown; end++)
			if (strcmp(s->streams[order[end]].info.def.event, event))
				break;
		for (i = first; i < end; i++) {
			s->streams[order[i]].nth = i - first;
			s->streams[order[i]].same = end - first;
		}
	}
	free(order);
	return 0;
}

char *hist_series_make_name(const char *event, unsigned int nth, unsigned int same)
{
	char *name;

	if (same == 1)
		return strdup(event);
	return asprintf(&name, "%s#%u", event, nth) < 0 ? NULL : name;
}

char *hist_series_name(const struct hist_series *series, unsigned int hist)
{
	const struct stream_index *x = &series->streams[series->known[hist]];

	return hist_series_make_name(x->info.def.event, x->nth, x->same);
}

bool hist_series_name_matches(const char *name, const char *wanted)
{
	const char *number = strchr(name, '#'), *want_number = strchr(wanted, '#');
	const char *colon = strchr(name, ':');
	size_t event_len = number ? (size_t)(number - name) : strlen(name), i;
	size_t len = want_number ? (size_t)(want_number - wanted) : strlen(wanted);

	if (want_number && strcmp(want_number, number ? number : "#0"))
		return false;
	if (colon && (size_t)(name + event_len - colon - 1) == len &&
	    !memcmp(colon + 1, wanted, len))
		return true;
	if (event_len != len)
		return false;
	for (i = 0; i < len; i++)
		if (wanted[i] != name[i] && !(wanted[i] == '/' && name[i] == ':'))
			return false;
	return true;
}

/* Lists the streams that have snapshots, after a scan.  -ENOMEM. */
static int series_list_known(struct hist_series *s)
{
	unsigned int i;

	free(s->known);
	s->nknown = 0;
	s->known = calloc(s->nstreams + 1, sizeof(*s->known));
	if (!s->known)
		return -ENOMEM;
	for (i = 0; i < s->nstreams; i++) {
		if (s->streams[i].info.snapshots)
			s->known[s->nknown++] = i;
	}
	return series_number_names(s);
}

/* --- open --- */

/* @fd: a descriptor of the file, or -1: open @path. */
static int series_open(struct tracedat_pool *pool, struct hist_series **series, int fd,
		       const char *path, struct hist_error *error)
{
	struct hist_series *s;
	char refused[160];
	int ret;

	s = calloc(1, sizeof(*s));
	if (!s)
		return -ENOMEM;
	ret = fd < 0 ? tracedat_open_in(pool, &s->dat, path, error)
		     : tracedat_open_fd(&s->dat, fd, error);
	if (ret)
		goto fail;
	ret = series_explain_missing(s, error);
	if (ret)
		goto fail;
	ret = -ENOMEM;
	s->in_pool = pool != NULL;
	s->compressor = pool ? tracedat_pool_compressor(pool, s->dat->compression) :
			       hist_compressor_new(s->dat->compression);
	s->path = strdup(path);
	if (!s->compressor || !s->path)
		goto fail;
	ret = series_scan_records(s, s->first);
	if (ret)
		goto fail;
	ret = series_list_known(s);
	if (ret)
		goto fail;
	if (!s->nknown) {
		ret = s->damage.bad_sections ? -EBADMSG : -ENODATA;
		if (hist_series_format_refused(&s->damage, refused, sizeof(refused)))
			hist_error_set(error, ret, "no snapshot can be read: %s", refused);
		else
			hist_error_set(error, ret, "%s",
				       s->damage.bad_sections
					       ? "the file is damaged and no snapshot can be read"
					       : "no snapshot: the recording ended before the "
						 "first snapshot, or the file is truncated");
		goto fail;
	}
	*series = s;
	return 0;
fail:
	hist_series_free(s);
	return ret;
}

int hist_series_open_in(struct tracedat_pool *pool, struct hist_series **series, const char *path,
			struct hist_error *error)
{
	return series_open(pool, series, -1, path, error);
}

int hist_series_open(struct hist_series **series, const char *path, struct hist_error *error)
{
	return series_open(NULL, series, -1, path, error);
}

int hist_series_open_fd(struct hist_series **series, int fd, const char *path,
			struct hist_error *error)
{
	return series_open(NULL, series, fd, path, error);
}

static void free_streams(struct hist_series *s)
{
	unsigned int i;

	for (i = 0; i < s->nstreams; i++) {
		s->streams[i].info.def.schema = series_schema(&s->streams[i]);
		definition_free(&s->streams[i].info.def);
		free(s->streams[i].seeks);
		free(s->streams[i].sections);
	}
	free(s->streams);
	free(s->known);
	free(s->path);
	free(s->range);
	names_clear(&s->joined);
}

void hist_series_free(struct hist_series *s)
{
	unsigned int i;

	if (!s)
		return;
	if (!s->is_fork)
		free_streams(s);
	else if (s->nregrouped)
		free(s->streams);
	for (i = 0; i < s->nregrouped; i++)
		hist_schema_free(s->regrouped[i]);
	free(s->regrouped);
	free(s->bad);
	if (!s->in_pool)
		hist_compressor_free(s->compressor);
	tracedat_reader_free(s->dat);
	free(s);
}

void hist_series_show_numbers(struct hist_series *s)
{
	struct hist_schema *schema;
	unsigned int i, k;

	for (i = 0; i < s->nstreams; i++) {
		schema = (struct hist_schema *)s->streams[i].info.def.schema;
		for (k = 0; schema && k < schema->nkeys; k++)
			schema->keys[k].shows_numbers = true;
	}
}

/* A fork gets streams of its own before the first change. */
static int series_own_streams(struct hist_series *s)
{
	struct stream_index *own;

	if (!s->is_fork || s->nregrouped)
		return 0;
	own = malloc(s->nstreams * sizeof(*own));
	if (!own)
		return -ENOMEM;
	memcpy(own, s->streams, s->nstreams * sizeof(*own));
	s->streams = own;
	return 0;
}

int hist_series_regroup(struct hist_series *s, unsigned int hist, struct hist_buckets *buckets,
			struct hist_error *error)
{
	struct hist_schema *schema;
	struct stream_index *x;
	int ret = -ENOMEM;

	if (hist >= s->nknown || !buckets->n)
		return hist < s->nknown ? 0 : -EINVAL;
	schema = hist_schema_copy(s->streams[s->known[hist]].info.def.schema);
	if (schema)
		ret = hist_buckets_set(buckets, schema, error);
	if (ret == 1)
		ret = array_add(&s->regrouped, s->nregrouped, sizeof(struct hist_schema *)) ?: 1;
	if (ret == 1)
		ret = series_own_streams(s) ?: 1;
	if (ret != 1) {
		hist_schema_free(schema);
		return ret;
	}
	x = &s->streams[s->known[hist]];
	x->recorded = series_schema(x);
	x->info.def.schema = s->regrouped[s->nregrouped++] = schema;
	return 0;
}

unsigned int hist_series_count(const struct hist_series *s)
{
	return s->nknown;
}

const struct hist_series_info *hist_series_info(const struct hist_series *s, unsigned int hist)
{
	return hist < s->nknown ? &s->streams[s->known[hist]].info : NULL;
}

const struct hist_series_damage *hist_series_damage(const struct hist_series *s)
{
	return &s->damage;
}

bool hist_series_is_sound(const struct hist_series *s)
{
	return s->sound;
}

const char *hist_series_path(const struct hist_series *s)
{
	return s->range ? s->range : s->path;
}

const char *hist_series_file_path(const struct hist_series *s, unsigned int i)
{
	if (!i)
		return s->path;
	return i <= s->joined.n ? s->joined.names[i - 1] : NULL;
}

const struct tracedat_reader *hist_series_file(const struct hist_series *s)
{
	return s->dat;
}

/* --- the files of one recording --- */

/* What decides which file follows which. */
struct join_file {
	const struct hist_series *series;
	uint64_t id;
	uint32_t first, last; /* numbers of snapshots */
	unsigned int place;   /* in the list of the caller */
};

static void join_file_init(struct join_file *f, const struct hist_series *s, unsigned int place)
{
	const struct hist_series_info *info;
	unsigned int i;

	*f = (struct join_file){ s, tracedat_trace_id(s->dat), UINT32_MAX, 0, place };
	for (i = 0; i < s->nknown; i++) {
		info = &s->streams[s->known[i]].info;
		f->first = info->first_seq < f->first ? info->first_seq : f->first;
		f->last = info->last_seq > f->last ? info->last_seq : f->last;
	}
}

/* Files of one recording in the order of their snapshots. */
static int join_file_compare(const void *a, const void *b)
{
	const struct join_file *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	if (x->last != y->last)
		return x->last < y->last ? -1 : 1;
	return x->place < y->place ? -1 : 1;
}

/* True if @next can follow @f.  Two files of one and the same snapshot are copies. */
static bool join_file_is_next(const struct join_file *f, const struct join_file *next)
{
	return f->id && f->id == next->id && next->first >= f->last && next->last > f->first &&
	       f->series->dat->big_endian == next->series->dat->big_endian &&
	       f->series->dat->compression == next->series->dat->compression;
}

/* Adds the snapshots of @next to @s. */
static int series_append(struct hist_series *s, const struct hist_series *next)
{
	uint64_t offset = s->dat->size;
	int ret;

	ret = tracedat_join(s->dat, next->dat);
	if (!ret)
		ret = series_scan_records(s, offset);
	return ret ? ret : names_add(&s->joined, next->path, strlen(next->path));
}

/* After the last file. */
static int series_end_join(struct hist_series *s)
{
	if (!s->joined.n)
		return 0;
	if (asprintf(&s->range, "%s to %s", s->path, s->joined.names[s->joined.n - 1]) < 0) {
		s->range = NULL;
		return -ENOMEM;
	}
	return series_list_known(s);
}

/*
 * Joins to the files from @at on, of which the first is not part of another yet, all that follow.
 * @list: @n files in order; files that are part of another have no series.
 */
static int join_following(struct hist_series **files, struct join_file *list, unsigned int n,
			  unsigned int at)
{
	struct join_file tail = list[at];
	struct hist_series *s = files[tail.place];
	unsigned int i;
	int ret = 0;

	for (i = at + 1; i < n && list[i].id == tail.id && !ret; i++) {
		if (!list[i].series || !join_file_is_next(&tail, &list[i]))
			continue;
		tail = list[i];
		list[i].series = NULL;
		ret = series_append(s, files[tail.place]);
		hist_series_free(files[tail.place]);
		files[tail.place] = NULL;
		tail.series = s;
	}
	return ret ? ret : series_end_join(s);
}

int hist_series_join(struct hist_series **files, unsigned int n, unsigned int *left)
{
	struct join_file *list = calloc(n + 1, sizeof(*list));
	int ret = list ? 0 : -ENOMEM;
	unsigned int i;

	for (i = 0; i < n && !ret; i++)
		join_file_init(&list[i], files[i], i);
	if (!ret)
		qsort(list, n, sizeof(*list), join_file_compare);
	for (i = 0; i < n && !ret; i++)
		if (list[i].series && list[i].id)
			ret = join_following(files, list, n, i);
	free(list);
	*left = 0;
	for (i = 0; i < n; i++)
		if (files[i])
			files[(*left)++] = files[i];
	for (i = *left; i < n; i++)
		files[i] = NULL;
	return ret;
}
