"""Exact delays: decimal milliseconds, and sleeping until an instant of CLOCK_MONOTONIC."""

import time

from lines.chip import Failure


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
