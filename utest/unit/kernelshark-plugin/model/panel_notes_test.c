// SPDX-License-Identifier: GPL-2.0
/*
 * panel_notes_test.c - what the panel says is missing, and that it says so once
 */
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "utest/unit/kernelshark-plugin/model/panel_data_fixture.h"
#include "utest/unit/tests.h"

/* Cleared before 7; 10 and 11 are lost; 3 hits were dropped before 20. */
static void test_notes(void)
{
	struct panel_data_query q = { .recording = figures_opened("panel.dat"), .hist = PID,
		.from = 5,
				   .to = 25 };
	struct panel_data *f = figures_made(&q);

	CU_ASSERT_EQUAL_FATAL(f->notes.n, 4);
	CU_ASSERT_STRING_EQUAL(f->notes.names[0], "3 hits were dropped and are not in any row: the table was "
					    "full");
	CU_ASSERT_STRING_EQUAL(f->notes.names[1], "hint: record fewer distinct keys, or use -R with a "
					    "larger size=");
	CU_ASSERT_PTR_NOT_NULL(strstr(f->notes.names[2], "was cleared"));
	CU_ASSERT_STRING_EQUAL(f->notes.names[3], "2 snapshots are missing in the file or damaged");
	CU_ASSERT(f->view.from_nothing && f->view.reset);
	panel_data_free(f);
	/* where none of them is missing, that of the file as a whole */
	q.from = 23;
	f = figures_made(&q);
	CU_ASSERT_EQUAL_FATAL(f->notes.n, 1);
	CU_ASSERT_STRING_EQUAL(f->notes.names[0], "2 snapshots lost to damage");
	panel_data_free(f);
	recording_unref(q.recording);
}

static bool has_note(const struct panel_data *f, const char *words)
{
	unsigned int n;

	for (n = 0; n < f->notes.n; n++)
		if (strstr(f->notes.names[n], words))
			return true;
	return false;
}

/* A window with the damage in it says what it lacks, any other what the file lacks. */
static void test_once(void)
{
	struct panel_data_query q = { 0 };
	const struct recording_snapshot *s;
	unsigned int with = 0, without = 0;
	char words[128], all[64];
	struct panel_data *f;
	uint32_t count, lost;
	uint64_t of_file;

	panel_damage(LAT, 17);
	q.recording = figures_opened("bad.dat");
	of_file = hist_series_damage(q.recording->series)->lost_snapshots;
	s = q.recording->hists[LAT].snapshots;
	count = q.recording->hists[LAT].n;
	for (q.from = 2; q.from < 10; q.from += 7) {
		for (q.to = q.from + 1; q.to < count; q.to++) {
			f = figures_made(&q);
			lost = s[q.to].seq - s[q.from].seq - (q.to - q.from);
			CU_ASSERT_EQUAL(f->view.lost, lost);
			CU_ASSERT_EQUAL(has_note(f, "missing in the file or damaged"), lost != 0);
			CU_ASSERT_EQUAL(has_note(f, "1 damaged section"), !lost);
			CU_ASSERT_EQUAL(has_note(f, "lost to damage"), !lost);
			/* those of the other histogram are among them */
			CU_ASSERT_EQUAL(of_file > lost, 1);
			snprintf(words, sizeof(words), "%u snapshot", lost);
			snprintf(all, sizeof(all), ", %llu in the whole file",
				 (unsigned long long)of_file);
			CU_ASSERT(!lost || (has_note(f, words) && has_note(f, all)));
			with += lost != 0;
			without += !lost;
			panel_data_free(f);
		}
	}
	CU_ASSERT(with > 20 && without > 10);
	recording_unref(q.recording);
}

UNIT_TESTS_WITH(panel_set_up, panel_tear_down,
	{ "the panel notes dropped hits, clearings and missing snapshots of its window",
	  test_notes },
	{ "the panel notes the damage of the window or else that of the file, and not both",
	  test_once });
