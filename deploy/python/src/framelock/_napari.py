"""The reader of runs for napari."""

from ._run import RunError, open


def get_reader(path):
    """A function that reads a run folder; None for what is none."""
    if isinstance(path, list):
        return None
    try:
        run = open(path)
    except RunError:
        return None
    return _read if run.pictures is not None else None


def _read(path):
    run = open(path)
    pictures = run.pictures
    axes = [axis for axis in run.frames.axes if axis.name != "c"]
    factors = [a / b for a, b in zip(run.frames.shape[-2:], pictures.shape[1:3])]
    scale = [axes[0].scale] + [axis.scale * factor for axis, factor in zip(axes[1:], factors)]
    layer = {
        "name": run.manifest["recipe"]["name"],
        "rgb": pictures.ndim == 4,
        "scale": scale,
        "metadata": {"framelock": {"run": str(run.path), "verdict": run.verdict, "ledger": run.ledger}},
    }
    return [(pictures, layer, "image")]
