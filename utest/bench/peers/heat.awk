# SPDX-License-Identifier: GPL-2.0
# What each key counted in each of 60 columns, from report --intervals --format csv.
BEGIN { FS = "," }
$1 == "row" && $14 == "hitcount" && $8 != "" {
	key = $10 "," $11 "," $12
	sum[key] += $15
	cell[key, int($4 / 10)] += $15
}
END {
	for (i = 0; i < 30; i++) {
		most = ""
		for (key in sum)
			if (most == "" || sum[key] > sum[most])
				most = key
		line = most
		for (c = 0; c < 60; c++)
			line = line " " cell[most, c] + 0
		print line
		delete sum[most]
	}
}
