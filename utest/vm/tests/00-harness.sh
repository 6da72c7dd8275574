# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# Is the guest what the other tests take it for?

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh

switch=$tracefs/events/sched/sched_switch

# The hits of the one hist of sched_switch.
# shellcheck disable=SC2317 # called by wait_until
hits()
{
	sed -n 's/^    Hits: //p' "$switch/hist"
}

# shellcheck disable=SC2317 # called by wait_until
has_hits()
{
	[ "$(hits)" -gt 0 ]
}

is "two CPUs are online" "$(cat /sys/devices/system/cpu/online)" 0-1
is "the tests run as root" "$(id -u)" 0
ok "the loopback network is up" ping -c 1 127.0.0.1
ok "the kernel has hist triggers" [ -e "$switch/hist" ]
ok "the kernel has synthetic events" [ -e $tracefs/synthetic_events ]
like "stock trace-cmd lists an event" \
	"$(trace-cmd list -e sched:sched_switch 2>&1)" '^sched:sched_switch$'

# Some of each kind: all must show in the state, and the state must be the old
# one when they are gone. Appending, as opening these files with O_TRUNC removes
# all that is in them.
before=$(tree_state)
ok "a trigger can be written" sh -c "echo hist:keys=next_pid >>$switch/trigger"
mkdir $tracefs/instances/harness
echo 'stacktrace' >>$tracefs/instances/harness/events/sched/sched_switch/trigger
echo 'mask == 1' >$tracefs/events/syscalls/sys_enter_umask/filter
echo 'harness int a' >>$tracefs/synthetic_events
echo 0 >$tracefs/tracing_on
state=$(tree_state)
like "tree_state sees a trigger" "$state" '^./events/sched/sched_switch/trigger:hist:keys=next_pid'
like "tree_state sees an instance" "$state" '^instance: instances/harness$'
like "tree_state sees an instance's trigger" "$state" \
	'^instances/harness/events/sched/sched_switch/trigger:stacktrace'
like "tree_state sees a filter" "$state" '^./events/syscalls/sys_enter_umask/filter:mask == 1$'
like "tree_state sees a synthetic event" "$state" '^./synthetic_events:harness'
like "tree_state sees tracing_on" "$state" '^./tracing_on:0$'

load_start
ok "a histogram of sched_switch counts hits under load" wait_until has_hits
load_stop
is "load_stop ends the load" "$(pidof dd)" ""

echo '!hist:keys=next_pid' >>$switch/trigger
echo '!stacktrace' >>$tracefs/instances/harness/events/sched/sched_switch/trigger
rmdir $tracefs/instances/harness
echo 0 >$tracefs/events/syscalls/sys_enter_umask/filter
echo '!harness' >>$tracefs/synthetic_events
echo 1 >$tracefs/tracing_on
is "tree_state is the same after all changes are undone" "$(tree_state)" "$before"

echo "from the guest" >"$OUT/harness.txt"
done_testing
