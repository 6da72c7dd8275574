# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# .log2=K on a kernel without it: the rows that a loop makes of numbers at and next to powers of
# two and eighths of octaves, seeked to by dd.  Then what several triggers must tell as one:
# values, other keys, the largest of a bucket, a full table, a histogram that was cleared, and what
# is left after a kill.
#
# The rest, after the buckets, is on 6.1 in check-long: both kernels have the same triggers.  Targets,
# fields of a byte, full tables, and who clears or kills are in check-long.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh
mkdir /tmp/fine
cd /tmp/fine || bail "no directory"
before=$(tree_state)
seek='-e syscalls:sys_enter_lseek'

# numbers OCTAVE...
numbers()
{
	for octave; do
		n=$((1 << octave))
		echo $((n - 1)) $n $((n + 1)) $((n + n / 8)) $((n + n / 8 + 1)) $((n + n / 2 - 1)) \
			$((n + 5 * (n / 16) + 1))
	done
}
numbers 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 22 23 24 26 27 28 31 32 40 62 |
	tr ' ' '\n' >numbers
echo 9223372036854775807 >>numbers
cat >load.sh <<'END'
while read -r n; do
	dd if=/dev/null skip=$n bs=1 count=0 2>/dev/null
done <numbers
END

# model K: "LE HITS SUM" of each bucket; that of 2^63 - 1 ends at 2^63, which is negative here
model()
{
	while read -r n; do
		w=1
		while [ $(((n - 1) / w)) -ge $((2 << $1)) ]; do
			w=$((w * 2))
		done
		echo $((((n - 1) / w + 1) * w)) "$n"
	done <numbers | sed 's/^-//' | awk '{ hits[$1]++; if (!($2 <= max[$1])) max[$1] = $2 }
		END { for (le in hits) print le, hits[le] }' | sort -n
}

# rows FILE [OPTION...]: "LE HITS"
rows()
{
	trace-cmd hist report "$@" --format csv |
		awk -F, '$1 == "row" && $12 == "hitcount" { print $11, $13 }' | sort -n
}

for k in 1 3 5; do
	ok "record with .log2=$k succeeds" trace-cmd hist record -q -i 0 -o $k.dat $seek -k offset.log2=$k \
		-f 'whence == 1' -- sh load.sh
	is "each number is in its bucket of .log2=$k" "$(rows $k.dat)" "$(model $k)"
done
for k in 3 5; do
	is "--bucket merges the rows of .log2=$k into those of .log2=1" \
		"$(rows $k.dat --bucket offset.log2=1)" "$(model 1)"
done
case ${CHECK_LONG-}/$(uname -r) in
/6.1.*) done_testing ;;
esac
like "the report names what was asked for" "$(trace-cmd hist report 3.dat)" \
	'^# trigger info: hist:keys=offset.log2=3 if whence == 1$'
is "a dry run prints the triggers" "$(trace-cmd hist record --dry-run $seek -k offset.log2=3 | sed -n '$=;3p')" \
	'syscalls:sys_enter_lseek hist:keys=offset*18446744073709551615/256:size=128 if offset <= 32768 && offset > 2048
6'

# What each row has beside its hits: the sum, and the largest.
ok "record with values and the worst succeeds" trace-cmd hist record -q -i 0 -o more.dat $seek \
	-R 'hist:keys=common_pid,offset.log2=3:vals=offset:worst=offset:onmax($worst).save(whence,common_pid):size=4096 if whence == 1' \
	-- sh -c 'for n in 2001 2003 2002 17 2048 2049; do as_pid 20001 dd if=/dev/null skip=$n bs=1 count=0; done 2>/dev/null'
is "a row has the sum of all its triggers' rows, and their largest" \
	"$(trace-cmd hist report more.dat --format json | grep -oE '"(ge|hitcount|saved|value)":[^}]*' | tr -d '\n')" \
	'"ge": 1921, "le": 2048 "value": { "hitcount": 4, "offset": 8054 "ge": 17, "le": 18 "value": { "hitcount": 1, '\
'"offset": 17 "ge": 2049, "le": 2304 "value": { "hitcount": 1, "offset": 2049 "value": 2049, "exact": true, '\
'"key": { "common_pid": 20001 "saved": { "whence": 1, "common_pid": 20001 '
is "JSON has the kernel's triggers" "$(trace-cmd hist report more.dat --format json |
	grep -o 'offset[*/0-9]*:vals=offset:worst_part[0-5]=offset:onmax(.worst_part[0-5]).save(whence,common_pid):size=2048 ' | wc -l)" 6

# octaves FILE HISTOGRAM [OPTION...]: "LE HITS" of its rows with .log2, or in octaves
octaves()
{
	local file=$1 name=$2

	shift 2
	trace-cmd hist report -e "$name" "$file" --format csv "$@" | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == "key.lat_ns.le") le = i }
		$1 == "row" && $(NF - 1) == "hitcount" {
			for (o = 1; o < $le; o *= 2)
				;
			hits[o] += $NF
		}
		END { for (o in hits) print o, hits[o] }' | sort -n
}

