#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""hostile_peers.py BIN: who waits for a hostile peer ends within a second of a signal.  TAP.

Each case starts a program of BIN with a target (hostile_peer.py) or a listener that serves
well up to one request and then is silent or drips.  The peer says when it does; then the
signal is sent.  Cases run at the same time: each is mostly waiting.
"""
import concurrent.futures
import os
import re
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.realpath(__file__))
HIST = os.path.join(os.path.realpath(sys.argv[1]), "trace-cmd-hist")
# A second, and what a busy machine adds.  Without deadlines it would be 30 s or more.
LIMIT_S = 1.8
PATIENCE_S = 60
EVENT = ["-e", "kmem:kmalloc", "-k", "bytes_req"]
TERM, INT, HUP, QUIT = signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT
results = []


class Run:
    """A program with a hostile target, in a directory of its own, when the peer is stuck."""

    def __init__(self, verb, count, mode, args):
        self.dir = tempfile.TemporaryDirectory()
        self.fifo = os.path.join(self.dir.name, "fifo")
        os.mkfifo(self.fifo)
        self.stuck = os.open(self.fifo, os.O_RDWR)
        self.target = (f"exec:exec /usr/bin/python3 -B {HERE}/hostile_peer.py {verb} {count} {mode} "
                       f"{self.fifo}")
        args = [word.replace("TARGET", self.target).replace("FIFO", self.fifo) for word in args]
        self.process = subprocess.Popen([HIST] + args, cwd=self.dir.name, text=True,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.PIPE)

    def wait_stuck(self, times=1):
        for _ in range(times):
            if not select.select([self.stuck], [], [], PATIENCE_S)[0]:
                return False
            got = os.read(self.stuck, 6)
            if got != b"stuck\n":
                return False
        return True

    def end(self, *signals):
        """Seconds from the last signal to the end, the status, and what was said."""
        for number in signals:
            self.process.send_signal(number)
        began = time.monotonic()
        try:
            said = self.process.communicate(timeout=PATIENCE_S)[1]
        except subprocess.TimeoutExpired:
            self.process.kill()
            said = self.process.communicate()[1]
        took = time.monotonic() - began
        os.close(self.stuck)
        self.dir.cleanup()
        return took, self.process.returncode, said


def verdict(what, took, status, said, words=""):
    good = took < LIMIT_S and status != 0 and re.search(words, said)
    results.append((what, good, f"took {took:.2f} s, status {status}: {said}"))


def one(program, args, verb, count, mode, number=TERM, words=""):
    run = Run(verb, count, mode, args)
    what = f"{program} ends within a second of {number.name} during {mode} at {verb} {count}"
    if not run.wait_stuck():
        results.append((what, False, f"never stuck: {run.end(signal.SIGKILL)}"))
        return
    verdict(what, *run.end(number), words)


RECORD = ["record", "--engine", "kernel", "--target", "TARGET", *EVENT, "-i", "50ms", "-o", "a.dat"]
SHORT = RECORD + ["-d", "200ms"]
TOP = ["top", "--engine", "kernel", "--target", "TARGET", *EVENT, "-i", "50ms", "--batch"]
LIST = ["list", "--target", "TARGET"]
# A shell that answers the handshake and not the first line.
SHELL = ("shell:exec:trap '' TERM; read a; read b; echo trace-cmd-hist:shell; read c; "
         "echo stuck >FIFO; while :; do sleep 0.05; OUTPUT; done")


def ctrl_c():
    """The first one waits for the answer, and says so; the second one does not."""
    run = Run("REREAD", 3, "silence", RECORD)
    good = run.wait_stuck()
    run.process.send_signal(INT)
    line = run.process.stderr.readline()
    results.append(("the first Ctrl-C prints that the target has not answered yet",
                    good and "the target has not answered yet" in line and
                    run.process.poll() is None, line))
    verdict("a second Ctrl-C ends the wait for the answer", *run.end(INT),
            "the target did not answer in time after the recorder was interrupted")


def empty_frames():
    """Such a frame is not of the protocol, so that no signal is needed."""
    run = Run("REREAD", 3, "empty", RECORD)
    good = run.wait_stuck()
    line = run.process.stderr.readline() if good else ""
    results.append(("frames without data end the connection",
                    "received data that is not from a target helper" in line, line))
    # the peer does not end with its input, as a program would
    verdict("a signal ends the wait for the exit of a target that sent frames without data",
            *run.end(TERM))


def two_targets():
    run = Run("REREAD", 3, "drip", RECORD[:-2] + ["--target", "TARGET"])
    good = run.wait_stuck(2)
    took, status, said = run.end(TERM)
    results.append(("record from two slow targets ends within a second of SIGTERM",
                    good and took < LIMIT_S and status == 2, (took, status, said)))


def command():
    """The command gets the signal, too."""
    run = Run("REREAD", 3, "drip", RECORD + ["--", "sleep", "1000"])
    if not run.wait_stuck():
        results.append(("record with a command ends within a second of SIGTERM", False,
                        run.end(signal.SIGKILL)))
        return
    verdict("record with a command ends within a second of SIGTERM", *run.end(TERM))


class Listener:
    """As much of `trace-cmd listen` as is wanted, then nothing: HELLO, BEGIN, READ, CLOSE."""

    def __init__(self, stage, drip=False):
        self.stage, self.drip = stage, drip
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.stuck = threading.Event()
        self.over = threading.Event()
        threading.Thread(target=self.serve, daemon=True).start()

    def stop_here(self, client):
        self.stuck.set()
        while not self.over.wait(0.1):
            if self.drip:
                client.sendall(b"t")

    def serve(self):
        client = self.socket.accept()[0]
        try:
            self.talk(client)
        except OSError:
            pass
        client.close()

    def talk(self, client):
        if self.stage == "HELLO":
            return self.stop_here(client)
        client.sendall(b"tracecmd")
        exactly(client, 5)
        client.sendall(b"V3\0")
        if self.stage == "BEGIN":
            exactly(client, 1)
            return self.stop_here(client)
        exactly(client, 8)
        client.sendall(b"OK")
        exactly(client, 24)
        client.sendall(struct.pack(">IIII", 16, 2, 4, 0))
        if self.stage == "READ":
            exactly(client, 12)
            return self.stop_here(client)
        # until the end that it is told of, and no further
        while True:
            size, what, _ = struct.unpack(">III", exactly(client, 12))
            exactly(client, size - 12)
            if what == 3:
                return self.stop_here(client)


def exactly(client, size):
    data = b""
    while len(data) < size:
        more = client.recv(size - len(data))
        if not more:
            raise OSError("closed")
        data += more
    return data


def push(stage, drip, words):
    listener = Listener(stage, drip)
    args = ["record", "--engine", "kernel", "--target", "TARGET", *EVENT, "-i", "50ms", "-d",
            "200ms", "-N", f"127.0.0.1:{listener.port}"]
    run = Run("PING", 99, "silence", args)
    what = (f"record -N to a {'slow' if drip else 'silent'} listener at {stage} "
            "ends within a second of SIGTERM")
    if not listener.stuck.wait(PATIENCE_S):
        results.append((what, False, f"never stuck: {run.end(signal.SIGKILL)}"))
        return
    verdict(what, *run.end(TERM), words)
    listener.over.set()


def main():
    jobs = [(ctrl_c,), (empty_frames,), (two_targets,), (command,)]
    for verb in ("HELLO", "INFO", "READ", "LIST", "EXISTS", "MKDIR", "NOTE", "WRITE", "OPEN",
                 "CLOCK", "CLOSE", "REREAD"):
        # what comes before the signals are caught is ended by them; later it is told
        jobs.append((one, "record", SHORT, verb, 1, "silence"))
    lost = "the target did not answer in time after the recorder was interrupted"
    # a fast machine reaches the limit of an answer first
    full = lost + "|connection: File too large"
    for mode in "drip", "bytes", "flood", "silence":
        jobs.append((one, "record", RECORD, "REREAD", 4, mode, TERM, full if mode == "flood" else lost))
    jobs += [(one, "record", RECORD, "REREAD", 2, "drip", number, lost) for number in (HUP, QUIT)]
    for mode in "silence", "drip", "flood":
        jobs.append((one, "record", SHORT, "UNDO", 1, mode, TERM, full if mode == "flood" else lost))
    for verb, count in (("HELLO", 1), ("READ", 1), ("REREAD", 2), ("UNDO", 1)):
        jobs.append((one, "top", TOP + (["-d", "200ms"] if verb == "UNDO" else []), verb, count,
                     "drip" if count > 1 else "silence", TERM, lost))
    for mode, output in ("silence", ":"), ("drip", "printf x"):
        args = [word.replace("TARGET", SHELL.replace("OUTPUT", output)) for word in TOP]
        jobs.append((one, "top over a shell", args, "LINE", 1, mode, TERM, lost))
    for verb in "HELLO", "READ", "EXISTS":
        jobs.append((one, "list", LIST, verb, 1, "drip"))
    jobs.append((one, "cleanup", ["cleanup", "--target", "TARGET"], "CLEAN", 1, "drip"))
    for stage, drip, words in (("HELLO", False, ""), ("HELLO", True, ""), ("BEGIN", False, "a signal"),
                               ("CLOSE", False, "bytes did not arrive: a signal interrupted the transfer")):
        jobs.append((push, stage, drip, words))
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        for future in [pool.submit(*job) for job in jobs]:
            future.result()
    for number, (what, good, details) in enumerate(results, 1):
        print(f"{'ok' if good else 'not ok'} {number} - {what}")
        if not good:
            print("# " + str(details).replace("\n", "\n# "))
    print(f"1..{len(results)}")
    return not all(good for _, good, _ in results)


sys.exit(main())
