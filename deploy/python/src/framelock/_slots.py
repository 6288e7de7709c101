"""What arrays have in common that are read slot by slot."""

import operator

import numpy as np


class SlotArray:
    """An array by slot whose parts are made when they are asked for; a subclass has ``shape``, ``dtype`` and ``_slot``.

    What comes is a masked array: a slot without its frame is masked.
    """

    def _slot(self, number):
        """What one slot has, from 0."""
        raise NotImplementedError

    @property
    def ndim(self):
        """Dimensions."""
        return len(self.shape)

    @property
    def size(self):
        """Samples of all slots."""
        return int(np.prod(self.shape))

    def __len__(self):
        return self.shape[0]

    def __getitem__(self, key):
        slots, rest = (key[0], key[1:]) if isinstance(key, tuple) else (key, ())
        if slots is Ellipsis or slots is None:
            return self[(slice(None),) + ((Ellipsis,) if slots is Ellipsis else ()) + rest]
        try:
            number = operator.index(slots)
        except TypeError:
            numbers = np.arange(len(self))[slots]
            found = np.ma.empty((len(numbers),) + self.shape[1:], dtype=self.dtype)
            for place, each in enumerate(numbers):
                found[place] = self._slot(int(each))
            return found[(slice(None),) + rest] if rest else found
        if not -len(self) <= number < len(self):
            raise IndexError(f"slot {number} of {len(self)}")
        found = self._slot(number % len(self))
        return found[rest] if rest else found

    def __iter__(self):
        return (self[slot] for slot in range(len(self)))

    def __array__(self, dtype=None, copy=None):
        """All slots at once, those without their frame as zeros."""
        found = self[:].filled(0)
        return found if dtype is None else found.astype(dtype)
