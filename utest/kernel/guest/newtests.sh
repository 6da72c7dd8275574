# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# shellcheck source-path=SCRIPTDIR source=selftests.sh
# The selftests that the series adds.

ONLY=/tests/new
. /tests/selftests.sh
