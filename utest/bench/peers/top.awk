# SPDX-License-Identifier: GPL-2.0
# The 20 largest keys of one snapshot, from report --format csv.
BEGIN { FS = "," }
$1 == "row" && $14 == "hitcount" { sum[$10 "," $11 "," $12] += $15 }
END {
	for (i = 0; i < 20; i++) {
		most = ""
		for (key in sum)
			if (most == "" || sum[key] > sum[most])
				most = key
		print most, sum[most]
		delete sum[most]
	}
}
