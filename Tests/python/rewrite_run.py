#!/usr/bin/env python3
"""Rewrites a finished run in ways that fit together, makes counts and hashes anew, and lists what `verify` does not find.

    rewrite_run.py FRAMELOCK RUN [ONLY...]

Where tamper_run.py changes one thing, this changes what belongs together: all rows at once, the middle of a row with its
start and end, events in pairs. Whatever `verify` recounts in the manifest is put right as it says, as somebody would who
has the program. Each line of the output is a change that passes. With ONLY, those are tried that begin like one of these.
"""

import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys

from run_copy import RunCopy

TIMES = ["session_start_ns", "session_mid_ns", "session_end_ns"]


class Run(RunCopy):
    """A copy of a run folder, rewritten and put back."""

    def __init__(self, source, framelock):
        super().__init__(source, framelock)
        self.manifest = self.read("run.json")
        self.events = [json.loads(line) for line in self.read("events.jsonl").splitlines()]
        self.head, *self.rows = csv.reader(io.StringIO(self.read("ledger.csv")))
        self.checksums = self.read("checksums")

    def read(self, name):
        with open(os.path.join(self.path, name), encoding="utf-8") as file:
            return file.read()

    def write(self, name, text):
        with open(os.path.join(self.path, name), "w", encoding="utf-8") as file:
            file.write(text)

    def passes(self, events, rows):
        """Whether `verify` finds nothing, once hashes and counts fit again."""
        compact = (json.dumps(event, separators=(",", ":"), ensure_ascii=False) for event in events)
        self.write("events.jsonl", "".join(f"{line}\n" for line in compact))
        self.write("ledger.csv", "".join(",".join(row) + "\n" for row in [self.head, *rows]))
        manifest = json.loads(self.manifest)
        while True:
            self.write("run.json", json.dumps(manifest, indent=2, ensure_ascii=False) + "\n")
            self.hash(self.checksums)
            result = subprocess.run(
                [self.framelock, "verify", "--json", self.path], capture_output=True, check=False)
            report = json.loads(result.stdout)
            counts = [re.match(r"`([^`]+)` is .*, a recount gives (.*)$", problem["message"])
                      for problem in report["problems"]]
            counts = [(count[1], json.loads(count[2])) for count in counts if count]
            counts = [(name, value) for name, value in counts if manifest.get(name) != value]
            if not counts:
                return report["consistent"]
            manifest.update(counts)


