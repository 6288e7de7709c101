"""Simulated GPIO chips: making them, finding them, and the files through which their lines are reached."""

import os

CONFIG = "/sys/kernel/config/gpio-sim"
PULLS = {"0": "pull-down", "1": "pull-up"}


class Failure(Exception):
    """A message for the person at the bench."""


def write(path, text):
    try:
        with open(path, "w") as file:
            file.write(text)
    except OSError as error:
        raise Failure(f"cannot write '{text}' to {path}: {error.strerror}") from error


def read(path):
    try:
        with open(path) as file:
            return file.read().strip()
    except OSError as error:
        raise Failure(f"cannot read {path}: {error.strerror}") from error


class Chip:
    """A simulated chip that exists already, found by its label."""

    def __init__(self, label):
        self.label = label
        self.config = f"{CONFIG}/{label}"
        if not os.path.isdir(self.config):
            raise Failure(f"there is no chip '{label}'; make it with: gpio-sim create {label} line0=NAME …")
        self.device = read(f"{self.config}/dev_name")
        self.name = read(f"{self.config}/bank0/chip_name")

    def offset(self, line):
        """The offset of a line given by name or by offset."""
        if line.isdigit() and int(line) < int(read(f"{self.config}/bank0/num_lines")):
            return int(line)
        names = {}
        for entry in os.listdir(f"{self.config}/bank0"):
            if entry.startswith("line"):
                names[read(f"{self.config}/bank0/{entry}/name")] = int(entry[4:])
        if line not in names:
            raise Failure(f"chip '{self.label}' has no line '{line}'; it has: {', '.join(sorted(names)) or 'no names'}")
        return names[line]

    def attribute(self, line, attribute):
        """The file through which the simulator shows or drives a line."""
        return f"/sys/devices/platform/{self.device}/{self.name}/sim_gpio{self.offset(line)}/{attribute}"

    def first_number(self):
        """The kernel-wide number of line 0, by which trace events name lines."""
        for row in read("/sys/kernel/debug/gpio").splitlines():
            if row.startswith(f"{self.name}: GPIOs "):
                return int(row.split()[2].split("-")[0])
        raise Failure(f"/sys/kernel/debug/gpio does not tell the numbers of {self.name}")


def create(label, *settings):
    names, count = {}, 0
    for setting in settings:
        key, equals, value = setting.partition("=")
        if key == "lines" and value.isdigit():
            count = int(value)
        elif key.startswith("line") and key[4:].isdigit() and equals:
            names[int(key[4:])] = value
        else:
            raise Failure(f"'{setting}' is neither lines=N nor lineM=NAME")
    count = max([count, 1] + [offset + 1 for offset in names])
    config = f"{CONFIG}/{label}"
    try:
        os.makedirs(f"{config}/bank0")
    except OSError as error:
        raise Failure(f"cannot make chip '{label}': {error.strerror} ({config})") from error
    write(f"{config}/bank0/num_lines", str(count))
    write(f"{config}/bank0/label", label)
    for offset, name in sorted(names.items()):
        os.mkdir(f"{config}/bank0/line{offset}")
        write(f"{config}/bank0/line{offset}/name", name)
    write(f"{config}/live", "1")
    print(Chip(label).name)


def remove(label):
    chip = Chip(label)
    write(f"{chip.config}/live", "0")
    for entry in os.listdir(f"{chip.config}/bank0"):
        if entry.startswith("line"):
            os.rmdir(f"{chip.config}/bank0/{entry}")
    os.rmdir(f"{chip.config}/bank0")
    os.rmdir(chip.config)
