# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# For boots.sh: the same recordings in each boot, for the host to compare.

# shellcheck source-path=SCRIPTDIR source=lib.sh
. /tests/lib.sh
cd /tmp || bail "no /tmp"

# Enough opens of files for a few callers to have hundreds of hits.
# shellcheck disable=SC2016 # the command's own
is "recorded" "$(trace-cmd hist record -i 0 -o "$OUT/boot.dat" \
	-e kmem:kmalloc -k call_site.sym -v bytes_req -f 'common_pid != 0' \
	-e kmem:kmalloc -k call_site.hex -v bytes_req -f 'common_pid != 0' \
	-e kmem:kmalloc -k common_stacktrace -f 'common_pid != 0' \
	-- sh -c 'for i in $(seq 300); do read -r x </proc/self/stat; done; :' 2>&1; echo $?)" 0
done_testing
