/* SPDX-License-Identifier: GPL-2.0 */
/*
 * renumber_fixture.h - a full snapshot that numbers its entries and strings anew
 *
 * trace-cmd-hist.dat(5) allows this of any writer, and trace-cmd hist itself never does it.
 */
#ifndef UTEST_UNIT_LIB_SERIES_RENUMBER_FIXTURE_H
#define UTEST_UNIT_LIB_SERIES_RENUMBER_FIXTURE_H

#include "lib/series/series.h"

/*
 * Turns round the order of the entries and strings of @table, and of the values of @snap.
 * The next snapshot of histogram @hist that goes to @writer is a full one.  0 or -errno.
 */
int fixture_renumber(struct hist_series_writer *writer, int hist, struct hist_table *table,
		     struct hist_snapshot *snap);

#endif
