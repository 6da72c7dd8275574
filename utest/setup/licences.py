#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
licences.py TOP: does each file of the project name its licence?

One of the first three lines of a file has "SPDX-License-Identifier: LICENCE".  It is LGPL-2.1 in
lib/ and plugins/, and GPL-2.0 elsewhere.  TOP/LICENSES/without-header lists the files that have no
such line, with reasons.  A file of this list that has a line is checked too.  The files are those
of git, or all files outside build directories if TOP is not a git repository.  TAP on stdout.

The last test makes a tree with one mistake of each kind, and expects each to be found.
"""
import fnmatch
import os
import re
import subprocess
import sys
import tempfile

SPDX = re.compile(rb"SPDX-License-Identifier: ([A-Za-z0-9.+ -]*[A-Za-z0-9.+])")
LIBRARY = re.compile(r"(lib|plugins)/")
GPL = {"GPL-2.0": "GPL-2.0-only"}
LGPL = {"LGPL-2.1": "LGPL-2.1-only"}


def project_files(top):
    """All files, as paths from top."""
    if os.path.exists(os.path.join(top, ".git")):
        listed = subprocess.run(["git", "-c", "safe.directory=*", "-C", top, "ls-files", "-z"],
                                check=True, stdout=subprocess.PIPE).stdout
        return sorted(os.fsdecode(name) for name in listed.split(b"\0") if name)
    found = []
    for folder, folders, names in os.walk(top):
        if folder == top:
            folders[:] = [name for name in folders if not name.startswith("build")]
        found += [os.path.relpath(os.path.join(folder, name), top) for name in names]
    return sorted(found)


def read_exceptions(path):
    """The reason of each pattern."""
    patterns = {}
    with open(path, encoding="utf-8") as f:
        for line in f:
            line = line.strip()
            if line and not line.startswith("#"):
                pattern, _, reason = line.partition(":")
                patterns[pattern.strip()] = reason.strip()
    return patterns


def licence_of(path):
    """The expression in one of the first three lines, or None."""
    with open(path, "rb") as f:
        head = b"".join(f.readline(400) for _ in range(3))
    match = SPDX.search(head)
    return match.group(1).decode().strip() if match else None


def check(top):
    """The mistakes, by the sentences that they contradict."""
    excepted = read_exceptions(os.path.join(top, "LICENSES", "without-header"))
    used, missing, wrong = set(), [], []
    for name in project_files(top):
        if not os.path.isfile(os.path.join(top, name)):
            continue  # deleted, and not committed yet
        pattern = next((p for p in excepted if fnmatch.fnmatchcase(name, p)), None)
        used.add(pattern)
        licence = licence_of(os.path.join(top, name))
        expected = LGPL if LIBRARY.match(name) else GPL
        if licence is None and pattern is None:
            missing.append(name)
        elif licence is not None and licence not in expected and pattern is None:
            wrong.append(f"{name}: {licence}")
    texts = {name[:-len(".txt")] for name in os.listdir(os.path.join(top, "LICENSES"))
             if name.endswith(".txt")}
    return {
        "each file names its licence": missing,
        "the licence is LGPL-2.1 in lib/ and plugins/, otherwise GPL-2.0": wrong,
        "each exception has a reason and matches a file": sorted(
            p for p, reason in excepted.items() if not reason or p not in used),
        "LICENSES has the text of each licence, and no other": sorted(
            texts ^ (set(GPL.values()) | set(LGPL.values()))),
    }


def unseen_mistakes():
    """The mistakes of a made-up tree that check() does not find."""
    tree = {
        "LICENSES/GPL-2.0-only.txt": "", "LICENSES/MIT.txt": "",
        "LICENSES/without-header": "*.md: text\nLICENSES/*: texts\nnothing.*: matches no file\nempty:\n",
        "README.md": "", "empty": "",
        "lib/good.c": "// SPDX-License-Identifier: LGPL-2.1\n",
        "lib/other.c": "// SPDX-License-Identifier: GPL-2.0\n",
        "good.sh": "#!/bin/sh\n# SPDX-License-Identifier: GPL-2.0\n",
        "late.sh": "#!/bin/sh\n\n\n# SPDX-License-Identifier: GPL-2.0\n",
        "mit.c": "/* SPDX-License-Identifier: MIT */\n",
        "none.c": "int i;\n",
    }
    expected = [["late.sh", "none.c"], ["lib/other.c: GPL-2.0", "mit.c: MIT"],
                ["empty", "nothing.*"], ["LGPL-2.1-only", "MIT"]]
    with tempfile.TemporaryDirectory() as top:
        for name, text in tree.items():
            path = os.path.join(top, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
        found = list(check(top).values())
    return [f"expected {e}, found {f}" for e, f in zip(expected, found) if e != f]


def main():
    wrong = check(os.path.abspath(sys.argv[1]))
    wrong["a file without a licence and other mistakes are found"] = unseen_mistakes()
    for number, (what, found) in enumerate(wrong.items(), 1):
        print(f"{'not ok' if found else 'ok'} {number} - {what}")
        for line in found:
            print(f"#   {line}")
    print(f"1..{len(wrong)}")
    sys.exit(any(wrong.values()))


main()
