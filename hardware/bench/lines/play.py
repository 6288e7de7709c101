"""Plays a pulse train on a simulated input; what `gpio-sim play` calls.

play.py PULL_FILE LINE [--repeat N] [--log FILE] (DELAY_MS… | --file FILE)
"""

import os
import time

from equipment import Failure, nanoseconds, options, run, sleep_until

LEVELS = [b"pull-down", b"pull-up"]
FIFO_PRIORITY = 90  # above any program under test: a pulse train that waits for its subject proves nothing


def delays_ns(words, path, repeat):
    """The delays given as words, and after them those of a file; all of them as often as asked."""
    words = list(words)
    if path:
        with open(path) as file:
            words += [word for row in file for word in row.partition("#")[0].split()]
    if not repeat.isdigit():
        raise Failure(f"--repeat wants a count, not '{repeat}'")
    return [nanoseconds(word) for word in words] * int(repeat)


def toggle(pull, delays):
    """Toggles a line after each delay, and tells when it did: (time_ns, level)."""
    level = LEVELS.index(os.pread(pull, 16, 0).strip())
    edges = []
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(FIFO_PRIORITY))
    deadline_ns = time.monotonic_ns()
    for delay_ns in delays:
        deadline_ns += delay_ns
        sleep_until(deadline_ns)
        level = 1 - level
        edges.append((time.monotonic_ns(), level))
        os.pwrite(pull, LEVELS[level], 0)
    return edges


def play(words):
    path, line, *words = words
    values, words = options(words, "--repeat", "--log", "--file")
    delays = delays_ns(words, values["--file"], values["--repeat"] or "1")
    edges = toggle(os.open(path, os.O_RDWR), delays)
    if values["--log"]:
        with open(values["--log"], "w") as log:
            log.write("time_ns,line,value\n")
            log.writelines(f"{instant_ns},{line},{level}\n" for instant_ns, level in edges)


run(play)
