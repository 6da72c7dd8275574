#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""qmp.py SOCKET COMMAND [ARGUMENTS]: have the QEMU that listens at SOCKET do COMMAND.

ARGUMENTS are JSON.  Prints what it returns: a string as it is, else JSON.
"""
import json
import socket
import sys


def ask(stream, command, arguments=None):
    request = {"execute": command, **({"arguments": arguments} if arguments else {})}
    stream.write(json.dumps(request) + "\n")
    stream.flush()
    for line in stream:
        answer = json.loads(line)
        if "error" in answer:
            sys.exit(f"qmp.py: {command}: {answer['error']['desc']}")
        if "return" in answer:
            return answer["return"]
    sys.exit(f"qmp.py: {command}: QEMU is gone")


with socket.socket(socket.AF_UNIX) as qemu:
    qemu.settimeout(60)
    qemu.connect(sys.argv[1])
    stream = qemu.makefile("rw")
    stream.readline()  # the greeting
    ask(stream, "qmp_capabilities")
    answer = ask(stream, sys.argv[2], json.loads(sys.argv[3]) if len(sys.argv) > 3 else None)
    print(answer if isinstance(answer, str) else json.dumps(answer))
