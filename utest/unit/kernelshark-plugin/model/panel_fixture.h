/* SPDX-License-Identifier: GPL-2.0 */
/*
 * panel_fixture.h - recordings for the tests of KernelShark's panel, in report_run.h's
 * directory
 *
 * panel.dat has four histograms, each of PANEL_SNAPSHOTS snapshots a second apart from
 * 100 s on; what they count comes from chance that is the same in every run:
 *   0  t:lat    keys=comm,lat.log2:vals=lat   four tasks
 *   1  t:pid    keys=pid                      cleared before 7, 10 and 11 are lost, 3 hits dropped
 *                                             before 20
 *   2  t:tick   keys=size.buckets=10          a clock of ticks, 100 for each snapshot
 *   3  t:name   keys=comm:sort=comm           two tasks
 *   4  sched:sched_stat_runtime keys=call_site.sym,runtime.log2:vals=runtime
 *                                             two symbols of the same name, and another one
 */
#ifndef UTEST_UNIT_KERNELSHARK_PLUGIN_MODEL_PANEL_FIXTURE_H
#define UTEST_UNIT_KERNELSHARK_PLUGIN_MODEL_PANEL_FIXTURE_H

#include <stdint.h>

#define PANEL_SNAPSHOTS 40
#define PANEL_SEC UINT64_C(1000000000)

/* For CUnit, in place of report_set_up() and report_tear_down(). */
int panel_set_up(void);
int panel_tear_down(void);

/* @n snapshots of one histogram, 1 ms apart from 1 s on, in many.dat. */
void panel_many(uint32_t n);

/* back.dat: one histogram of snapshots at these times. */
void panel_times(const uint64_t *times, uint32_t n);

/* bad.dat: panel.dat with a flipped bit in snapshot @seq of histogram @hist. */
void panel_damage(unsigned int hist, uint32_t seq);

#endif
