# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# One recording of each kind of histogram, beside a copy of the kernel's own
# text: the command of the recording makes some load, pauses the trigger and
# reads the hist file, so that the last snapshot must hold the same. Both go to
# the host, where verify.py compares them.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh
cd /tmp || bail "no /tmp"

before=$(tree_state)
ok "an instance for the recordings can be created" mkdir $tracefs/instances/kinds

cat >/tmp/freeze.sh <<'END'
# freeze.sh NAME EVENT TRIGGER
dir=/sys/kernel/tracing/instances/kinds/events/$(echo "$2" | tr : /)
ls / /proc /sys/kernel >/dev/null 2>&1
for i in 1 2 3; do dd if=/dev/zero of=/dev/null bs=$((i * 300)) count=20 2>/dev/null; usleep 3000; done
sh -c 'printf "a } b: {" >/proc/$$/comm; usleep 5000; :' >/dev/null 2>&1
sh -c 'printf "x\ny" >/proc/$$/comm; usleep 5000; :' >/dev/null 2>&1
case $1 in *-odd) sh /tmp/odd.sh ;; esac
sh -c 'printf kindsvictim >/proc/$$/comm; usleep 2000; usleep 2000; usleep 2000'
case $3 in
*'$'*|*,y=*) ;;
*" if "*) echo "${3%% if *}:pause if ${3#* if }" >>"$dir/trigger" ;;
*) echo "$3:pause" >>"$dir/trigger" ;;
esac
cat "$dir/hist" >"$OUT/$1.txt"
END
# Names made to drive a terminal, to forge text, or to break a reader, as printf has
# them: ESC, CR, tab, backspace, UTF-8, C1 controls as a byte and as UTF-8, bytes that
# are no UTF-8, writing from right to left, what follows a symbol, an end of a key,
# keys of the same histogram. At most 15 bytes, as task names have.
cat >/tmp/odd-names <<'END'
\033[31mred\033[m
\033]0;title\007
over\rwrite
tab\tx\bback
gr\303\274n\342\202\254
c1\2331mx
c1\302\2331m
bad\377\300\200x
\342\200\256evil
sym+0x1 [mod]
[kvm_intel]
} hitcount: 9
a, b: c } x
next_comm: no
back\\\\slash
 blanks  
fifteen-letters
END
# The others are files only: a newline, and long ones. 255 bytes are the most that a
# name has, and the kernel keeps 255 of a string.
long=$(printf '%0120d' 7)
mkdir -p "/tmp/odd/$long" || bail "/tmp/odd"
while IFS= read -r name; do
	# shellcheck disable=SC2059 # it is a format
	: >"/tmp/odd/$(printf "$name")"
done </tmp/odd-names
: >"/tmp/odd/odd } hitcount:"
: >"/tmp/odd/$(printf 'new\nline')"
: >"/tmp/odd/$(printf '} hitcount: 5\n{ fn: x')"
: >"/tmp/odd/fifty-characters-so-that-no-padding-is-left-of-this"
: >"/tmp/odd/n$(printf '%0200d' 1)"
: >"/tmp/odd/$long/$long"
cat >/tmp/odd.sh <<'END'
cd /tmp/odd
while IFS= read -r name; do
	printf "$name" >/proc/$$/comm
	usleep 1000
	: <"$(printf "$name")"
done </tmp/odd-names
printf 'x\ny' >/proc/$$/comm
usleep 1000
for name in new* odd* n0* fifty* 0*/0* '} hitcount: 5'*; do
	: <"$name"
done
END

kinds=0
# kind NAME EVENT TRIGGER [FURTHER RECORD OPTIONS...]: those come first.
kind()
{
	local name=$1 event=$2 trigger=$3

	shift 3
	cp "$tracefs/events/$(echo "$event" | tr : /)/format" "$OUT/$name.format"
	ok "a histogram of the kind $name is recorded" \
		trace-cmd hist record -B kinds -i 0 -o "$OUT/$name.dat" "$@" \
		-e "$event" -R "$trigger" -- sh /tmp/freeze.sh "$name" "$event" "$trigger"
	printf '%s\t%s\t%s\n' "$name" "$event" "$trigger" >>"$OUT/kinds"
	kinds=$((kinds + 1))
}

