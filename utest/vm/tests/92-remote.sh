# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# Recording a target through a helper and through a bare shell. The target is
# this same kernel at the other end of two pipes, so both ways and the local one
# must count the same and leave nothing behind.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh
cd /tmp || bail "no /tmp"

status() { "$@" >/tmp/said 2>&1; echo $?; }

# load N: renames a task N times to a name that the filter knows.
cat >load <<'END'
i=0
while [ $i -lt "$1" ]; do
	printf remote-load >/proc/$$/comm
	i=$((i + 1))
done
END
# record FILE OPTION... -- COMMAND: what the load does, and nothing else, is counted
record()
{
	local out=$1

	shift
	trace-cmd hist record -q -o "$out" -i 100ms -e task:task_rename \
		-f 'newcomm == "remote-load"' -k newcomm -v oom_score_adj "$@"
}
# What the last snapshot has, without times.
rows() { trace-cmd hist report "$1" --format json | tr -d ' \n' | sed 's/.*"rows"://' | sed 's/"time[^,}]*//g'; }
hits() { trace-cmd hist report "$1" --format json | sed -n 's/.*"hits": *\([0-9]*\).*/\1/p' | tail -n 1; }

before=$(tree_state)
helper='exec:trace-cmd hist listen --stdio'
small='exec:trace-cmd-hist-target --stdio'

is "a local recording exits with status 0" "$(status record local.dat sh load 300)" 0
is "the local recording counts all 300 renames" "$(hits local.dat)" 300
# a terminal on the way echoes, prompts, edits lines, changes bytes
pty='exec:script -qc sh /dev/null'
for url in "$helper" "$small" exec:sh shell:exec:sh "$pty" "shell:$pty"; do
	is "record --target $url exits with status 0" \
		"$(status record remote.dat --target "$url" sh load 300)" 0
	is "record --target $url prints nothing" "$(cat said)" ""
	is "record --target $url counts all 300 renames" "$(hits remote.dat)" 300
	is "record --target $url has the rows of the local recording" \
		"$(rows remote.dat)" "$(rows local.dat)"
	is "record --target $url leaves tracefs unchanged" "$(tree_state)" "$before"
done

# The events come from the ring buffer of the target.
for url in "$small" shell:exec:sh; do
	is "record --events --target $url exits with status 0" \
		"$(status record events.dat --events --target "$url" sh load 300)" 0
	is "record --events --target $url prints nothing" "$(cat said)" ""
	is "record --events --target $url has all 300 renames, and stock trace-cmd report shows them" \
		"$(hits events.dat) $(command trace-cmd report events.dat 2>/dev/null |
		grep -c 'task_rename:.*newcomm=remote-load')" "300 300"
	ok "record --events --target $url has the names of tasks" \
		test "$(command trace-cmd report events.dat 2>/dev/null | grep -c '^ *<\.\.\.>')" -lt 10
	is "record --events --target $url leaves tracefs unchanged" "$(tree_state)" "$before"
done
old='exec:trace-cmd-hist-target --stdio | { read -r line; echo trace-cmd-hist:helper 1 1 old; cat; }'
is "record --events of an old target helper exits with status 2" \
	"$(status record x.dat --events --target "$old" true)" 2
like "record --events reports an old target helper" "$(cat said)" \
	'error: --events: the target helper is too old to send ring buffers'

