#!/usr/bin/env python3
"""Opens the stills of a run with Pillow and tifffile, and checks them against the run's own record.

    check_stills.py RUN

Checked: every file of `stills` belongs to a slot of the ledger; a JPEG opens, is as large as the frames and has EXIF; a TIFF has
the frames' size and the depth of its format; a DNG holds exactly the samples that the record has for its slot. Prints one JSON
object; exit status 1 and a message for the first thing that is wrong.
"""

import csv
import json
import pathlib
import sys

import numpy
import tifffile
import zarr
from PIL import Image


def main() -> int:
    run = pathlib.Path(sys.argv[1])
    configuration = json.loads((run / "run.json").read_text())["configuration"]
    size = (configuration["height"], configuration["width"])
    with open(run / "ledger.csv", newline="") as file:
        rows = {int(row["slot"]): row for row in csv.DictReader(file)}
    frames = zarr.open_array(run / "frames.zarr" / "0", mode="r")
    counts = {"jpg": 0, "tif": 0, "dng": 0}
    for path in sorted((run / "stills").iterdir()):
        slot = int(path.stem)
        kind = path.suffix[1:]
        if rows[slot]["status"] != "frame":
            fail(f"{path.name} belongs to a hole")
        counts[kind] += 1
        check = {"jpg": check_jpeg, "tif": check_tiff, "dng": check_dng}[kind]
        check(path, size, numpy.asarray(frames[slot]))
    print(json.dumps(counts))
    return 0


def check_jpeg(path: pathlib.Path, size: tuple[int, int], frame: numpy.ndarray) -> None:
    with Image.open(path) as image:
        image.load()
        if (image.height, image.width) != size or image.mode not in ("RGB", "L"):
            fail(f"{path.name} is {image.mode} {image.width}x{image.height}")
        exif = image.getexif().get_ifd(0x8769)
        if not exif.get(0x829A) or not exif.get(0x8827):
            fail(f"{path.name} has no exposure time or ISO")
        check_light(path, numpy.asarray(image), frame)


def check_tiff(path: pathlib.Path, size: tuple[int, int], frame: numpy.ndarray) -> None:
    picture = tifffile.imread(path)
    if picture.shape[:2] != size or picture.dtype != frame.dtype:
        fail(f"{path.name} is {picture.dtype} {picture.shape}")
    check_light(path, picture, frame)


def check_dng(path: pathlib.Path, size: tuple[int, int], frame: numpy.ndarray) -> None:
    samples = tifffile.imread(path)
    if samples.shape != size or not numpy.array_equal(samples, frame):
        fail(f"{path.name} does not hold the samples of its slot")


def check_light(path: pathlib.Path, picture: numpy.ndarray, frame: numpy.ndarray) -> None:
    """The simulated scene grows brighter from the left to the right, and so does what is developed of it."""
    width = picture.shape[1]
    left, right = picture[:, : width // 8].mean(), picture[:, -width // 8 :].mean()
    if not 0 < left < right:
        fail(f"{path.name} does not show the scene: {left:.1f} on the left, {right:.1f} on the right")


def fail(message: str) -> None:
    print(f"check_stills: {message}", file=sys.stderr)
    sys.exit(1)


if __name__ == "__main__":
    sys.exit(main())
