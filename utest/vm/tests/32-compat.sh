# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# System calls of a 32-bit program, whose numbers the kernel names by the 64-bit table. The counts
# are those of compat_calls itself, and stock trace-cmd sees as many events with these numbers.
#
# In check-long: 30-kinds.sh is the sample of system calls.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh
cd /tmp || bail "no /tmp"

before=$(tree_state)
# The rows "NUMBER NAME HITS" of FILE with the numbers of compat_calls, by number.
rows()
{
	trace-cmd-hist report --format csv "$@" | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$1 == "row" && $at["metric"] == "hitcount" && $at["key.id.id"] ~ /^(1|6|11|20)$/ {
			n[$at["key.id.id"] " " $at["key.id"]] += $at["value"]
		}
		END { for (row in n) print row, n[row] }' | sort -n
}
# The 32-bit calls that FILE tells of, in its last snapshot.
losses() { trace-cmd-hist report --format json "$1" | tr -d ' ' | sed -n 's/.*"losses":{\([^}]*\)}.*/\1/p' | tail -n 1; }
calls='1 32-bit sys_exit or 64-bit 1
6 32-bit sys_close or 64-bit 300
20 32-bit sys_getpid or 64-bit 1000'

for engine in kernel user; do
	record="trace-cmd-hist record -q --engine $engine"

	ok "$engine: a 32-bit program is recorded" $record -F --preset syscalls -o calls.dat -- \
		compat_calls
	is "$engine: its calls do not have the names of 64-bit calls" "$(rows calls.dat)" "$calls"
	is "$engine: the snapshot has the number of 32-bit calls" "$(losses calls.dat)" \
		'"compat_calls":1301'
	ok "$engine: the report has one note" sh -c "trace-cmd-hist report calls.dat |
		grep -c 'note: 1301 32-bit system calls were made' | grep -x 1"
	ok "$engine: its failing calls are recorded" $record -F --preset syscall-errors \
		-o errors.dat -- compat_calls
	is "$engine: a failing call does not have a 64-bit name" "$(rows errors.dat)" \
		"6 32-bit sys_close or 64-bit 300"
	is "$engine: calls with other numbers are not told" "$(losses errors.dat)" \
		'"compat_calls":300'
	ok "$engine: the latency of its calls is recorded" $record -F --preset syscall-latency \
		-o latency.dat -- compat_calls
	is "$engine: a latency does not have the name of a 64-bit call" "$(rows latency.dat)" \
		"$(echo "$calls" | tail -n 2)"

	# the execve() that makes the command returns as number 11
	$record -F -e raw_syscalls:sys_exit -k id.syscall -o exec.dat -- compat_calls
	is "$engine: the execve() of the command does not have the name of a 64-bit call" \
		"$(rows exec.dat)" "6 32-bit sys_close or 64-bit 300
11 32-bit sys_execve or 64-bit 1
20 32-bit sys_getpid or 64-bit 1000"

	# the shell calls write(), number 1, in snapshots before the one with the 32-bit exit()
	cat >late.sh <<-END
		echo early >/dev/null
		usleep 300000
		compat_calls
		cat /nosuch 2>/dev/null
		exit 0
	END
	ok "$engine: programs of both kinds are recorded" $record -c -i 50ms \
		-e raw_syscalls:sys_exit -k id.syscall -F -o both.dat -- sh late.sh
	is "$engine: a number that gets a second meaning loses its name, execve() included" \
		"$(rows both.dat | sed 's/ [0-9]*$//')" "1 32-bit sys_exit or 64-bit
6 32-bit sys_close or 64-bit
11 32-bit sys_execve or 64-bit
20 32-bit sys_getpid or 64-bit"
	trace-cmd-hist report both.dat >both.txt
	ok "$engine: other calls keep their names" grep -q '{ id: sys_openat  *\[257\] }' both.txt
	is "$engine: no call has the name of another one" \
		"$(grep -cE 'sys_(writev|newlstat|munmap) ' both.txt)" 0
	trace-cmd-hist report --view table --raw-names both.dat >both.txt
	ok "$engine: --raw-names shows numbers" grep -Eq '\{ id: +20 +\} hitcount: +1000 ' both.txt

	ok "$engine: only 64-bit programs are recorded" $record -F --preset syscalls -o native.dat -- \
		dd if=/dev/zero of=/dev/null bs=64 count=20
	is "$engine: the names of 64-bit calls are as before" \
		"$(trace-cmd-hist report native.dat | grep -c '32-bit')$(losses native.dat)" 0

	# all programs of the machine, as on a board with 32-bit libraries and a 64-bit kernel
	printf '%s\n' '00010000-00012000 r-xp 00000000 00:00 0' \
		'be800000-be821000 rw-p 00000000 00:00 0 [stack]' >maps
	mount --bind maps /proc/1/maps || bail "mount"
	ok "$engine: a 32-bit user space is recorded" $record -F --preset syscalls -o board.dat -- \
		compat_calls
	is "$engine: the names are those of its table" "$(rows board.dat)" "1 sys_exit 1
6 sys_close 300
20 sys_getpid 1000$(losses board.dat)"
	$record -F --preset syscalls -o board.dat -- dd if=/dev/zero of=/dev/null bs=64 count=20 \
		2>/dev/null
	is "$engine: a 64-bit program there does not get the names of 32-bit calls" \
		"$(rows board.dat | grep '^1 ' | sed 's/ [0-9]*$//')" "1 32-bit sys_exit or 64-bit"
	umount /proc/1/maps
done

trace-cmd-hist record -F --preset syscalls -o calls.dat -- compat_calls 2>said
is "record prints one note" "$(grep '^trace-cmd hist: ' said)" \
	'trace-cmd hist: note: raw_syscalls:sys_enter: 1301 32-bit system calls were made: rows with their numbers may contain calls of both kinds'

ok "events are recorded" trace-cmd-hist record -q -F --events -e raw_syscalls:sys_enter \
	-k id.syscall -o events.dat -- compat_calls
is "stock trace-cmd sees as many calls" \
	"$(trace-cmd report events.dat 2>/dev/null | grep -c 'sys_enter:.* NR 20 ')" 1000
trace-cmd-hist replay -q --preset syscalls -o replay.dat events.dat
is "a replay has the names of the recording" "$(rows replay.dat)" "$calls"

for url in 'exec:trace-cmd-hist-target --stdio' shell:exec:sh; do
	ok "record --target $url" trace-cmd-hist record -q --target "$url" -o remote.dat \
		-e raw_syscalls:sys_enter -k id.syscall -f 'comm == "compat_calls"' -- compat_calls
	is "--target $url: the calls do not have the names of 64-bit calls" \
		"$(rows remote.dat)" "$calls"
done

trace-cmd-hist record --dry-run --preset syscalls >dry.txt
is "--dry-run shows the kprobe and its trigger" \
	"$(sed -n 's/calls_[0-9a-f_]*/calls/gp' dry.txt | head -n 3)" \
	'dynamic_events p:tch_calls/calls ia32_sys_call id=%si:s32
dynamic_events p:tch_calls/calls set_personality_ia32 id=\11:s32
tch_calls:calls hist:keys=id'
trace-cmd-hist record --dry-run -e raw_syscalls:sys_enter -k id >dry.txt
is "no kprobe is necessary for keys without names" "$(grep -c tch_calls dry.txt)" 0
is "the recordings leave tracefs unchanged" "$(tree_state)" "$before"
done_testing
