#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The trigger commands in a kernel's documentation and selftests.

	kernel_cases.py doc HISTOGRAM.rst	what the documentation tells to type
	kernel_cases.py tests TEST.tc...	what the selftests expect to work, or not
	kernel_cases.py page PAGE.txt		the examples of our manual page
	kernel_cases.py odd SEED N CASES...	N of such commands, changed at random

Prints them as cases for expr_check. A section of the documentation, or a test,
is a group. Commands with "..." in them, for no real event, or about eprobes are
left out.
"""
import random
import re
import sys

# Constants in filters that the program replaces, so that the kernel never gets them.
CONSTANTS = r"\b(PREEMPTED|SLEEPING|SHARED|FIRST_HANDLER)\b"

# Commands of the documentation that 6.12 refuses, by a part of their text.
REFUSED = [
    # a string without quotes
    "if filename==/usr/bin/wget",
    "if comm==wget",
    # .buckets on a value
    "hist:key=call_site:val=bytes_req.buckets=32",
]

# Said to be another way to do what stands before: a group of its own.
ALTERNATIVE = "trace(wakeup_new_test,$testpid)"

COMMAND = re.compile(
    r"""echo\s+(?:-n\s+)?(['"])(?P<text>!?[a-z_0-9].*?)\1\s*(?P<op>>>?)\s*(?P<file>\S+)""", re.S)


def target(path):
    """The FILE of a case, or None when it is none of ours."""
    for name in ("synthetic_events", "dynamic_events"):
        if path.endswith(name):
            return name
    match = re.search(r"events/([\w-]+)/(\w+)/trigger$", path)
    return match and "/".join(match.groups())


def tidy(text, file):
    """A command that goes over several lines, as one types it in one."""
    text = re.sub(r"\s*\\\s*\n\s*(?=if\b)", " ", text)
    text = re.sub(r"\s*\\?\s*\n\s*", "" if "/" in file else " ", text)
    return text.strip()


def commands(text):
    text = re.sub(r"\\\n\s*(?=/sys)", " ", text)
    for match in COMMAND.finditer(text):
        file = target(match["file"])
        if not file:
            continue
        command = tidy(match["text"], file)
        kind = command.split(":")[0]
        if command.startswith("!") and "/" in file:
            continue
        if "..." in command:
            continue
        if "/" in file and kind not in ("hist", "enable_hist", "disable_hist"):
            continue
        if file == "dynamic_events" and kind.lstrip("!") != "s":
            continue
        yield match.start(), file, match["op"], command


def from_doc(path):
    text = open(path, encoding="utf-8").read()
    heads = [m.start() for m in re.finditer(r"^\S.*\n[-=~]{4,}$|^\d\.\d|^  - on\w+\(", text, re.M)]
    section, events = None, []
    for at, file, op, command in commands(text):
        if command.startswith("!"):
            continue
        now = sum(head <= at for head in heads)
        if now != section or ("/" not in file and events):
            section, events = now, []
            print()
        if ALTERNATIVE in command:
            print()
            print(*events, sep="\n")
        flag = "-" if any(part in command for part in REFUSED) else "+"
        print(flag, file, op, command)
        if "/" not in file:
            events.append(f"{flag} {file} {op} {command}")


def from_test(path):
    text = open(path, encoding="utf-8").read()
    variables = dict(re.findall(r"^(\w+)=(events/\S+)$", text, re.M))
    expressions = re.search(r'hist:keys=common_pid:x=\$2.*\$trigger', text)
    print()
    told = ""
    for line in text.split("\n"):
        if line.startswith('echo "Test'):
            told = line
        line = re.sub(r"\$(\w+)$", lambda m: variables.get(m[1], m[0]), line)
        fails = line.startswith("!") or "&& exit_fail" in line or "with an error" in told
        flag = "-" if fails else "+"
        for _, file, op, command in commands(line):
            if "$" not in command or 'echo "' not in line:
                print(flag, file, op, command)
    for expression in re.findall(r'^test_hist_expr ".*?" "(.*?)"', text, re.M):
        assert expressions
        print(f"\n+ sched/sched_process_fork >> hist:keys=common_pid:x={expression}")
    for kind, command in re.findall(r"^check_(dyn_)?error .*?'([^']*\^[^']*)'", text, re.M):
        where = re.search(r"(?:trigger=\"|ftrace_errlog_check \S+ \"\$1\" ')([^\"']*)", text)[1]
        print("\n^", "dynamic_events" if kind else target(where), ">>", command)


def from_page(path):
    """"SYS:EVENT  hist:...", or "synthetic_events  NAME ..."; a listing is a group.

    A line that ends with a backslash goes on in the next one, without its blanks."""
    text = open(path, encoding="utf-8").read()
    for block in re.findall(r"(?<=\n\n)----\n(.*?)^----\n", text, re.M | re.S):
        block = re.sub(r"\\\n *", "", block)
        lines = re.findall(r"^(\w+:\w+|synthetic_events)\s+((?:(?:en|dis)able_)?hist:.*|\w+ .*)$",
                           block, re.M)
        if lines:
            print()
        for file, command in lines:
            if not re.search(CONSTANTS, command):
                print("+", file.replace(":", "/"), ">", command)


WORDS = """call_site bytes_req node ptr next_pid next_comm prev_prio pid prio comm common_pid
    common_timestamp common_cpu common_stacktrace stacktrace hitcount hex sym sym-offset execname
    log2 buckets=8 usecs percent graph stacktrace descending ascending keys vals sort size=256 name=n
    pause cont nohitcount if x a=1 $x $ts0 $lat onmax onmatch onchange save trace snapshot sched
    sched_waking sched_switch kmem kmalloc 1 0 0x10 == != & && || ! ~ CPUS{0} "a*" ( ) : , . = - + * /
    """.split()


def mutate(text):
    """One change: a word or a mark dropped, doubled, moved or put in place of another."""
    parts = re.findall(r"\w+|\s+|[^\w\s]", text)
    at = random.randrange(1, len(parts))
    change = random.randrange(5)
    if change == 0:
        del parts[at]
    elif change == 1:
        parts.insert(at, parts[at])
    elif change == 2:
        other = random.randrange(1, len(parts))
        parts[at], parts[other] = parts[other], parts[at]
    elif change == 3:
        parts[at] = random.choice(WORDS)
    else:
        parts.insert(at, random.choice(WORDS))
    return "".join(parts)


def odd(seed, count, paths):
    random.seed(seed)
    print("# seed", seed)
    base = [line.rstrip("\n").split(" ", 3) for path in paths for line in open(path)]
    base = [b for b in base if b[0] in ("+", "=") and b[3].startswith("hist")]
    for _ in range(count):
        _, file, _, text = random.choice(base)
        for _ in range(random.choice((1, 1, 1, 2, 3))):
            text = mutate(text)
        print("\n? synthetic_events >> lang_lat u64 lat")
        print("? sched/sched_waking >> hist:keys=pid:ts0=common_timestamp.usecs")
        print("?", file, ">>", text)


def main():
    if sys.argv[1] == "odd":
        odd(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])
        return
    for path in sys.argv[2:]:
        if sys.argv[1] == "doc":
            from_doc(path)
        elif sys.argv[1] == "page":
            from_page(path)
        elif "eprobe" not in path:
            from_test(path)


main()
