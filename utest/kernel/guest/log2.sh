# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# shellcheck source-path=SCRIPTDIR source=lib.sh
#
# Our program records .log2=K, and its report has the counts that a model makes of the plain
# numbers of the same hits.  The user-space engine and `replay` have the same rows.

. /tests/lib.sh

# a signed field that a write sets, within -1000 and 1000
cat >/tmp/numbers <<'END'
i=-40
while [ $i -lt 1000 ]; do
	echo $i >/proc/self/oom_score_adj
	i=$((i + 1 + i / 300))
done
for i in 32 33 40 41 63 64 65 128 129 255 256 257 511 512 513 768 769 1000 33 33 -1 -1000; do
	echo $i >/proc/self/oom_score_adj
done
END

# rows FILE NAME: "GE LE HITS", or "NUMBER HITS", of a histogram
rows()
{
	trace-cmd hist report --format csv "$1" | awk -F, -v name="oom:oom_score_adj_update$2" '
	NR == 1 {
		for (i = 1; i <= NF; i++)
			column[$i] = i
		next
	}
	$1 == "row" {
		number = "key.oom_score_adj"
		if ($column["histogram"] == name && $column["metric"] == "hitcount")
			print (number in column ? $column[number] : "") \
				$column[number ".ge"], $column[number ".le"], $column["value"]
	}'
}

# model K: "GE LE HITS" of the numbers on stdin; each bucket is a step from the last power of two on
model()
{
	awk -v k="$1" '
	{ first = last = $1 }
	$1 < 0 { first = "-9223372036854775807"; last = -1 }
	$1 > 1 {
		for (power = 1; power * 2 < $1; power *= 2)
			;
		step = power / 2 ^ k < 1 ? 1 : power / 2 ^ k
		for (last = power + step; last < $1; last += step)
			;
		first = last - step + 1
	}
	{ hits[first " " last] += $2 }
	END { for (bucket in hits) print bucket, hits[bucket] }'
}

for k in 1 2 3 4 5; do
	trigger=hist:keys=oom_score_adj.log2=$k
	ok "record ends with status 0 with .log2=$k" timeout 60 trace-cmd hist record -q -o /tmp/log2.dat \
		-e oom:oom_score_adj_update -R "$trigger" -R hist:keys=oom_score_adj -- sh /tmp/numbers
	rows /tmp/log2.dat '#1' | model "$k" | sort >/tmp/expected
	rows /tmp/log2.dat '#0' | sort >/tmp/got
	is "the plain histogram beside .log2=$k has rows" "$([ -s /tmp/expected ] && echo rows)" rows
	ok "the report of .log2=$k has the counts of the model" diff /tmp/expected /tmp/got
	ok "JSON has K of .log2=$k" sh -c "trace-cmd hist report --format json /tmp/log2.dat |
		tr -d '\n' | grep '\"modifier\": \"log2\", *\"k\": ${k}[,} ]'"
	ok "the user-space engine records .log2=$k" timeout 60 trace-cmd hist record -q --engine user --events \
		-o /tmp/user.dat -e oom:oom_score_adj_update -R "$trigger" -- sh /tmp/numbers
	rows /tmp/user.dat '' | sort >/tmp/got
	ok "the user-space engine has the rows of the kernel for .log2=$k" diff /tmp/expected /tmp/got
	ok "replay counts .log2=$k" trace-cmd hist replay -q -o /tmp/again.dat -e oom:oom_score_adj_update \
		-R "$trigger" /tmp/user.dat
	rows /tmp/again.dat '' | sort >/tmp/got
	ok "replay has the rows of the kernel for .log2=$k" diff /tmp/expected /tmp/got
done
