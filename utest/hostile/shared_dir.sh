#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# shared_dir.sh BIN: what root and another user do in a directory where others have put links, FIFOs,
# sockets, files and directories.  TAP on stdout.
#
# Names that -o gives are also tested by output.sh; this script has the files beside them, what is
# read, and what is not a regular file.  Recordings are made by the user-space engine.
#
# make check takes some kinds for each verb; with CHECK_LONG=1 all.

set -u
export LC_ALL=C.UTF-8
# shellcheck source-path=SCRIPTDIR source=../scripts/tap.sh
. "$(dirname "$(readlink -f "$0")")/../scripts/tap.sh"

[ $# = 1 ] || die "usage: shared_dir.sh BIN"
# other users and tracefs are for root
[ "$(id -u)" = 0 ] || exec sudo --preserve-env=CHECK_LONG "$0" "$@"
bin=$(readlink -f "$1")
need_files "$bin/trace-cmd-hist" "$bin/diff_make"
data=$here/../data
tracefs=/sys/kernel/tracing
mountpoint -q $tracefs || mount -t tracefs none $tracefs || die "no tracefs: run as root"
work_enter
chmod 755 .
umask 022
# where another user can run it
cp "$bin/trace-cmd-hist" hist
hist=$work/hist
"$bin/diff_make" base.dat latency 1 && "$bin/diff_make" new.dat latency 2 || die "diff_make"
cp "$data/recorded.dat" "$data/events/several.dat" .
chmod 644 ./*.dat

as_nobody() { setpriv --reuid nobody --regid nogroup --clear-groups "$@"; }
# as USER COMMAND...
as()
{
	local user=$1

	shift
	if [ "$user" = root ]; then "$@"; else as_nobody "$@"; fi
}
# other USER: one who puts things in its way
other() { [ "$1" = root ] && echo nobody || echo daemon; }
mkdir -m 1777 sticky
mkdir -m 777 open
mkdir group
chgrp nogroup group
chmod 775 group

# plant KIND PATH USER: what USER puts there; "victim" is a file of root, or of nobody, elsewhere
plant()
{
	case $1 in
	link) ln -s "$work/victim" "$2" ;;
	dangling) ln -s "$work/nowhere" "$2" ;;
	fifo) mkfifo -m 666 "$2" ;;
	socket) /usr/bin/python3 -c "import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])" "$2" ;;
	device) mknod -m 666 "$2" c 1 3 ;;
	dir) mkdir -m 777 "$2" ;;
	file) echo theirs >"$2" && chmod 666 "$2" ;;
	hardlink) ln victim "$2" && return ;;
	esac
	chown -h "$3" "$2"
}
# state PATH: kind, owner and content
state()
{
	stat -c '%F %U' "$1"
	if [ -f "$1" ] && [ ! -L "$1" ]; then cat "$1"; fi
}

# --- report -o, diff -o, replay -o, record -o ---

report_to() { as "$1" timeout 20 "$hist" report -o "$2" recorded.dat 2>said; }
diff_to() { as "$1" timeout 20 "$hist" diff --min-decided 0 -o "$2" base.dat new.dat 2>said; }
replay_to() { as "$1" timeout 20 "$hist" replay -q -e sched:sched_switch -k next_pid -o "$2" several.dat 2>said; }
record_to()
{
	as "$1" timeout 20 "$hist" record -q --engine user -e raw_syscalls:sys_enter -k common_pid -o "$2" -- true 2>said
}
touch said
chmod 666 said
# tried DIR KIND VERB USER: the verb refuses what another user has put there
tried()
{
	local before

	echo precious >victim
	chown "$4" victim
	plant "$2" "$1/out" "$(other "$4")"
	before=$(state "$1/out")
	"$3" "$4" "$1/out"
	is "${3%_*} -o of $4 refuses a $2 of another user in the directory $1" \
		"$? $(cat victim) $(state "$1/out" | head -n 2 | cut -c 1-50) $(wc -l <said) $(ls nowhere 2>/dev/null)" \
		"2 precious $before $(grep -q ^hint: said && echo 2 || echo 1) "
	rm -rf "$1/out"
}
for kind in link dangling fifo socket device dir file; do
	for user in root nobody; do
		tried sticky $kind report_to $user
		[ $kind = dangling ] || tried sticky $kind diff_to $user
	done
done
for kind in fifo socket dir; do
	tried sticky $kind replay_to nobody
	# tracefs is for root
	tried sticky $kind record_to root
done
for kind in link fifo file; do
	tried open $kind report_to root
	tried open $kind report_to nobody
	tried group $kind report_to root
done
rm victim
mkfifo -m 600 sticky/own
"$hist" report -o sticky/own recorded.dat &
cat sticky/own >got
wait $!
is "report -o writes to a FIFO of its own user" "$? $("$hist" report recorded.dat | cmp - got)" "0 "
rm sticky/own

# --- record --threshold: side files ---

# Each exit of a process is an episode.
threshold()
{
	local status

	"$hist" record --engine user -q -e sched:sched_process_exit -k pid -i 50ms --threshold 'pid > 1' \
		--worst 2 "$@" 2>said
	status=$?
	# on a busy machine
	sed -i '/match\(es\)\? of the filter \(was\|were\) not captured, because record was saving another/d' said
	return $status
}
exits='i=0; while [ $i -lt 20 ]; do /bin/true; sleep 0.05; i=$((i + 1)); done'
episodes() { "$hist" report --worst --format json "$1" 2>/dev/null | grep -c '"end_ns"'; }

threshold -o sticky/r.dat -- sh -c "$exits"
is "record --threshold in a sticky directory keeps two episodes" "$? $(cat said) $(episodes sticky/r.dat)" "0  2"
rm -f sticky/r.dat
kinds='link fifo hardlink'
[ -z "${CHECK_LONG-}" ] || kinds='link dangling fifo socket dir file hardlink'
for kind in $kinds; do
	echo precious >victim
	for n in 1 2 3; do
		plant $kind sticky/r.dat.episode-$n nobody
	done
	before=$(state sticky/r.dat.episode-1)
	threshold -o sticky/r.dat -- sh -c "$exits"
	is "record --threshold keeps its episodes although others have a $kind of the name of each" \
		"$? $(cat said) $(episodes sticky/r.dat) $(cat victim) $(state sticky/r.dat.episode-1) $(
			ls sticky | tr '\n' ' ') $(ls nowhere 2>/dev/null)" \
		"0  2 precious $before r.dat r.dat.episode-1 r.dat.episode-2 r.dat.episode-3  "
	rm -rf sticky/r.dat*
done
# another user replaces the directory while root records
mkdir sticky/dir victims
threshold -o sticky/dir/r.dat -- sh -c "mv sticky/dir sticky/aside; ln -s ../victims sticky/dir; $exits"
is "side files are in the directory of the recording when a link replaces it" \
	"$(ls victims) $(ls sticky/aside) $(episodes sticky/aside/r.dat)" " r.dat 2"
rm -r sticky/dir sticky/aside victims
# others take away or lock what they can see; each longer sleep replaces the one before
"$hist" record --engine user -q -e sched:sched_process_exit -k pid -i 50ms --threshold 'pid > 1' --worst 2 \
	-o open/r.dat -- sh -c "$exits; mv open/r.dat.episode-1.* open/away" 2>said
is "record fails and says so if a side file is taken away, and keeps the others" \
	"$? $(grep error: said) $(episodes open/r.dat)" \
	"2 trace-cmd hist: error: open/r.dat: 1 captured episode is lost, because another program removed or replaced its side file 1"
rm -f open/*
"$hist" record --engine user -q --latency sched:sched_process_fork:child_pid..sched:sched_process_exit:pid \
	-i 50ms --threshold 50ms --worst 1 -o open/r.dat -- sh -c 'for t in 0.1 0.3 0.9; do
		sleep $t
		for i in 1 2 3 4 5 6 7 8 9 10; do [ -e open/r.dat.episode-1.* ] && break; sleep 0.02; done
		for f in open/r.dat.episode-1.*; do
			setsid setpriv --reuid nobody --clear-groups flock -s $f sh -c "echo 1; exec sleep 9" >locked &
		done
		while ! [ -s locked ]; do sleep 0.01; done
	done' 2>said
is "a side file that another user has locked is replaced by that of a worse episode" \
	"$? $(grep error: said) $("$hist" report --worst open/r.dat |
		grep -cE '^# episode 1 of 1: (9[0-9][0-9][.0-9]* ms|[1-9][.0-9]* s),')" "0  1"
rm -f open/*
# no file can be made, because the disk has room for the recording alone
mkdir full
mount -t tmpfs -o nr_inodes=2 none full
threshold -o full/r.dat -- sh -c "$exits"
is "if no side file can be made, only the episodes are lost, and record says so" \
	"$? $(head -n 1 said) $("$hist" report --list full/r.dat | grep -c ^sched:sched_process_exit)" \
	"2 trace-cmd hist: error: full/r.dat.episode-1: No space left on device 1"
umount full

# --- report and cleanup of a killed recording ---

# killed FILE: a recording of root that was killed, with its side files
killed()
{
	threshold -o "$1" -- sh -c 'echo $$ >child; while :; do /bin/true; sleep 0.05; done' &
	recorder=$!
	for _ in $(seq 400); do
		[ "$(ls "$1".episode-* 2>/dev/null | wc -l)" != 2 ] || break
		sleep 0.05
	done
	kill -9 "$(pgrep -P $recorder || echo $recorder)" 2>/dev/null
	kill -9 $recorder 2>/dev/null
	wait $recorder 2>/dev/null
	kill "$(cat child)" 2>/dev/null
	"$hist" cleanup -q
}
mkdir -m 700 private
killed private/r.dat 2>/dev/null
is "a killed recording in a private directory leaves its side files" \
	"$(ls private | tr '\n' ' ')" "r.dat r.dat.episode-1 r.dat.episode-2 "
killed sticky/r.dat 2>/dev/null
is "a killed recording in a sticky directory leaves side files whose names nobody can guess" \
	"$(ls sticky | sed 's/[0-9a-f]\{16\}$/HEX/' | tr '\n' ' ')" \
	"r.dat r.dat.episode-1.HEX r.dat.episode-2.HEX "
# copies of another user, with the same origin
for n in 6 1; do
	cp sticky/r.dat.episode-1.* sticky/r.dat.episode-$n
	chown nobody sticky/r.dat.episode-$n
done
cp -p private/r.dat.episode-1 private/spare
ln private/spare sticky/r.dat.episode-7
cp sticky/r.dat private/copy.dat
like "report counts only the side files of the owner" "$("$hist" report sticky/r.dat 2>&1 >got)" \
	'2 episodes are in'
ls sticky/r.dat.episode-[0-9] >planted
"$hist" cleanup sticky/r.dat >said 2>&1
is "cleanup appends only the side files of the owner, and leaves those of others" \
	"$? $(cat said) $(episodes sticky/r.dat) $(ls sticky/r.dat.* | cmp - planted)" \
	"0 sticky/r.dat: appended 2 episodes 2 "
rm sticky/r.dat*

# cleaned DESC FILE MESSAGE: cleanup refuses FILE, and private/r.dat does not change
cleaned()
{
	"$hist" cleanup "$2" >said 2>&1
	is "cleanup refuses $1" "$? $(head -n 1 said) $(cmp private/r.dat private/before)" \
		"2 trace-cmd hist: error: $2: $3 "
}
cp -p private/r.dat private/before
links="the symbolic link is not followed, because another user owns it and other users can write to its directory"
ln -s "$work/private/r.dat" sticky/r.dat
chown -h nobody sticky/r.dat
cp private/r.dat.episode-1 sticky/r.dat.episode-1
cleaned "a link of another user to a recording of root" sticky/r.dat "$links"
"$hist" report sticky/r.dat >got 2>said
is "report refuses a link of another user" "$? $(head -n 1 said) $(wc -c <got)" \
	"2 trace-cmd hist: error: sticky/r.dat: $links 0"
"$hist" diff sticky/r.dat base.dat >got 2>said
is "diff refuses a link of another user" "$? $(head -n 1 said)" "2 trace-cmd hist: error: sticky/r.dat: $links"
rm sticky/r.dat
ln private/r.dat sticky/r.dat
cleaned "a second name of a recording elsewhere" sticky/r.dat \
	"the file is not changed, because it has another name and other users can write to its directory"
rm sticky/r.dat
cp private/r.dat sticky/r.dat
chown nobody sticky/r.dat sticky/r.dat.episode-1
cp sticky/r.dat theirs.dat
cleaned "a recording of another user" sticky/r.dat \
	"the existing file is not changed, because another user owns it and other users can write to its directory"
is "the recording of another user does not change" "$(cmp sticky/r.dat theirs.dat)" ""
ok "report reads a recording of another user" "$hist" report sticky/r.dat
rm sticky/r.dat*
for kind in fifo socket device dir; do
	plant $kind sticky/r.dat nobody
	timeout 20 "$hist" cleanup sticky/r.dat >said 2>&1
	is "cleanup refuses a $kind" "$? $(wc -l <said)" "2 1"
	rm -r sticky/r.dat
done
# the side file is a link to that of root's recording
mkdir -m 777 free
cp private/r.dat free/r.dat
for kind in -s ''; do
	# shellcheck disable=SC2086
	ln $kind "$work/private/r.dat.episode-1" free/r.dat.episode-1
	"$hist" cleanup free/r.dat >said 2>&1
	is "cleanup does not use a ${kind:+symbolic }link to a side file elsewhere" \
		"$? $(cat said) $(ls private/r.dat.episode-1)" \
		"0 free/r.dat: nothing to clean up private/r.dat.episode-1"
	rm free/r.dat.episode-1
done
"$hist" cleanup private/r.dat >said 2>&1
is "cleanup appends the side files in a private directory" "$? $(cat said) $(episodes private/r.dat)" \
	"0 private/r.dat: appended 2 episodes 2"

# --- record --rotate ---

rotate()
{
	"$hist" record -q --engine user -e raw_syscalls:sys_enter -k common_pid,id -i 20ms --rotate 4K "$@" 2>said
}
busy='i=0; while [ $i -lt 40 ]; do ls / >/dev/null; sleep 0.02; i=$((i + 1)); done'
echo precious >victim
plant link sticky/r.00002.dat nobody
plant fifo sticky/r.00003.dat nobody
plant file sticky/r.00004.dat nobody
plant file sticky/r.999999999999999999.dat nobody
plant dir sticky/r.00005.dat nobody
rotate --keep 3 -o sticky/r.dat -- sh -c "$busy"
is "record --rotate leaves out the names that others have taken, and keeps three files" \
	"$? $(grep -c error: said) $(cat victim) $(cat sticky/r.00004.dat sticky/r.999999999999999999.dat | tr '\n' ' ')$(
		find sticky -type f -user root -name 'r.*.dat' | wc -l) $(find sticky ! -user root | sort | tr '\n' ' ')" \
	"0 0 precious theirs theirs 3 sticky/r.00002.dat sticky/r.00003.dat sticky/r.00004.dat sticky/r.00005.dat sticky/r.999999999999999999.dat "
ok "report reads the files of --rotate" sh -c "\"$hist\" report \$(find sticky -type f -user root)"
rm -r sticky/r.*
rotate --keep 2 -o open/r.dat -- sh -c "while ! [ -e open/r.00001.dat ]; do sleep 0.01; done
	ln open/r.00001.dat open/backup; $busy"
is "record --keep removes the name of an old file that has another name" \
	"$? $(ls open/r.00001.dat open/backup 2>/dev/null)" "0 open/backup"
rm -f open/*
rotate --keep 2 -o open/r.dat -- sh -c "while ! [ -e open/r.00001.dat ]; do sleep 0.01; done
	setsid setpriv --reuid nobody --clear-groups flock -s open/r.00001.dat sleep 9 & $busy"
is "record --keep says that it cannot remove an old file that another user has locked" \
	"$? $(grep -c '^trace-cmd hist: warning: open/r.00001.dat: the old file is not removed now' said | sed 's/[1-9][0-9]*/told/')" \
	"0 told"
rm -f open/*
mkdir victims sticky/dir
rotate -o victims/r.dat -- sh -c "$busy"
ls victims >before
rotate --keep 2 -o sticky/dir/r.dat -- sh -c "mv sticky/dir sticky/aside; ln -s ../victims sticky/dir; $busy"
is "record --rotate removes and writes no file in a directory that replaces its own" \
	"$(ls victims | cmp - before) $(find sticky/aside -type f | wc -l)" " 2"
rm -r victims sticky/dir sticky/aside

# --- what is read, and the undo log ---

printf '[*]\nmax = 5ms\n' >limits
ln -s "$work/limits" sticky/limits
chown -h nobody sticky/limits
"$hist" diff --thresholds sticky/limits base.dat new.dat >got 2>said
is "diff refuses a link of another user to a file of thresholds" "$? $(cat said)" \
	"2 trace-cmd hist: error: sticky/limits: $links"
"$hist" list --usdt sticky/limits >got 2>said
is "list --usdt refuses a link of another user" "$? $(cat said | head -n 1)" \
	"2 trace-cmd hist: error: --usdt: sticky/limits: $links"
mkdir sticky/state
chown nobody sticky/state
TRACE_CMD_HIST_STATE=$work/sticky/state "$hist" record --engine user -q -e raw_syscalls:sys_enter -k id \
	-o x.dat -- true 2>said
is "record refuses an undo log in a directory of another user, and names the variable" "$? $(cat said)" \
	"2 trace-cmd hist: error: $work/sticky/state: another user owns the directory
hint: remove the directory, or set TRACE_CMD_HIST_STATE to a directory of your own"
done_testing
