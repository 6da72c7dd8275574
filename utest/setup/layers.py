#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
layers.py LAYERS BUILD: does each folder use only folders below it, and are names and sizes right?

LAYERS lists the layers from the top down, a line a layer.  The folders of a line do not use
each other.  BUILD has the objects of the programs and the panel.  An arrow from folder A to
folder B is an #include in A of a header in B, or a symbol that an object of A needs and one
of B defines.  An arrow that points up, or to a folder of the same line, needs a line
"except A -> B: REASON".  TAP on stdout.

A function that other files can call is named after its file or folder: it begins, after "hist_"
or the "cmd_" of a verb, with the first word of one of them.  A line "name FUNCTION: REASON"
excepts a function.  A header declares only what its own folder defines.  Only files of its folder
include NAME_private.h.  No function holds more than 80 lines.

Invariant: each folder with sources is in the list once, and each line of the list is used.
"""
import collections
import os
import re
import subprocess
import sys

from source_tree import INCLUDE, objects, sources

TREES = ("lib", "helper", "tracecmd", "kernelshark-plugin")


def read_layers(path):
    """The layer of each folder, 0 at the top, and the exceptions with their reasons."""
    level, excepted, named, depth = {}, {}, {}, 0
    with open(path, encoding="utf-8") as f:
        for line in f:
            line = line.split("#")[0].strip()
            if line.startswith("except "):
                arrow, _, reason = line[len("except "):].partition(":")
                a, _, b = arrow.partition("->")
                excepted[a.strip(), b.strip()] = reason.strip()
            elif line.startswith("name "):
                function, _, reason = line[len("name "):].partition(":")
                named[function.strip()] = reason.strip()
            elif line:
                for folder in line.split():
                    if folder in level:
                        sys.exit(f"layers.py: {path}: {folder} is listed twice")
                    level[folder] = depth
                depth += 1
    return level, excepted, named


def include_arrows(root, files, arrows):
    for path in files:
        with open(os.path.join(root, path), encoding="utf-8") as f:
            for line in f:
                m = INCLUDE.match(line)
                if m and m.group(1) in files:
                    arrows[os.path.dirname(path), os.path.dirname(m.group(1))].add(
                        f"{path} includes {m.group(1)}")


def symbols(paths):
    """(path, "U" or "D", symbol) of each symbol that nm names."""
    out = subprocess.run(["nm", "-A", "-P", *paths], check=True, capture_output=True,
                         text=True).stdout
    for line in out.splitlines():
        path, _, rest = line.partition(": ")
        name, kind = rest.split()[:2]
        if kind in "UTDBR":
            yield path, "U" if kind == "U" else "D", name


def symbol_arrows(build, files, arrows):
    """Add the arrows of the objects; return the sources that define each symbol."""
    by_path = {path: source for source, path in objects(build, files)}
    if not by_path:
        sys.exit(f"layers.py: {build}: no objects: build first")
    defined, needed = collections.defaultdict(set), []
    for path, kind, name in symbols(sorted(by_path)):
        if kind == "D":
            defined[name].add(by_path[path])
        else:
            needed.append((by_path[path], name))
    for source, name in needed:
        homes = {os.path.dirname(home) for home in defined.get(name, ())}
        # a name of two programs, such as main(), tells nothing
        if len(homes) == 1:
            arrows[os.path.dirname(source), homes.pop()].add(f"{source} needs {name}()")
    return defined


def misnamed(defined):
    """FUNCTION: "FILE: FUNCTION" of each function in C that is not named after its file."""
    found = {}
    for name, homes in defined.items():
        for path in homes:
            folder, file = os.path.split(path)
            words = tuple(re.split("[_.]", w)[0].rstrip("s") for w in (file, os.path.basename(folder)))
            if path.endswith(".c") and name != "main" and not name.startswith(words) and \
                    not re.sub("^(hist|cmd)_", "", name).startswith(words):
                found[name] = f"{path}: {name}"
    return found


# A declaration in a header at the left edge, which a ';' ends; comments and inline functions are cut.
DECLARATION = re.compile(r"^(?!static|typedef|#|extern \"C\")[A-Za-z_][\w \t*]*?\b(\w+)\([^;{}]*\)[^;{}]*;", re.M)
CUT = re.compile(r"/\*.*?\*/|^static inline .*?^}$", re.M | re.S)


def foreign(root, files, defined):
    """"HEADER: FUNCTION" of each function that a header of another folder declares."""
    for path in sorted(files):
        if path.endswith((".c", ".cpp")):
            continue
        with open(os.path.join(root, path), encoding="utf-8") as f:
            text = CUT.sub("", f.read())
        for name in DECLARATION.findall(text):
            homes = {os.path.dirname(home) for home in defined.get(name, ())}
            if homes and os.path.dirname(path) not in homes:
                yield f"{path}: {name} of {sorted(homes)[0]}"


def sizes(root, files):
    """"PATH:LINE: ..." of each function that is too long."""
    for path in sorted(files):
        with open(os.path.join(root, path), encoding="utf-8") as f:
            lines = f.read().splitlines()
        begin = None
        for number, line in enumerate(lines, 1):
            if line == "{":
                begin = number
            elif line == "}" and begin:
                if number - begin > 81:
                    yield f"{path}:{begin}: a function of {number - begin - 1} lines"
                begin = None


def circle(arrows):
    """Folders that use each other, or [] if there are none."""
    below = collections.defaultdict(set)
    for a, b in arrows:
        below[a].add(b)
    done, path = set(), []

    def walk(folder):
        if folder in path:
            return path[path.index(folder):] + [folder]
        if folder in done:
            return []
        path.append(folder)
        for b in sorted(below[folder]):
            found = walk(b)
            if found:
                return found
        path.pop()
        done.add(folder)
        return []

    for folder in sorted(below):
        found = walk(folder)
        if found:
            return found
    return []


def main():
    layers, build = sys.argv[1:]
    root = os.path.dirname(os.path.abspath(layers))
    level, excepted, named = read_layers(layers)
    files = set(sources(root, TREES))
    arrows = collections.defaultdict(set)
    include_arrows(root, files, arrows)
    defined = symbol_arrows(build, files, arrows)
    odd = misnamed(defined)
    arrows = {(a, b): why for (a, b), why in arrows.items() if a != b}
    folders = {os.path.dirname(path) for path in files}
    wrong = {
        "each folder is in the list": sorted(folders - set(level)),
        "each folder of the list has sources": sorted(set(level) - folders),
        "each arrow points down": sorted(
            f"{a} -> {b}: {sorted(why)[0]}" for (a, b), why in arrows.items()
            if (a, b) not in excepted and a in level and b in level and level[b] <= level[a]),
        "each exception has a reason and is used": sorted(
            f"{a} -> {b}" for (a, b), why in excepted.items() if not why or (a, b) not in arrows) +
            sorted(name for name, why in named.items() if not why or name not in odd),
        "there are no circles": circle(arrows),
        "a private header is included only in its folder": sorted(
            line for why in arrows.values() for line in why if line.endswith("_private.h")),
        "functions are named after their file or folder": sorted(
            where for name, where in odd.items() if name not in named),
        "a header declares only what its folder defines": list(foreign(root, files, defined)),
        "no function is longer than 80 lines": list(sizes(root, files)),
    }
    for number, (what, found) in enumerate(wrong.items(), 1):
        print(f"{'not ok' if found else 'ok'} {number} - {what}")
        for line in found:
            print(f"#   {line}")
    print(f"# {len(folders)} folders, {len(arrows)} arrows")
    print(f"1..{len(wrong)}")
    sys.exit(any(wrong.values()))


main()
