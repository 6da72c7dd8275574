// SPDX-License-Identifier: GPL-2.0
/*
 * loss_notes_test.c - which losses make a histogram incomplete
 */
#include <CUnit/Basic.h>

#include "lib/analysis/loss_notes.h"
#include "utest/unit/tests.h"

static void test_has_hits(void)
{
	static const struct hist_loss hits[] = {
		{ .dropped = 1 }, { .events_lost = 1 }, { .probe_misses = 1 }, { .stopped = true },
		{ .resets = 1 }, { .lost = 1 },
	};
	/* the sums are complete even if a snapshot was not taken */
	static const struct hist_loss others = {
		.missed = 1, .full_stacks = 1, .misses_unknown = true, .ambiguous = true,
	};
	size_t i;

	for (i = 0; i < sizeof(hits) / sizeof(*hits); i++)
		CU_ASSERT_TRUE(hist_loss_has_hits(&hits[i]));
	CU_ASSERT_FALSE(hist_loss_has_hits(&others));
}

UNIT_TESTS(
	{ "data are incomplete if hits are missing, for example those that a probe missed",
	  test_has_hits });
