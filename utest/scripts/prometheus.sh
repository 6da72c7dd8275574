#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# prometheus.sh BIN: histograms in a real Prometheus. TAP on stdout.
#
# The openmetrics of a recording goes by promtool into blocks of a time series
# database, a Prometheus server is started on them at a loopback port, and asked by
# its HTTP API. `promtool check metrics` is of no use here: it reads the older text
# format, which knows neither "info" nor units.

set -u
export LC_ALL=C.UTF-8

die()
{
	echo "prometheus.sh: $*" >&2
	exit 2
}

[ $# = 1 ] || die "usage: prometheus.sh BIN"
bin=$(readlink -f "$1")
here=$(dirname "$(readlink -f "$0")")
program=$bin/trace-cmd-hist
recorded=$here/../data/recorded.dat
[ -x /usr/bin/python3 ] || die "no /usr/bin/python3"
tools=$("$here/prometheus_get.sh") || exit 2
PATH=$tools:$PATH
[ -x "$program" ] || die "$program: missing"

work=$(mktemp -d)
server=
end()
{
	[ -z "$server" ] || { kill "$server" && wait "$server"; } 2>/dev/null
	rm -rf "$work"
}
trap end EXIT
cd "$work" || exit 2

# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$here/tap.sh"

offset=1700000000

make_blocks()
{
	"$program" report --snapshot all --format openmetrics --time-offset $offset -o hist.om \
		"$recorded" &&
		promtool tsdb create-blocks-from openmetrics hist.om data
}

free_port()
{
	/usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# Ready within a minute; somebody may have taken the port meanwhile, so three tries.
start_server()
{
	local try deadline

	for try in 1 2 3; do
		port=$(free_port)
		prometheus --config.file=empty.yml --storage.tsdb.path=data \
			--storage.tsdb.retention.time=100y --web.listen-address="127.0.0.1:$port" \
			>server.log 2>&1 &
		server=$!
		deadline=$((SECONDS + 60))
		while kill -0 $server 2>/dev/null && [ $SECONDS -lt $deadline ]; do
			is_ready && return 0
			sleep 0.1
		done
		kill $server 2>/dev/null
		wait $server
		server=
		echo "try $try: not ready"
	done
	tail -n 5 server.log
	return 1
}

is_ready()
{
	/usr/bin/python3 -c 'import sys, urllib.request
urllib.request.urlopen(sys.argv[1], timeout=5)' "http://127.0.0.1:$port/-/ready" 2>/dev/null
}

agrees()
{
	/usr/bin/python3 -B "$here/lib/prometheus.py" "http://127.0.0.1:$port" $offset doc.json "$1"
}

: >empty.yml
ok "promtool imports the openmetrics report into blocks" make_blocks
"$program" report --snapshot all --percentiles 25,50,90,99,99.95 --format json "$recorded" \
	>doc.json || die "report"
ok "a Prometheus server starts on the imported blocks" start_server
[ -n "$server" ] || { echo "1..$count"; exit 1; }
ok "Prometheus returns the counts of all rows at all times" agrees counts
ok "the buckets in Prometheus add up to the hits" agrees hits
ok "Prometheus returns the hits, dropped hits and losses" agrees losses
ok "the quantiles of Prometheus lie inside the reported buckets" agrees quantiles
ok "the increase in Prometheus equals the difference of the hits" agrees rate

done_testing
