"""A run folder."""

import json
import pathlib

from ._events import Events
from ._frames import Frames
from ._ledger import Ledger
from ._pictures import Pictures


class RunError(Exception):
    """A folder that is no run, or one that this version can't read."""


#: The version of the run folder's format that this reads.
FORMAT = 1


class Run:
    """One run, as far as it is there.

    Attributes:
        path: the folder, a ``pathlib.Path``.
        manifest: ``run.json`` as a dictionary.
        plan: ``plan.json`` as a dictionary.
        ledger: a row for each slot.
        frames: the images as a lazy array, slot by slot; None for a run that was recorded without them.
        pictures: the same developed to 8 bits for the eye; None where there are no frames.
    """

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.manifest = self._manifest()
        self.plan = self._json("plan.json")
        self.frames = self._frames()
        self.pictures = Pictures(self.frames) if self.frames is not None else None
        self.refresh()

    def refresh(self):
        """Reads what has come since, of a run that goes on; returns the run."""
        self.manifest = self._manifest()
        self.ledger = Ledger.read(self.path / "ledger.csv")
        if self.frames is not None:
            self.frames._take(self.ledger, self.is_finalised)
        return self

    @property
    def is_finalised(self):
        """Whether the run has ended and its record is complete."""
        return self.manifest["state"] == "finalised"

    @property
    def verdict(self):
        """In one word what can be believed of it, for example ``trustworthy``; None while it goes on."""
        return self.manifest.get("verdict")

    @property
    def exit_code(self):
        """The verdict's exit code; None while the run goes on."""
        return self.manifest.get("exit_code")

    @property
    def metadata(self):
        """What the recipe says of sample, people and optics, a dictionary; ``pixel_size_pm`` is in picometres."""
        return self.manifest.get("metadata", {})

    @property
    def findings(self):
        """What was found, each a dictionary with ``id``, ``message`` and ``over_limit``."""
        return self.manifest.get("findings", [])

    @property
    def events(self):
        """The log, an iterable of dictionaries; ``run.events("edge")`` has those of one name."""
        return Events(self.path / "events.jsonl")

    @property
    def stills(self):
        """Paths of picture files by slot, where the recipe asked for them."""
        found = sorted(p for p in (self.path / "stills").glob("*") if p.stem.isdigit())
        return {int(path.stem): path for path in found}

    def _frames(self):
        folder = self.path / "frames.zarr"
        return Frames(folder) if (folder / "zarr.json").exists() else None

    def _manifest(self):
        manifest = self._json("run.json")
        found = manifest.get("framelock_run")
        if found != FORMAT:
            raise RunError(f"{self.path}/run.json is of format {found!r}, this reads format {FORMAT}")
        return manifest

    def _json(self, name):
        try:
            return json.loads((self.path / name).read_text(encoding="utf-8"))
        except OSError as error:
            raise RunError(f"{error}; is this the folder of a run?") from None
        except ValueError as error:
            raise RunError(f"{self.path / name} is no JSON: {error}") from None

    def __repr__(self):
        state = self.verdict or self.manifest["state"]
        return f"<framelock.Run {str(self.path)!r}: {len(self.ledger)} slots, {state}>"


def open(path):
    """Opens a run folder.

    Raises:
        RunError: if it is no run, or of a format that this version does not read.
    """
    return Run(path)
