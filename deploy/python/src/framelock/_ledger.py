"""The ledger."""

import csv
import io

import numpy as np

#: Columns of text; all others are numbers.
TEXT = {
    "step", "status", "reason", "clock", "trigger_id", "trigger_class", "crc32c", "exposure_known_by", "gain_known_by",
    "lens_known_by", "white_balance_known_by", "gap_evidence", "label", "lights", "rounds",
}  # fmt: skip
#: Numbers that are no whole ones. Whole ones are never made floats: nanoseconds would lose their last digits.
REAL = {
    "requested_gain", "applied_gain", "requested_lens_position", "applied_lens_position", "requested_red_gain",
    "applied_red_gain", "requested_blue_gain", "applied_blue_gain", "luma_mean", "saturated_fraction",
}  # fmt: skip


class Ledger:
    """A row for each slot, in order; ``ledger[column]`` is a masked array, ``ledger[number]`` a row as a dictionary.

    What is not known is masked in columns, and None in rows. Whole numbers are ``int64``, so that nanoseconds keep all
    their digits; factors and shares are ``float64``; names are ``str`` in arrays of objects. Slots that had no turn are
    in ``not_reached`` and no rows here.
    """

    def __init__(self, columns, not_reached=None):
        self._columns = columns
        #: The first and the last slot that had no turn, and what ended the run; None where all had theirs.
        self.not_reached = not_reached

    @classmethod
    def read(cls, path):
        """Reads ``ledger.csv`` as far as it is written: a last line without its end is left out."""
        text = path.read_bytes()
        text = text[: text.rfind(b"\n") + 1].decode("utf-8")
        rows = list(csv.DictReader(io.StringIO(text)))
        not_reached = None
        if rows and rows[-1]["status"] == "not-reached":
            last = rows.pop()
            not_reached = (int(last["slot"]), int(last["last_slot"]), last["reason"])
        names = text.partition("\n")[0].split(",")
        return cls({name: _column(name, [row[name] for row in rows]) for name in names}, not_reached)

    @property
    def columns(self):
        """The names of the columns, as in the file."""
        return list(self._columns)

    def __getitem__(self, key):
        if isinstance(key, str):
            return self._columns[key]
        if not -len(self) <= key < len(self):
            raise IndexError(f"row {key} of {len(self)}")
        return {name: _value(column, key) for name, column in self._columns.items()}

    def __len__(self):
        return len(self._columns["slot"])

    def __iter__(self):
        return (self[number] for number in range(len(self)))

    @property
    def is_frame(self):
        """Whether each slot has its frame."""
        return np.asarray(self["status"] == "frame", dtype=bool)

    def to_pandas(self):
        """As a ``pandas.DataFrame`` by slot, with nullable integers."""
        import pandas

        frame = {}
        for name, column in self._columns.items():
            if column.dtype == np.int64:
                frame[name] = pandas.arrays.IntegerArray(column.filled(0), np.ma.getmaskarray(column))
            else:
                frame[name] = column.filled(None if column.dtype == object else np.nan)
        return pandas.DataFrame(frame).set_index("slot", drop=False)

    def __repr__(self):
        return f"<framelock.Ledger of {len(self)} slots, {len(self.columns)} columns>"


def _column(name, texts):
    mask = np.array([text == "" for text in texts], dtype=bool)
    if name in TEXT:
        values = np.array(texts, dtype=object)
    elif name in REAL:
        values = np.array([float(text) if text else np.nan for text in texts], dtype=np.float64)
    else:
        values = np.array([int(text) if text else 0 for text in texts], dtype=np.int64)
    return np.ma.MaskedArray(values, mask=mask)


def _value(column, key):
    value = column[key]
    if value is np.ma.masked:
        return None
    return value.item() if hasattr(value, "item") else value