# Triggers longer than a pipe's and a terminal's pieces, up to what the kernel takes.
long='hist:keys=newcomm if newcomm == "remote-load"'
while [ ${#long} -lt 3900 ]; do
	long="$long || newcomm == \"no-such-${#long}\""
done
for url in "$helper" shell:exec:sh "shell:$pty"; do
	is "record --target $url accepts a trigger of ${#long} bytes" \
		"$(status trace-cmd hist record -q -o long.dat -i 0 \
		-e task:task_rename -R "$long" --target "$url" sh load 40)" 0
	is "record --target $url prints nothing about a long trigger" "$(cat said)" ""
	is "record --target $url counts all 40 renames with a long trigger" "$(hits long.dat)" 40
done
is "long triggers leave tracefs unchanged" "$(tree_state)" "$before"
cat >no_stty <<'END'
stty() { return 127; }
while IFS= read -r line; do eval "$line"; done
END
like "record reports a terminal of the target that has no stty" \
	"$(trace-cmd hist record -o x.dat -e task:task_rename -k newcomm \
	--target "shell:exec:script -qc 'sh no_stty' /dev/null" true 2>&1)" \
	'hist: error: exec: the target is on a terminal and lacks stty'

# What only a record of this machine can do, and what one end cannot know, is refused.
like "--target refuses --uprobe" \
	"$(trace-cmd hist record --uprobe /bin/busybox:0x10000 -k common_pid \
	--target "$helper" true 2>&1)" 'hist: error: --uprobe, --usdt: cannot be combined with --target, because the file on the target may differ'
like "--target refuses a URL of another scheme" \
	"$(trace-cmd hist record -e sched:sched_switch -k next_comm \
	--target http://x true 2>&1)" 'hist: error: --target http://x: must be ssh://'
like "--target refuses an option in place of a host name" \
	"$(trace-cmd hist record -e sched:sched_switch -k next_comm \
	--target ssh://-oProxyCommand=x true 2>&1)" '--target ssh://-oProxyCommand=x: must be ssh://'

# The kernel's words come through.
for url in "$helper" shell:exec:sh; do
	like "record --target $url names the key that the event does not have" \
		"$(trace-cmd hist record -o x.dat --target "$url" \
		-e sched:sched_switch -R 'hist:keys=no_such_field' true 2>&1)" 'no_such_field'
	is "record --target $url accepts -C global" \
		"$(status record clock.dat -C global --target "$url" sh load 20)" 0
	is "record --target $url counts all 20 renames with -C global" "$(hits clock.dat)" 20
	is "record --target $url accepts --latency" \
		"$(status trace-cmd hist record -q -o l.dat -i 0 --target "$url" \
		--latency sched:sched_waking:pid..sched:sched_switch:next_pid:usecs \
		sh -c 'usleep 50000')" 0
	ok "record --target $url counts latencies" test "$(hits l.dat)" -gt 0
	is "record --target $url accepts --kprobe" \
		"$(status trace-cmd hist record -q -o p.dat -i 0 --target "$url" \
		--kprobe 'vfs_open' -k common_pid.execname sh -c 'cat /etc/passwd')" 0
	ok "record --target $url counts hits of a probe" test "$(hits p.dat)" -gt 0
	is "list --target $url prints the same as a local list" \
		"$(trace-cmd hist list --target "$url" sched:sched_switch)" \
		"$(trace-cmd hist list sched:sched_switch)"
	like "top --target $url shows the key column" \
		"$(trace-cmd hist top -b -n 2 -i 200ms --target "$url" \
		-e sched:sched_switch -k next_comm 2>&1)" 'next_comm'
	is "the commands with --target $url leave tracefs unchanged" "$(tree_state)" "$before"
done

# A login may print, on both streams; what it says on stderr is shown.
is "record accepts login messages before the target helper starts" "$(status record n.dat --target \
	'exec:echo Welcome; echo trace-cmd; echo "to  board" >&2; exec trace-cmd-hist-target --stdio' \
	sh load 10)" 0
is "record prints each line of the login's stderr with a prefix" \
	"$(cat said)" "trace-cmd hist: note: exec: to  board"
is "login messages do not change the counts" "$(hits n.dat)" 10

# Other ends than ours.
refused()
{
	is "record exits with status 2 if the target runs: $1" \
		"$(status record r.dat --target "exec:$1" sh load 10)" 2
	like "record reports why the connection fails if the target runs: $1" "$(cat said)" "$2"
	is "record leaves tracefs unchanged if the target runs: $1" "$(tree_state)" "$before"
}
refused 'true' 'hist: error: exec: the target closed the connection$'
refused 'exit 3' 'hist: error: exec: the target closed the connection \(exit status 3\)'
refused 'kill -9 $$' 'hist: error: exec: the target closed the connection \(killed by signal 9\)'
refused 'yes' 'hist: error: exec: received data that is not from a target helper'
refused 'head -c 100000 /dev/urandom' 'hist: error: exec: (received data that is not from|the target closed the connection)'
refused 'echo trace-cmd-hist:helper 1 1 x; cat /dev/urandom' 'received data that is not from a target helper'
refused 'echo trace-cmd-hist:helper 9 8 x; cat' 'hist: error: exec: the target helper uses version 9 of the protocol'
refused 'echo trace-cmd-hist:refused no tracefs here; cat' 'hist: error: exec: no tracefs here$'
refused 'trace-cmd-hist-target --what' 'hist: error: exec: the target closed the connection \(exit status 2\): --what: unknown option$'
like "the target helper refuses a host that speaks another protocol" \
	"$(printf 'GET / HTTP/1.0\r\n\r\n' |
	trace-cmd-hist-target --stdio 2>&1)" 'trace-cmd-hist-target: error: the other side does not speak the protocol'
like "the target helper refuses a host of another protocol version" \
	"$(printf '#trace-cmd-hist 9 8\n\n' |
	trace-cmd-hist-target --stdio 2>/dev/null)" '^trace-cmd-hist:refused .*another version'

