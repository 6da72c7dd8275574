/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * json_episodes.h - the members of an episode, and of the sum of all episodes, for json and ndjson
 */
#ifndef LIB_REPORT_DATA_JSON_EPISODES_H
#define LIB_REPORT_DATA_JSON_EPISODES_H

#include "lib/base/json_writer.h"
#include "lib/report/episodes.h"

/* Into the open object.  0 or -ENOMEM. */
int json_put_episode(struct json_writer *w, const struct hist_report_episode *episode);
void json_put_episodes_total(struct json_writer *w, const struct hist_report_episodes *list);

#endif
