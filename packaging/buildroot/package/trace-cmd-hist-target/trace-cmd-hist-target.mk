################################################################################
#
# trace-cmd-hist-target
#
################################################################################

# SPDX-License-Identifier: GPL-2.0
# The source is the tree that has this directory.
TRACE_CMD_HIST_TARGET_SITE = $(BR2_EXTERNAL_TRACE_CMD_HIST_PATH)/../..
TRACE_CMD_HIST_TARGET_SITE_METHOD = local
TRACE_CMD_HIST_TARGET_OVERRIDE_SRCDIR_RSYNC_EXCLUSIONS = --exclude='/build*'
TRACE_CMD_HIST_TARGET_LICENSE = GPL-2.0
TRACE_CMD_HIST_TARGET_LICENSE_FILES = COPYING LICENSES/GPL-2.0-only.txt

define TRACE_CMD_HIST_TARGET_BUILD_CMDS
	$(TARGET_MAKE_ENV) $(MAKE) -C $(@D)/helper $(TARGET_CONFIGURE_OPTS) O=$(@D)/out
endef

define TRACE_CMD_HIST_TARGET_INSTALL_TARGET_CMDS
	$(INSTALL) -D -m 0755 $(@D)/out/trace-cmd-hist-target \
		$(TARGET_DIR)/usr/bin/trace-cmd-hist-target
endef

$(eval $(generic-package))
