# SPDX-License-Identifier: GPL-2.0
"""
source_tree.py - the sources of the project and the objects of a build, for the tests beside it
"""
import os
import re

SOURCE = re.compile(r"\.(c|h|cpp|hpp)$")
INCLUDE = re.compile(r'\s*#\s*include\s+"([^"]+)"')


def sources(root, trees):
    """All sources and headers of @trees, by their paths from the root."""
    for tree in trees:
        for folder, _, names in os.walk(os.path.join(root, tree)):
            for name in names:
                if SOURCE.search(name):
                    yield os.path.relpath(os.path.join(folder, name), root)


def source_of(path, files):
    """BUILD/[DIR/]CMakeFiles/TARGET.dir/SOURCE.o: its source, or None if it is not of these."""
    m = re.match(r"(?:(.*)/)?CMakeFiles/[^/]+\.dir/(.*)\.o$", path)
    name = m and os.path.normpath(os.path.join(m.group(1) or "", m.group(2)))
    return name if name in files else None


def objects(build, files):
    """(source, object) of the objects of BUILD that were made of @files."""
    for folder, _, names in os.walk(build):
        for name in names:
            path = os.path.join(folder, name)
            source = source_of(os.path.relpath(path, build), files)
            if source:
                yield source, path
