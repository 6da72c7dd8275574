#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# bombs.sh BIN: small files that want to be large or slow (bomb_make.py), through every verb and
# format.  TAP on stdout.
#
# The limits are those of trace-cmd-hist.dat(5): 256 MB of memory, and for a report 5 s and a time that
# is linear in what bodies become and in what is written.  Times are those of the CPU.  make check
# takes those that are made quickly.

set -u
export LC_ALL=C.UTF-8
# shellcheck source-path=SCRIPTDIR source=../scripts/tap.sh
. "$(dirname "$(readlink -f "$0")")/../scripts/tap.sh"

die()
{
	echo "bombs.sh: $*" >&2
	exit 2
}

[ $# = 1 ] || die "usage: bombs.sh BIN"
bin=$(readlink -f "$1")
hist=$bin/trace-cmd-hist
[ -x "$hist" ] || die "$hist: missing"
here=$(dirname "$(readlink -f "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || die "$work"

# cost.py UNPACKED COMMAND...: "within the limits", or what went beyond; the output is counted and dropped
cat >cost.py <<'END'
import os, resource, sys

read, write = os.pipe()
pid = os.fork()
if not pid:
    os.dup2(write, 1)
    os.close(read)
    os.dup2(os.open("said", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
    resource.setrlimit(resource.RLIMIT_CPU, (120, 120))
    os.execv(sys.argv[2], sys.argv[2:])
os.close(write)
written = 0
while True:
    data = os.read(read, 1 << 20)
    if not data:
        break
    written += len(data)
_, status, usage = os.wait4(pid, 0)
seconds, megabytes = usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
# 10 MB in a second is slow, and so are 50 to be unpacked, more than once
allowed = 5 + written / 10e6 + int(sys.argv[1]) / 50e6
what = []
if os.WIFSIGNALED(status):
    what.append(f"ended by signal {os.WTERMSIG(status)}")
if megabytes > 256:
    what.append(f"{megabytes:.0f} MB")
if seconds > allowed:
    what.append(f"{seconds:.1f} s for {written} bytes")
print(", ".join(what) or "within the limits")
print(f"# {megabytes:.0f} MB, {seconds:.2f} s, {written} bytes, status {status >> 8}", file=sys.stderr)
END

"$bin/series_make" many base.dat zlib little || die "series_make"
kinds='names histograms same most entries rows anew'
[ -z "${CHECK_LONG-}" ] || kinds="$kinds definitions strings text kept"
for kind in $kinds; do
	unpacked=$(/usr/bin/python3 "$here/bomb_make.py" base.dat bomb.dat "$kind") || die "bomb_make.py $kind"
	is "$kind: the file takes at most 1000 KiB" "$(find bomb.dat -size -1001k)" bomb.dat
	while read -r options; do
		# the time of diff is linear in metrics, of which these have more than a million
		[[ $options != diff* || $kind != rows ]] || continue
		# shellcheck disable=SC2086
		is "$kind: ${options/bomb.dat bomb.dat/bomb.dat} stays within the limits" \
			"$(/usr/bin/python3 cost.py "$unpacked" "$hist" $options 2>cost)" \
			"within the limits"
		cat cost
	done <<-END
		report --list bomb.dat
		report bomb.dat
		report --intervals bomb.dat
		report --view bars bomb.dat
		report --view heatmap bomb.dat
		report --view percentiles bomb.dat
		report --format json bomb.dat
		report --format csv bomb.dat
		report --format ndjson bomb.dat
		report --format html bomb.dat
		report --format svg bomb.dat
		report --format openmetrics bomb.dat
		report --format folded bomb.dat
		diff --min-decided 0 bomb.dat bomb.dat
		replay -e a:b -k c bomb.dat
	END
done
done_testing
