// SPDX-License-Identifier: LGPL-2.1
/*
 * extent.c - what a report of a recording covers if the user chose no snapshots
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/analysis/extent.h"
#include "lib/base/text.h"
#include "lib/series/series.h"

enum hist_extent hist_extent_find(const struct hist_definition *def, uint32_t first, uint32_t last)
{
	if (def->engine && !strcmp(def->engine, "replay"))
		return HIST_EXTENT_REPLAY;
	return first == last ? HIST_EXTENT_SINGLE : HIST_EXTENT_RECORDED;
}

const char *hist_extent_title(uint32_t seq)
{
	return seq ? "earlier hits" : "set-up";
}

bool hist_extent_format(enum hist_extent extent, uint32_t seq, uint64_t hits, char *buf, size_t len)
{
	snprintf(buf, len, "%s", "");
	switch (extent) {
	case HIST_EXTENT_CHOSEN:
		return false;
	case HIST_EXTENT_RECORDED:
		if (hits)
			snprintf(buf, len,
				 "%" PRIu64 " hit%s before snapshot %" PRIu32 "%s %s left out",
				 hits, text_plural(hits), seq,
				 seq ? ", the first of the given files," : "",
				 hits == 1 ? "is" : "are");
		return hits != 0;
	case HIST_EXTENT_SINGLE:
		snprintf(buf, len, "included, because there is only one snapshot (%" PRIu32 ")",
			 seq);
		return true;
	case HIST_EXTENT_REPLAY:
		snprintf(buf, len, "no hits, because a replay does not set triggers");
		return true;
	}
	return false;
}
