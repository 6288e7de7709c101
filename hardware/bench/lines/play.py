"""A pulse train on an input."""

import os
import time

from lines.chip import PULLS, read, write
from lines.timing import nanoseconds, sleep_until

FIFO_PRIORITY = 90  # above any program under test: a pulse train that waits for its subject proves nothing


def delays_ns(words, file):
    """The delays given as words, and after them those of a file."""
    words = list(words)
    if file:
        words += [word for row in read(file).splitlines() for word in row.partition("#")[0].split()]
    return [nanoseconds(word) for word in words]


def play(chip, line, delays, log):
    """Toggles a line after each of some delays, in nanoseconds, and logs when it did."""
    path = chip.attribute(line, "pull")
    pull = os.open(path, os.O_RDWR)
    level = 1 if read(path) == PULLS["1"] else 0
    words = [PULLS["0"].encode(), PULLS["1"].encode()]
    edges = []
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(FIFO_PRIORITY))
    deadline_ns = time.monotonic_ns()
    for delay_ns in delays:
        deadline_ns += delay_ns
        sleep_until(deadline_ns)
        level = 1 - level
        edges.append((time.monotonic_ns(), level))
        os.pwrite(pull, words[level], 0)
    if log:
        rows = [f"{instant_ns},{line},{level}\n" for instant_ns, level in edges]
        write(log, "time_ns,line,value\n" + "".join(rows))
