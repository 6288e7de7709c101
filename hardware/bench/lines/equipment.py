"""What the equipment for digital lines has in common: messages, options, and exact delays."""

import sys
import time


class Failure(Exception):
    """A message for the person at the bench."""


def options(words, *names):
    """Splits words into the values of the options named and the rest."""
    values, rest, words = dict.fromkeys(names), [], list(words)
    while words:
        word = words.pop(0)
        if word in values and words:
            values[word] = words.pop(0)
        elif word.startswith("--"):
            raise Failure(f"unknown option '{word}', or its value is missing")
        else:
            rest.append(word)
    return values, rest


def nanoseconds(milliseconds):
    """Exact nanoseconds of a decimal number of milliseconds."""
    whole, _, fraction = milliseconds.partition(".")
    if not (whole + fraction).isdigit() or len(fraction) > 6:
        raise Failure(f"'{milliseconds}' is no decimal number of milliseconds, of nanosecond grain or coarser")
    return int(whole or "0") * 1_000_000 + int(fraction.ljust(6, "0"))


def sleep_until(deadline_ns):
    """Sleeps until an instant of CLOCK_MONOTONIC."""
    while (left_ns := deadline_ns - time.monotonic_ns()) > 0:
        time.sleep(left_ns / 1e9)


def run(program):
    """Runs a program on the command line's words, and ends with its status."""
    try:
        program(sys.argv[1:])
    except (Failure, OSError) as failure:
        sys.exit(f"gpio-sim: {failure}")
