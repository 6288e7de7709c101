"""What happened on some lines, and when."""

import os
import signal
import time

from lines.chip import write
from lines.timing import sleep_until

TRACING = "/sys/kernel/tracing/instances"


class Trace:
    """The kernel's trace of every level that programs set on some lines, in a buffer of its own."""

    def __init__(self, numbers):
        self.folder = f"{TRACING}/gpio-sim-{os.getpid()}"
        os.mkdir(self.folder)
        event = f"{self.folder}/events/gpio/gpio_value"
        write(f"{self.folder}/trace_clock", "mono")
        write(f"{event}/filter", "get == 0 && (" + " || ".join(f"num == {number}" for number in numbers) + ")")
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
    """Writes the changes of some lines of a chip to a file."""

    def __init__(self, chip, lines, output):
        first = chip.first_number()
        self.names = {first + chip.offset(line): line for line in lines}
        self.files = {n: os.open(chip.attribute(line, "value"), os.O_RDONLY) for n, line in self.names.items()}
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


def watch(chip, lines, path, interval_ns, duration_ns):
    """Watches lines until a duration is over, or for ever if it is None, or until a signal asks for the end."""
    stopped = []
    for ending in (signal.SIGTERM, signal.SIGINT):
        signal.signal(ending, lambda *_: stopped.append(True))
    with open(path, "w", buffering=1) as output:
        watching = Watch(chip, lines, output)
        watching.look("initial")
        tick_ns = time.monotonic_ns()
        end_ns = None if duration_ns is None else tick_ns + duration_ns
        while not stopped and (end_ns is None or tick_ns < end_ns):
            tick_ns += interval_ns
            sleep_until(tick_ns)
            watching.look("sampled")
        watching.look("sampled")
        watching.trace.close()
