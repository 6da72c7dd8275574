#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# output.sh BIN: the files that -o writes: names, links, modes, locks, and what is in the way of
# them.  TAP on stdout.
#
# Recordings are made by the user-space engine, on this machine's tracefs.

set -u
export LC_ALL=C.UTF-8
# shellcheck source-path=SCRIPTDIR source=../scripts/tap.sh
. "$(dirname "$(readlink -f "$0")")/../scripts/tap.sh"

[ $# = 1 ] || die "usage: output.sh BIN"
# other users, chroot and tracefs are for root
[ "$(id -u)" = 0 ] || exec sudo "$0" "$@"
bin=$(readlink -f "$1")
hist=$bin/trace-cmd-hist
swap=$bin/libswap_preload.so
need_files "$hist" "$swap" "$bin/diff_make"
data=$here/../data
tracefs=/sys/kernel/tracing
mountpoint -q $tracefs || mount -t tracefs none $tracefs || die "no tracefs: run as root"
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
cd "$work" || die "$work"
chmod 755 .
umask 022
instances=$(ls $tracefs/instances)
"$bin/diff_make" base.dat latency 1 && "$bin/diff_make" new.dat latency 2 || die "diff_make"
"$hist" report --view table -o whole.txt "$data/recorded.dat" || die "report"
several=$data/events/several.dat

# report_to, diff_to, replay_to, record_to FILE: what the verb says is in the file said
report_to() { "$hist" report -o "$1" "$data/recorded.dat" 2>said; }
diff_to() { "$hist" diff --min-decided 0 -o "$1" base.dat new.dat 2>said; }
replay_to() { "$hist" replay -q -e sched:sched_switch -k next_pid -o "$1" "$several" 2>said; }
record_to()
{
	local file=$1

	shift
	"$hist" record -q --engine user -e raw_syscalls:sys_enter -k common_pid,id -o "$file" "$@" 2>said
}
record_true() { record_to "$1" -- true; }
mode() { stat -c %a "$1"; }

# --- modes, links ---

for verb in report_to diff_to replay_to record_true; do
	mkdir $verb
	$verb $verb/new
	is "${verb%_*} -o creates a file with mode 644 and leaves no temporary file" \
		"$? $(mode $verb/new) $(ls $verb)" "0 644 new"
	echo older >$verb/old
	chmod 640 $verb/old
	ln -s old $verb/link
	$verb $verb/link
	is "${verb%_*} -o rewrites the target of a symbolic link and keeps its mode" \
		"$? $(mode $verb/old) $(readlink $verb/link) $(grep -c older $verb/old) $(ls $verb | tr '\n' ' ')" \
		"0 640 old 0 link new old "
done
ok "report -o accepts /dev/null" "$hist" report -o /dev/null "$data/recorded.dat"
"$hist" report --view table -o /dev/stdout "$data/recorded.dat" | cmp -s - whole.txt
is "report -o /dev/stdout writes the whole report into a pipe" "${PIPESTATUS[*]}" "0 0"
"$hist" report --view table -o /dev/stdout "$data/recorded.dat" >stdout.txt
is "report -o /dev/stdout writes the whole report into a file" "$? $(cmp stdout.txt whole.txt)" "0 "
record_true /dev/null
is "record -o refuses /dev/null, which is not a regular file" \
	"$? $(cat said)" "2 trace-cmd hist: error: /dev/null: not a regular file"
replay_to base.dat/
is "replay -o refuses a file name that ends with a slash" \
	"$? $(cat said)" "2 trace-cmd hist: error: base.dat/: Not a directory"

# --- a directory that all can write to ---

mkdir -m 1777 sticky
echo precious >victim
for verb in report_to diff_to replay_to record_true; do
	ln -s ../victim sticky/link
	chown -h nobody sticky/link
	$verb sticky/link
	is "${verb%_*} -o refuses a symbolic link of another user in a world-writable directory" \
		"$? $(cat said) $(cat victim)" \
		"2 trace-cmd hist: error: sticky/link: the symbolic link is not followed, because another user owns it and other users can write to its directory
hint: use -o to write to another directory precious"
	rm sticky/link
	echo theirs >sticky/file
	chown nobody sticky/file
	$verb sticky/file
	is "${verb%_*} -o refuses a file of another user in a world-writable directory" \
		"$? $(cat said) $(cat sticky/file)" \
		"2 trace-cmd hist: error: sticky/file: the existing file is not replaced, because another user owns it and other users can write to its directory
hint: use -o to write to another directory theirs"
	rm sticky/file
	mkdir sticky/dir
	SWAP_FROM=sticky/dir SWAP_ASIDE=sticky/aside SWAP_TO=../victims LD_PRELOAD=$swap $verb sticky/dir/file
	is "${verb%_*} -o writes into the opened directory when a symbolic link replaces it" \
		"$? $(ls sticky/aside)" "0 file"
	rm -r sticky/dir sticky/aside
	echo older >sticky/mine
	SWAP_FROM=sticky/mine SWAP_ASIDE=sticky/aside SWAP_TO=../victim LD_PRELOAD=$swap $verb sticky/mine
	is "${verb%_*} -o does not follow a symbolic link that replaces the file" \
		"$? $(cat victim) $(cat sticky/aside) $(readlink sticky/mine)" \
		"2 precious older ../victim"
	rm sticky/mine sticky/aside
done

# --- two at once, and files that go ---

mkfifo hold
# begin FILE: a recording runs, until its command is told
begin()
{
	# shellcheck disable=SC2016
	"$hist" record -q --engine user -e raw_syscalls:sys_enter -k common_pid -o "$1" -- \
		sh -c 'echo $$ >hold; read -r line <hold' 2>first &
	recorder=$!
	read -r child <hold
}

# end: the status of the recorder
end()
{
	echo go >hold
	wait $recorder
	status=$?
}

mkdir two
for older in "" older; do
	rm -f two/x.dat
	[ -z "$older" ] || echo older >two/x.dat
	begin two/x.dat
	for verb in report_to diff_to replay_to record_true; do
		$verb two/x.dat
		is "${verb%_*} -o refuses the file of a running recording${older:+ over an older one}" \
			"$? $(cat said)" \
			"2 trace-cmd hist: error: two/x.dat: another program is writing this file, or has locked it"
	done
	end
	is "a recording${older:+ over an older file} stays whole when other programs open it" \
		"$status $(cat first) $("$hist" report --list two/x.dat | grep -c ^raw)" "0  1"
done
begin two/x.dat
rm two/x.dat
end
is "record reports that another program removed its file" "$status $(cat first) $(ls two)" \
	"2 trace-cmd hist: error: two/x.dat: another program removed or replaced the file while it was being written "
begin two/x.dat
cp base.dat two/y.dat
mv two/y.dat two/x.dat
end
is "record reports that another program replaced its file and keeps the new file" \
	"$status $(cat first) $(cmp two/x.dat base.dat)" \
	"2 trace-cmd hist: error: two/x.dat: another program removed or replaced the file while it was being written "
is "no instance is left after recordings whose file was locked, removed or replaced" \
	"$(ls $tracefs/instances)" "$instances"

# --- files that must not grow ---

mkdir small
(ulimit -f 1; record_true small/x.dat)
is "record reports a file size limit that is exceeded at the start and leaves no file" \
	"$? $(cat said) $(ls small)" "2 trace-cmd hist: error: small/x.dat: File too large "
(ulimit -f 1; replay_to small/x.dat)
is "replay -o reports a file that exceeds the size limit and leaves no file" \
	"$? $(cat said) $(ls small)" "2 trace-cmd hist: error: small/x.dat: File too large "
(ulimit -f 1; report_to small/x.txt)
is "report -o reports a file that exceeds the size limit and leaves no file" \
	"$? $(cat said) $(ls small)" "2 trace-cmd hist: error: small/x.txt: File too large "
(ulimit -f 1; "$hist" report "$data/recorded.dat" >small.txt 2>said)
is "report reports standard output that exceeds the file size limit" \
	"$? $(cat said)" "2 trace-cmd hist: error: standard output: File too large"
# a few snapshots fit
record_true size.dat
(ulimit -f $(($(stat -c %s size.dat) / 1024 + 4)); record_to small/x.dat -i 10ms -- \
	timeout 3 sh -c 'while :; do /bin/true; done')
is "record leaves a readable recording if the file reaches the size limit later" \
	"$? $(cat said) $("$hist" report --list small/x.dat 2>/dev/null | grep -c ^raw)" \
	"2 trace-cmd hist: error: small/x.dat: File too large 1"
# shellcheck disable=SC2016
is "the command of record has no handler for SIGXFSZ" \
	"$(record_to limit.dat -- sh -c 'grep SigCgt /proc/$$/status >caught'
	cut -f 2 caught | /usr/bin/python3 -c 'print(int(input(), 16) >> 24 & 1)')" 0
