#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# selftest.sh: does the harness report what goes wrong? Prints TAP.
#
# Every case runs vm.sh as a user would, with guest scripts that misbehave. Each
# QEMU is recognised by the private TMPDIR in its command line, so that a QEMU
# that outlives its vm.sh is found.

set -u
export LC_ALL=C

here=$(dirname "$(readlink -f "$0")")
dir=$(mktemp -d)
export TMPDIR=$dir
bystander=
trap '[ -z "$bystander" ] || kill "$bystander"; rm -rf "$dir"' EXIT
trap 'exit 143' INT TERM HUP

count=0
failed=0

# is DESC GOT EXPECTED
is()
{
	count=$((count + 1))
	if [ "$2" = "$3" ]; then
		echo "ok $count - $1"
	else
		failed=$((failed + 1))
		echo "not ok $count - $1"
		printf '%s\n' "got:" "$2" "expected:" "$3" | cat -v | sed 's/^/# /'
	fi
}

# script NAME: a guest script from standard input.
script()
{
	{ echo '. /tests/lib.sh' && cat; } >"$dir/$1.sh"
}

# run VM.SH-ARGUMENT...: sets output (without comments), status, seconds.
run()
{
	local start=$SECONDS

	status=0
	output=$("$here/vm.sh" run --out "$dir/out" "$@" 2>"$dir/stderr") || status=$?
	comments=$(grep '^#' <<<"$output")
	output=$(grep -v '^#' <<<"$output")
	seconds=$((SECONDS - start))
}

# Our QEMUs that still run.
qemus()
{
	pgrep -f "^qemu-system-x86_64 .*$dir/tmp"
}

# One boot: each script goes wrong in its own way, the last one is good.
script fails <<'EOT'
pass one
is two 1 2
done_testing
EOT
script dies <<'EOT'
pass one
kill -SEGV $$
EOT
script silent <<'EOT'
done_testing
EOT
script unplanned <<'EOT'
pass one
EOT
script miscounts <<'EOT'
pass one
echo 1..2
EOT
script liar <<'EOT'
pass one
echo 1..1
exit 1
EOT
script skips <<'EOT'
pass "one # SKIP no time"
done_testing
EOT
script bails <<'EOT'
bail "no reason"
EOT
script hangs <<'EOT'
pass one
# Not even a process in a session of its own may go on after the limit.
setsid sh -c 'sleep 21; echo "ok 99 - stray"' &
setsid yes >/dev/null &
sleep 1000
EOT
script warns <<'EOT'
ok "no process of an earlier script runs" sh -c '! pidof yes'
echo 'WARNING: not a real one' >/dev/kmsg
echo kept >"$OUT/kept"
done_testing
EOT
run --script-limit 20 -- "$dir"/{fails,dies,silent,unplanned,miscounts,liar,skips,bails,hangs,warns}.sh
is "each kind of failure is a not ok" "$output" "\
ok 1 - fails: one
not ok 2 - fails: two
ok 3 - dies: one
not ok 4 - dies: ended with status 139
not ok 5 - silent: no test ran
ok 6 - unplanned: one
not ok 7 - unplanned: ended without a plan (done_testing)
ok 8 - miscounts: one
not ok 9 - miscounts: planned 2 tests, ran 1
ok 10 - liar: one
not ok 11 - liar: ended with status 1
not ok 12 - skips: one (no skipping here) SKIP no time
not ok 13 - bails: gave up: no reason
ok 14 - hangs: one
not ok 15 - hangs: killed after the time limit of one script
ok 16 - warns: no process of an earlier script runs
not ok 17 - kernel: WARNING: not a real one
1..17"
is "vm.sh exits with status 1 after a failed test" "$status" 1
is "vm.sh explains a failed test" "$(grep -c 'expected: 2' <<<"$comments")" 1
is "vm.sh brings back a file of the guest" "$(cat "$dir/out/kept")" kept

# A panic. What came before it is kept.
script good <<'EOT'
pass one
head -c 3000000 /dev/urandom >"$OUT/data"
md5sum <"$OUT/data" >"$OUT/sum"
done_testing
EOT
script panics <<'EOT'
pass one
echo c >/proc/sysrq-trigger
EOT
run --kernel 6.1 -- "$dir"/{good,panics,fails}.sh
is "a panic ends the run and is reported" "$output" "\
ok 1 - good: one
ok 2 - panics: one
not ok 3 - panics: the VM ended while it ran
not ok 4 - fails: did not run
not ok 5 - kernel: Kernel panic - not syncing: sysrq triggered crash
1..5"
is "vm.sh exits with status 1 after a panic" "$status" 1
is "vm.sh shows the end of the console" \
	"$(grep -c 'Kernel panic - not syncing' <<<"$comments")" 1
is "files that the guest sent before the panic are whole" \
	"$(stat -c %s "$dir/out/data") $(md5sum <"$dir/out/data")" \
	"3000000 $(cat "$dir/out/sum")"

# The time limit for all, with another QEMU around.
qemu-system-x86_64 -machine none -display none -nodefaults -S \
	</dev/null >/dev/null 2>&1 &
bystander=$!
script slow <<'EOT'
pass one
# an idle guest would be at the limit of its script at once
while :; do :; done
EOT
run --time-limit 45 --script-limit 1000 -- "$dir/slow.sh"
is "the time limit ends the run and is reported" "$output" "\
ok 1 - slow: one
not ok 2 - harness: killed the VM after the time limit of 45 s
not ok 3 - slow: the VM ended while it ran
1..3"
is "vm.sh exits with status 1 long before its time limit" "$status $((seconds < 500))" "1 1"
is "no QEMU of vm.sh runs after the time limit" "$(qemus)" ""
is "the QEMU of another user still runs" "$(ps -o comm= -p $bystander)" "qemu-system-x86"

# vm.sh itself is killed. The log is there before tail looks for it.
: >"$dir/log"
"$here/vm.sh" run --script-limit 1000 -- "$dir/slow.sh" >"$dir/log" 2>&1 &
pid=$!
tail -f --pid=$pid "$dir/log" | grep -q '^ok 1'
before=$(qemus | wc -l)
kill -KILL $pid
{ wait $pid; } 2>/dev/null
for ((i = 0; i < 100; i++)); do
	[ -n "$(qemus)" ] || break
	sleep 0.05
done
is "QEMU dies with a vm.sh that is killed" "$before $(qemus | wc -l)" "1 0"

# No VM at all.
run --smp 4000 -- "$dir/good.sh"
is "a QEMU that does not start is reported" "$output $status" "\
not ok 1 - good: did not run
1..1 1"
run --kernel 2.4 -- "$dir/good.sh"
is "an unknown kernel is an error" "$status $(wc -l <"$dir/stderr")" "2 1"

# The shell.
# shellcheck disable=SC2016 # for the guest's shell
got=$(echo 'echo $((40 + 2)) >/out/shell' | "$here/vm.sh" shell --out "$dir/out" 2>&1)
status=$?
is "a shell runs commands" "$status $(cat "$dir/out/shell")" "0 42"
[ $status = 0 ] || printf '%s\n' "$got"

# All is good.
run -- "$dir/good.sh"
is "a good script gives exit status 0" "$output $status" "\
ok 1 - good: one
1..1 0"

is "only the killed vm.sh left its work directory" \
	"$(find "$dir" -mindepth 1 -maxdepth 1 -name 'tmp.*' | wc -l)" 1

echo "1..$count"
echo "# $SECONDS s"
[ $failed = 0 ]
