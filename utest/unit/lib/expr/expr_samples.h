/* SPDX-License-Identifier: GPL-2.0 */
/*
 * expr_samples.h - expressions that kernels print and take
 */
#ifndef UTEST_UNIT_LIB_EXPR_EXPR_SAMPLES_H
#define UTEST_UNIT_LIB_EXPR_EXPR_SAMPLES_H

extern const char *const expr_samples[];
extern const unsigned int expr_nsamples;

#endif
