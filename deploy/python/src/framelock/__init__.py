"""Reads the runs that framelock records.

>>> import framelock
>>> run = framelock.open("runs/2026-11-20T140322Z-bracket")
>>> run.verdict, run.exit_code
('trustworthy', 0)
>>> run.frames.shape, run.frames.dtype
((55, 1088, 1456), dtype('uint16'))
>>> run.frames[3].mean()                        # a hole is masked, and never black
>>> run.ledger["session_mid_ns"]                # int64, masked where it is not known
>>> [event["line"] for event in run.events("edge")]

Nothing is written, and a run may still be going on: frames are looked for again at each access, and
``run.refresh()`` reads what has come since of ledger, events and manifest. The folder's files are described in
docs/run-folder.md.
"""

from ._events import Events
from ._frames import Axis, Frames
from ._ledger import Ledger
from ._pictures import Pictures
from ._run import Run, RunError, open

__all__ = ["Axis", "Events", "Frames", "Ledger", "Pictures", "Run", "RunError", "open"]
__version__ = "0.1.0"
