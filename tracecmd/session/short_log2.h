/* SPDX-License-Identifier: GPL-2.0 */
/*
 * short_log2.h - note the hits that a 32-bit kernel may have put into a lower bucket of .log2
 *
 * Such a kernel, without the patches of kernel-patches/, uses the lower 32 bits of a 64-bit number.
 * Durations in us or longer units are not noted: 2^32 us are 71 minutes.
 */
#ifndef TRACECMD_SESSION_SHORT_LOG2_H
#define TRACECMD_SESSION_SHORT_LOG2_H

#include "helper/local/target.h"
#include "lib/expr/kernel_features.h"
#include "tracecmd/trigger/traced_event.h"

/* Set the loss of the snapshot that the kernel @kernel of @t counted. */
void short_log2_apply(const struct hist_target *t, const struct hist_kernel *kernel,
		      struct traced_hist *h);

#endif
