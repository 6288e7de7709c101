#!/usr/bin/env python3
"""Changes one thing of a finished run at a time, makes its hashes anew, and lists what `verify` does not find.

    tamper_run.py FRAMELOCK RUN [ONLY...]

Each line of the output is a change that passes: the file, what was changed, and how. With ONLY, changes are tried
whose file and member begin like one of these. The hashes of a refit that is there are made anew, too.
"""

import copy
import csv
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys

from run_copy import RunCopy, sha256


class Run(RunCopy):
    """A copy of a run folder, changed and put back."""

    def __init__(self, source, framelock):
        super().__init__(source, framelock)
        self.original = {}
        for folder, _, names in os.walk(self.path):
            for name in names:
                path = os.path.join(folder, name)
                relative = os.path.relpath(path, self.path)
                if os.path.getsize(path) < 1 << 26:
                    with open(path, "rb") as file:
                        self.original[relative] = file.read()

    def text(self, name):
        return self.original[name].decode()

    def verify(self, name, new):
        """Whether a file with other bytes (None: removed) is found, once all hashes fit again."""
        path = os.path.join(self.path, name)
        if new is None:
            os.remove(path)
        else:
            with open(path, "wb") as file:
                file.write(new)
        self.rehash(removed=name if new is None else None)
        result = subprocess.run(
            [self.framelock, "verify", self.path], capture_output=True, check=False)
        for changed in {name, "run.json", "checksums", "refit.json"} & set(self.original):
            with open(os.path.join(self.path, changed), "wb") as file:
                file.write(self.original[changed])
        if result.returncode not in (0, 64, 65, 74, 84):
            print(f"verify crashed with {result.returncode}: {name}")
        return result.returncode != 0

    def rehash(self, removed):
        manifest = os.path.join(self.path, "run.json")
        try:
            with open(manifest, "rb") as file:
                text = file.read().decode()
        except (OSError, UnicodeDecodeError):
            text = None
        if text is not None:
            for member, name in [("recipe", "recipe.yaml"), ("plan", "plan.json")]:
                old = hashlib.sha256(self.original[name]).hexdigest()
                path = os.path.join(self.path, name)
                if os.path.exists(path):
                    text = text.replace(old, sha256(path))
            with open(manifest, "wb") as file:
                file.write(text.encode())
        refit = os.path.join(self.path, "refit.json")
        if "refit.json" in self.original and removed != "refit.json":
            with open(refit, "rb") as file:
                text = file.read().decode(errors="replace")
            for name in ("events.jsonl", "ledger.csv", "refit.csv"):
                path = os.path.join(self.path, name)
                if os.path.exists(path):
                    text = text.replace(hashlib.sha256(self.original[name]).hexdigest(), sha256(path))
            with open(refit, "wb") as file:
                file.write(text.encode())
        if removed == "checksums":
            return
        self.hash(self.text("checksums"))


def others(value, words):
    """Other values of the same kind, each with a word for it."""
    if isinstance(value, bool):
        yield "flipped", not value
    elif isinstance(value, int):
        yield "+1", value + 1
        yield "+1000000", value + 1_000_000
        if value:
            yield "0", 0
    elif value is None:
        yield "1", 1
    elif isinstance(value, str):
        for word in sorted(words - {value})[:3]:
            yield word, word
        if not words - {value}:
            yield "x", value + "x"


def leaves(node, path=()):
    if isinstance(node, dict):
        for name, child in node.items():
            yield from leaves(child, path + (name,))
    elif isinstance(node, list):
        for index, child in enumerate(node):
            yield from leaves(child, path + (index,))
    else:
        yield path, node


def put(root, path, value):
    for name in path[:-1]:
        root = root[name]
    root[path[-1]] = value


def drop(root, path):
    for name in path[:-1]:
        root = root[name]
    del root[path[-1]]


def generic(path):
    return ".".join("*" if isinstance(part, int) else part for part in path)


def json_changes(run, name, canonical):
    """Each member, of lists the first and the last element's."""
    root = json.loads(run.text(name))
    found = {}
    for path, value in leaves(root):
        found.setdefault(generic(path), []).append((path, value))
    def text(changed):
        if canonical:
            return (json.dumps(changed, separators=(",", ":"), ensure_ascii=False) + "\n").encode()
        return (json.dumps(changed, indent=2, ensure_ascii=False) + "\n").encode()
    for what, places in found.items():
        if what.endswith("sha256") or what.startswith("made_from") or what == "refit.csv":
            continue
        words = {value for _, value in places if isinstance(value, str)}
        for path, value in {places[0][0]: places[0][1], places[-1][0]: places[-1][1]}.items():
            for how, other in others(value, words if len(words) > 1 else set()):
                changed = copy.deepcopy(root)
                put(changed, path, other)
                yield what, how, text(changed)
        if not isinstance(places[0][0][-1], int):
            changed = copy.deepcopy(root)
            drop(changed, places[0][0])
            yield what, "removed", text(changed)


