/* SPDX-License-Identifier: GPL-2.0 */
/*
 * target_engine.h - a machine whose events are counted by our engine
 *
 * The target behind it, but for what it says of hist triggers: each event can have them, and
 * synthetic events can be made, as both are done here.
 */
#ifndef TRACECMD_SESSION_TARGET_ENGINE_H
#define TRACECMD_SESSION_TARGET_ENGINE_H

#include "target/local/target.h"

/* @inner is taken over, but not on failure.  -ENOMEM. */
int target_engine_new(struct hist_target **target, struct hist_target *inner);

#endif