switch=sched:sched_switch
kind basic $switch 'hist:keys=next_comm'
kind two-keys-val $switch 'hist:keys=prev_pid,next_pid:vals=prev_prio:sort=next_pid'
kind filter $switch 'hist:keys=next_pid if next_pid != 0'
kind execname raw_syscalls:sys_enter 'hist:keys=common_pid.execname:sort=hitcount.descending'
kind syscall raw_syscalls:sys_enter 'hist:keys=common_pid.execname,id.syscall:sort=common_pid,hitcount.descending'
kind signed raw_syscalls:sys_exit 'hist:keys=id.syscall,ret'
kind signed-value raw_syscalls:sys_exit 'hist:keys=id.syscall:vals=ret'
kind log2 kmem:kmalloc 'hist:keys=bytes_req.log2'
# system calls that fail; and node is mostly -1
kind log2-signed raw_syscalls:sys_exit 'hist:keys=ret.log2'
kind log2-signed-int kmem:kmalloc 'hist:keys=node.log2,bytes_req.log2'
kind buckets kmem:kmalloc 'hist:keys=bytes_req.buckets=100:sort=bytes_req'
kind buckets-signed raw_syscalls:sys_exit 'hist:keys=ret.buckets=100'
kind hex kmem:kmalloc 'hist:keys=bytes_req.hex,ptr.hex:vals=bytes_alloc.hex'
kind sym kmem:kmalloc 'hist:keys=call_site.sym:vals=bytes_req,bytes_alloc:sort=bytes_req.descending'
kind sym-offset kmem:kmalloc 'hist:keys=call_site.sym-offset:vals=bytes_req'
kind stack $switch 'hist:keys=stacktrace:size=1024'
kind stack-last $switch 'hist:keys=prev_pid,stacktrace'
kind stack-mid $switch 'hist:keys=prev_pid,stacktrace,next_comm'
kind cpu-time $switch 'hist:keys=cpu,common_timestamp.usecs:size=128:clock=mono'
kind dropped $switch 'hist:keys=common_timestamp:size=128:clock=mono'
kind three-keys kmem:kmalloc 'hist:keys=common_pid.execname,call_site.sym,bytes_req.log2:vals=bytes_req,bytes_alloc'
kind empty sched:sched_process_hang 'hist:keys=pid'
kind paused-from-start $switch 'hist:keys=next_comm:pause'
kind expression kmem:kmalloc 'hist:keys=common_pid:vals=bytes_alloc-bytes_req'
# With a variable in it a trigger cannot be paused; this task has gone by itself.
victim=' if next_comm == "kindsvictim"'
kind variables $switch "hist:keys=next_pid:x=prev_prio,y=prev_prio+1$victim"
# shellcheck disable=SC2016 # the kernel's variables
kind onmax-save $switch 'hist:keys=next_pid:w=common_timestamp.usecs-$ts0:onmax($w).save(next_comm,prev_pid)'"$victim" \
	-e sched:sched_waking -R 'hist:keys=pid:ts0=common_timestamp.usecs:clock=mono'
# shellcheck disable=SC2016
kind onchange $switch 'hist:keys=next_pid:p=next_prio:onchange($p).save(next_comm)'"$victim"
kind named $switch 'hist:name=foo:keys=next_pid,next_comm'
kind comm-odd $switch 'hist:keys=next_comm,common_pid.execname'

