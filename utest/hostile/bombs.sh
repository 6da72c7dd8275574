#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# bombs.sh BIN: small files that want to be large or slow (bomb_make.py), through every verb and
# format.  TAP on stdout.
#
# The limits are those of trace-cmd-hist.dat(5): 256 MB of memory, and for a report 5 s and a time that
# is linear in what bodies become and in what is written.  Times are those of the CPU.  make check
# takes those that are made quickly; those that are read slowly it does not take through every format.
# With CHECK_LONG=1 there are all.

set -u
export LC_ALL=C.UTF-8
# shellcheck source-path=SCRIPTDIR source=../scripts/tap.sh
. "$(dirname "$(readlink -f "$0")")/../scripts/tap.sh"

[ $# = 1 ] || die "usage: bombs.sh BIN"
bin=$(readlink -f "$1")
hist=$bin/trace-cmd-hist
need_files "$hist"
work_enter

"$bin/series_make" many base.dat zlib little || die "series_make"
kinds='names histograms same most entries rows anew'
[ -z "${CHECK_LONG-}" ] || kinds="$kinds definitions strings text kept"
for kind in $kinds; do
	unpacked=$(/usr/bin/python3 "$here/bomb_make.py" base.dat bomb.dat "$kind") || die "bomb_make.py $kind"
	is "$kind: the file takes at most 1000 KiB" "$(find bomb.dat -size -1001k)" bomb.dat
	while read -r options; do
		# the time of diff is linear in metrics, of which these have more than a million
		[[ $options != diff* || $kind != rows ]] || continue
		[ -n "${CHECK_LONG-}" ] || case $kind-$options in
		*-*--list* | *-*--intervals* | *-*heatmap* | *-*html* | *-diff*) ;;
		rows-* | most-*) continue ;;
		esac
		# shellcheck disable=SC2086
		is "$kind: ${options/bomb.dat bomb.dat/bomb.dat} stays within the limits" \
			"$(/usr/bin/python3 "$here/cost.py" "$unpacked" "$hist" $options 2>cost)" \
			"within the limits"
		cat cost
	done <<-END
		report --list bomb.dat
		report bomb.dat
		report --intervals bomb.dat
		report --view bars bomb.dat
		report --view heatmap bomb.dat
		report --view percentiles bomb.dat
		$(report_formats "$hist" text | sed 's/.*/report --format & bomb.dat/')
		diff --min-decided 0 bomb.dat bomb.dat
		replay -e a:b -k c bomb.dat
	END
done
done_testing
