// SPDX-License-Identifier: GPL-2.0
/*
 * hostile_make.c - hostile_make FILE: a recording with names that want to be more than text
 *
 * For utest/html.sh.  Six snapshots, hits dropped, a snapshot missed, names with
 * tags, quotes, controls and what turns the direction of writing; an event with a
 * tag in its name; and no end mark.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <tracehist/series.h>

#include "tracedat_fixture.h"

#define SNAPSHOTS 6

static const char *const names[] = {
	"</script><script>document.title='owned'</script>",
	"<b>bold</b>",
	"\"><img src=x onerror=\"document.title='owned'\">",
	"it's & it&amp;s",
	"two\nlines\t\x01",
	"\xe2\x80\xae" "gpj.exe",
	"]]><!-- \xef\xbf\xbf",
	"\xff\xfe no utf-8",
	"na\xc3\xafve \xe6\xbc\xa2\xe5\xad\x97",
	"</table></style></svg>",
	"plain", "plain too", "third", "fourth",
};

#define NAMES (sizeof(names) / sizeof(names[0]))

static const struct hist_schema schema = {
	.nkeys = 2,
	.keys = { { .name = (char *)"file<i>", .kind = HIST_KEY_STRING },
		  { .name = (char *)"lat_us", .kind = HIST_KEY_LOG2 } },
	.nvalues = 2,
	.values = { { .name = (char *)"hitcount", .kind = HIST_VALUE_SUM },
		    { .name = (char *)"len\"", .kind = HIST_VALUE_SUM, .is_signed = true } },
};

static int count(struct hist_table *table, struct hist_snapshot *snap, unsigned int i, uint32_t n)
{
	struct hist_cell cells[2] = { { .str = HIST_NO_STRING }, { .str = HIST_NO_STRING } };
	uint64_t *values;
	uint32_t entry;
	int ret;

	ret = hist_table_intern(table, names[i], strlen(names[i]), &cells[0].str);
	cells[1].num = i % 5 + n;
	if (!ret)
		ret = hist_table_add(table, cells, &entry);
	if (!ret)
		ret = hist_snapshot_grow(snap, &schema, hist_table_entries(table));
	if (ret)
		return ret;
	values = snap->values + (size_t)entry * schema.nvalues;
	values[0] += (i + 1) * (n + 1);
	/* beyond 2^53, where numbers of JavaScript are no longer exact */
	values[1] += i == 10 ? (UINT64_C(1) << 60) + n : i == 11 ? 0 - UINT64_C(5) : i;
	snap->hits += (i + 1) * (n + 1);
	snap->entries = snap->nentries;
	return 0;
}

static int fill(struct hist_series_writer *writer, struct hist_table *table,
		struct hist_snapshot *snap)
{
	struct hist_definition def = {
		.event = "test:<script>", .trigger = "hist:keys=file,lat_us.log2 if comm != \"</code>\"",
		.engine = "kernel", .clock = "mono", .instance = "", .uname = "Linux <b> 6.12",
		.host = "box & <i>co</i>",
		.schema = &schema,
	};
	unsigned int i;
	uint32_t n;
	int ret;

	ret = hist_series_define(writer, &def, table);
	for (n = 0; n < SNAPSHOTS && ret >= 0; n++) {
		for (i = 0; i < NAMES && ret >= 0; i++)
			ret = n || i < 3 ? count(table, snap, i, n) : 0;
		snap->seq = n;
		snap->time = UINT64_C(5000000000) + n * UINT64_C(250000000);
		snap->dropped = n > 3 ? 7 : 0;
		snap->missed = n > 2;
		if (ret >= 0)
			ret = hist_series_add(writer, 0, snap);
	}
	return ret < 0 ? ret : 0;
}

int main(int argc, char **argv)
{
	struct tracedat_contents contents = fixture_contents(HIST_COMPRESS_NONE);
	struct hist_series_writer *writer = NULL;
	struct tracedat_writer *dat = NULL;
	struct hist_snapshot snap = { 0 };
	struct hist_table *table;
	int fd, ret;

	if (argc != 2) {
		fprintf(stderr, "usage: hostile_make FILE\n");
		return 2;
	}
	fd = open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0666);
	ret = fd < 0 ? -errno : tracedat_create(&dat, fd, &contents);
	table = hist_table_new(&schema);
	if (!ret && !table)
		ret = -ENOMEM;
	if (!ret)
		ret = hist_series_writer_new(&writer, dat);
	if (!ret)
		ret = fill(writer, table, &snap);
	hist_series_writer_free(writer);
	hist_table_free(table);
	hist_snapshot_clear(&snap);
	tracedat_writer_free(dat);
	if (ret)
		fprintf(stderr, "hostile_make: %s: %s\n", argv[1], strerror(-ret));
	return ret ? 2 : 0;
}
