#!/usr/bin/env python3
"""Reads a run folder with zarr-python and nothing of framelock, and checks it against the run's own ledger.

    check_zarr.py RUN [--at-least N]

Checked: the OME-Zarr 0.5 group and its array (axes, scale, shape, dtype, names of dimensions, framelock's attributes), every
frame of the ledger (CRC-32C and mean of the array's values, computed here) and every hole (zeros). The ledger may be that of
a run that still goes on or was cut: its last line counts only if it is whole. Prints one JSON object; exit status 1 and a
message for the first thing that is wrong.
"""

import argparse
import csv
import io
import json
import pathlib
import sys

import google_crc32c
import numpy
import zarr

DTYPES = {8: "uint8", 10: "uint16", 12: "uint16", 16: "uint16"}
CHANNELS = {"mono": 1, "bayer": 1, "yuv422": 2, "rgb": 3}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", type=pathlib.Path)
    parser.add_argument("--at-least", type=int, default=0, help="slots that the ledger must have")
    options = parser.parse_args()
    check_the_checksum()
    run = json.loads((options.run / "run.json").read_text())
    rows = ledger(options.run / "ledger.csv")
    if len(rows) < options.at_least:
        fail(f"the ledger has {len(rows)} rows, expected at least {options.at_least}")
    group = zarr.open_group(options.run / "frames.zarr", mode="r")
    array = group["0"]
    check_metadata(group, array, run)
    check_shape(array, run, rows)
    frames = [row for row in rows if row["status"] == "frame"]
    holes = [row for row in rows if row["status"] == "hole"]
    for row in frames:
        check_frame(array, row, group.attrs["framelock"])
    for row in holes:
        if array[int(row["slot"])].any():
            fail(f"slot {row['slot']} is a hole and reads as something else than zeros")
    report = {
        "zarr": zarr.__version__,
        "shape": list(array.shape),
        "dtype": str(array.dtype),
        "frames": len(frames),
        "holes": len(holes),
    }
    print(json.dumps(report))
    return 0


def ledger(path: pathlib.Path) -> list[dict[str, str]]:
    """The rows of a ledger; a last line without line end is left out."""
    text = path.read_bytes().decode()
    whole = text[: text.rfind("\n") + 1]
    rows = list(csv.DictReader(io.StringIO(whole, newline="")))
    for slot, row in enumerate(rows):
        if int(row["slot"]) != slot:
            fail(f"row {slot} of the ledger has slot {row['slot']}")
    return rows


def check_metadata(group: zarr.Group, array: zarr.Array, run: dict) -> None:
    ome = group.attrs["ome"]
    equal("the version of OME-Zarr", ome["version"], "0.5")
    image = ome["multiscales"][0]
    equal("the image's name", image["name"], run["recipe"]["name"])
    block = group.attrs["framelock"]
    channels = CHANNELS[block["samples"]]
    names = ["t", "c", "y", "x"] if channels > 1 else ["t", "y", "x"]
    types = ["time", "channel", "space", "space"] if channels > 1 else ["time", "space", "space"]
    equal("the axes' names", [axis["name"] for axis in image["axes"]], names)
    equal("the axes' types", [axis["type"] for axis in image["axes"]], types)
    equal("the names of dimensions", list(array.metadata.dimension_names), names)
    equal("the datasets", [dataset["path"] for dataset in image["datasets"]], ["0"])
    transformation = image["datasets"][0]["coordinateTransformations"][0]
    equal("the kind of transformation", transformation["type"], "scale")
    equal("the scale of y and x", transformation["scale"][1:], [1] * (len(names) - 1))
    rate = run["configuration"]["rate"]
    if rate:
        equal("the unit of t", image["axes"][0]["unit"], "second")
        period = rate["seconds"] / rate["frames"]
        if abs(transformation["scale"][0] - period) > 1e-9:
            fail(f"the scale of t is {transformation['scale'][0]}, the period {period}")
    equal("the pixel format", block["pixel_format"], run["configuration"]["pixels"])
    equal("the dtype", str(array.dtype), DTYPES[block["bits_per_sample"]])
    equal("the value of holes", int(array.fill_value), 0)
    if "black_level" in block and not 0 <= block["black_level"] < block["white_level"]:
        fail(f"black is {block['black_level']}, white {block['white_level']}")
    if block["samples"] == "bayer":
        letters = block["bayer_pattern"]
        if not block["pixel_format"].startswith("S" + letters):
            fail(f"{block['pixel_format']} is not of pattern {letters}")


def check_shape(array: zarr.Array, run: dict, rows: list[dict[str, str]]) -> None:
    channels = CHANNELS[array.attrs["framelock"]["samples"]]
    size = [run["configuration"]["height"], run["configuration"]["width"]]
    if channels > 1:
        size.insert(0, channels)
    equal("the shape of a frame", list(array.shape[1:]), size)
    planned = run["plan"]["slots"]
    if planned is not None:
        equal("the number of slots", array.shape[0], planned)
    elif run["state"] == "finalised":
        equal("the number of slots", array.shape[0], len(rows))
    elif array.shape[0] < len(rows):
        fail(f"the array has {array.shape[0]} slots, the ledger {len(rows)}")


def check_frame(array: zarr.Array, row: dict[str, str], block: dict) -> None:
    values = numpy.asarray(array[int(row["slot"])])
    # The record's order has the samples of a pixel side by side.
    pixels = numpy.moveaxis(values, 0, -1) if values.ndim == 3 else values
    stored = numpy.ascontiguousarray(pixels).astype(pixels.dtype.newbyteorder("<")).tobytes()
    equal(f"the CRC-32C of slot {row['slot']}", f"{google_crc32c.value(stored):08x}", row["crc32c"])
    if block["samples"] == "yuv422":
        pixels = pixels[..., block["channels"].index("luma")]
    total, count = int(pixels.sum(dtype=numpy.uint64)), pixels.size
    thousandths = (total * 1000 + count // 2) // count
    mean = f"{thousandths // 1000}.{thousandths % 1000:03}"
    equal(f"the mean of slot {row['slot']}", mean, row["luma_mean"])


def check_the_checksum() -> None:
    """The library's CRC-32C against its definition, bit by bit."""
    data = bytes(range(200))
    remainder = 0xFFFFFFFF
    for byte in data:
        remainder ^= byte
        for _ in range(8):
            remainder = remainder >> 1 ^ (0x82F63B78 if remainder & 1 else 0)
    equal("the CRC-32C of the library", google_crc32c.value(data), remainder ^ 0xFFFFFFFF)


def equal(what: str, found: object, expected: object) -> None:
    if found != expected:
        fail(f"{what} is {found!r}, expected {expected!r}")


def fail(message: str) -> None:
    print(f"check_zarr: {message}", file=sys.stderr)
    sys.exit(1)


if __name__ == "__main__":
    sys.exit(main())
