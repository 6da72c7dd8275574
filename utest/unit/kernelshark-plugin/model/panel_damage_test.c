// SPDX-License-Identifier: GPL-2.0
/*
 * panel_damage_test.c - the panel shows of a damaged file what `report` shows
 *
 * A real recording is damaged in each of its sections, in its header, and at its end.  Both
 * programs must show the same histograms with the same totals, or the same error.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "kernelshark-plugin/model/panel_data.h"
#include "kernelshark-plugin/model/time_window.h"
#include "lib/analysis/loss_notes.h"
#include "lib/base/bytes.h"
#include "utest/unit/kernelshark-plugin/model/panel_fixture.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"
#include "utest/unit/tracecmd/report/report_run.h"

#define SECTION_HEADER 16
#define SIZE_AT 8
#define EVERY 9 /* of the sections of histograms */

static char *file;
static size_t len;
static unsigned int shown, refused; /* damaged files of which something, or nothing, is shown */

/* Append "NAME HITS" of what the panel shows as the whole recording. */
static void put_panel(struct hist_strbuf *b, struct recording *r, unsigned int hist)
{
	struct panel_data_query q = { .recording = r, .hist = hist };
	struct panel_data *f;
	struct time_window w;

	time_window_set_whole(r, hist, &w);
	if (w.kind == WINDOW_NONE)
		return;
	q.what = w.kind == WINDOW_SINGLE ? PANEL_DATA_SNAPSHOT : PANEL_DATA_WINDOW;
	q.from = w.from;
	q.to = w.to;
	CU_ASSERT_EQUAL_FATAL(panel_data_make(&f, &q, NULL, NULL), 0);
	hist_strbuf_printf(b, "%s %" PRIu64 "\n", r->hists[hist].name, f->view.snap->hits);
	panel_data_free(f);
}

/* Append the same of the lines of `report --list`. */
static void put_report(struct hist_strbuf *b)
{
	unsigned long long hits;
	const char *line = report_out;
	char name[128];

	for (; *line; line += strcspn(line, "\n"), line += *line == '\n')
		if (*line != '#' && sscanf(line, "%127s %*s %*s %*s %llu", name, &hits) == 2)
			hist_strbuf_printf(b, "%s %llu\n", name, hits);
}

static void expect_same(const char *what, size_t at)
{
	struct hist_strbuf panel = { 0 }, report = { 0 };
	struct recording *r = NULL;
	struct hist_error error = { 0 };
	char words[256] = "";
	char *a, *b;
	unsigned int i;
	int ret;

	report_run("--list damaged.dat");
	ret = recording_open(&r, "damaged.dat", &error);
	for (i = 0; !ret && i < r->count; i++)
		put_panel(&panel, r, i);
	if (!ret)
		hist_loss_format_damage(hist_series_damage(r->series), words, sizeof(words));
	put_report(&report);
	a = hist_strbuf_string(&panel);
	b = hist_strbuf_string(&report);
	CU_ASSERT_STRING_EQUAL(a, b);
	/* both say why, in the same words */
	CU_ASSERT_PTR_NOT_NULL(strstr(report_err, ret ? hist_error_what(&error, ret) : words));
	CU_ASSERT_TRUE(!ret || report_status == 2);
	if (strcmp(a, b) || !strstr(report_err, ret ? hist_error_what(&error, ret) : words))
		printf("\n%s at %zu: panel %d %s\n%sreport %d %s\n%s", what, at, ret,
		       ret ? hist_error_what(&error, ret) : words, a, report_status, report_err, b);
	shown += *a != '\0';
	refused += *a == '\0';
	free(a);
	free(b);
	recording_unref(r);
}

static void try_bytes(const char *what, size_t at, const void *bytes, size_t n)
{
	FILE *f = fopen("damaged.dat", "w");

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	fwrite(file, 1, at, f);
	fwrite(bytes, 1, n, f);
	if (at + n < len)
		fwrite(file + at + n, 1, len - at - n, f);
	fclose(f);
	expect_same(what, at);
}

static void try_flip(size_t at)
{
	char byte = file[at] ^ 0x55;

	try_bytes("flipped", at, &byte, 1);
}

static void try_size(size_t section, uint64_t size)
{
	unsigned char bytes[8];

	bytes_put_u64(false, bytes, size);
	try_bytes("size", section + SIZE_AT, bytes, sizeof(bytes));
}

/* Visit the sections after the header, whose last 8 bytes are the offset of the options. */
static void try_sections(size_t at)
{
	unsigned int n = 0, hists = 0;
	uint64_t size;

	for (; at + SECTION_HEADER <= len; at += SECTION_HEADER + size) {
		size = bytes_u64(false, (unsigned char *)file + at + SIZE_AT);
		CU_ASSERT_TRUE_FATAL(size <= len - at - SECTION_HEADER);
		n++;
		if (bytes_u16(false, (unsigned char *)file + at) == TRACEDAT_HIST_ID &&
		    hists++ % EVERY)
			continue;
		try_flip(at);
		try_flip(at + 2);
		try_flip(at + SIZE_AT);
		if (size) {
			try_flip(at + SECTION_HEADER);
			try_flip(at + SECTION_HEADER + size / 3);
			try_flip(at + SECTION_HEADER + size * 2 / 3);
			try_flip(at + SECTION_HEADER + size - 1);
		}
		try_size(at, size + 1);
		try_size(at, size - 1);
		try_size(at, UINT64_MAX - 7);
	}
	CU_ASSERT_EQUAL(at, len);
	CU_ASSERT_TRUE(n > hists + 10 && hists > 10);
}

/* The header: "\x17\x08\x44tracing", "7", endian, long, page, "zlib", "1.2", 8 bytes. */
static size_t header_size(void)
{
	size_t at = 10;

	at += strlen(file + at) + 1 + 6;
	at += strlen(file + at) + 1;
	at += strlen(file + at) + 1;
	return at + 8;
}

static void test_damage(void)
{
	size_t header, at;

	file = test_read_file(test_data_path("shark.dat"), &len);
	header = header_size();
	shown = refused = 0;
	for (at = 0; at < header; at += 3)
		try_flip(at);
	try_sections(header);
	for (at = 20; at < len; at += len / 25) {
		size_t all = len;

		len = at;
		try_bytes("truncated", at, "", 0);
		len = all;
	}
	/* most damage leaves something */
	CU_ASSERT_TRUE(shown > 3 * refused && refused > 10);
	free(file);
}

UNIT_TESTS_WITH(panel_set_up, panel_tear_down,
	{ "of a damaged file, the panel shows what report shows", test_damage });
