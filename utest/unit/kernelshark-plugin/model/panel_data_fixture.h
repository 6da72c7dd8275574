/* SPDX-License-Identifier: GPL-2.0 */
/*
 * panel_data_fixture.h - what the tests of the panel's figures share
 *
 * All are of panel_fixture.h's recordings.  What fails to be made ends the test.
 */
#ifndef UTEST_UNIT_KERNELSHARK_PLUGIN_MODEL_PANEL_DATA_FIXTURE_H
#define UTEST_UNIT_KERNELSHARK_PLUGIN_MODEL_PANEL_DATA_FIXTURE_H

#include "kernelshark-plugin/model/panel_data.h"
#include "utest/unit/kernelshark-plugin/model/panel_fixture.h"

/* Histograms of panel.dat. */
enum { LAT, PID, TICK, NAME, SYM };

struct recording *figures_opened(const char *path);
struct panel_data *figures_made(const struct panel_data_query *query);

/* panel_put_keys(); of the last call. */
const char *figures_label_of(const struct panel_data *f, uint32_t entry);
uint64_t figures_value_of(const struct panel_data *f, uint32_t entry, unsigned int value);

/* All cells. */
uint64_t figures_map_sum(const struct hist_heatmap *map);

#endif