# A chain into a synthetic event, which is the test's own.
echo 'kinds_lat char comm[16]; u64 lat' >>$tracefs/synthetic_events
kind synthetic synthetic:kinds_lat 'hist:keys=comm,lat.log2:vals=lat:sort=comm,lat' \
	-e sched:sched_waking -R 'hist:keys=pid:ts0=common_timestamp.usecs:clock=mono' \
	-e $switch -R 'hist:keys=next_pid:w=common_timestamp.usecs-$ts0:onmatch(sched.sched_waking).trace(kinds_lat,next_comm,$w)'
echo '!kinds_lat' >>$tracefs/synthetic_events
like "a latency that triggers compute has the unit of the time stamps, whatever its name" \
	"$(trace-cmd hist report --view percentiles "$OUT/synthetic.dat")" ' (us|ms) '

# Probes, which are the test's own, and names as odd as files can have.
echo 'p:kinds/opened do_sys_openat2 fn=+0($arg2):ustring' >>$tracefs/kprobe_events
echo 'r:kinds/returned do_sys_openat2 ret=$retval:s32' >>$tracefs/kprobe_events
kind string-odd kinds:opened 'hist:keys=fn'
kind kretprobe kinds:returned 'hist:keys=ret:vals=ret'
echo '-:kinds/opened' >>$tracefs/kprobe_events
echo '-:kinds/returned' >>$tracefs/kprobe_events

# What 6.1 does not have.
if grep -q common_stacktrace $tracefs/README; then
	kind percent raw_syscalls:sys_enter 'hist:keys=id.syscall:vals=hitcount.percent,hitcount.graph:nohitcount'
	kind percent-value kmem:kmalloc 'hist:keys=call_site.sym:vals=bytes_req.percent,bytes_alloc.graph'
	kind nohitcount kmem:kmalloc 'hist:keys=bytes_alloc:vals=bytes_req:nohitcount'
	kind stack-new-name $switch 'hist:keys=common_stacktrace'
	echo 'kinds_block u64 delta; unsigned long[] stack' >>$tracefs/synthetic_events
	kind synthetic-stack synthetic:kinds_block 'hist:keys=delta.buckets=100,stack.stacktrace' \
		-e $switch -R 'hist:keys=prev_pid:s=stacktrace,t=common_timestamp.usecs:clock=mono' \
		-e $switch -R 'hist:keys=next_pid:d=common_timestamp.usecs-$t,s2=$s:onmax($d).trace(kinds_block,$d,$s2)'
	echo '!kinds_block' >>$tracefs/synthetic_events
	is "the test records every kind of histogram that the kernel has" $kinds 37
else
	is "the test records every kind of histogram that the kernel has" $kinds 32
fi

# A path of 255 bytes may be a longer one that was cut; its row has two.
path=$(printf '%0254d' 0)
events=
cut()
{
	trace-cmd hist report --format json "$1" | sed -n 's/.*"cut_key_hits": \([0-9]*\).*/\1/p'
}
for engine in kernel user; do
	# shellcheck disable=SC2016,SC2086
	trace-cmd hist record -q --engine $engine $events --kprobe 'do_sys_openat2 fn=+0($arg2):ustring' \
		-k fn -F -c -o cut.dat -- sh -c "cat $path ${path}ab ${path}ac /dev/null; true" 2>/dev/null
	is "strings that are cut are told, $engine" "$(cut cut.dat) $(trace-cmd hist report cut.dat |
		grep -c '^# note: 2 hits are in rows whose string has the maximum length')" "2 1"
	events=--events
done
like "diff tells strings that are cut" "$(trace-cmd hist diff cut.dat -- cut.dat)" \
	'2 hits in rows of strings that may be cut'
trace-cmd hist replay -q -e do_sys_openat2 -k fn -o replayed.dat cut.dat
is "replay tells strings that are cut" "$(cut replayed.dat)" 2

ok "the instance can be removed after the recordings" rmdir $tracefs/instances/kinds
is "the test leaves nothing in tracefs" "$(tree_state)" "$before"
done_testing
