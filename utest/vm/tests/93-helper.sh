# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# The static helper, as `make target-helper` builds it, on a real kernel: with a
# read-only root it must count what a local recording counts, leave nothing behind, and
# stay small while it serves a large histogram.
#
# In check-long: 92-remote.sh and utest/remote/helper.sh are the sample.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh
cd /tmp || bail "no /tmp"

helper=/helper/trace-cmd-hist-target
ok "the guest has the static target helper" test -x $helper

# What a small board has: this program, a root that cannot be written, proc and sys.
mkdir -p root/proc root/sys root/run
cp $helper root/helper
mount --bind root root || bail "no bind mount"
mount -t proc proc root/proc
mount -t sysfs sysfs root/sys
mount -t tracefs tracefs root/sys/kernel/tracing
mount -o remount,ro,bind root || bail "no read-only bind mount"
like "the root directory of the target helper is read-only" \
	"$(touch root/x 2>&1)" 'Read-only file system'
url="exec:exec chroot /tmp/root /helper --stdio"

# load N NAMES: renames a task N times, to so many names
cat >load <<'END'
i=0
while [ $i -lt "$1" ]; do
	printf "n-$((i % $2))" >/proc/$$/comm
	i=$((i + 1))
done
END
record()
{
	local out=$1

	shift
	trace-cmd hist record -q -o "$out" -i 100ms -e task:task_rename \
		-f 'newcomm ~ "n-*"' -k newcomm -v oom_score_adj "$@" >said 2>&1
}
rows()
{
	trace-cmd hist report "$1" --format json | tr -d ' \n' | sed 's/.*"rows"://' |
		sed 's/},{"key"/\n&/g' | grep -o '"newcomm.*oom_score_adj[^}]*' | sort
}

before=$(tree_state)
record local.dat sh load 300 20
record remote.dat --target "$url" sh load 300 20
is "record through the static helper exits with status 0" $? 0
is "record through the static helper prints nothing" "$(cat said)" ""
is "the local recording has 20 rows" "$(rows local.dat | wc -l)" 20
is "record through the static helper has the rows of the local recording" \
	"$(rows remote.dat)" "$(rows local.dat)"
is "record through the static helper leaves tracefs unchanged" "$(tree_state)" "$before"

# The most memory it ever had, in KiB, at the end of a recording of N rows.
cat >peak <<'END'
sh load "$1" "$1"
# until two more snapshots have the whole of it
sizes=$(stat -c %s "$2")
n=0
while [ $n -lt 2 ]; do
	now=$(stat -c %s "$2")
	[ "$now" = "$sizes" ] || n=$((n + 1))
	sizes=$now
	printf n-0 >/proc/$$/comm
done
for p in /proc/[0-9]*; do
	case $(tr '\0' ' ' <"$p/cmdline" 2>/dev/null) in
	"/helper --stdio ") sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "$p/status" >rss ;;
	esac
done
END
for rows in 2048 16384; do
	rm -f rss
	trace-cmd hist record -q -o rss.dat -i 100ms -e task:task_rename --target "$url" \
		-R "hist:keys=newcomm:vals=oom_score_adj:size=$rows if newcomm ~ \"n-*\"" \
		sh peak "$rows" rss.dat >said 2>&1
	is "record of $rows rows exits with status 0" $? 0
	is "record of $rows rows prints nothing" "$(cat said)" ""
	echo "$rows rows: VmHWM $(cat rss) KiB" | tap_comment
	ok "the static helper uses at most 2 MiB of memory for $rows rows" \
		test "$(cat rss)" -le 2048
	is "record of $rows rows leaves tracefs unchanged" "$(tree_state)" "$before"
done
umount root/sys/kernel/tracing root/sys root/proc root
done_testing
