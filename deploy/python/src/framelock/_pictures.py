"""Frames as pictures for the eye."""

import numpy as np

from ._slots import SlotArray

#: Where in a 2x2 cell each colour lies: rows, then columns.
BAYER = {
    "rggb": ((0, 0), ((0, 1), (1, 0)), (1, 1)),
    "grbg": ((0, 1), ((0, 0), (1, 1)), (1, 0)),
    "gbrg": ((1, 0), ((0, 0), (1, 1)), (0, 1)),
    "bggr": ((1, 1), ((0, 1), (1, 0)), (0, 0)),
}


class Pictures(SlotArray):
    """Frames as 8-bit pictures, made when they are asked for; shape (t, y, x) or (t, y, x, 3).

    For looking, not for measuring: Bayer cells become one pixel each, so that nothing is interpolated and a picture has
    half the width and height; codes from black to white go through the curve of sRGB. No white balance is applied but
    the camera's own. Slots without their frame are masked.
    """

    def __init__(self, frames):
        self._frames = frames
        about = frames.attributes
        self._samples = about["samples"]
        self._pattern = about.get("bayer_pattern", "").lower()
        white = (1 << about["bits_per_sample"]) - 1
        self._black, self._white = about.get("black_level", 0), about.get("white_level", white)
        self.dtype = np.dtype(np.uint8)

    @property
    def shape(self):
        """Slots, height, width and, of colours, 3."""
        height, width = self._frames.shape[-2:]
        slots = (len(self._frames),)
        if self._samples == "bayer":
            return slots + (height // 2, width // 2, 3)
        return slots + (height, width) + (() if self._samples == "mono" else (3,))

    def _slot(self, number):
        frame = self._frames[number]
        if np.ma.getmaskarray(frame).all():
            return np.ma.masked_all(self.shape[1:], dtype=self.dtype)
        data = frame.data
        if self._samples == "mono":
            return np.ma.MaskedArray(self._curve(data))
        if self._samples == "bayer":
            return np.ma.MaskedArray(self._curve(self._cells(data)))
        if self._samples == "rgb":
            return np.ma.MaskedArray(np.moveaxis(data, 0, -1).astype(np.uint8))
        return np.ma.MaskedArray(self._yuv(data))

    def _cells(self, data):
        height, width = (side // 2 * 2 for side in data.shape)
        red, greens, blue = BAYER[self._pattern]

        def plane(place):
            return data[place[0] : height : 2, place[1] : width : 2].astype(np.float32)

        return np.stack([plane(red), (plane(greens[0]) + plane(greens[1])) / 2, plane(blue)], axis=-1)

    def _curve(self, codes):
        """From codes to sRGB (IEC 61966-2-1)."""
        light = np.clip((codes.astype(np.float32) - self._black) / (self._white - self._black), 0, 1)
        curved = np.where(light <= 0.0031308, light * 12.92, 1.055 * np.power(light, 1 / 2.4) - 0.055)
        return (curved * 255 + 0.5).astype(np.uint8)

    def _yuv(self, data):
        """From 4:2:2 in the narrow range (ITU-R BT.601), each pair of pixels with one chroma."""
        names = self._frames.attributes["channels"]
        luma = data[names.index("luma")].astype(np.float32)
        chroma = data[names.index("chroma")].astype(np.float32) - 128
        blue, red = np.repeat(chroma[:, 0::2], 2, axis=1), np.repeat(chroma[:, 1::2], 2, axis=1)
        bright = (luma - 16) * (255 / 219)
        colours = (
            bright + 1.596 * red[:, : luma.shape[1]],
            bright - 0.392 * blue[:, : luma.shape[1]] - 0.813 * red[:, : luma.shape[1]],
            bright + 2.017 * blue[:, : luma.shape[1]],
        )
        return (np.clip(np.stack(colours, axis=-1), 0, 255) + 0.5).astype(np.uint8)

    def __repr__(self):
        return f"<framelock.Pictures {self.shape}>"
