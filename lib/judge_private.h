/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * judge_private.h - what judge.c and judge_quantile.c share
 */
#ifndef LIB_JUDGE_PRIVATE_H
#define LIB_JUDGE_PRIVATE_H

#include <tracehist/judge.h>

/* a / b of numbers not below zero: infinite from 0 to more, 1 from 0 to 0. */
double judge_ratio(double a, double b);

/* From the central values: low, high and resolvable; the rest as when nothing is tested. */
void judge_sizes(struct hist_change *change);

#endif