is "no instance is left after a recording that exceeds the file size limit" \
	"$(ls $tracefs/instances)" "$instances"

# --- without /proc ---

# the programs keep their paths, which may be in /tmp
mkdir -p root/sys/kernel/tracing root/tmp root/run root/bin root/results
# shellcheck disable=SC2046
cp --parents -L "$hist" /bin/true $(ldd "$hist" /bin/true | sed -nE 's/^[^\/]*(\/[^ ]+) \(0x.*/\1/p' | sort -u) root
cp --parents "$swap" root
cp "$several" base.dat new.dat "$data/recorded.dat" root
echo older >root/results/old
chmod 600 root/results/old
# tracefs is mounted by the program itself, and goes with the namespace
in_root() { unshare -m chroot root "$@" 2>said; }
for name in new old; do
	in_root "$hist" replay -q -e sched:sched_switch -k next_pid -o /results/$name /several.dat
	is "replay -o without /proc succeeds with the $name file" "$? $(cat said)" "0 "
	replay_to there.dat
	is "replay -o without /proc writes the same $name file as with /proc" \
		"$(cmp root/results/$name there.dat)" ""
done
is "replay -o without /proc keeps the mode of an old file and leaves no temporary file" \
	"$(mode root/results/old) $(ls root/results | tr '\n' ' ')" "600 new old "
