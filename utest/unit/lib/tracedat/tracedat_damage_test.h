/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tracedat_damage_test.h - the second half of tracedat_tests()
 */
#ifndef UTEST_TRACEDAT_DAMAGE_TEST_H
#define UTEST_TRACEDAT_DAMAGE_TEST_H

/* Adds its suite to the registry; 0, or CUnit's error. */
int tracedat_damage_tests(void);

#endif
