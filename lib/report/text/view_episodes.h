/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * view_episodes.h - the stories of the worst episodes as text
 */
#ifndef LIB_REPORT_TEXT_VIEW_EPISODES_H
#define LIB_REPORT_TEXT_VIEW_EPISODES_H

#include "lib/analysis/snapshot_view.h"
#include "lib/report/episodes.h"

/* Write all of @list: each fits on a screen of 24 lines if it has at most six parts. */
int view_episodes_print(FILE *f, const struct hist_report_episodes *list,
			const struct hist_view_style *style);

#endif
