# SPDX-License-Identifier: GPL-2.0
# The change of each key between two report --intervals --format csv with an empty
# line between them, in ten blocks each, by how sure it is.
BEGIN { FS = "," }
!NF { new = 1 }
$1 == "row" && $14 == "hitcount" && $8 != "" {
	key = $10 "," $11 "," $12
	keys[key]
	sum[new + 0, key, int($4 / 60)] += $15
}
END {
	for (key in keys) {
		for (s = 0; s < 2; s++) {
			total = squares = 0
			for (b = 0; b < 10; b++) {
				v = sum[s, key, b]
				total += v
				squares += v * v
			}
			mean[s] = total / 10
			var[s] = (squares - total * total / 10) / 9
		}
		if (var[0] + var[1] > 0) {
			t = (mean[1] - mean[0]) / sqrt((var[0] + var[1]) / 10)
			if (t > 3 || t < -3)
				print key, mean[0], mean[1], t
		}
	}
}