# Frames by hand: 4 bytes of length, 2 of tag, the verb, the length of the path, the path.
little() { printf "\\$(printf %03o $(($1 % 256)))\\$(printf %03o $(($1 / 256)))"; }
ask()
{
	printf '#trace-cmd-hist 1 1\n\n'
	little $((5 + ${#2})); printf '\000\000\007\000'"\\$(printf %03o "$1")"
	little ${#2}; printf %s "$2"
}
# The last 4 bytes of the answer, as a number.
answer() { ask "$@" | trace-cmd-hist-target --stdio | tail -c 4 | od -An -td4 | tr -d ' '; }
is "the target helper finds a file that exists in tracefs" "$(answer 11 trace_clock)" 1
is "the target helper finds no file that does not exist in tracefs" "$(answer 11 no_such)" 0
for path in .. ../x ../../etc/passwd /etc/passwd instances/../../../etc/passwd events/.. ''; do
	is "the target helper refuses to read '$path'" "$(answer 3 "$path")" -22
	is "the target helper refuses to create the directory '$path'" "$(answer 9 "$path")" -22
done
ok "the target helper creates no directory outside tracefs" test ! -e /sys/kernel/x

# Several at once, one file each.
is "record accepts three targets at once" \
	"$(status trace-cmd hist record -o m.dat -d 1 -i 200ms -e sched:sched_switch -k next_comm \
	--target "$helper" --target "$small" --target shell:exec:sh)" 0
for i in 1 2 3; do
	ok "the file of target $i has hits" test "$(hits m.exec-$i.dat)" -gt 0
done
# Their report: whose each is, at one moment of the day, in one line of time.
table=$(trace-cmd hist report --list m.exec-1.dat m.exec-2.dat m.exec-3.dat)
is "report --list has one row for each of three files" \
	"$(echo "$table" | grep -c '^m.exec-[123].dat:sched:sched_switch ')" 3
now=$(date +%s)
is "report --list shows wall-clock times of the three files within 30 s of each other" \
	"$(echo "$table" | awk -v now="$now" '
	/^m/ { n++; if ($3 < now - 120 || $4 > now + 1) print "off:", $0
	       if (!first || $3 < first) first = $3; if ($3 > last) last = $3 }
	END { print n, last - first < 30 ? "close" : "apart" }')" "3 close"
is "report --at finds a snapshot of both files at one wall-clock time" \
	"$(trace-cmd hist report m.exec-1.dat m.exec-2.dat --at \
	"$(echo "$table" | awk '/^m/ && $3 > t { t = $3 } END { print t }')" --format csv |
	grep -c ',hits,')" 2
like "the heat maps of two files share one time axis" \
	"$(trace-cmd hist report m.exec-1.dat m.exec-3.dat --view heatmap |
	grep '^# columns:' | uniq -c)" ' 2 # columns: [0-9]+, each .* aligned with the other files'
like "record refuses a command if there are two targets" \
	"$(trace-cmd hist record -e sched:sched_switch -k next_comm \
	--target "$helper" --target "$small" true 2>&1)" 'hist: error: true: a command cannot be combined with several targets'
is "record exits with status 2 if one of two targets fails" \
	"$(status trace-cmd hist record -o m2.dat -d 1 \
	-e sched:sched_switch -k next_comm --target "$small" --target exec:false)" 2
ok "the file of the working target has hits" test "$(hits m2.exec-1.dat)" -gt 0
is "recordings of several targets leave tracefs unchanged" "$(tree_state)" "$before"
done_testing
