#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""preset_counters.py SOURCE BIN: each preset has a line in utest/data/preset_counters.  TAP on stdout.

A line names a counter that we did not write, or tells why there is none, and a guest script that
records the preset by its name or an alias.
"""
import json
import os
import re
import subprocess
import sys

SOURCE, BIN = sys.argv[1:]
TABLE = os.path.join(SOURCE, "utest", "data", "preset_counters")
TESTS = os.path.join(SOURCE, "utest", "vm", "tests")
count = failed = 0


def ok(what, wrong):
    global count, failed
    count += 1
    print(f"{'not ok' if wrong else 'ok'} {count} - {what}")
    for line in wrong:
        failed = 1
        print(f"#   {line}")


def read_table():
    with open(TABLE, encoding="utf-8") as f:
        return [line.rstrip("\n").split(" | ") for line in f if line.strip() and line[0] != "#"]


def read_presets():
    """{name: [name and aliases]} of the presets in the program, whatever files this machine has."""
    env = {**os.environ, "XDG_CONFIG_HOME": "/nonexistent"}
    text = subprocess.run([os.path.join(BIN, "trace-cmd-hist"), "list", "--presets", "--format", "json"],
                          env=env, check=True, capture_output=True).stdout
    return {p["name"]: [p["name"]] + [a["name"] for a in p["aliases"]]
            for p in json.loads(text)["presets"] if p["path"] is None}


def records(script, names):
    with open(os.path.join(TESTS, script), encoding="utf-8") as f:
        text = f.read()
    words = "|".join(map(re.escape, names))
    return re.search(rf"^[^#\n]*(?<![\w-])({words})(?![\w-])", text, re.M)


rows = read_table()
presets = read_presets()
ok("the program has presets", [] if len(presets) > 50 else [str(len(presets))])
ok("each line has a preset, a counter and a script", [str(row) for row in rows if len(row) != 3])
rows = [row for row in rows if len(row) == 3]
names = [row[0] for row in rows]
ok("each preset has a line", sorted(set(presets) - set(names)))
ok("each line is that of a preset, once", sorted(set(names) - set(presets)) +
   sorted({name for name in names if names.count(name) > 1}))
ok("a line without a counter tells why", [name for name, counter, _ in rows
                                          if counter.startswith("none") and len(counter) < len("none: because")])
ok("the scripts exist", [script for _, _, script in rows if not os.path.exists(os.path.join(TESTS, script))])
ok("each script records the preset", [f"{name}: not in {script}" for name, _, script in rows
                                      if name in presets and os.path.exists(os.path.join(TESTS, script)) and
                                      not records(script, presets[name])])
print(f"1..{count}")
sys.exit(failed)
