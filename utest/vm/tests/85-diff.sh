# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# trace-cmd hist diff on real recordings: two times the same load pass, a load that
# was made slower on purpose regresses, by the key that was made slower.  The load
# sleeps in two system calls, so that its times are known on any machine.
#
# On 6.12 alone: diff sees no kernel.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh
cd /tmp || bail "no /tmp"

before=$(tree_state)
[ -p never ] || mkfifo never

# load POLL_S SLEEP_US: 40 times each
cat >load.sh <<'END'
printf loader >/proc/$$/comm
exec 3<>/tmp/never
i=0
while [ $i -lt 40 ]; do
	read -r -t "$1" x <&3
	usleep "$2"
	i=$((i + 1))
done
END

# Of x86-64: poll is 7, nanosleep 35, clock_nanosleep 230.
sleeps='(id == 7 || id == 35 || id == 230)'

# record FILE POLL_S SLEEP_US
record()
{
	is "the recording $1 exits with status 0 and prints nothing" \
		"$(trace-cmd hist record -i 0 -o "$1" \
		--latency raw_syscalls:sys_enter:common_pid..raw_syscalls:sys_exit:common_pid:usecs \
		-k id.syscall,lat.log2 -v lat -f "$sleeps && (COMM == \"loader\" || COMM == \"usleep\")" \
		-- sh load.sh "$2" "$3" 2>&1; echo $?)" 0
}

for run in 1 2 3; do
	record base$run.dat 0.01 20000
	record same$run.dat 0.01 20000
	record slow$run.dat 0.01 60000
done

# diff STATUS DESC ARGS...: output in $out
diff()
{
	local expected=$1 desc=$2 status=0

	shift 2
	out=$(trace-cmd hist diff "$@" 2>&1) || status=$?
	is "diff of $desc exits with status $expected" "$status" "$expected"
}

# Generous: other work on the host makes sleeps longer, by chance on one side.
diff 0 "the same load" --strict --threshold 100 --percentiles 50 base?.dat -- same?.dat
like "diff of the same load gives the verdict pass" "$out" '^verdict: pass$'
like "diff of the same load judges both system calls" "$out" '^  2 keys: 2 pass$'

diff 1 "a slower load" --threshold 100 --percentiles 50 base?.dat -- slow?.dat
like "the verdict for a slower load names the slower system call" "$out" \
	'^verdict: regressed: latency:sys_enter..sys_exit.*, sys_(clock_)?nanosleep, trimmed mean '
like "the unchanged system call passes in the diff of a slower load" \
	"$out" '^  2 keys: 1 regressed, 1 pass$'

diff 0 "a faster load" --threshold 50 --percentiles 50 slow?.dat -- base?.dat
# the sleeps that stayed as they were may be undecided
like "diff of a faster load reports an improvement of the faster system call" \
	"$(echo "$out" | sed -n '/^  sys_.*nanosleep$/,/^ \{0,2\}[^ ]*$/p')" \
	'^    trimmed mean .* improved$'

# One run a side, cut into parts.
for name in one other; do
	# shellcheck disable=SC2016 # the command's own
	is "the recording $name.dat exits with status 0 and prints nothing" \
		"$(trace-cmd hist record -i 0.1 -o $name.dat \
		-e raw_syscalls:sys_enter -k id.syscall -f 'common_pid != 0' -- sh -c \
		'exec 3<>/tmp/never; for i in $(seq 300); do read -r -t 0.01 x <&3; done; :' 2>&1; echo $?)" \
		0
done
diff 0 "one file per side" --threshold 50 --min-decided 0 one.dat other.dat
like "diff of one file per side prints a note about the single file" \
	"$out" '^note: BASE or NEW is a single file: time intervals within it are compared, '

# p99 alone, with the buckets that --latency has by itself.
cat >p99.sh <<'END'
printf loader >/proc/$$/comm
exec 3<>/tmp/never
i=0
while [ $i -lt 120 ]; do read -r -t "$1" x <&3; i=$((i + 1)); done
END
# p99 FILE POLL_S
p99()
{
	is "the recording $1 exits with status 0 and prints nothing" "$(trace-cmd hist record -i 0 -o "$1" \
		--latency 'raw_syscalls:sys_enter:common_pid[id == 7]..raw_syscalls:sys_exit:common_pid' \
		-f 'COMM == "loader"' -- sh p99.sh "$2" 2>&1; echo $?)" 0
}
for run in 1 2 3 4 5; do
	p99 p99-base$run.dat 0.010
	p99 p99-same$run.dat 0.010
	p99 p99-slow$run.dat 0.013
done
diff 0 "p99 of the same load" --metric p99 --threshold 10 p99-base?.dat -- p99-same?.dat
like "p99 of the same load passes" "$out" '^  all .*p99 .* pass$|^ +p99 .* pass$'
diff 1 "p99 of a load that takes 1.3 times as long" --metric p99 --threshold 10 p99-base?.dat -- p99-slow?.dat
like "p99 regressed by about 30 %" "$out" 'p99 .*, about \+(2[6-9]|3[0-4])(\.[0-9])? % .*regressed'
tap_comment <<END
$out
END

is "the recordings for diff leave tracefs unchanged" "$(tree_state)" "$before"
done_testing
