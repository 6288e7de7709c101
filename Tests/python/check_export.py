#!/usr/bin/env python3
"""Opens an export with tifffile, ome-types, ome-zarr-models, h5py, astropy and Pillow, and checks it against the run that it is of, read with zarr-python.

    check_export.py RUN EXPORT…

Checked: `frames.csv` has the ledger's rows; places (t, z, c) are what label, lights and settings make them; every file is the
frame of its slot: samples for ome_tiff, ome_zarr, nexus, fits, dng and raw, size and brightness for developed pictures; an OME-TIFF is valid OME-XML
with the ledger's exposures and times, an OME-Zarr and a FITS file are valid too, and NeXus has the ledger as numbers. Prints one JSON array, an object an export; exit status 1 and a message for the first thing that is wrong.
"""

import collections
import csv
import json
import pathlib
import sys
import warnings

import h5py
import numpy
import ome_types
import tifffile
import zarr
from astropy.io import fits
from ome_zarr_models.v05.image import Image as ZarrImage
from PIL import Image

FILE_COLUMNS = ["file", "t", "z", "c"]
LENS = "requested_lens_position"


def main() -> int:
    run = pathlib.Path(sys.argv[1])
    print(json.dumps([check(run, pathlib.Path(export)) for export in sys.argv[2:]]))
    return 0


def check(run: pathlib.Path, export: pathlib.Path) -> dict[str, int]:
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
        match about["format"]:
            case "ome_tiff":
                check_ome_tiff(export / "frames.ome.tif", with_frame, frames, about)
            case "ome_zarr":
                check_ome_zarr(export / "frames.ome.zarr", with_frame, frames, about)
            case "nexus":
                check_nexus(export / "frames.nxs", rows, frames, about)
            case "fits":
                for row in with_frame:
                    check_fits(export / row["file"], row, numpy.asarray(frames[int(row["slot"])]), about)
            case _:
                for row in with_frame:
                    check_file(export / row["file"], numpy.asarray(frames[int(row["slot"])]), about)
    shape = about["grid"]
    return {"frames": len(with_frame), "t": shape["t"], "z": shape["z"], "c": shape["c"]}


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


def images_of(frame: numpy.ndarray, about: dict) -> list[dict[str, numpy.ndarray]]:
    """The planes of each image that a frame has, by their names."""
    pixels = about["pixels"]
    if pixels in ("YUYV", "UYVY"):
        # The record has luma and chroma as planes; chroma alternates blue and red differences.
        luma, chroma = frame if pixels == "YUYV" else frame[::-1]
        return [{"": luma}, {"Cb": chroma[:, 0::2], "Cr": chroma[:, 1::2]}]
    if frame.ndim == 3:
        return [dict(zip("RGB", frame))]
    pattern = pixels[1:5]
    if not pixels.startswith("S") or about["options"]["mosaic"]:
        return [{"": frame}]
    planes = {}
    for place, colour in enumerate(pattern):
        row, column = divmod(place, 2)
        red_beside = "R" in pattern[2 * row : 2 * row + 2]
        planes[colour if colour != "G" else "Gr" if red_beside else "Gb"] = frame[row::2, column::2]
    return [{name: planes[name] for name in ("R", "Gr", "Gb", "B")}]


def channel_names(image: dict[str, numpy.ndarray], about: dict) -> list[str]:
    """Those of the grid, each with all planes."""
    grid = about["grid"]["channels"] or [""]
    return [", ".join(filter(None, (channel, plane))) for channel in grid for plane in image]


def check_ome_tiff(path: pathlib.Path, rows: list[dict[str, str]], frames: zarr.Array, about: dict) -> None:
    ome = ome_types.from_tiff(path, validate=True)
    with tifffile.TiffFile(path) as file:
        images = [(series.axes, series.asarray()) for series in file.series]
    expected = [images_of(numpy.asarray(frames[int(row["slot"])]), about) for row in rows]
    if about["samples_per_pixel"] == 3:
        # One plane with three samples a pixel.
        expected = [[{"": numpy.stack(list(image.values()), axis=-1)} for image in one] for one in expected]
    if len(images) != len(expected[0]) or len(ome.images) != len(images):
        fail(f"there are {len(images)} images")
    for index, (image, about_image) in enumerate(zip(images, ome.images)):
        pixels = about_image.pixels
        if pixels.significant_bits != about["bits_per_sample"]:
            fail(f"SignificantBits is {pixels.significant_bits}")
        names = [channel.name or "" for channel in pixels.channels]
        if names != channel_names(expected[0][index], about):
            fail(f"channels are called {names}")
        parts = len(expected[0][index])
        planes = {(plane.the_t, plane.the_z, plane.the_c): plane for plane in pixels.planes}
        if len(planes) != len(rows) * parts:
            fail(f"there are {len(planes)} planes for {len(rows)} frames")
        samples = pixels.channels[0].samples_per_pixel
        for row, frame in zip(rows, expected):
            t, z, c = (int(row[axis]) for axis in "tzc")
            for part, plane in enumerate(frame[index].values()):
                if not numpy.array_equal(plane_of(image, t, z, c * parts + part), plane):
                    fail(f"the planes of slot {row['slot']} are not its frame")
                check_plane(planes[t, z, (c * parts + part) * samples], row)