def row_changes(run):
    place = {name: index for index, name in enumerate(run.head)}
    frames = [index for index, row in enumerate(run.rows) if row[place["session_mid_ns"]]]

    def rewritten(indices, *changes):
        rows = [list(row) for row in run.rows]
        for index in indices:
            for change in changes:
                change(rows[index])
        return run.events, rows

    def add(span, *names):
        def change(row):
            for name in names:
                if row[place[name]]:
                    row[place[name]] = str(int(row[place[name]]) + span)
        return change

    for span in (10_000_000, -10_000_000, 300_000_000):
        change = add(span, *TIMES, "trigger_delay_ns")
        yield f"times of all rows {span:+d}", rewritten(frames, change)
        yield f"times of one row {span:+d}", rewritten([frames[len(frames) // 2]], change)
    yield "half widths 1", rewritten(
        frames, lambda row: row.__setitem__(place["session_half_width_ns"], "1"))
    yield "timestamps of all rows +3000000", rewritten(frames, add(3_000_000, "raw_timestamp_ns"))
    for what, column in [("gain", "applied_gain"), ("exposure", "applied_exposure_ns")]:
        known = [index for index in frames if run.rows[index][place[column]]]
        values = {run.rows[index][place[column]] for index in known}
        new = "7.000000" if what == "gain" else "5000000"
        # Of a frame that an event contradicts it may turn out which other value of the plan it had.
        contradicted = {(str(event["settings"]), str(event["sequence"])) for event in run.events
                        if event["event"] == "setting-contradicted" and event["setting"] == what}
        for index in known[:: max(1, len(known) // 6)]:
            own = run.rows[index][place[column]]
            row = run.rows[index]
            is_named = (row[place["settings"]], row[place["device_sequence"]]) in contradicted
            for other in [new] if is_named else sorted(values - {own})[:2] + [new]:
                def change(row, other=other):
                    row[place[column]] = other
                    if what == "gain":
                        return
                    start, end = int(row[place[TIMES[0]]]), int(row[place[TIMES[2]]])
                    row[place[TIMES[0]]] = str(end - int(other))
                    row[place[TIMES[1]]] = str(end - int(other) // 2)
                    if row[place["trigger_delay_ns"]]:
                        add(end - int(other) - start, "trigger_delay_ns")(row)
                yield f"applied {what} row {index}: {other}", rewritten([index], change)


def event_changes(run):
    def indices(kind):
        every = [index for index, event in enumerate(run.events) if event["event"] == kind]
        return sorted({every[0], every[len(every) // 2], every[-1]}) if every else []

    def changed(index, **members):
        events = list(run.events)
        events[index] = {**events[index], **members}
        return events, run.rows

    def without(*gone):
        return [event for index, event in enumerate(run.events) if index not in gone], run.rows

    for index in indices("frames-missing"):
        for more in (1, -1, 5):
            yield f"frames-missing count {more:+d}", changed(
                index, count=run.events[index]["count"] + more)
    # Before the first row and behind the last one no row tells.
    for index in indices("frames-skipped")[1:-1]:
        for more in (1, 5):
            yield f"frames-skipped count {more:+d}", changed(
                index, count=run.events[index]["count"] + more)
        yield "frames-skipped removed", without(index)
    for index in indices("setting-contradicted"):
        if run.events[index]["found"] is not None:
            yield "setting-contradicted found another value", changed(index, found=123_457)
        yield "setting-contradicted of no frame", changed(
            index, sequence=run.events[index]["sequence"] + 100_000)
    for index in indices("settings-written"):
        yield "settings-written for no slot", changed(index, slot=1_000_000)
    for kind in ("output-set", "edge-accepted"):
        for index in indices(kind):
            event = run.events[index]
            yield f"{kind} removed", without(index)
            yield f"{kind} doubled", (run.events[:index + 1] + run.events[index:], run.rows)
            for span in (300_000_000, -300_000_000):
                yield f"{kind} at {span:+d}", changed(index, at_ns=event["at_ns"] + span)
            if kind == "edge-accepted":
                yield f"{kind} number +1", changed(index, number=event["number"] + 1)
                continue
            yield f"{kind} flipped", changed(index, active=not event["active"])
            yield f"{kind} late +1000000", changed(index, late_ns=event["late_ns"] + 1_000_000)
            if event["active"]:
                off = next((later for later in range(index + 1, len(run.events))
                            if run.events[later]["event"] == kind
                            and run.events[later]["line"] == event["line"]), index)
                yield f"{kind} pulse removed", without(index, off)
        every = [index for index, event in enumerate(run.events) if event["event"] == kind]
        if every:
            yield f"{kind} all removed", without(*every)


SHOWN = ("setting-contradicted", "setting-doubted", "setting-shown")
WHOLE = ("control-unresponsive", "settings-late", "brightness-mismatch")


def evidence_changes(run):
    place = {name: index for index, name in enumerate(run.head)}
    frames = [index for index, row in enumerate(run.rows) if row[place["session_mid_ns"]]]

    def with_values(indices, group, value_of, known_by):
        column = place["applied_gain" if group == "gain" else "applied_exposure_ns"]
        rows = [list(row) for row in run.rows]
        for index in indices:
            row, value = rows[index], value_of(rows[index])
            row[column], row[place[f"{group}_known_by"]] = value, known_by
            if group == "exposure" and value:
                end = int(row[place[TIMES[2]]])
                row[place[TIMES[0]]] = str(end - int(value))
                row[place[TIMES[1]]] = str(end - int(value) // 2)
        return rows

    def usual(group):
        """The value that most frames of the same settings have; what was asked for where none has one."""
        column = place["applied_gain" if group == "gain" else "applied_exposure_ns"]
        asked = place["requested_gain" if group == "gain" else "requested_exposure_ns"]
        counts = {}
        for row in run.rows:
            if row[column]:
                of_settings = counts.setdefault(row[place["settings"]], {})
                of_settings[row[column]] = of_settings.get(row[column], 0) + 1
        return lambda row: max(
            counts.get(row[place["settings"]], {row[asked]: 1}).items(), key=lambda one: one[1])[0]

    def without(*kinds):
        return [event for event in run.events if event["event"] not in kinds]

    for group in ("exposure", "gain"):
        known = place[f"{group}_known_by"]
        ways = {run.rows[index][known] for index in frames}
        for way in {"pixels", "read-back"}:
            rows = with_values(frames, group, usual(group), way)
            if ways != {way}:
                yield f"evidence of {group} whitewashed by {way}", (without(*SHOWN, *WHOLE), rows)
                yield f"evidence of {group} made {way}", (run.events, rows)
        for old, new in (("read-back", "pixels"), ("pixels", "read-back"), ("none", "pixels"),
                         ("none", "read-back")):
            some = [index for index in frames if run.rows[index][known] == old]
            for index in some[:: max(1, len(some) // 6)]:
                rows = with_values([index], group, usual(group), new)
                yield f"evidence of {group} row {index}: {old} to {new}", (run.events, rows)
        for kind in ("control-unresponsive", "brightness-mismatch"):
            event = {"at_ns": run.events[-1]["at_ns"], "event": kind, "setting": group}
            if kind == "brightness-mismatch":
                event["frames"] = 3
            yield f"evidence: {kind} of {group} added", ([*run.events, event], run.rows)
    for kind in SHOWN[:2]:
        every = [index for index, event in enumerate(run.events) if event["event"] == kind]
        for index in every[:: max(1, len(every) // 6)]:
            event = run.events[index]
            rows = with_values(
                [at for at in frames
                 if run.rows[at][place["device_sequence"]] == str(event["sequence"])
                 and run.rows[at][place["settings"]] == str(event["settings"])],
                event["setting"], lambda row: "", "none")
            others = [other for other in run.events
                      if not (other["event"] in SHOWN and all(
                          other[name] == event[name]
                          for name in ("setting", "sequence", "settings")))]
            yield f"evidence: {kind} removed, and its row's value", (others, rows)
    for kind in SHOWN + WHOLE:
        every = [index for index, event in enumerate(run.events) if event["event"] == kind]
        for index in sorted({every[0], every[len(every) // 2], every[-1]}) if every else []:
            events = run.events[:index] + run.events[index + 1:]
            yield f"evidence: {kind} removed", (events, run.rows)
            if "believed" in run.events[index]:
                events = list(run.events)
                events[index] = {**events[index], "believed": 3_000_000}
                yield f"evidence: {kind} believed another value", (events, run.rows)


def main():
    framelock, source = sys.argv[1:3]
    only = tuple(sys.argv[3:]) or ("",)
    run = Run(source, framelock)
    try:
        tried = 0
        for what, (events, rows) in [
                *row_changes(run), *event_changes(run), *evidence_changes(run)]:
            if what.startswith(only):
                tried += 1
                if run.passes(events, rows):
                    print(what)
        print(f"{tried} changes", file=sys.stderr)
    finally:
        shutil.rmtree(run.scratch)


if __name__ == "__main__":
    main()
