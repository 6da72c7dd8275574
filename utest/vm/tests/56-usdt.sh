# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash disable=SC2016
#
# Statically defined probes: usdt_victim N hits its probes a known number of times.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh
mkdir /tmp/usdt
cd /tmp/usdt || bail "no directory"
mkfifo go
victim=/usr/local/bin/usdt_victim
library=/lib/x86_64-linux-gnu/libusdt_library.so

record() { trace-cmd hist record -q -i 0 -o u.dat "$@"; }
rows()
{
	trace-cmd hist report --view table u.dat | sed -n 's/^{ *\([^}]*[^} ]\) *} hitcount: *\([0-9]*\).*/\1=\2/p' |
		sed 's/:  */:/g; s/ *, */,/g' | sort | xargs
}

before=$(tree_state)
record --usdt $victim:victim:plain -k arg1,arg3 -- usdt_victim 100
is "all places of a probe are counted as one event, with the constants of each" "$? $(rows)" \
	"0 arg1:-1,arg3:7=50 arg1:-2,arg3:7=50 arg1:0,arg3:9=100 arg1:1,arg3:9=100"
record --usdt 'p=usdt_victim:victim:plain text=+0($arg2):ustring number=$arg1' -k text,number \
	-f 'number < 0' -- usdt_victim 100
is "\$argN in a fetch argument is the argument of the probe" "$? $(rows)" \
	"0 text:even,number:-1=50 text:odd,number:-2=50"
record --usdt usdt_victim:victim:guarded -k arg1 -- usdt_victim 100
is "the semaphore enables a probe" "$? $(rows)" "0 arg1:0=50 arg1:1=50"
record --usdt $library:victim:library -k arg1 -- usdt_victim 100
is "a probe in a shared library is counted" "$? $(rows)" "0 arg1:0=50 arg1:1=50"

usdt_victim 100 go >ready &
pid=$!
wait_until [ -s ready ] || bail "no victim"
record --usdt usdt_victim:victim:guarded -k common_pid -P $pid -- \
	sh -c 'usdt_victim 100; echo >go; while [ -d "/proc/$0" ]; do usleep 10000; done' $pid
is "-P counts a process that already runs, and no other one" "$? $(rows)" "0 common_pid:$pid=100"
trace-cmd hist record -q --engine user -i 0 -o u.dat --usdt usdt_victim:victim:plain -k arg1 -F -- usdt_victim 100
is "the user-space engine counts the same, with -F" "$? $(rows)" "0 arg1:-1=50 arg1:-2=50 arg1:0=100 arg1:1=100"

# Debian's Python counts its garbage collections itself.
cat >collect.py <<'END'
import gc
gc.disable()
for generation, times in ((0, 30), (1, 7)):
    for _ in range(times):
        gc.collect(generation)
print(*("gen:%d=%d" % (g, s["collections"]) for g, s in enumerate(gc.get_stats()[:2])))
END
export PYTHONHOME=/usr
record --usdt '/usr/bin/python3:python:gc__start gen=$arg1' -k gen -f 'gen < 2' -F -- \
	sh -c 'exec python3 -S collect.py >collected'
is "a program of Debian hits its probes as often as it says" "$? $(rows)" "0 $(cat collected)"
ok "Python collected garbage" grep -Eq 'gen:0=3[0-9] gen:1=[7-9]$' collected
like "list --usdt shows the probes of Python" "$(trace-cmd hist list --usdt /usr/bin/python3)" \
	'^python:gc__start - 1 location, semaphore$'

is "list --usdt shows the probes and the types of their arguments" \
	"$(trace-cmd hist list --usdt usdt_victim)" "victim:guarded - 1 location, semaphore
    arg1 s32
victim:plain - 2 locations, semaphore
    arg1 s32
    arg2 u64
    arg3 s32
To count a probe: trace-cmd hist record --usdt PATH:PROVIDER:PROBE -k arg1"
is "an unknown probe is refused with a similar name" \
	"$(record --usdt usdt_victim:victim:plan -k arg1 -- true 2>&1)" \
	"trace-cmd hist: error: --usdt: $victim: no probe \"victim:plan\"
hint: did you mean \"victim:plain\"?"
is "an argument that the probe does not have is refused" \
	"$(record --usdt 'usdt_victim:victim:plain $arg4' -k arg4 -- true 2>&1)" \
	'trace-cmd hist: error: --usdt: $arg4: the probe has only 3 arguments'
like "a file without probes is refused" \
	"$(record --usdt probe_victim:victim:plain -k arg1 -- true 2>&1)" 'the file has no USDT probes'
like "--usdt is refused with --target" \
	"$(record --target shell:exec:sh --usdt usdt_victim:victim:plain -k arg1 -d 1 2>&1)" \
	'cannot be combined with --target'
trace-cmd hist record -q -o u.dat --usdt usdt_victim:victim:plain -k arg1 -- \
	sh -c 'echo $$ >killed; exec sleep 1000' &
recorder=$!
wait_until [ -s killed ]
kill -KILL $recorder
wait $recorder
kill "$(cat killed)"
trace-cmd hist cleanup >/dev/null
is "nothing is left, also after a kill and cleanup" "$(tree_state)" "$before"
done_testing
