#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
measures.py BUILD: numbers that a reader of the source feels, each with its limit.  TAP on stdout.

BUILD has the objects of the programs, the panel and the unit tests (nm).  The numbers are:
  - functions that other files can call and that a single file calls: those that no unit test
    calls, as a part of all such functions, and those that unit tests call;
  - headers that at most one file includes, besides the source of their name;
  - circles of files in a folder: files that call each other, directly or through others;
  - lines of more than 100 columns.
A number above its limit fails.  So does a limit that is far above its number: lower it.

Invariant: limits only become smaller.
"""
import collections
import os
import subprocess
import sys

from source_tree import INCLUDE, objects, sources

TREES = ("lib", "helper", "tracecmd", "kernelshark-plugin", "plugins")
WIDTH = 100

# name: (limit, unit); see CONTRIBUTING.md
LIMITS = {
    "functions that one other file calls, and no unit test": (15.8, "%"),
    "functions that one other file calls, and unit tests": (369, ""),
    "headers that at most one file includes, besides their source": (33, ""),
    "circles of files in a folder": (2, ""),
    "lines of more than 100 columns": (0, ""),
}


def calls(build, files):
    """The home of each global function, and the files that need each symbol."""
    by_path = {path: source for source, path in objects(build, files)}
    if not by_path:
        sys.exit(f"measures.py: {build}: no objects: build first")
    out = subprocess.run(["nm", "-A", "-P", *sorted(by_path)], check=True, capture_output=True,
                         text=True).stdout
    homes, users = collections.defaultdict(set), collections.defaultdict(set)
    for line in out.splitlines():
        path, _, rest = line.partition(": ")
        name, kind = rest.split()[:2]
        if kind == "T":
            homes[name].add(by_path[path])
        elif kind == "U":
            users[name].add(by_path[path])
    return homes, users


def single_users(homes, users):
    """Of the functions in C of the source: all, and those that one file calls, untested and tested."""
    untested, tested, count = [], [], 0
    for name, home in homes.items():
        home = {path for path in home if path.startswith(TREES) and path.endswith(".c")}
        if len(home) != 1 or name == "main":
            continue
        count += 1
        others = users[name] - home
        if len([path for path in others if path.startswith(TREES)]) == 1:
            is_tested = any(path.startswith("utest") for path in others)
            (tested if is_tested else untested).append(f"{home.pop()}: {name}()")
    return count, sorted(untested), sorted(tested)


def lonely_headers(root, files):
    """Headers that at most one file includes, besides the source of their name."""
    includers = collections.defaultdict(set)
    for path in files:
        with open(os.path.join(root, path), encoding="utf-8") as f:
            for line in f:
                m = INCLUDE.match(line)
                if m and os.path.splitext(m.group(1))[0] != os.path.splitext(path)[0]:
                    includers[m.group(1)].add(path)
    return sorted(path for path in files
                  if path.endswith((".h", ".hpp")) and len(includers[path]) <= 1)


def circles(homes, users):
    """The groups of files of one folder that call each other (Tarjan 1972)."""
    below = collections.defaultdict(set)
    for name, home in homes.items():
        home = {path for path in home if path.startswith(TREES)}
        if len(home) != 1:
            continue
        to = home.pop()
        for path in users[name]:
            if path != to and os.path.dirname(path) == os.path.dirname(to):
                below[path].add(to)
    index, low, stack, found = {}, {}, [], []

    def walk(at):
        index[at] = low[at] = len(index)
        stack.append(at)
        for to in sorted(below[at]):
            if to not in index:
                walk(to)
                low[at] = min(low[at], low[to])
            elif to in stack:
                low[at] = min(low[at], index[to])
        if low[at] == index[at]:
            group = []
            while not group or group[-1] != at:
                group.append(stack.pop())
            if len(group) > 1:
                found.append(" ".join(sorted(group)))

    sys.setrecursionlimit(10000)
    for path in sorted(below):
        if path not in index:
            walk(path)
    return sorted(found)


def wide_lines(root, files):
    for path in sorted(files):
        with open(os.path.join(root, path), encoding="utf-8") as f:
            for number, line in enumerate(f, 1):
                if len(line.rstrip("\n").expandtabs()) > WIDTH:
                    yield f"{path}:{number}"


def main():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    files = set(sources(root, TREES))
    homes, users = calls(sys.argv[1], set(sources(root, (*TREES, "utest"))))
    count, untested, tested = single_users(homes, users)
    found = dict(zip(LIMITS, (untested, tested, lonely_headers(root, files), circles(homes, users),
                              list(wide_lines(root, files)))))
    failed = False
    for number, (what, (limit, unit)) in enumerate(LIMITS.items(), 1):
        is_part = unit == "%"
        value = round(100 * len(found[what]) / count, 1) if is_part else len(found[what])
        bad = value > limit or value < limit - (1 if is_part else max(3, limit * 0.03))
        failed |= bad
        print(f"{'not ok' if bad else 'ok'} {number} - {what}: {value}{unit}, limit {limit}{unit}")
        if value > limit or "-v" in sys.argv:
            for line in found[what]:
                print(f"#   {line}")
    print(f"# {count} functions that other files can call")
    print(f"1..{len(LIMITS)}")
    sys.exit(failed)


main()
