"""A copy of a run folder that is changed and verified again; tamper_run.py and rewrite_run.py share it."""

import hashlib
import os
import shutil
import tempfile


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


class RunCopy:
    """A copy of a run folder in a scratch folder, which is the caller's to remove."""

    def __init__(self, source, framelock):
        self.framelock = framelock
        self.scratch = tempfile.mkdtemp(prefix="changed-run")
        self.path = os.path.join(self.scratch, "run")
        shutil.copytree(source, self.path)

    def hash(self, checksums):
        """Makes the hashes of `checksums` anew, given its old text, of the files that are still there."""
        lines = []
        for line in checksums.splitlines():
            name = line[66:]
            path = os.path.join(self.path, name)
            if os.path.exists(path):
                lines.append(f"{sha256(path)}  {name}\n")
        with open(os.path.join(self.path, "checksums"), "w", encoding="utf-8") as file:
            file.write("".join(lines))
