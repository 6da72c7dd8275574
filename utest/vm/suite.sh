#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# suite.sh KERNEL BIN [--digits RANGE] [OPTION...]: the guest tests of one machine in one boot
# of KERNEL, and then the look at what they sent out (verify.py).  One TAP stream.  RANGE
# selects the scripts whose names begin with one of its digits, 0-9 by default: two halves
# run on two cores.  OPTIONs are more of vm.sh, such as --mem for programs that need more.
# Those of two machines, 92 and up, are remote.sh's.

set -eu

kernel=$1 bin=$2 digits=0-9
shift 2
if [ "${1-}" = --digits ]; then
	digits=$2
	shift 2
fi
here=$(dirname "$(readlink -f "$0")")
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

"$here/language.sh" "$out/language"
mkdir "$out/replay"
cp "$here/../data/replay.cases" "$out/replay/"
# the program of Debian with probes for 56-usdt.sh, and the modules without which it does not start
python=$(readlink -f /usr/bin/python3)
adds=(--add "$python:/usr/bin/python3")
for module in __init__ aliases utf_8; do
	module=/usr/lib/${python##*/}/encodings/$module.py
	adds+=(--add "$module:$module")
done
# random expressions are in check-long
if [ -n "${CHECK_LONG-}" ]; then
	seed=${REPLAY_SEED:-$RANDOM}
	echo "# random expressions of REPLAY_SEED=$seed"
	/usr/bin/python3 "$here/../scripts/lib/replay_random.py" "$seed" 1200 >"$out/replay/random.cases"
fi
tests=()
for script in "$here"/tests/[0-8]*.sh "$here/tests/90-top.sh"; do
	[[ ${script##*/} != [$digits]* ]] || tests+=("$script")
done
scripts=$("$here/scripts.sh" "$kernel" "${tests[@]}")
status=0
# shellcheck disable=SC2086
"$here/vm.sh" run --kernel "$kernel" --bin "$bin" --add /usr/bin/setpriv:/usr/bin/setpriv \
	--add /lib/terminfo:/lib/terminfo --add /usr/lib/locale/C.utf8:/usr/lib/locale/C.utf8 \
	--add "$out/language:/language" --add "$out/replay:/replay" --add "$here/../../Documentation/ci:/ci" \
	--add "$here/../../Documentation/trace-cmd-hist-targets.7.txt:/targets.txt" \
	"${adds[@]}" --module null_blk --out "$out" --time-limit 2400 --script-limit 400 "$@" \
	-- $scripts >"$out/tap" || status=1
# the plan is for all, so it comes last
grep -v '^1\.\.' "$out/tap"
count=$(grep -Ec '^(not )?ok ' "$out/tap" || true)
# shellcheck disable=SC2086
/usr/bin/python3 "$here/verify.py" "$bin/trace-cmd-hist" "$out" $((count + 1)) $scripts \
	>"$out/verified" || status=1
cat "$out/verified"
echo "1..$((count + $(grep -Ec '^(not )?ok ' "$out/verified" || true)))"
exit $status
