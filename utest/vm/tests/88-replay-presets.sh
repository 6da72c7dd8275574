# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# All presets that replay can count: the kernel counts, and records the events; the user-space engine
# counts beside it, and records its own.  The host replays both (verify_replay.py).
#
# A recording with a latency counts no task until all is set, and none after its end.  So its file
# has exactly the events that the kernel has counted, also those of other tasks.
#
# In check-long: 87-replay.sh is the sample.
# On 6.12 alone: what replay is to be equal to is the language of 6.12.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh
cd /tmp || bail "no /tmp"
notes=/tmp
# shellcheck source-path=SCRIPTDIR source=../guest/preset_loads.sh
. /tests/preset_loads.sh

before=$(tree_state)

# record NAME PRESET... -- LOAD
record()
{
	local name=$1

	shift
	: >"$OUT/presets-$name.case"
	while [ "$1" != -- ]; do
		printf -- '--preset\t%s\n' "$1" >>"$OUT/presets-$name.case"
		shift
	done
	printf '%s\n' "$2" >/tmp/load.sh
	set --
	while IFS="$(printf '\t')" read -r option value; do
		set -- "$@" "$option" "$value"
	done <"$OUT/presets-$name.case"
	# full tables and pairs that never close are in the file
	trace-cmd hist record -q -i 0 --events -o "$OUT/presets-$name.dat" "$@" -- \
		trace-cmd hist record -q -i 0 --events --engine user -o "$OUT/presets-$name-live.dat" "$@" -- \
		sh /tmp/load.sh >said 2>&1
	is "the recording of the presets of $name by both engines exits with status 0" "$?" 0
	is "the recording of the presets of $name prints no error" \
		"$(grep -v -e 'did not fit in the table' -e '^hint: use a filter' said)" ""
}

record cpu context-switches cpu-migrations cpu-time futex-waits off-cpu-time on-cpu-time period \
	runqueue-wait wakeup-latency workqueue-latency cpu-idle-time -- "$cpu_load
	$tick_load"

record calls irq-time lock-contention process-lifetime process-starts programs signals syscall-errors \
	syscall-latency syscalls page-faults kmalloc-bytes slab-allocations -- "$calls_load"

ok "a disk in memory has a file system" files_begin
ok "a slow disk appears" block_begin
network_begin
record files ext4-latency sync-calls writeback block-latency block-sizes tcp-connects tcp-accepts \
	tcp-state-time tcp-connect-latency tcp-session-time tcp-round-trip tcp-retransmits packet-drops \
	network-bytes -- "$files_load
	$block_load
	$network_load"
network_end
files_end

# New instances take the option from the top level.
echo 1 >$tracefs/options/stacktrace
record stacks off-cpu-stacks block-stacks kmalloc-leaks page-leaks -- "$leaks_load
	$block_load"
echo 0 >$tracefs/options/stacktrace
leaks_end
block_end

if [ -n "$CHECK_LONG" ]; then
	ok "a large disk appears" memory_begin
	record memory direct-reclaim compaction oom-kills -- "$memory_load"
	memory_end
fi

is "the recordings of presets leave tracefs unchanged" "$(tree_state)" "$before"
done_testing
