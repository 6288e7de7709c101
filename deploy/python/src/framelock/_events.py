"""The event log."""

import json


class Events:
    """Events in the order in which they were handled, each a dictionary with ``at_ns`` and ``event``.

    Read from the file at each iteration; a line that is still being written is left out.
    """

    def __init__(self, path, name=None):
        self._path, self._name = path, name

    def __call__(self, name):
        """Those of one name."""
        return Events(self._path, name)

    def __iter__(self):
        with self._path.open("rb") as lines:
            for line in lines:
                if not line.endswith(b"\n"):
                    return
                event = json.loads(line)
                if self._name is None or event["event"] == self._name:
                    yield event

    def __repr__(self):
        return f"<framelock.Events {self._name or 'all'} of {str(self._path)!r}>"
