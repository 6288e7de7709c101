#!/usr/bin/env python3
"""Opens an export with tifffile, ome-types and Pillow, and checks it against the run that it is of, read with zarr-python.

    check_export.py RUN EXPORT

Checked: `frames.csv` has the ledger's rows; places (t, z, c) are what label, lights and settings make them; every file is the
frame of its slot: samples for ome_tiff, dng and raw, size and brightness for developed pictures; an OME-TIFF is valid OME-XML
with the ledger's exposures and times. Prints one JSON object; exit status 1 and a message for the first thing that is wrong.
"""

import collections
import csv
import json
import pathlib
import sys

import numpy
import ome_types
import tifffile
import zarr
from PIL import Image

FILE_COLUMNS = ["file", "t", "z", "c"]
LENS = "requested_lens_position"


def main() -> int:
    run, export = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    about = json.loads((export / "export.json").read_text())
    with open(run / "ledger.csv", newline="") as file:
        ledger = {row["slot"]: row for row in csv.DictReader(file)}
    with open(export / "frames.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        own = {column: text for column, text in row.items() if column not in FILE_COLUMNS}
        if own != ledger[row["slot"]]:
            fail(f"slot {row['slot']} has another row than the ledger")
    check_places(rows, about["grid"])
    with_frame = [row for row in rows if row["status"] == "frame"]
    if (len(rows), len(with_frame)) != (about["slots"], about["frames"]):
        fail(f"{len(rows)} rows and {len(with_frame)} frames, export.json has others")
    if about["format"] == "csv":
        if any(row["file"] for row in rows):
            fail("csv has files")
    else:
        frames = zarr.open_array(run / "frames.zarr" / "0", mode="r")
        if any(bool(row["file"]) != (row["status"] == "frame") for row in rows):
            fail("not every frame has a file, or a hole has one")
        if about["format"] == "ome_tiff":
            check_ome_tiff(export / "frames.ome.tif", with_frame, frames, about)
        else:
            for row in with_frame:
                check_file(export / row["file"], numpy.asarray(frames[int(row["slot"])]), about)
    shape = about["grid"]
    print(json.dumps({"frames": len(with_frame), "t": shape["t"], "z": shape["z"], "c": shape["c"]}))
    return 0


def check_places(rows: list[dict[str, str]], grid: dict) -> None:
    """A place belongs to one row; channels and lens positions are what rows have in common."""
    places = [(int(row["t"]), int(row["z"]), int(row["c"])) for row in rows]
    if len(set(places)) != len(places):
        fail("two rows have the same place")
    if grid["z"] * grid["c"] == 1:
        if [place[0] for place in places] != list(range(len(rows))):
            fail("t does not count rows")
        return
    channel_columns = [c for c in rows[0] if c.startswith("requested_") and c != LENS] + ["label", "lights"]
    channels, positions, seen = {}, {}, collections.Counter()
    for row, (t, z, c) in zip(rows, places):
        channel = channels.setdefault(tuple(row[column] for column in channel_columns), len(channels))
        position = positions.setdefault(row[LENS], len(positions))
        if (z, c) != (position, channel) or t != seen[z, c]:
            fail(f"slot {row['slot']} is at t {t}, z {z}, c {c}: expected {seen[z, c]}, {position}, {channel}")
        seen[z, c] += 1
    if len(set(seen.values())) != 1 or len(seen) != grid["z"] * grid["c"]:
        fail("this is no full grid")


def check_ome_tiff(path: pathlib.Path, rows: list[dict[str, str]], frames: zarr.Array, about: dict) -> None:
    ome = ome_types.from_tiff(path, validate=True)
    with tifffile.TiffFile(path) as file:
        images = [(series.axes, series.asarray()) for series in file.series]
    is_yuv = about["pixels"] in ("YUYV", "UYVY")
    samples = 3 if about["samples_per_pixel"] == 3 else 1
    if len(images) != (2 if is_yuv else 1) or len(ome.images) != len(images):
        fail(f"there are {len(images)} images")
    pixels = ome.images[0].pixels
    if pixels.significant_bits != about["bits_per_sample"]:
        fail(f"SignificantBits is {pixels.significant_bits}")
    names = [channel.name for channel in pixels.channels]
    if about["grid"]["channels"] and names != about["grid"]["channels"]:
        fail(f"channels are called {names}")
    planes = {(plane.the_t, plane.the_z, plane.the_c): plane for plane in pixels.planes}
    if len(planes) != len(rows):
        fail(f"there are {len(planes)} planes for {len(rows)} frames")
    for row in rows:
        t, z, c = (int(row[axis]) for axis in "tzc")
        frame = numpy.asarray(frames[int(row["slot"])])
        if is_yuv:
            # The record has luma and chroma as planes; chroma alternates blue and red differences.
            same = numpy.array_equal(plane_of(images[0], t, z, c), frame[0])
            for part in (0, 1):
                same &= numpy.array_equal(plane_of(images[1], t, z, 2 * c + part), frame[1][:, part::2])
        else:
            own = frame if frame.ndim == 2 else numpy.moveaxis(frame, 0, -1)
            same = numpy.array_equal(plane_of(images[0], t, z, c), own)
        if not same:
            fail(f"the planes of slot {row['slot']} are not its frame")
        check_plane(planes[t, z, c * samples], row)


def check_plane(plane: ome_types.model.Plane, row: dict[str, str]) -> None:
    for found, column in ((plane.delta_t, "session_start_ns"), (plane.exposure_time, "applied_exposure_ns")):
        if (found is None) != (row[column] == ""):
            fail(f"slot {row['slot']}: {column} is `{row[column]}`, the plane has {found}")
        if found is not None and round(found * 1e9) != int(row[column]):
            fail(f"slot {row['slot']}: {column} is {row[column]}, the plane has {found} s")


def plane_of(image: tuple[str, numpy.ndarray], t: int, z: int, c: int) -> numpy.ndarray:
    axes, array = image
    place = {"T": t, "Z": z, "C": c}
    return array[tuple(slice(None) if axis in "YXS" else place[axis] for axis in axes)]


def check_file(path: pathlib.Path, frame: numpy.ndarray, about: dict) -> None:
    size = (about["height"], about["width"])
    match about["format"]:
        case "raw":
            dtype = numpy.dtype(about["sample_type"]).newbyteorder("<")
            samples = numpy.fromfile(path, dtype).reshape(*size, about["samples_per_pixel"])
            if not numpy.array_equal(numpy.moveaxis(samples, -1, 0).reshape(frame.shape), frame):
                fail(f"{path.name} is not the frame of its slot")
        case "dng":
            if not numpy.array_equal(tifffile.imread(path), frame):
                fail(f"{path.name} does not hold the samples of its slot")
        case "tiff":
            check_picture(path, tifffile.imread(path), frame, about)
        case "png" | "jpeg":
            with Image.open(path) as image:
                check_picture(path, numpy.asarray(image), frame, about)


def check_picture(path: pathlib.Path, picture: numpy.ndarray, frame: numpy.ndarray, about: dict) -> None:
    """As large as the frame, and brighter where that is."""
    if picture.shape[:2] != (about["height"], about["width"]):
        fail(f"{path.name} is {picture.shape}")
    luma = frame if frame.ndim == 2 else frame[0]
    grey = picture if picture.ndim == 2 else picture.mean(axis=2)
    half = luma.shape[1] // 2
    if (luma[:, :half].mean() < luma[:, half:].mean()) != (grey[:, :half].mean() < grey[:, half:].mean()):
        fail(f"{path.name} does not show its frame")


def fail(message: str) -> None:
    print(f"check_export: {message}", file=sys.stderr)
    sys.exit(1)


if __name__ == "__main__":
    sys.exit(main())
