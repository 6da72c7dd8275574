# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# What snapshots and hits cost (../cost.c).

/tests/bin/hist_cost 2048 16384 131072 2>&1 | sed 's/^cost /# &/' | sh /tests/say.sh
