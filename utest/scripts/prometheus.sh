#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# prometheus.sh BIN: histograms in a real Prometheus. TAP on stdout.
#
# The openmetrics of a recording goes by promtool into blocks of a time series
# database, a Prometheus server is started on them at a loopback port, and asked by
# its HTTP API. `promtool check metrics` reads only the older text format, which knows
# neither "info" nor units.  That of --format prometheus also goes through the textfile
# collector of a real node_exporter.

set -u
export LC_ALL=C.UTF-8
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$(dirname "$(readlink -f "$0")")/tap.sh"

[ $# = 1 ] || die "usage: prometheus.sh BIN"
bin=$(readlink -f "$1")
program=$bin/trace-cmd-hist
recorded=$here/../data/recorded.dat
[ -x /usr/bin/python3 ] || die "no /usr/bin/python3"
tools=$("$here/prometheus_get.sh") || exit 2
PATH=$tools:$PATH
need_files "$program"

work=$(mktemp -d)
server=
end()
{
	[ -z "$server" ] || { kill "$server" && wait "$server"; } 2>/dev/null
	rm -rf "$work"
}
trap end EXIT
cd "$work" || exit 2

offset=1700000000

make_blocks()
{
	"$program" report --snapshot all --format openmetrics --time-offset $offset -o hist.om \
		"$recorded" &&
		promtool tsdb create-blocks-from openmetrics hist.om data
}

# start_server PATH COMMAND...: PATH is ready within a minute, at the port that PORT stands for in
# the options.  Somebody may have taken the port meanwhile, so three tries.
start_server()
{
	local ready=$1 try deadline

	shift
	for try in 1 2 3; do
		port=$(free_port)
		"${@//PORT/$port}" >server.log 2>&1 &
		server=$!
		deadline=$((SECONDS + 60))
		while kill -0 $server 2>/dev/null && [ $SECONDS -lt $deadline ]; do
			is_ready "$ready" && return 0
			sleep 0.1
		done
		end_server
		echo "try $try: not ready"
	done
	tail -n 5 server.log
	return 1
}

end_server()
{
	kill $server 2>/dev/null
	wait $server
	server=
}

is_ready()
{
	/usr/bin/python3 -c 'import sys, urllib.request
urllib.request.urlopen(sys.argv[1], timeout=5)' "http://127.0.0.1:$port/$1" 2>/dev/null
}

agrees()
{
	/usr/bin/python3 -B "$here/lib/prometheus.py" "http://127.0.0.1:$port" $offset doc.json "$1"
}

: >empty.yml
ok "promtool imports the openmetrics report into blocks" make_blocks
"$program" report --snapshot all --percentiles 25,50,90,99,99.95 --format json "$recorded" \
	>doc.json || die "report"
ok "a Prometheus server starts on the imported blocks" start_server -/ready prometheus \
	--config.file=empty.yml --storage.tsdb.path=data --storage.tsdb.retention.time=100y \
	--web.listen-address=127.0.0.1:PORT
[ -n "$server" ] || { echo "1..$count"; exit 1; }
ok "Prometheus returns the counts of all rows at all times" agrees counts
ok "the buckets in Prometheus add up to the hits" agrees hits
ok "Prometheus returns the hits, dropped hits and losses" agrees losses
ok "the quantiles of Prometheus lie inside the reported buckets" agrees quantiles
ok "the increase in Prometheus equals the difference of the hits" agrees rate
end_server

# --- node_exporter ---

exporter=$(command -v prometheus-node-exporter) ||
	exporter=$("$here/../../scripts/package.sh" prometheus-node-exporter)/usr/bin/prometheus-node-exporter
mkdir textfiles refused
ok "report writes the text format of Prometheus" \
	"$program" report --format prometheus -o textfiles/hist.prom "$recorded"
"$program" report --format openmetrics -o refused/hist.prom "$recorded"
# Durations keep the unit of their field on purpose: see the manual.
valid_text()
{
	promtool check metrics <textfiles/hist.prom >promtool.log 2>&1
	! grep -v 'use base unit "seconds" instead of "[a-z]*"$' promtool.log
}
ok "promtool finds the text format valid" valid_text

# collect DIRECTORY: what node_exporter says of the files there, in exported
collect()
{
	start_server metrics "$exporter" --collector.disable-defaults --collector.textfile \
		"--collector.textfile.directory=$1" --web.listen-address=127.0.0.1:PORT || return 1
	/usr/bin/python3 -c 'import sys, urllib.request
sys.stdout.buffer.write(urllib.request.urlopen(sys.argv[1], timeout=30).read())' \
		"http://127.0.0.1:$port/metrics" >exported
	end_server
}

# The samples that are not exported, or have another value there; and how many there are.
cat >exported.py <<'END'
import re, sys
def samples(path):
    for line in open(path, encoding="utf-8"):
        match = re.match(r'(trace_\w+)\{(.*)\} (\S+)$', line)
        if match:
            yield (match[1], frozenset(re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', match[2]))), match[3]
ours, theirs = dict(samples(sys.argv[1])), dict(samples(sys.argv[2]))
bounds = lambda key: (key[0], frozenset((n, str(float(v)) if n == "le" else v) for n, v in key[1]))
ours, theirs = ({bounds(k): str(float(v)) for k, v in x.items()} for x in (ours, theirs))
print([k for k in ours if theirs.get(k) != ours[k]][:3], len(ours) > 100, "nan" in ours.values())
END
ok "node_exporter starts" collect textfiles
is "node_exporter takes the file" "$(grep -a '^node_textfile_scrape_error' exported)" "node_textfile_scrape_error 0"
is "node_exporter exports each sample with its value" \
	"$(/usr/bin/python3 exported.py textfiles/hist.prom exported)" "[] True True"
ok "node_exporter starts with openmetrics" collect refused
is "node_exporter refuses openmetrics, as the manual says" \
	"$(grep -a '^node_textfile_scrape_error' exported)" "node_textfile_scrape_error 1"

done_testing