# A latency: each pair is in the octave in which the kernel's .log2 has it.
calls=raw_syscalls:sys_enter:common_pid..raw_syscalls:sys_exit:common_pid:nsecs
ok "record of a latency succeeds" trace-cmd hist record -q -i 0 -o latency.dat --latency $calls \
	-k id,lat.log2=3 -k lat.log2 -- find /proc -maxdepth 2 -name status
fine=$(octaves latency.dat "latency:sys_enter..sys_exit#0")
is "the octaves of .log2=3 are those of .log2" "$fine" "$(octaves latency.dat "latency:sys_enter..sys_exit#1")"
is "--bucket lat_ns.log2 has them, too" \
	"$(octaves latency.dat "latency:sys_enter..sys_exit#0" --bucket lat_ns.log2)" "$fine"
ok "there are more than 500 pairs" [ "$(echo "$fine" | awk '{ n += $2 } END { print n }')" -gt 500 ]
is "tracefs is as before" "$(tree_state)" "$before"
[ -n "${CHECK_LONG-}" ] || done_testing

for target in 'exec:trace-cmd-hist-target --stdio' exec:sh; do
	ok "record --target $target succeeds" trace-cmd hist record -q -i 0 -o far.dat --target "$target" $seek \
		-k offset.log2=3 -f 'whence == 1' -- sh load.sh
	is "--target $target has the same rows" "$(rows far.dat)" "$(model 3)"
done

# The kernel cuts the numbers of a filter to the size of the field, which is one byte here.
ok "record with a field of a byte succeeds" trace-cmd hist record -q -i 0 -o byte.dat $seek \
	-k common_preempt_count.log2=5 -f 'whence == 1' -- sh load.sh
is "each number of a byte is counted" "$(trace-cmd hist report byte.dat | sed -n 's/^ *Hits: //p')" \
	"$(wc -l <numbers)"

# None of the triggers is taken for the paused trigger of another program.
ok "record of a histogram that begins paused succeeds" trace-cmd hist record -q -i 0 -o paused.dat \
	-e raw_syscalls:sys_exit -R 'hist:keys=ret.log2=3:pause' -- true
is "a dry run prints the triggers of a probe, which does not exist" \
	"$(trace-cmd hist record --dry-run --kprobe 'p:probe/fine vfs_read n=%dx:u8' -k n.log2=3 | grep -c 'probe:fine hist:')" 2

# A table of 128 rows is full: the kernel's drops are those of all triggers.
echo 'n=2050; while [ $n -lt 32700 ]; do as_pid $((20000 + n % 2)) dd if=/dev/null skip=$n bs=1 count=0; n=$((n + 51)); done 2>/dev/null' >many.sh
trace-cmd hist record -i 0 -o full.dat $seek \
	-R 'hist:keys=common_pid,offset.log2=3:size=128 if whence == 1' -- sh many.sh 2>said
is "what the table had no room for is told, and how large it should be" \
	"$(trace-cmd hist report full.dat | sed -nE 's/^ *(Hits: [0-9]+|Dropped: [0-9]+).*/\1/p' | tr '\n' ' ')$(cat said)" \
	"Hits: 322 Dropped: 279 trace-cmd hist: warning: syscalls:sys_enter_lseek: 279 hits were dropped because the table was full
hint: record fewer distinct keys, or set size=4096 with -R"
trace-cmd hist record -q -i 0 -o full.dat $seek \
	-R 'hist:keys=common_pid,offset.log2=3:size=4096 if whence == 1' -- sh many.sh
is "a table of this size has room" \
	"$(trace-cmd hist report full.dat | sed -nE 's/^ *(Hits: [0-9]+|Dropped: [0-9]+).*/\1/p' | tr '\n' ' ')" \
	"Hits: 601 Dropped: 0 "

# Another program clears one of the triggers: what the others count since then is not known.
mkdir $tracefs/instances/fine
trigger=$tracefs/instances/fine/events/syscalls/sys_enter_lseek/trigger
trace-cmd hist record -q -B fine -i 50ms -o cleared.dat $seek -k offset.log2=3 -f 'whence == 1' -- sh -c "sh load.sh
	usleep 200000; echo 'hist:keys=offset:clear if offset <= 128 && (whence == 1)' >>$trigger; usleep 200000" 2>said
is "record ends if another program clears one of the triggers" "$? $(cat said)" "2 trace-cmd hist: error: \
syscalls:sys_enter_lseek: another program cleared one of the triggers that count .log2=K
hint: leave out -B to use a private instance"
is "what was counted before is in the file" "$(rows cleared.dat)" "$(model 3)"

# Killed: cleanup removes each trigger.
trace-cmd hist record -q -B fine -o killed.dat $seek -k offset.log2=3 &
pid=$!
wait_until [ -s killed.dat ]
is "a recording has six triggers" "$(grep -c '^hist:' "$trigger")" 6
kill -KILL $pid
wait $pid 2>/dev/null
ok "cleanup after a kill succeeds" trace-cmd hist cleanup
is "cleanup removes all of them" "$(grep -c '^hist:' "$trigger")" 0
rmdir $tracefs/instances/fine
is "tracefs is as before after all" "$(tree_state)" "$before"
done_testing
