# SPDX-License-Identifier: GPL-2.0
include $(sort $(wildcard $(BR2_EXTERNAL_TRACE_CMD_HIST_PATH)/package/*/*.mk))