def table_changes(run, name):
    """Each column, in the first and the last row that has a value and the first that has none."""
    rows = list(csv.reader(io.StringIO(run.text(name))))
    head = rows[0]
    def text(changed):
        return "".join(",".join(row) + "\n" for row in changed).encode()
    for column, title in enumerate(head):
        full = [index for index in range(1, len(rows)) if rows[index][column]]
        empty = [index for index in range(1, len(rows)) if not rows[index][column]]
        words = {rows[index][column] for index in full}
        for index in sorted({full[0], full[len(full) // 2], full[-1]}) if full else []:
            value = rows[index][column]
            tries = [("emptied", "")]
            if re.fullmatch(r"-?\d+", value):
                tries += [("+1", str(int(value) + 1)), ("+1000", str(int(value) + 1000)),
                          ("+100000000", str(int(value) + 100_000_000))]
            elif re.fullmatch(r"-?\d+\.\d+", value):
                digit = "1" if value[-1] != "1" else "2"
                first = "9" if value[0] != "9" else "8"
                tries += [("last digit", value[:-1] + digit), ("first digit", first + value[1:])]
            if title.endswith("known_by"):
                words |= {"metadata", "read-back", "statistics", "none"}
            if title == "clock":
                words |= {"CLOCK_REALTIME", "unknown", "CLOCK_MONOTONIC"}
            if not re.fullmatch(r"-?[\d.]+", value):
                tries += [(word, word) for word in sorted(words - {value})[:4]]
            for how, other in tries:
                changed = copy.deepcopy(rows)
                changed[index][column] = other
                yield title, how, text(changed)
        if empty:
            for word in (sorted(words)[:1] or ["1"]):
                changed = copy.deepcopy(rows)
                changed[empty[0]][column] = word
                yield title, f"filled with {word}", text(changed)
    # A group of settings that is not known any more.
    for group, columns in [("exposure", ["applied_exposure_ns"]), ("gain", ["applied_gain"]),
                           ("lens", ["applied_lens_position"])]:
        if f"{group}_known_by" not in head:
            continue
        known = head.index(f"{group}_known_by")
        for index in range(1, len(rows)):
            if rows[index][known] not in ("", "none"):
                changed = copy.deepcopy(rows)
                changed[index][known] = "none"
                for column in columns:
                    changed[index][head.index(column)] = ""
                yield f"{group} and known_by", "left out", text(changed)
                break
    times = ["session_start_ns", "session_mid_ns", "session_end_ns"]
    if all(name in head for name in times):
        places = [head.index(name) for name in times]
        for index in range(1, len(rows)):
            if rows[index][places[0]]:
                for shift in (1, 1_000, 1_000_000, 100_000_000):
                    changed = copy.deepcopy(rows)
                    for place in places:
                        changed[index][place] = str(int(changed[index][place]) + shift)
                    yield "all session times", f"+{shift}", text(changed)
                break
    for where, index in [("first", 1), ("last", len(rows) - 1)]:
        yield f"{where} row", "removed", text(rows[:index] + rows[index + 1:])


def event_changes(run, name):
    lines = run.text(name).splitlines()
    by_kind = {}
    for index, line in enumerate(lines):
        by_kind.setdefault(json.loads(line)["event"], []).append(index)
    def text(changed):
        return ("\n".join(changed) + "\n").encode()
    for kind, places in sorted(by_kind.items()):
        for index in sorted({places[0], places[len(places) // 2], places[-1]}):
            yield kind, "removed", text(lines[:index] + lines[index + 1:])
        index = places[len(places) // 2]
        yield kind, "doubled", text(lines[:index + 1] + lines[index:])
        event = json.loads(lines[index])
        for member, value in event.items():
            if member == "event":
                continue
            words = {json.loads(lines[other])[member] for other in places if member in json.loads(lines[other])}
            words = {word for word in words if isinstance(word, str)}
            for how, other in others(value, words):
                changed = dict(event)
                changed[member] = other
                line = json.dumps(changed, separators=(",", ":"), ensure_ascii=False)
                yield f"{kind}.{member}", how, text(lines[:index] + [line] + lines[index + 1:])


def recipe_changes(run, name):
    lines = run.text(name).splitlines()
    for index, line in enumerate(lines):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        def text(*new):
            return ("\n".join(lines[:index] + list(new) + lines[index + 1:]) + "\n").encode()
        yield line.strip(), "removed", text()
        for match in list(re.finditer(r"\d", line))[:3]:
            digit = str((int(match.group()) + 1) % 10)
            yield line.strip(), f"digit {match.start()}", text(line[:match.start()] + digit + line[match.end():])
    yield "a comment", "added", ("\n".join(lines) + "\n# more\n").encode()


def still_changes(run, name):
    data = run.original[name]
    for place in (len(data) // 3, len(data) - 20):
        changed = bytearray(data)
        changed[place] ^= 1
        yield f"byte at {place * 100 // len(data)} %", "other", bytes(changed)


def changes(run):
    for name in sorted(run.original):
        if name == "truth.jsonl":
            continue
        yield name, "file", "removed", None
        if name == "ledger.csv" or name == "refit.csv":
            kinds = table_changes(run, name)
        elif name == "events.jsonl":
            kinds = event_changes(run, name)
        elif name in ("run.json", "plan.json", "refit.json"):
            kinds = json_changes(run, name, name != "run.json")
        elif name == "recipe.yaml":
            kinds = recipe_changes(run, name)
        elif name.startswith("stills/"):
            kinds = still_changes(run, name)
        else:
            continue
        for what, how, new in kinds:
            if new != run.original[name]:
                yield name, what, how, new


def main():
    framelock, source = sys.argv[1:3]
    only = tuple(sys.argv[3:]) or ("",)
    run = Run(source, framelock)
    try:
        tried = passed = 0
        for name, what, how, new in changes(run):
            if not f"{name} {what}".startswith(only):
                continue
            tried += 1
            if not run.verify(name, new):
                passed += 1
                print(f"{name}: {what}: {how}")
        print(f"{tried} changes, {passed} pass", file=sys.stderr)
    finally:
        shutil.rmtree(run.scratch)


if __name__ == "__main__":
    main()
