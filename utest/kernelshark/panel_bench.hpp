/* SPDX-License-Identifier: GPL-2.0 */
#ifndef UTEST_PANEL_BENCH_HPP
#define UTEST_PANEL_BENCH_HPP

/* Rows of `make bench` (utest/bench/run.sh) on stdout; the number of goals that are not met. */
int panelBench();

#endif
