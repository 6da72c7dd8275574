# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Merge the TAP of several guest scripts into one stream. Sourced by vm.sh.
#
# Every line from the guest goes through tap_read, at once. Test lines get a new
# number and their script's name; all else becomes a comment. What a script did
# wrong as a whole (died, ran out of time, ended without a plan, ran another
# number of tests than planned) becomes one more `not ok`. tap_finish prints the
# plan last, so a stream that was cut has none.
#
# Invariant: tap_failed is 0 and tap_done is 1 only if every script in
# tap_waiting began, ended with status 0 and passed all of its planned tests.

tap_count=0
tap_failed=0
# Scripts that did not begin yet, in the order in which they will.
tap_waiting=()
tap_done=0

# State of the script that runs now. Empty name: none does.
tap_script=
tap_script_count=0
tap_script_failed=0
tap_script_plan=

tap_comment()
{
	# A name may hold anything: keep the terminal and the TAP reader safe.
	printf '# %s\n' "${1//[$'\001'-$'\010'$'\013'-$'\037'$'\177']/?}"
}

# tap_result "ok"|"not ok" DESC
tap_result()
{
	tap_count=$((tap_count + 1))
	[ "$1" = ok ] || tap_failed=$((tap_failed + 1))
	printf '%s %d - %s\n' "$1" "$tap_count" \
		"${2//[$'\001'-$'\010'$'\013'-$'\037'$'\177']/?}"
}

tap_not_ok()
{
	tap_result "not ok" "$1"
}

tap_script_not_ok()
{
	tap_script_failed=$((tap_script_failed + 1))
	tap_not_ok "$tap_script: $1"
}

tap_begin()
{
	tap_script=$1
	tap_script_count=0
	tap_script_failed=0
	tap_script_plan=
	tap_waiting=("${tap_waiting[@]:1}")
}

# tap_end NAME STATUS|timeout SECONDS
tap_end()
{
	case $2 in
	timeout)
		tap_script_not_ok "killed after the time limit of one script" ;;
	0)
		if [ -z "$tap_script_plan" ]; then
			tap_script_not_ok "ended without a plan (done_testing)"
		elif [ "$tap_script_plan" != $tap_script_count ]; then
			tap_script_not_ok "planned $tap_script_plan tests, ran $tap_script_count"
		elif [ $tap_script_count = 0 ]; then
			tap_script_not_ok "no test ran"
		fi ;;
	*)
		# Status 1 is what done_testing gives after a failed test.
		if [ "$2" != 1 ] || [ $tap_script_failed = 0 ]; then
			tap_script_not_ok "ended with status $2"
		fi ;;
	esac
	tap_comment "$tap_script: $3 s"
	tap_script=
}

# A line that the guest's driver wrote.
tap_driver_line()
{
	local word

	read -ra word <<<"$1"
	case ${word[0]} in
	up) tap_comment "up after ${word[1]} s" ;;
	begin) tap_begin "${word[1]}" ;;
	end) tap_end "${word[@]:1}" ;;
	done) tap_done=1 ;;
	esac
}

# A line that a script wrote.
tap_script_line()
{
	local line=$1 desc

	if [[ $line =~ ^(not )?ok( +[0-9]+)?( +-)?( +(.*))?$ ]]; then
		desc=${BASH_REMATCH[5]}
		tap_script_count=$((tap_script_count + 1))
		if [ -n "${BASH_REMATCH[1]}" ]; then
			tap_script_not_ok "$desc"
		elif [[ ${desc^^} =~ \#\ *(SKIP|TODO) ]]; then
			# A test that did not run proves nothing.
			tap_script_not_ok "${desc/\#/(no skipping here)}"
		else
			tap_result ok "$tap_script: $desc"
		fi
	elif [[ $line =~ ^1\.\.([0-9]+) ]]; then
		tap_script_plan=${BASH_REMATCH[1]}
	elif [[ $line == "Bail out!"* ]]; then
		tap_script_not_ok "gave up:${line#Bail out!}"
	else
		tap_comment "${line#"# "}"
	fi
}

# tap_read LINE
tap_read()
{
	case $1 in
	$'\001'*) tap_driver_line "${1#?}" ;;
	*) tap_script_line "$1" ;;
	esac
}

# After the last line: what did not end, what did not run.
tap_cut()
{
	local name

	[ -z "$tap_script" ] || tap_script_not_ok "the VM ended while it ran"
	tap_script=
	for name in "${tap_waiting[@]}"; do
		tap_not_ok "$name: did not run"
	done
	tap_waiting=()
}

# The plan. Status 0 if all went well.
tap_finish()
{
	echo "1..$tap_count"
	[ $tap_failed = 0 ] && [ $tap_count -gt 0 ] && [ $tap_done = 1 ]
}