in_root "$hist" diff --min-decided 0 -o /results/new /base.dat /new.dat
is "diff -o without /proc writes the verdict" \
	"$? $(cat said) $(grep -c ^verdict root/results/new)" "0  1"
in_root "$hist" record -q --engine user -e raw_syscalls:sys_enter -k common_pid -o /results/rec.dat -- /bin/true
is "record -o without /proc writes the recording" \
	"$? $(cat said) $("$hist" report --list root/results/rec.dat | grep -c ^raw)" "0  1"
in_root "$hist" report --view table -o /results/new /recorded.dat
is "report -o without /proc writes the whole report" \
	"$? $(cat said) $(cmp root/results/new whole.txt)" "0  "
for signal in 1 2 15; do
	SWAP_SIGNAL=$signal LD_PRELOAD=$swap in_root "$hist" report -o /results/gone /recorded.dat
	is "report -o without /proc removes its temporary file at signal $signal" \
		"$? $(ls root/results | tr '\n' ' ')" \
		"$((128 + signal)) new old rec.dat "
done
"$hist" replay -q -e sched:sched_switch -k next_pid -o r.dat "$several"
in_root "$hist" replay -q -e sched:sched_switch -k next_pid /several.dat >printed
is "replay without /proc and -o prints the result" \
	"$? $(cat said) $(sed -n 's/^ *Hits: //p' printed)" \
	"0  $("$hist" report r.dat | sed -n 's/^ *Hits: //p')"
is "no instance is left after programs without /proc" "$(ls $tracefs/instances)" "$instances"
done_testing
