// SPDX-License-Identifier: GPL-2.0
/*
 * hostile_make.c - hostile_make FILE [TEXT NAME...]: a recording with names that want to be
 * more than text
 *
 * For utest/scripts/html.sh, and with TEXT for utest/hostile/hostile_names.py: then all words of the
 * definition have TEXT in them, and the rows are NAMEs, also as frames of a stack.
 * Six snapshots, hits dropped, a snapshot missed, names with
 * tags, quotes, controls and what turns the direction of writing; an event with a
 * tag in its name; and no end mark.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/series/series.h"
#include "utest/unit/lib/tracedat/tracedat_fixture.h"

#define SNAPSHOTS 6

static const char *const our_names[] = {
	"</script><script>document.title='owned'</script>",
	"<b>bold</b>",
	"\"><img src=x onerror=\"document.title='owned'\">",
	"it's & it&amp;s",
	"two\nlines\t\x01",
	("\xe2\x80\xae" "gpj.exe"),
	"]]><!-- \xef\xbf\xbf",
	"\xff\xfe no utf-8",
	"na\xc3\xafve \xe6\xbc\xa2\xe5\xad\x97",
	"</table></style></svg>",
	"plain", "plain too", "third", "fourth",
};

static const char *const *names = our_names;
static unsigned int nnames = sizeof(our_names) / sizeof(our_names[0]);

static struct hist_schema schema = {
	.nkeys = 2,
	.keys = { { .name = (char *)"file<i>", .kind = HIST_KEY_STRING },
		  { .name = (char *)"lat_us", .kind = HIST_KEY_LOG2 },
		  { .name = (char *)"stack", .kind = HIST_KEY_STACK } },
	.nvalues = 2,
	.values = { { .name = (char *)"hitcount", .kind = HIST_VALUE_SUM },
		    { .name = (char *)"len\"", .kind = HIST_VALUE_SUM, .is_signed = true } },
};

static struct hist_definition definition = {
	.event = "test:<script>", .trigger = "hist:keys=file,lat_us.log2 if comm != \"</code>\"",
	.engine = "kernel", .clock = "mono", .instance = "", .uname = "Linux <b> 6.12",
	.host = "box & <i>co</i>",
	.schema = &schema,
};

/* All texts of the definition end with @text, and each row has a stack, too. */
static int take_text(const char *text)
{
	const char **const texts[] = {
		&definition.event, &definition.trigger, &definition.engine, &definition.clock,
		&definition.instance, &definition.uname, &definition.host,
		(const char **)&schema.keys[0].name, (const char **)&schema.keys[1].name,
		(const char **)&schema.keys[2].name, (const char **)&schema.values[0].name,
		(const char **)&schema.values[1].name,
	};
	unsigned int i;
	char *both;

	schema.nkeys = 3;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (asprintf(&both, "%s%s", *texts[i], text) < 0)
			return -ENOMEM;
		*texts[i] = both;
	}
	return 0;
}

static int intern_stack(struct hist_table *table, unsigned int i, uint32_t *str)
{
	char frames[1024];
	int len = snprintf(frames, sizeof(frames), "%s+0x10\n%s\nouter", names[i],
			   names[(i + 1) % nnames]);

	return hist_table_intern(table, frames, len, str);
}

static int count(struct hist_table *table, struct hist_snapshot *snap, unsigned int i, uint32_t n)
{
	struct hist_cell cells[3] = { { .str = HIST_NO_STRING }, { .str = HIST_NO_STRING },
				      { .str = HIST_NO_STRING } };
	uint64_t *values;
	uint32_t entry;
	int ret;

	ret = hist_table_intern(table, names[i], strlen(names[i]), &cells[0].str);
	if (!ret && schema.nkeys == 3)
		ret = intern_stack(table, i, &cells[2].str);
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
	unsigned int i;
	uint32_t n;
	int ret;

	ret = hist_series_define(writer, &definition, table);
	for (n = 0; n < SNAPSHOTS && ret >= 0; n++) {
		for (i = 0; i < nnames && ret >= 0; i++)
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

	if (argc != 2 && argc < 4) {
		fprintf(stderr, "usage: hostile_make FILE [TEXT NAME...]\n");
		return 2;
	}
	if (argc > 2) {
		if (take_text(argv[2]))
			return 2;
		names = (const char *const *)argv + 3;
		nnames = argc - 3;
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
