# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# Each command of the kernel's documentation and selftests, of our manual page and
# of our own list, is written to this kernel and checked by us: the verdicts are the same, both
# ways. Of commands changed at random we accept none that the kernel refuses.

# shellcheck source-path=SCRIPTDIR source=lib.sh
. /tests/lib.sh

before=$(tree_state)
# What is written into the cases themselves is what 6.12 says.
expect=
case $(uname -r) in 6.12.*) expect=-e ;; esac

# agrees NAME [OPTIONS]
agrees()
{
	local name=$1 status=0

	shift
	expr_check -k "$@" $tracefs "/language/$name.cases" >said 2>&1 || status=$?
	is "$name: the kernel and we agree" $status 0
	[ $status = 0 ] || grep -A 6 -e WRONG -e '^expr_check:' said | tap_comment
	tail -n 1 said
}

agrees doc $expect
agrees tests $expect
agrees page $expect
agrees language $expect
agrees odd

# The errno that hist_explain() goes by, where error_log is silent or was not read.
cd $tracefs || bail "no tracefs"
waking=events/sched/sched_waking/trigger
switch=events/sched/sched_switch/trigger

# answers DESC FILE TEXT REGEX
answers()
{
	like "$1" "$( (echo "$3" >>"$2") 2>&1)" "$4"
}

echo 'hist:keys=pid:ts0=prio' >>$waking
# shellcheck disable=SC2016 # the kernel's variables
echo 'hist:keys=next_pid:x=next_prio-$ts0,y=next_prio:onmax($y).snapshot()' >>$switch
answers "one more trigger" $waking 'hist:keys=pid' '^$'
answers "the same again: EEXIST" $waking 'hist:keys=pid:size=256' 'File exists'
answers "clear what is not there: ENOENT" $waking 'hist:keys=prio:clear' 'No such file'
answers "a variable set twice: EINVAL" $waking 'hist:keys=prio:ts0=prio' 'Invalid argument'
answers "pause what has variables: EINVAL" $waking 'hist:keys=pid:ts0=prio:pause' 'Invalid argument'
answers "remove what is referred to: EBUSY" $waking '!hist:keys=pid:ts0=prio' 'busy'
# shellcheck disable=SC2016
answers "a second snapshot(): EBUSY" $switch 'hist:keys=prev_pid:z=prev_prio:onmax($z).snapshot()' \
	'busy'
answers "an array as a key: ENOMEM" events/raw_syscalls/sys_enter/trigger 'hist:keys=args' \
	'(out of|allocate) memory'
# shellcheck disable=SC2016
echo '!hist:keys=next_pid:x=next_prio-$ts0,y=next_prio:onmax($y).snapshot()' >>$switch
echo '!hist:keys=pid' >>$waking
echo '!hist:keys=pid:ts0=prio' >>$waking
# A trigger that uses time stamps sets it, and it stays.
echo local >$tracefs/trace_clock
is "nothing is left" "$(tree_state)" "$before"
done_testing
