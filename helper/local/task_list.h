/* SPDX-License-Identifier: GPL-2.0 */
/*
 * task_list.h - the tasks of this machine, from /proc and from cgroup v2
 */
#ifndef HELPER_LOCAL_TASK_LIST_H
#define HELPER_LOCAL_TASK_LIST_H

#include "helper/local/target.h"

/* Implements hist_target_ops.tasks. */
int task_list_read(struct hist_target *t, const char *cgroup, struct target_buf *buf);

#endif
