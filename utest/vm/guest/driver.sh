# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# Run the test scripts named in /tests/list, one after the other, as PID 1.
#
# Each script runs in a session of its own, with standard output and error on
# the tap port. After it, every process but this one is killed, so that no
# script meets what an earlier one left running. A script that runs longer than
# /tests/limit seconds is killed.

# shellcheck source-path=SCRIPTDIR source=ports.sh
. /guest/ports.sh
exec 3>"$(port_device tap)" 4>"$(port_device out)"

limit=$(cat /tests/limit)

# A line for the host: begin NAME, end NAME STATUS|timeout SECONDS, done.
tell()
{
	printf '\001%s\n' "$*" >&3
}

seconds()
{
	cut -d ' ' -f 1 /proc/uptime
}

run_script()
{
	local status pid start

	rm -rf /tmp/work /run/timeout
	mkdir -p /tmp/work
	start=$(seconds)
	tell begin "$1"
	# In the background, setsid need not fork: its pid is the session's.
	cd /tmp/work || exit
	setsid sh "/tests/$1.sh" </dev/null >&3 2>&1 3>&- 4>&- &
	pid=$!
	(sleep "$limit" && touch /run/timeout && kill -KILL -$pid) 3>&- 4>&- &
	wait $pid
	status=$?
	cd /
	kill -KILL -1
	[ -e /run/timeout ] && status=timeout
	# Reap, so that later scripts start with an empty process list.
	wait
	send_out
	tell end "$1" $status \
		"$(echo "$(seconds) $start" | awk '{ printf "%.1f", $1 - $2 }')"
}

tell up "$(seconds)"
while read -r name <&5; do
	run_script "$name"
done 5</tests/list
tell 'done'
# The host ends the VM when it has read the last line. This is for the case
# that it is gone.
sleep 60
poweroff -f
