# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# For the scripts that read `report --worst --format csv`: who used the time of each episode?

# Columns of the csv: the parts of an episode are consecutive lines, the largest first.
# column NAME: its number
column()
{
	head -n 1 parts.csv | tr ',' '\n' | grep -nx "$1" | cut -d: -f1
}

# parts FILE: read the parts of all episodes of FILE
parts()
{
	trace-cmd hist report --worst --format csv "$1" >parts.csv 2>said || cat said
	rank=$(column episode) start=$(column start_ns) end=$(column end_ns)
	latency=$(column latency_ns) kind=$(column kind) name=$(column name) ns=$(column ns)
	percent=$(column percent) cut=$(column cut)
}

# first KIND NAME NS: "GOOD NAMED MADE".  MADE: number of episodes that the load made, in which KIND NAME alone
# has at least NS.  NAMED: those whose largest part except idle is KIND NAME.  GOOD: those of them in which it has
# at least 80 % together with the interrupts, of the time in which the CPU was not idle.  A host that
# is busy stops the CPUs of the guest, in interrupts and when they are idle; such a stop can also be an
# episode by itself, and a late worker of the kernel can have a part of an episode.  An episode whose
# first events are missing does not count.
first()
{
	awk -F, -v r="$rank" -v k="$kind" -v n="$name" -v p="$percent" -v t="$ns" -v kind="$1" \
		-v name="$2" -v least="$3" -v cut="$cut" '
	$cut == 1 { next }
	NR > 1 && $k != "idle" && !($r in found) { found[$r] = $k == kind && $n == name }
	NR > 1 && $k == kind && $n == name { own[$r] += $t }
	NR > 1 && (($k == kind && $n == name) || $k == "irq" || $k == "softirq") { sum[$r] += $p }
	NR > 1 && $k == "idle" { idle[$r] = $p }
	END {
		for (e in found) {
			if (own[e] < least)
				continue
			made++
			named += found[e]
			good += found[e] && sum[e] >= 0.8 * (100 - idle[e])
		}
		print good + 0, named + 0, made + 0
	}' parts.csv
}

# enough COUNT N: in COUNT, "GOOD NAMED MADE", all episodes are named, and at least N are good
enough()
{
	# shellcheck disable=SC2086
	set -- $1 "$2"
	[ "$2" = "$3" ] && [ "$1" -ge "$4" ]
}
