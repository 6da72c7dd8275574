#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# texts.sh BIN: small files that want to be large, slow or endless: queries of --sql, presets, thresholds
# and programs.  TAP on stdout.

set -u
export LC_ALL=C.UTF-8
# shellcheck source-path=SCRIPTDIR source=../scripts/tap.sh
. "$(dirname "$(readlink -f "$0")")/../scripts/tap.sh"

[ $# = 1 ] || die "usage: texts.sh BIN"
bin=$(readlink -f "$1")
hist=$bin/trace-cmd-hist
need_files "$hist"
events=$here/../data/events/several.dat
work_enter

# ends STATUS MESSAGE DESC COMMAND...: within the limits, with this line among what it says ("-": any
# error), and a short text
ends()
{
	local status=$1 message=$2 desc=$3

	shift 3
	is "$desc stays within the limits" \
		"$(timeout 60 /usr/bin/python3 "$here/cost.py" 0 "$@" 2>cost)" "within the limits"
	cat cost
	is "$desc has status $status" "$(sed -n 's/.* status //p' cost)" "$status"
	if [ "$message" = - ]; then
		is "$desc says why" "$(grep -c '^trace-cmd hist: error: ' said)" $((status / 2))
	elif [ -n "$message" ]; then
		is "$desc says why" "$(grep -cxF "$message" said)" 1
	else
		is "$desc says nothing" "$(cat said)" ""
	fi
	is "$desc writes a short text" "$(find said -size -17k)" said
}

error="trace-cmd hist: error: "
sql()
{
	ends "$1" "${2:+$error$2}" "--sql '${3:0:100}'" "$hist" replay -q --sql "$3" -o out.dat "$events"
}

# libtracefs itself crashes, or never ends and takes all memory
sql 0 "" "SELECT CAST(next_pid AS _COUNTER_), next_comm FROM sched_switch"
is "values before keys are values" \
	"$("$hist" report --list out.dat | grep -c 'hist:keys=next_comm:vals=next_pid')" 1
sql 0 "" "SELECT next_comm, CAST(next_pid AS _COUNTER_), prev_comm, CAST(prev_pid AS _COUNTER_) FROM sched_switch"
sql 2 "--sql: next_pid is selected twice" "SELECT next_pid,next_pid FROM sched_switch"
sql 2 "--sql: next_pid is selected twice" "SELECT prev_pid, next_pid, (next_pid) FROM sched_switch"
sql 2 "--sql: a is selected twice" "SELECT next_pid AS a, prev_pid, a FROM sched_switch"
sql 2 "--sql: next_pid is selected twice" \
	"SELECT next_pid, CAST(next_pid AS _COUNTER_) FROM sched_switch"
is "the hint says how a field is key and value" "$(grep -c 'sched_switch.next_pid$' said)" 1
sql 0 "" "SELECT next_pid, CAST(sched_switch.next_pid AS _COUNTER_) FROM sched_switch"
sql 2 "--sql: end.id is selected twice" "SELECT end.id, end.id FROM sys_enter AS start \
JOIN sys_exit AS end ON start.common_pid = end.common_pid"
# strings
for text in "'next_comm' > x" "it's" "a' >> b" ", FROM sched_switch" "CAST(a AS _COUNTER_)"; do
	sql 0 "" "SELECT next_pid FROM sched_switch WHERE next_comm != \"$text\""
	is "the filter has the string \"$text\"" \
		"$("$hist" report --list out.dat | grep -cF "if next_comm != \"$text\"")" 1
done
sql 0 "" "SELECT next_pid FROM sched_switch WHERE next_comm != 'a > b'"
sql 2 "--sql: a quote is missing after \"a" "SELECT next_pid FROM sched_switch WHERE next_comm = \"a"
many=$(printf 'next_pid + %.0s' {1..1000})
many="SELECT ${many}next_pid AS a FROM sched_switch"
sql 2 "--sql: the query has ${#many} bytes; at most 4095 are possible" "$many"

# preset COUNT LENGTH: -e with so many uses of an argument of this length
preset()
{
	/usr/bin/python3 -c "print('# x\nargument: A = ' + 'y' * $2 + '\n-e ' + '\$1' * $1)" >r.recipe
}
for n in 2500 20000; do
	preset $n $n
	ends 2 "$error./r.recipe: line 3: -e: the value has more than 4095 bytes" \
		"a preset with $n uses of an argument of $n bytes" \
		"$hist" replay -q --preset ./r.recipe -o out.dat "$events"
done
{ echo '# x'; yes '# y' | head -n 16000; echo '-e sched:sched_switch'; echo '-k next_pid'; } >r.recipe
ends 0 "" "a preset with 16000 lines of comments" \
	"$hist" replay -q --preset ./r.recipe -o out.dat "$events"
{ echo '# x'; yes 'optional: event a:b = c' | head -n 1200; yes -- '-e sched:sched_switch' | head -n 1500; } >r.recipe
ends 2 - "a preset with many options and events that may be missing" \
	"$hist" replay -q --preset ./r.recipe -o out.dat "$events"
for depth in 100 300 1900; do
	/usr/bin/python3 -c "print('# x\n-e sched:sched_switch\n-k next_pid\n-f ' + '(' * $depth + 'next_pid > 1' + ')' * $depth)" >r.recipe
	ends $((depth > 200 ? 2 : 0)) - "a filter in $depth parentheses" \
		"$hist" replay -q --preset ./r.recipe -o out.dat "$events"
done

# programs and libraries: no probe is set
for kind in tables names places args many segments; do
	/usr/bin/python3 "$here/elf_make.py" prog $kind || die "elf_make.py $kind"
	is "ELF $kind: the file has about 1 MB" "$(find prog -size +700k -size -1100k)" prog
	ends 2 - "--uprobe in ELF $kind" "$hist" record --dry-run --uprobe "$work/prog:nosuch"
	ends 2 - "an unknown --usdt in ELF $kind" "$hist" record --dry-run --usdt "$work/prog:p:nosuch"
	# what the kernel of this machine would say does not matter
	is "--usdt in ELF $kind stays within the limits" "$(timeout 60 /usr/bin/python3 "$here/cost.py" 0 \
		"$hist" record --dry-run --usdt "$work/prog:p:n" -k arg1 2>cost)" "within the limits"
	cat cost
	ends 0 - "list --usdt of ELF $kind" "$hist" list --usdt "$work/prog"
done

mkfifo fifo
head -c 65536 /dev/zero | tr '\0' '#' >large
"$hist" replay -q -e sched:sched_switch -k next_pid -o base.dat "$events" || die "replay"
while read -r file what; do
	ends 2 "$error$file: $what" "--thresholds $file" \
		"$hist" diff --thresholds "$file" base.dat base.dat
	ends 2 "$error$file: $what" "--preset $file" \
		"$hist" replay -q --preset "$file" -o out.dat "$events"
done <<-END
	/dev/zero not a regular file
	./fifo not a regular file
	./large larger than 65535 bytes
END
# files that are almost as large as they may be
for line in '[*]' 'max = none'; do
	{ echo '[*]'; yes "$line" | head -n 5900; } >t
	ends 0 "" "5900 lines of thresholds with '$line'" "$hist" diff --min-decided 0 --thresholds t base.dat base.dat
done
done_testing
