"""The frames of a run as a lazy array."""

import json
import struct
from typing import NamedTuple, Optional

import numpy as np

from ._slots import SlotArray

MISSING = 0xFFFF_FFFF_FFFF_FFFF


class Axis(NamedTuple):
    """One dimension of the frames."""

    #: ``t``, ``c``, ``y`` or ``x``.
    name: str
    #: ``time``, ``channel`` or ``space``.
    type: str
    #: ``second`` and the like; None where the axis only counts.
    unit: Optional[str]
    #: How far two neighbours are apart, in the unit.
    scale: float


class Frames(SlotArray):
    """Frames by slot, read when they are asked for: ``frames[7]``, ``frames[10:20:2]``, ``frames[[3, 5]]``.

    The shape is (t, y, x), or (t, c, y, x) where a pixel has several samples. What comes is a masked array: a slot
    without its frame is masked, and is no black picture. Of a run that goes on the first dimension has the slots that
    have a row by now; ``run.refresh()`` reads on.
    """

    def __init__(self, folder):
        self._folder = folder
        group = json.loads((folder / "zarr.json").read_text(encoding="utf-8"))
        image = group["attributes"]["ome"]["multiscales"][0]
        array = json.loads((folder / "0" / "zarr.json").read_text(encoding="utf-8"))
        sharding = array["codecs"][0]["configuration"]
        #: What OME-Zarr has no word for: pixel format, bits of a sample, black and white level, Bayer pattern.
        self.attributes = group["attributes"]["framelock"]
        #: The dimensions, in order.
        self.axes = [
            Axis(axis["name"], axis["type"], axis.get("unit"), scale)
            for axis, scale in zip(image["axes"], image["datasets"][0]["coordinateTransformations"][0]["scale"])
        ]
        self.dtype = np.dtype(array["data_type"]).newbyteorder("<")
        self._per_shard = array["chunk_grid"]["configuration"]["chunk_shape"][0]
        self._frame_shape = tuple(array["shape"][1:])
        # Samples of a pixel lie side by side in the file; the array has channels before rows.
        self._order = next(
            (c["configuration"]["order"] for c in sharding["codecs"] if c["name"] == "transpose"), None
        )
        self._bytes = int(np.prod(self._frame_shape)) * self.dtype.itemsize
        self._has_frame = np.zeros(0, dtype=bool)
        self._is_finalised = False
        self._index = None

    def _take(self, ledger, is_finalised):
        self._has_frame = ledger.is_frame
        self._is_finalised = is_finalised
        self._index = None

    @property
    def shape(self):
        """Slots that have a row, then the shape of a frame."""
        return (len(self._has_frame),) + self._frame_shape

    @property
    def mask(self):
        """By slot, whether it is a hole."""
        return ~self._has_frame

    def to_dask(self):
        """As a ``dask.array`` of a chunk a slot, holes masked."""
        import dask.array
        from dask import delayed

        read = delayed(self._slot, pure=True)
        frames = [
            dask.array.from_delayed(read(slot), self._frame_shape, self.dtype, meta=np.ma.empty((0,) * (self.ndim - 1)))
            for slot in range(len(self))
        ]
        return dask.array.stack(frames)

    def _slot(self, slot):
        data = self._read(slot) if self._has_frame[slot] else None
        if data is None:
            return np.ma.masked_all(self._frame_shape, dtype=self.dtype)
        if self._order is None:
            return np.ma.MaskedArray(np.frombuffer(data, self.dtype).reshape(self._frame_shape))
        stored = [((1,) + self._frame_shape)[axis] for axis in self._order]
        frame = np.frombuffer(data, self.dtype).reshape(stored).transpose(np.argsort(self._order))
        return np.ma.MaskedArray(frame[0])

    def _read(self, slot):
        number, place = divmod(slot, self._per_shard)
        path = self._folder.joinpath("0", "c", str(number), *("0" for _ in self._frame_shape))
        try:
            with path.open("rb") as file:
                entries = self._entries(number, file)
                offset, count = entries[place]
                if offset == MISSING:
                    return None
                file.seek(offset)
                data = file.read(count)
        except FileNotFoundError:
            return None
        if len(data) != self._bytes:
            raise OSError(f"{path}: the frame of slot {slot} has {len(data)} of {self._bytes} bytes")
        return data

    def _entries(self, number, file):
        """The index of a shard; that of a run that goes on is read again each time."""
        if self._is_finalised and self._index and self._index[0] == number:
            return self._index[1]
        raw = struct.unpack(f"<{2 * self._per_shard}Q", file.read(16 * self._per_shard))
        self._index = (number, list(zip(raw[::2], raw[1::2])))
        return self._index[1]

    def __repr__(self):
        holes = int(self.mask.sum())
        return f"<framelock.Frames {self.shape} {self.dtype.name}, {holes} holes>"
