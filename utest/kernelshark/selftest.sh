#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# selftest.sh BUILD: run.sh tells of everything that is wrong: a value, a crash, a hang, an
# end in the middle, a complaint of Qt, a dialog that nobody expects, a scenario that is
# not there.  TAP on stdout.

set -u
export LC_ALL=C.UTF-8
# shellcheck source-path=SCRIPTDIR source=../scripts/tap.sh
. "$(dirname "$(readlink -f "$0")")/../scripts/tap.sh"

[ $# = 1 ] || die "usage: selftest.sh BUILD"

# wrong TEST LINE: it fails, in just this line
wrong()
{
	local said status=0

	said=$("$here/run.sh" --scenarios "$here/program/scenarios.wrong" --patience "${3:-120}" "$build" "$1" 2>&1) ||
		status=$?
	is "$1: status" $status 1
	is "$1: what fails" "$(sed -n 's/^not ok [0-9]* - //p' <<<"$said" | head -n 1)" "$1: $2"
}

build=$1
wrong value "wrong_value: two is three"
wrong crash "wrong_crash: runs to its end"
wrong hang "wrong_hang: runs to its end" 30
wrong exit "wrong_exit: runs to its end"
wrong complaint "wrong_complaint: no complaints"
wrong dialog "wrong_dialog: no other dialog comes"
wrong nobody "there_is_no_such_scenario: a scenario of the name there_is_no_such_scenario"
done_testing
