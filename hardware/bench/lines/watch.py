"""Writes what happened on some lines, and when; what `gpio-sim watch` calls.

watch.py --output FILE [--for MS] [--interval MS] (NAME NUMBER LEVEL_FILE)…
"""

import os
import signal
import time

from equipment import Failure, nanoseconds, options, run, sleep_until

TRACING = "/sys/kernel/tracing/instances"


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


class Trace:
    """The kernel's trace of every level that programs set on some lines, in a buffer of its own."""

    def __init__(self, numbers):
        self.folder = f"{TRACING}/gpio-sim-{os.getpid()}"
        os.mkdir(self.folder)
        event = f"{self.folder}/events/gpio/gpio_value"
        write(f"{self.folder}/trace_clock", "mono")
        write(f"{event}/filter", "get == 0 && (" + " || ".join(f"gpio == {number}" for number in numbers) + ")")
        write(f"{event}/enable", "1")
        self.pipe = os.open(f"{self.folder}/trace_pipe", os.O_RDONLY | os.O_NONBLOCK)
        self.rest = ""

    def events(self):
        """What has happened since the last call: (time_ns, number, level), oldest first."""
        while True:
            try:
                block = os.read(self.pipe, 65536)
            except BlockingIOError:
                break
            self.rest += block.decode()
        *rows, self.rest = self.rest.split("\n")
        for row in rows:
            # "  name-57      [000] .....    12.345678: gpio_value: 505 set 1"; a name may hold any character.
            head, found, tail = row.rpartition(": gpio_value: ")
            if found:
                seconds, _, microseconds = head.split()[-1].partition(".")
                number, _, level = tail.split()
                yield int(seconds) * 1_000_000_000 + int(microseconds) * 1000, int(number), int(level)

    def close(self):
        os.close(self.pipe)
        write(f"{self.folder}/events/gpio/gpio_value/enable", "0")
        os.rmdir(self.folder)


class Watch:
    """Writes the changes of some lines to a file."""

    def __init__(self, lines, output):
        """Lines by their number: their name, and the file of their level."""
        self.names = {number: name for number, (name, _) in lines.items()}
        self.files = {number: os.open(path, os.O_RDONLY) for number, (_, path) in lines.items()}
        self.levels = {}
        self.trace = Trace(self.names)
        self.output = output
        self.output.write("time_ns,line,value,how\n")

    def record(self, instant_ns, number, level, how):
        if self.levels.get(number) != level:
            self.levels[number] = level
            self.output.write(f"{instant_ns},{self.names[number]},{level},{how}\n")

    def take_events(self):
        """Records the calls since the last time, and tells whether there were any."""
        events = list(self.trace.events())
        for event in events:
            self.record(*event, "set")
        return bool(events)

    def look(self, how):
        """Brings the record up to date: calls first, then whatever level no call explains."""
        self.take_events()
        for number, file in self.files.items():
            while (level := int(os.pread(file, 2, 0))) != self.levels.get(number):
                now_ns = time.monotonic_ns()
                # A call after the trace was read explains the level, with its exact time.
                if not self.take_events():
                    self.record(now_ns, number, level, how)


def watch(words):
    values, words = options(words, "--output", "--for", "--interval")
    if not values["--output"] or not words:
        raise Failure("watch wants lines, and --output FILE")
    lines = {int(number): (name, path) for name, number, path in zip(*[iter(words)] * 3)}
    interval_ns = nanoseconds(values["--interval"] or "1")
    stopped = []
    for ending in (signal.SIGTERM, signal.SIGINT):
        signal.signal(ending, lambda *_: stopped.append(True))
    with open(values["--output"], "w", buffering=1) as output:
        watching = Watch(lines, output)
        watching.look("initial")
        tick_ns = time.monotonic_ns()
        end_ns = tick_ns + nanoseconds(values["--for"]) if values["--for"] else None
        while not stopped and (end_ns is None or tick_ns < end_ns):
            tick_ns += interval_ns
            sleep_until(tick_ns)
            watching.look("sampled")
        watching.look("sampled")
        watching.trace.close()


run(watch)
