#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# metrics.sh BIN [SUITE]: record --metrics-listen with a real Prometheus, that of this machine or
# of a suite of Debian. TAP on stdout.
#
# push_tool serves the snapshots of a recording, one for each line that it reads, as the recorder
# does.  A Prometheus server scrapes it, and is asked by its HTTP API for what a report of the same
# snapshots has.

set -u
export LC_ALL=C.UTF-8
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$(dirname "$(readlink -f "$0")")/tap.sh"

[ $# = 1 ] || [ $# = 2 ] || die "usage: metrics.sh BIN [SUITE]"
bin=$(readlink -f "$1")
program=$bin/trace-cmd-hist
recorded=$(readlink -f "$here/../data/recorded.dat")
[ -x /usr/bin/python3 ] || die "no /usr/bin/python3"
promtool=$("$here/prometheus_get.sh")/promtool || exit 2
if [ $# = 1 ]; then
	tools=$("$here/prometheus_get.sh") || exit 2
else
	tools=$("$here/../../scripts/package.sh" prometheus "$2")/usr/bin || exit 2
fi
need_files "$program" "$bin/push_tool"

work=$(mktemp -d)
server='' feeder=''
end()
{
	exec 7>&-
	for pid in "$server" "$feeder"; do
		[ -z "$pid" ] || { kill "$pid" && wait "$pid"; } 2>/dev/null
	done
	rm -rf "$work"
}
trap end EXIT
cd "$work" || exit 2
mkfifo lines
wait_limit=60

# serve OPTION FILE: begin to serve FILE, which has no snapshot yet; ask at http://$address
serve()
{
	address=127.0.0.1:$(free_port)
	"$bin/push_tool" "$1" "$address" "$2" <lines >sent 2>feed.log &
	feeder=$!
	exec 7>lines
	wait_for is_open
}

is_open() { /usr/bin/python3 -c 'import socket, sys; h, p = sys.argv[1].split(":"); socket.create_connection((h, int(p)))' "$address" 2>/dev/null; }

# next N: serve the snapshot number N
next()
{
	echo >&7
	wait_for grep -qx "sent $1" sent
}

stop_serving()
{
	exec 7>&-
	wait "$feeder"
	feeder=
}

# page ACCEPT [PATH]: headers and body
page()
{
	/usr/bin/python3 "$here/lib/http_get.py" "http://$address${2-/metrics}" "$1"
}

# The Prometheus server asks each second; OPTIONS are those of the server.
start_prometheus()
{
	cat >prometheus.yml <<-END
		global:
		  scrape_interval: 1s
		scrape_configs:
		- job_name: hist
		  static_configs:
		  - targets: ['$address']
	END
	rm -rf data
	query=127.0.0.1:$(free_port)
	"$tools/prometheus" --config.file=prometheus.yml --storage.tsdb.path=data \
		--web.listen-address="$query" "$@" >server.log 2>&1 &
	server=$!
	wait_for has "http://$query/-/ready" Ready
}

stop_prometheus()
{
	kill "$server"
	wait "$server"
	server=
}

has() { /usr/bin/python3 "$here/lib/http_get.py" "$1" 2>/dev/null | grep -aq "$2"; }

# scraped N: Prometheus has the hits of snapshot N
scraped()
{
	has "http://$query/api/v1/query?query=trace_cmd_hist_hits_total%7Bhistogram%3D%22kmem:kmalloc%230%22%7D" "\"${hits[$1]}\""
}

agrees() { /usr/bin/python3 -B "$here/lib/prometheus.py" "http://$query" now doc.json "$1"; }

# Hits of kmem:kmalloc#0 from the first snapshot to each.
mapfile -t hits < <("$program" report --intervals --format json -e kmem:kmalloc#0 "$recorded" |
	/usr/bin/python3 -c 'import json, sys
n = 0
print(0)
for s in json.load(sys.stdin)["histograms"][0]["snapshots"]:
    n += s["hits"]
    print(n)')
"$program" report --percentiles 25,50,90,99,99.95 --format json "$recorded" >doc.json || die report

# --- all forms of the page ---

ok "the server starts" serve --metrics "$recorded"
ok "the first snapshot is served" next 0
like "the set-up is not counted" "$(page text/plain | grep -a '^trace_cmd_hist_hits_total.*kmem:kmalloc#0')" ' 0$'
ok "the second snapshot is served" next 1
like "a page has the counts of the last snapshot" \
	"$(page text/plain | grep -a '^trace_cmd_hist_hits_total.*kmem:kmalloc#0')" " ${hits[1]}\$"
while IFS='|' read -r accept type; do
	is "Accept: $accept gets $type" "$(page "$accept" | sed -n 's/^Content-Type: \([a-z./-]*\).*/\1/p')" "$type"
done <<'END'
|text/plain
*/*|text/plain
application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1|application/openmetrics-text
application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited,application/openmetrics-text;version=1.0.0;q=0.8,text/plain;version=0.0.4;q=0.5|application/vnd.google.protobuf
application/vnd.google.protobuf;encoding=text|text/plain
Application/OpenMetrics-Text; Version=1.0.0; Q=0.4, text/plain;q=0.5|text/plain
application/openmetrics-text; version=1.0.0; q=0.45, text/plain;q=0.4|application/openmetrics-text
application/openmetrics-text; version=2.0.0, text/plain;q=0.1|text/plain
application/openmetrics-text;q=0, text/plain;q=0.001|text/plain
application/openmetrics-textual|text/plain
,,; ,application/openmetrics-text;q=|application/openmetrics-text
END
is "OpenMetrics ends with its mark" \
	"$(page 'application/openmetrics-text;version=1.0.0' | tail -n 1)" "# EOF"
# Durations keep the unit of their field on purpose.
valid_text()
{
	page text/plain | sed '1,/^$/d' | "$promtool" check metrics >promtool.log 2>&1
	! grep -v 'use base unit "seconds" instead of "[a-z]*"$' promtool.log
}
ok "promtool finds the text valid" valid_text
is "another path is not found" "$(page '' / | head -n 1)" "404"
is "POST is refused" "$(/usr/bin/python3 "$here/lib/http_get.py" "http://$address/metrics" '' POST | head -n 1)" "405"

# --- Prometheus ---

ok "a Prometheus server starts" start_prometheus
for i in 2 3; do
	ok "snapshot $i is served" next $i
	ok "Prometheus gets snapshot $i" wait_for scraped $i
done
ok "Prometheus has the counts of all rows" agrees counts
ok "its buckets add up to the hits" agrees hits
ok "it has the hits, dropped hits and losses" agrees losses
ok "its quantiles are inside the buckets" agrees quantiles
stop_prometheus
ok "Prometheus starts with native histograms" start_prometheus --enable-feature=native-histograms
ok "it gets the last snapshot" wait_for scraped 3
ok "it has native histograms with the hits, the sums and the quantiles" agrees native
ok "it has the counts of all other rows" agrees counts
stop_prometheus
ok "the recording ends" stop_serving
is "the recorder has not complained" "$(cat feed.log)" ""

# --- exemplars ---

machine=$(readlink -f "$here/../data/machine.one.dat")
"$program" report --format json "$machine" >doc.json || die report
serve --metrics "$machine" || die "cannot serve"
next 0 || die "no snapshot 0"
count_scrapes()
{
	/usr/bin/python3 "$here/lib/http_get.py" \
		"http://$query/api/v1/query?query=count_over_time(up%5B1h%5D)" | grep -ao '"[0-9]*"\]' | tr -dc 0-9
}
scraped_again() { [ "$(count_scrapes)" -ge $((before + 2)) ]; }
features=exemplar-storage kind=exemplars
# since 3.0 also those of native histograms
[ "${2-}" != sid ] || features+=,native-histograms kind=native-exemplars
ok "Prometheus starts with exemplars" start_prometheus --enable-feature=$features
for i in 1 2 3 4 5 6 7 8; do
	next $i || die "no snapshot $i"
done
# of two scrapes after the last snapshot, the second one began after it
before=$(count_scrapes)
ok "Prometheus gets the last snapshot" wait_for scraped_again
ok "it has the worst of each key as $kind, with the task before it" agrees $kind
stop_prometheus
stop_serving

# --- the same bounds everywhere ---

# bounds FAMILY: the values of le
bounds() { grep -ao "^${1}_bucket{.*le=\"[^\"]*\"" page.txt | sed 's/.*le=//' | sort -u | sha256sum; }
for option in --metrics --metrics-fine; do
	for i in 1 2; do
		"$program" replay -q -o wait$i.dat -i 100ms --latency sched:sched_waking:pid..sched:sched_switch:next_pid \
			-k next_comm,lat_us.log2=3 -v lat_us -f "pid % 2 != $i" "$here/../data/events/several.dat" 2>replay.log ||
			"$program" replay -q -o wait$i.dat -i 100ms \
				--latency sched:sched_waking:pid..sched:sched_switch:next_pid \
				-k next_comm,lat_us.log2=3 -v lat_us "$here/../data/events/several.dat" || die "replay"
		serve $option wait$i.dat || die "cannot serve"
		next 0 || die "no snapshot 0"
		next 1 || die "no snapshot 1"
		page text/plain >page.txt
		bounds trace_latency_sched_waking__sched_switch_lat_microseconds >bounds$i
		stop_serving
	done
	ok "two recordings have the same bounds with $option" cmp bounds1 bounds2
	grep -ao 'next_comm="[^"]*",le="[^"]*"' page.txt | sed 's/,.*//' | sort | uniq -c | sort -n | sed -n 1p >fewest
	is "$option has all bounds of a key" "$(awk '{ print $1 }' fewest)" \
		"$([ $option = --metrics ] && echo 34 || echo 242)"
done

# --- clients that do harm ---

ok "the server starts once more" serve --metrics "$recorded"
ok "a snapshot is served" next 0
/usr/bin/python3 "$here/lib/http_harm.py" "$address" 1000 >harm.log 2>&1 &
harm=$!
ok "garbage, slow and idle clients are there" wait_for grep -q ready harm.log
for i in 1 2 3; do
	ok "snapshot $i is taken beside 1,000 clients" next $i
done
# the recorder closes idle connections at each snapshot
while sleep 0.5 && echo; do :; done >&7 &
ticks=$!
like "a page is served beside them" "$(page text/plain | grep -a '^trace_cmd_hist_hits_total.*kmem:kmalloc#0')" " ${hits[3]}\$"
kill "$ticks" "$harm"
wait "$ticks" "$harm" 2>/dev/null
like "a page is served after them" "$(page text/plain | grep -a '^trace_cmd_hist_hits_total.*kmem:kmalloc#0')" " ${hits[3]}\$"
ok "the recording ends after them" stop_serving
is "the recorder has not complained of them" "$(cat feed.log)" ""

# An address that is in use: a warning, and the snapshots go on.
ok "a server has the port" serve --metrics "$recorded"
yes '' | head -n 4 | "$bin/push_tool" --metrics "$address" "$recorded" >second.out 2>second.log
is "a second recorder ends with status 2" $? 2
is "it says why" "$(cat second.log)" "trace-cmd hist: warning: --metrics-listen $address: Address already in use
hint: the recording goes on without it"
is "it takes all snapshots" "$(tail -n 1 second.out)" "sent 3"
ok "the first one ends" stop_serving

# --- record itself ---

# The command runs a program seven times, and ends when the page has them.
cp /bin/true served_true
execs=(-e sched:sched_process_exec -k filename -f 'filename ~ "*served_true"')
address=127.0.0.1:$(free_port)
cat >execs.sh <<'END'
for i in 1 2 3 4 5 6 7; do
	./served_true
done
for i in $(seq 600); do
	/usr/bin/python3 "$1" "http://$2/metrics" >page.rec
	grep -q '^trace_cmd_hist_hits_total.* 7$' page.rec && exit 0
	sleep 0.1
done
exit 1
END
ok "record serves what it has counted" "$program" record -q -i 100ms --metrics-listen "${address#*:}" \
	"${execs[@]}" -o record.dat -- sh execs.sh "$here/lib/http_get.py" "$address"
is "its file has the same" "$("$program" report --format json record.dat |
	/usr/bin/python3 -c 'import json, sys; print(json.load(sys.stdin)["histograms"][0]["snapshots"][-1]["hits"])')" 7
is "a page names the version of the recorder" "$(sed -n 's/^trace_cmd_hist_build_info.*version="\([^"]*\)".*/\1/p' page.rec)" \
	"$("$program" --version | sed -n 's/^trace-cmd-hist //p')"
"$program" record -q -i 100ms --metrics-listen "${address#*:}" --metrics-fine "${execs[@]}" -o record.dat \
	-d 10 >/dev/null 2>&1 &
feeder=$!
wait_for is_open
"$program" record -q --metrics-listen "${address#*:}" "${execs[@]}" -o second.dat -- true 2>record.log
is "record ends with status 2 if the port is in use" $? 2
like "it warns" "$(cat record.log)" "warning: --metrics-listen $address: Address already in use"
ok "its file is whole" "$program" report second.dat
kill $feeder
wait $feeder
feeder=
# With --rotate and --threshold, each exemplar names a file of the recording.
address=127.0.0.1:$(free_port)
"$program" record -q -i 100ms --metrics-listen "${address#*:}" --threshold 1us --rotate 400ms -o turn.dat \
	--latency sched:sched_waking:pid..sched:sched_switch:next_pid -k next_comm,lat_us.log2 -d 600 >turn.log 2>&1 &
feeder=$!
turned() { page 'application/openmetrics-text;version=1.0.0' 2>/dev/null | grep -aq 'file="turn.0000[3-9].dat"'; }
ok "exemplars name the third file" wait_for turned
page 'application/openmetrics-text;version=1.0.0' | grep -ao 'file="[^"]*"' | sort -u >files
like "exemplars name files of the recording" "$(cat files)" 'turn.0000'
is "exemplars name nothing else" "$(grep -v '^file="turn\.[0-9]*\.dat"$' files)" ""
kill -INT $feeder
wait $feeder
feeder=

# Two targets, which are this machine: the second has the next port.
"$program" record -i 100ms --metrics-listen "$address" --target shell:exec:sh --target shell:exec:bash \
	-e sched:sched_process_exec -k pid -o far.dat -d 600 >far.log 2>&1 &
feeder=$!
port=${address#*:}
for address in "127.0.0.1:$port" "127.0.0.1:$((port + 1))"; do
	served() { page text/plain 2>/dev/null | grep -aq "^trace_cmd_hist_hits_total.*host=\"$(uname -n)\""; }
	ok "a target is served at port $port + $((${address#*:} - port))" wait_for served
done
kill -INT $feeder
wait $feeder
feeder=
while IFS='|' read -r option said; do
	# shellcheck disable=SC2086 # words
	like "record $option is refused" "$("$program" record $option -e sched:sched_process_exec -k pid -o no.dat -d 1 2>&1)" "$said"
done <<'END'
--metrics-listen 99 -i 0|cannot be combined with -i 0
--metrics-listen x|the port is missing in HOST:PORT
--metrics-listen 0|the port must be a number from 1 to 65535
--metrics-listen ::1:99|an IPv6 address needs brackets
--metrics-fine|needs --metrics-listen
--metrics-listen 65535 --target exec:true --target exec:true|each target needs a port
END

done_testing
