"""Judges the Python package `framelock` by readers that are not framelock's: zarr for frames, csv for the ledger.

Takes the package (its wheel, or the folder of its sources), an empty folder, and the folders of runs. Prints what is
wrong and exits 1 if anything is.
"""

import csv
import json
import pathlib
import sys

import numpy as np
import zarr

sys.path.insert(0, sys.argv[1])
import framelock  # noqa: E402

problems = []


def check(is_right, what):
    if not is_right:
        problems.append(what)


def check_frames(run, path):
    array = zarr.open(str(path / "frames.zarr"), mode="r")["0"]
    rows = [row for row in csv.DictReader((path / "ledger.csv").open()) if row["status"] != "not-reached"]
    frames = run.frames
    check(frames.shape == (len(rows),) + array.shape[1:], f"{path}: shape {frames.shape}")
    check(frames.dtype == array.dtype, f"{path}: dtype {frames.dtype}")
    check([axis.name for axis in frames.axes] == list(array.metadata.dimension_names), f"{path}: axes {frames.axes}")
    sizes = [(axis.scale, axis.unit) for axis in frames.axes[-2:]]
    check(sizes == [(0.65, "micrometer")] * 2, f"{path}: pixels of {sizes}")
    metadata = {"sample": "slide 12", "pixel_size_pm": 650000, "notes": {"batch": "007", "dose": 2.5}}
    check(run.metadata == metadata, f"{path}: metadata {run.metadata}")
    for slot, row in enumerate(rows):
        is_hole = row["status"] == "hole"
        frame = frames[slot]
        check(bool(frames.mask[slot]) == is_hole, f"{path}: mask of slot {slot}")
        check(bool(np.ma.getmaskarray(frame).all()) == is_hole, f"{path}: slot {slot} is masked")
        check(is_hole or np.array_equal(frame.data, array[slot]), f"{path}: pixels of slot {slot}")
    everything = np.asarray(array[: len(rows)])
    check(np.array_equal(np.asarray(frames), everything), f"{path}: all frames")
    check(np.array_equal(frames[3:17:5].filled(0), everything[3:17:5]), f"{path}: a range")
    check(np.array_equal(frames[[5, 2]].filled(0), everything[[5, 2]]), f"{path}: a list")
    check(np.array_equal(frames[4, ..., 1:3].filled(0), everything[4, ..., 1:3]), f"{path}: a part of one")
    check(np.array_equal(frames[-1].filled(0), everything[-1]), f"{path}: the last one")
    check(len(frames[frames.mask]) == int(frames.mask.sum()), f"{path}: holes alone")
    try:
        frames[len(rows)]
        check(False, f"{path}: a slot behind the last")
    except IndexError:
        pass


def check_ledger(run, path):
    rows = list(csv.DictReader((path / "ledger.csv").open()))
    if rows[-1]["status"] == "not-reached":
        last = rows.pop()
        check(run.ledger.not_reached == (int(last["slot"]), int(last["last_slot"]), last["reason"]), f"{path}: the rest")
    else:
        check(run.ledger.not_reached is None, f"{path}: no rest")
    check(run.ledger.columns == list(rows[0]) and len(run.ledger) == len(rows), f"{path}: rows and columns")
    for number, row in enumerate(rows):
        for name, text in row.items():
            value = run.ledger[number][name]
            if text == "":
                check(value is None and run.ledger[name][number] is np.ma.masked, f"{path}:{number}: {name} is empty")
            elif isinstance(value, str):
                check(value == text, f"{path}:{number}: {name}")
            else:
                check(type(value)(text) == value, f"{path}:{number}: {name} is {value!r}, and {text}")
    for name in run.ledger.columns:
        if name.endswith("_ns"):
            check(run.ledger[name].dtype == np.int64, f"{path}: {name} is {run.ledger[name].dtype}")


def check_rest(run, path):
    lines = (path / "events.jsonl").read_text().splitlines()
    check(list(run.events) == [json.loads(line) for line in lines], f"{path}: events")
    named = [json.loads(line) for line in lines if '"event":"read-back"' in line]
    check(named and list(run.events("read-back")) == named, f"{path}: events of a name")
    manifest = json.loads((path / "run.json").read_text())
    check(run.verdict == manifest["verdict"] and run.exit_code == manifest["exit_code"], f"{path}: verdict")
    pictures = run.pictures
    check(len(pictures) == len(run.frames) and pictures.dtype == np.uint8, f"{path}: pictures")
    check(pictures[0].shape == pictures.shape[1:], f"{path}: shape of a picture")
    # Twice the exposure is a brighter picture, up to full scale.
    exposures = run.ledger["applied_exposure_ns"]
    means = {}
    for slot in np.flatnonzero(run.ledger.is_frame & ~np.ma.getmaskarray(exposures)):
        means.setdefault(int(exposures[slot]), []).append(float(pictures[int(slot)].mean()))
    ordered = [np.mean(means[exposure]) for exposure in sorted(means)]
    check(all(a < b for a, b in zip(ordered, ordered[1:])), f"{path}: brightness of pictures {ordered}")


def check_growing(path, folder):
    """A run of which less is there than in the end, with a line that is half written."""
    copy = folder / "growing"
    copy.mkdir()
    for each in path.iterdir():
        if each.name not in ("ledger.csv", "run.json"):
            (copy / each.name).symlink_to(each.resolve())
    text = (path / "ledger.csv").read_text()
    manifest = json.loads((path / "run.json").read_text())
    (copy / "run.json").write_text(json.dumps({k: v for k, v in manifest.items() if k != "verdict"} | {"state": "running"}))
    lines = text.splitlines(keepends=True)
    (copy / "ledger.csv").write_text("".join(lines[:11]) + lines[11][:20])
    run = framelock.open(copy)
    check(not run.is_finalised and run.verdict is None and len(run.frames) == 10, "a run that goes on")
    (copy / "ledger.csv").write_text("".join(lines[:21]))
    check(len(run.frames) == 10 and len(run.refresh().frames) == 20, "a run that went on")


paths = [pathlib.Path(argument) for argument in sys.argv[3:]]
for path in paths:
    run = framelock.open(path)
    check_frames(run, path)
    check_ledger(run, path)
    check_rest(run, path)
check_growing(paths[0], pathlib.Path(sys.argv[2]))
try:
    framelock.open(sys.argv[2])
    check(False, "a folder that is no run")
except framelock.RunError as error:
    check("is this the folder of a run?" in str(error), f"{error}")
print("\n".join(problems) or f"{len(paths)} runs agree")
sys.exit(1 if problems else 0)
