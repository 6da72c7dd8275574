#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
json_schema.py SCHEMA valid FILE...: is each FILE a document of the schema?
json_schema.py SCHEMA refuses FILE...: is each of the wrong documents that are made
of FILE refused, and FILE itself not?

The documents are those of `trace-cmd hist report --format json`.  Exit status 0 if so.
"""
import copy
import json
import sys

import jsonschema


def first_snapshot(doc):
    return doc["histograms"][0]["snapshots"][0]


def first_row(doc):
    return first_snapshot(doc)["rows"][0]


def wrong(doc):
    """(what is wrong, document)"""
    def change(name, action):
        made = copy.deepcopy(doc)
        action(made)
        return name, made

    def put(where, member, value):
        def action(d):
            where(d)[member] = value
        return action

    def drop(where, member):
        return lambda d: where(d).pop(member)

    return [
        change("another schema", put(lambda d: d, "schema", "trace-cmd-hist/2")),
        change("no damage", drop(lambda d: d, "damage")),
        change("a number for a flag of damage", put(lambda d: d["damage"], "truncated", 1)),
        change("no trigger", drop(lambda d: d["histograms"][0], "trigger")),
        change("an engine that is none", put(lambda d: d["histograms"][0], "engine", "steam")),
        change("a modifier that is none", put(lambda d: d["histograms"][0]["keys"][0], "modifier", "log3")),
        change("buckets without their size", put(lambda d: d["histograms"][0]["keys"][0], "modifier", "buckets")),
        change("hits below zero", put(first_snapshot, "hits", -1)),
        change("hits as a real number", put(first_snapshot, "hits", 0.5)),
        change("hits beyond 2^53 as a number", put(first_snapshot, "hits", 2 ** 53 + 2)),
        change("hits as a short string", put(first_snapshot, "hits", "12")),
        change("no drops", drop(first_snapshot, "dropped")),
        change("a flag that is none", put(first_snapshot, "flags", ["tired"])),
        change("no time and no ticks", put(first_snapshot, "time_ns", None)),
        change("a row without values", drop(first_row, "value")),
        change("half a bucket", put(lambda d: first_row(d)["key"], "x", {"ge": 1})),
        change("a stack of numbers", put(lambda d: first_row(d)["key"], "x", [1, 2])),
        change("a sum beyond 2^53 as a number", put(lambda d: first_row(d)["value"], "hitcount", 2 ** 60)),
    ]


def main():
    schema_path, verb, *paths = sys.argv[1:]
    with open(schema_path, encoding="utf-8") as f:
        schema = json.load(f)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for path in paths:
        with open(path, encoding="utf-8") as f:
            doc = json.load(f)
        errors = sorted(validator.iter_errors(doc), key=lambda e: list(map(str, e.path)))
        if errors:
            at = "/".join(map(str, errors[0].absolute_path))
            sys.exit(f"{path}: {at}: {errors[0].message[:300]}")
        if verb == "refuses":
            for name, made in wrong(doc):
                if validator.is_valid(made):
                    sys.exit(f"{path}: with {name} it is taken for good")


main()
