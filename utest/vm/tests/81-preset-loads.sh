# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# The presets that 80-presets.sh does not record, against loads of preset_load, which knows
# how often it did what.  verify_presets.py looks at the files on the host.
#
# In check-long: emulated kernels need minutes for all; 80-presets.sh and the unit tests of
# recipes are the sample.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh
# shellcheck source-path=SCRIPTDIR source=../guest/preset_loads.sh
. /tests/preset_loads.sh
cd /tmp || bail "no /tmp"

before=$(tree_state)

# record NAME OPTIONS... -- SCRIPT: into $OUT/load-NAME.dat; only a full table may be told.
record()
{
	local name=$1

	shift
	trace-cmd hist record -i 0 -o "$OUT/load-$name.dat" "$@" >said 2>&1
	is "the recording $name exits with status 0" "$?" 0
	is "the recording $name prints no error" \
		"$(grep -v -e 'did not fit in the table' -e '^hint: use a filter' said)" ""
}

# The stack of a start event is an argument of its end since 6.4, names of arguments are since 6.6.
new=
[ -e $tracefs/options/stacktrace ] && grep -q 'argname>' $tracefs/README && new=yes
echo "${new:-no}" >"$OUT/load-new"

record cpu --preset cpu-time --preset on-cpu-time:presetload --preset off-cpu-time:presetload \
	--preset wakeup-stacks:presetload --preset futex-waits:presetload \
	--preset cpu-migrations:presetload \
	${new:+--preset off-cpu-stacks:presetload --preset runqueue-length} -- sh -c "$cpu_load"

record period --preset period:presettick -- sh -c "$tick_load"

record calls --preset signals:presetload --preset capability-checks:presetload \
	--preset syscall-errors --preset programs --preset process-starts \
	--preset process-lifetime:presetload -- sh -c "$calls_load"

ok "a disk in memory has a file system" files_begin
record files --preset file-opens:presetload --preset stat-calls:presetload \
	--preset vfs-calls:presetload --preset sync-calls --preset page-cache \
	--preset ext4-latency --preset readahead --preset slab-allocations --preset writeback -- \
	sh -c "$files_load"
files_end

ok "a slow disk appears" block_begin
record block --preset bitesize ${new:+--preset biostacks} -- sh -c "$block_load"
block_end

network_begin
record network --preset tcp-connects --preset tcp-accepts --preset tcp-state-time \
	--preset tcp-connect-latency --preset tcp-session-time --preset tcp-round-trip \
	--preset tcp-bytes --preset tcp-retransmits --preset packet-drops \
	--preset network-bytes -- sh -c "$network_load"
network_end

[ -z "$new" ] || record leaks --preset memleak --preset page-leaks -- sh -c "$leaks_load"
leaks_end

ok "a large disk appears" memory_begin
echo "$victim" >"$OUT/load-victim"
record memory --preset direct-reclaim --preset compaction --preset oom-kills \
	--preset workqueue-latency --preset cpu-idle-time -- sh -c "$memory_load"
memory_end

for preset in runqueue-length off-cpu-stacks block-stacks kmalloc-leaks page-leaks; do
	[ -z "$new" ] || break
	like "$preset is refused with what this kernel lacks" \
		"$(trace-cmd hist record --preset $preset true 2>&1)" \
		'^trace-cmd hist: error: --preset .*: this kernel has no (stack|probe)_fields: .*; the preset needs Linux 6\.[46] or later$'
done
is "recordings with presets leave tracefs unchanged" "$(tree_state)" "$before"
done_testing
