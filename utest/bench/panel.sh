# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2154
#
# The panel in the real KernelShark, with a large file.  run.sh sources it: $work/short.dat has
# events, and status is 1 if a goal is missed.
#
# Times are CPU times of all threads, so they include those that read and count for the panel.

# made_large FILE: 500 MB of events, and 3,000 snapshots of 16,384 keys over their time
made_large()
{
	local from to

	/usr/bin/python3 "$here/../scripts/lib/events_make.py" "$work/short.dat" "$work/long.dat" long:500 &&
		/usr/bin/trace-cmd convert -i "$work/long.dat" -o "$1" --file-version 7 \
			--compression none >"$work/log" 2>&1 &&
		rm "$work/long.dat" &&
		"$bin/trace-cmd-hist" replay -q -e sched:sched_switch -k prev_pid -o "$work/span.dat" "$1" &&
		read -r from to < <("$bin/trace-cmd-hist" report --list "$work/span.dat" |
			awk '$1 == "sched:sched_switch" { printf "%.0f %.0f\n", $3 * 1e9, $4 * 1e9 }') &&
		"$bin/many_dat" "$1" 3000 "$from" "$to" 16384
}

panel_in_kernelshark()
{
	local stock ours stock_zoom zoom ms

	if ! made_large "$work/bench.dat" || ! "$here/../kernelshark/run.sh" --data "$work/bench.dat" \
		--scenarios "$here/../kernelshark/program/scenarios.bench" "$build" panel >"$work/tap"; then
		grep -v '^ok' "$work/tap" >&2
		die "KernelShark did not measure"
	fi
	# the best of the rounds; of the zooms the longest
	read -r stock ours stock_zoom zoom < <(awk '
		/^# kernelshark / { panel = /hist_panel/ }
		/^# bench open / && (!open[panel] || $5 < open[panel]) { open[panel] = $5 }
		/^# bench zoom / && (!zoom[panel, $4] || $6 < zoom[panel, $4]) { zoom[panel, $4] = $6 }
		END {
			for (i in zoom)
				if (zoom[i] > longest[substr(i, 1, 1)])
					longest[substr(i, 1, 1)] = zoom[i]
			printf "%.0f %.0f %.0f %.0f\n", open[0], open[1], longest[0], longest[1]
		}' "$work/tap")
	for ms in "$stock" "$ours" "$stock_zoom" "$zoom"; do
		[ "${ms:-0}" -gt 0 ] || die "KernelShark gave no times"
	done
	times 1.2 'panel: opening 500 MB, 3,000 snapshots, 16,384 keys, ms' "$ours" 'KernelShark alone' "$stock" '20 %'
	at_most 200 ' ms' 'panel: zooming in that file until nothing changes, ms' "$zoom" "KernelShark alone $stock_zoom" '20 %'
	rm "$work/bench.dat" "$work/span.dat"
}
