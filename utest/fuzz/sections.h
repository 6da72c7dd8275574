/* SPDX-License-Identifier: GPL-2.0 */
/*
 * sections.h - our sections in an input of a fuzzer: sums put right, and sections mutated
 *
 * Checksums and sizes keep a fuzzer out.  sections.c therefore has a mutator of its own,
 * LLVMFuzzerCustomMutator(), for each fuzzer that it is linked to.
 */
#ifndef UTEST_FUZZ_SECTIONS_H
#define UTEST_FUZZ_SECTIONS_H

#include <stddef.h>
#include <stdint.h>

/* Puts right the checksums of our option and of every section of ours in @data. */
void sections_fix(uint8_t *data, size_t size);

#endif
