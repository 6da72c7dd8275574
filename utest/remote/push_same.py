#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""push_same.py PROGRAM ORIGINAL RECEIVED: are the first snapshots of one file those
of the other?  Prints "all, ended", "3 of 300, interrupted", or what differs.

PROGRAM is trace-cmd-hist.  What it reads is also compared to what read_dat.py does.
"""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "scripts", "lib"))
import read_dat  # pylint: disable=wrong-import-position


def report(program, path):
    done = subprocess.run([program, "report", "--snapshot", "all", "--format", "json", path],
                          capture_output=True, text=True, check=False)
    if done.returncode and "no snapshot;" in done.stderr:
        return None
    if done.returncode:
        sys.exit(done.stderr.strip())
    return json.loads(done.stdout)


def main():
    program, original, received = sys.argv[1:]
    whole, part = report(program, original), report(program, received)
    total = whole["histograms"][0]["snapshots"]
    if part is None:
        print(f"0 of {len(total)}, interrupted")
        return
    damage = part["damage"]
    if damage.get("bad_sections") or damage.get("lost_snapshots"):
        sys.exit(f"damaged: {damage}")
    numbers = [len(h["snapshots"]) for h in part["histograms"]]
    for mine, theirs, n in zip(whole["histograms"], part["histograms"], numbers):
        if mine["name"] != theirs["name"] or mine["snapshots"][:n] != theirs["snapshots"]:
            sys.exit(f"{theirs['name']}: not what was sent")
    second = read_dat.read(received)["histograms"]
    if [len(h["snapshots"]) for h in second] != numbers:
        sys.exit("read_dat.py counts otherwise")
    # an interval that was under way when the link broke is there in part
    all_there = numbers == [len(h["snapshots"]) for h in whole["histograms"]]
    print("all" if all_there else f"{max(numbers)} of {len(total)}",
          "interrupted" if damage["unfinished"] else "ended", sep=", ")


main()
