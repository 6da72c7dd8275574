#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
open_files.py TOP BUILD: are files opened where the others in a directory are thought of?

tracecmd/base/outfile.c opens files for writing, lib/base/infile.c opens what a user names for
reading, and lib/base/file_place.c finds the directories of both.  No other object of tracecmd/ and
lib/ may use open(2), fopen(3) or a similar function, except those listed here with a reason.  BUILD
has the objects.  TAP on stdout.
"""
import os
import re
import subprocess
import sys

OPENERS = re.compile(r"(__)?(open|openat|openat2|creat|fopen|freopen|mkstemp|mkostemp|mkstemps|mkdtemp|"
                     r"tmpfile|tmpnam|mktemp|shm_open|mkfifo|mkfifoat|mknod|mknodat|mkdir|mkdirat|"
                     r"symlink|symlinkat|link|linkat|rename|renameat|renameat2|truncate)(64)?(_2)?$")
# the source, and why its files need no such care
ALLOWED = {
    "lib/base/file_place.c": "O_PATH only: finds the directory of a path",
    "lib/base/infile.c": "the one function for reading",
    "tracecmd/base/confine.c": "/dev/null",
    "tracecmd/base/outfile.c": "the one function for writing",
    "tracecmd/dispatch_main.c": "/dev/null",
    "tracecmd/kernel/foreign_writes.c": "directories of /proc and debugfs",
    "tracecmd/live/live_symbols.c": "/proc/PID/comm",
    "tracecmd/record/stock_record.c": "/dev/null",
    "tracecmd/session/compat_calls.c": "/proc/PID/exe",
    "tracecmd/target/connection.c": "/proc",
    "tracecmd/target/target_local.c": "the directory of tracefs",
}


def objects(build):
    """The path of each object, by its source."""
    found = {}
    for folder, folders, names in os.walk(build):
        # those of arch.sh are of another time
        folders[:] = [name for name in folders if name != "arch"]
        for name in names:
            match = re.search(r"\.dir/((?:lib|tracecmd)/.*\.c)\.o$", os.path.join(folder, name))
            if match:
                found.setdefault(match.group(1), os.path.join(folder, name))
    return found


def openers(path):
    """The functions that the object uses to open or make files."""
    text = subprocess.run(["nm", "-u", path], check=True, stdout=subprocess.PIPE, text=True).stdout
    return sorted({word for line in text.splitlines() for word in line.split()[-1:]
                   if OPENERS.match(word.split("@")[0])})


def main():
    top, build = sys.argv[1:]
    found = objects(build)
    sources = [source for source in found if os.path.exists(os.path.join(top, source))]
    uses = {source: openers(found[source]) for source in sources}
    bad = ["%s: %s" % (s, " ".join(uses[s])) for s in sorted(uses) if uses[s] and s not in ALLOWED]
    stale = [s for s in sorted(ALLOWED) if not uses.get(s)]
    tests = [
        ("objects of lib and tracecmd are found", [] if len(sources) > 300 else [str(len(sources))]),
        ("only the listed sources open files", bad),
        ("each listed source opens files", stale),
    ]
    for number, (name, lines) in enumerate(tests, 1):
        print("%sok %d - %s" % ("not " if lines else "", number, name))
        for line in lines:
            print("# " + line)
    print("1..%d" % len(tests))
    return any(lines for _, lines in tests)


sys.exit(main())