def check_ome_zarr(path: pathlib.Path, rows: list[dict[str, str]], frames: zarr.Array, about: dict) -> None:
    root = zarr.open_group(path, mode="r")
    expected = [images_of(numpy.asarray(frames[int(row["slot"])]), about) for row in rows]
    groups = [root]
    if len(expected[0]) > 1:
        groups = [root[name] for name in root["OME"].attrs["ome"]["series"]]
    if len(groups) != len(expected[0]):
        fail(f"there are {len(groups)} images")
    for index, group in enumerate(groups):
        image = ZarrImage.from_zarr(group).ome_attributes
        names = [channel["label"] for channel in group.attrs["ome"]["omero"]["channels"]]
        if names != [name or "intensity" for name in channel_names(expected[0][index], about)]:
            fail(f"channels are called {names}")
        levels = [numpy.asarray(group[level.path]) for level in image.multiscales[0].datasets]
        recorded = numpy.asarray(group["recorded"])
        if recorded.sum() != len(rows) * len(expected[0][index]) or recorded.max() > 1:
            fail("`recorded` does not count the frames")
        parts = len(expected[0][index])
        for row, frame in zip(rows, expected):
            t, z, c = (int(row[axis]) for axis in "tzc")
            for part, plane in enumerate(frame[index].values()):
                place = (t, c * parts + part, z)
                if not numpy.array_equal(levels[0][place], plane) or recorded[place] != 1:
                    fail(f"the planes of slot {row['slot']} are not its frame")
                for whole, half in zip(levels, levels[1:]):
                    check_half(whole[place], half[place])
        if (len(levels) > 1) != (about["options"]["pyramid"] and max(levels[0].shape[-2:]) > 256):
            fail(f"there are {len(levels)} levels")


def check_half(whole: numpy.ndarray, half: numpy.ndarray) -> None:
    """Each pixel is the mean of four."""
    height, width = half.shape
    mean = whole[: 2 * height, : 2 * width].reshape(height, 2, width, 2).astype(float).mean(axis=(1, 3))
    if whole.shape[0] // 2 != height or whole.shape[1] // 2 != width or abs(mean - half).max() > 0.5:
        fail("a smaller level is not that of the one before")


def check_nexus(path: pathlib.Path, rows: list[dict[str, str]], frames: zarr.Array, about: dict) -> None:
    with h5py.File(path) as file:
        entry = file[file.attrs["default"]]
        group = entry[entry.attrs["default"]]
        classes = [node.attrs["NX_class"] for node in (entry, group, entry["instrument/detector"])]
        if classes != ["NXentry", "NXdata", "NXdetector"]:
            fail(f"classes are {classes}")
        data = group[group.attrs["signal"]]
        if data != entry["instrument/detector/data"] or len(group.attrs["axes"]) != data.ndim:
            fail("the signal is not the detector's data")
        if list(group[group.attrs["axes"][0]]) != [int(row["slot"]) for row in rows]:
            fail("the first axis does not count slots")
        spacing = group["x"][1] - group["x"][0] if "x" in group else None
        if spacing != 0.65 or list(group.attrs["axes"][1:3]) != ["y", "x"] or len(group["y"]) != about["height"]:
            fail(f"pixels are {spacing} um apart")
        if entry["ledger/session_mid_ns"].attrs["start"] != entry["start_time"][()].decode():
            fail("session time begins at another time than the entry")
        if list(entry["instrument/detector/count_time"]) != list(entry["ledger/applied_exposure_ns"]):
            fail("count_time is not the exposure")
        for number, row in enumerate(rows):
            frame = numpy.asarray(frames[int(row["slot"])])
            own = numpy.moveaxis(frame, 0, -1) if frame.ndim == 3 else frame
            if not numpy.array_equal(data[number], own if row["status"] == "frame" else 0 * own):
                fail(f"slot {row['slot']} is not its frame")
            for column, text in row.items():
                if column not in ("file", "last_slot"):
                    check_cell(entry["ledger"][column], number, text)


def check_cell(column: h5py.Dataset, number: int, text: str) -> None:
    value = column[number]
    match column.dtype.kind:
        case "i":
            same = value == (int(text) if text else column.attrs["_FillValue"])
        case "f":
            same = value == float(text) if text else numpy.isnan(value)
        case _:
            same = value.decode() == text
    if not same:
        fail(f"{column.name}[{number}] is {value}, the ledger has `{text}`")


def check_fits(path: pathlib.Path, row: dict[str, str], frame: numpy.ndarray, about: dict) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with fits.open(path, checksum=True) as file:
            file.verify("exception")
            header = file[0].header
            if about["pixels"] in ("YUYV", "UYVY"):
                luma, chroma = frame if about["pixels"] == "YUYV" else frame[::-1]
                expected = [luma, numpy.stack([chroma[:, 0::2], chroma[:, 1::2]])]
            else:
                expected = [frame]
            if len(file) != len(expected) or not all(
                numpy.array_equal(part.data, own) for part, own in zip(file, expected)
            ):
                fail(f"{path.name} does not hold the samples of its slot")
    if header["SLOT"] != int(row["slot"]) or header.get("LABEL", "") != row["label"]:
        fail(f"{path.name} is of another slot")
    if ("EXPTIME" in header) != (row["applied_exposure_ns"] != ""):
        fail(f"{path.name} and its row do not both have an exposure")
    if "EXPTIME" in header and round(header["EXPTIME"] * 1e9) != int(row["applied_exposure_ns"]):
        fail(f"{path.name}: EXPTIME is {header['EXPTIME']}")
    start = numpy.datetime64(about["source"]["started"].rstrip("Z")) + int(row["session_start_ns"])
    if numpy.datetime64(header["DATE-OBS"]) != start:
        fail(f"{path.name}: DATE-OBS is {header['DATE-OBS']}, expected {start}")


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
