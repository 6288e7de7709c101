"""Judges framelock's JSON Schemas with an implementation that is not framelock's.

Takes the repository's path. The schemas must be valid themselves, accept every recipe, rig and camera profile of the
project, and refuse the golden recipes that a schema can refuse (those whose mistake is one of keys, words or units).
Needs jsonschema and PyYAML; prints what is wrong and exits 1 if anything is.
"""

import json
import pathlib
import sys

import yaml
from jsonschema import Draft202012Validator

root = pathlib.Path(sys.argv[1])
schemas = {}
problems = []


def load(path):
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def errors(kind, path):
    return sorted(schemas[kind].iter_errors(load(path)), key=lambda e: list(map(str, e.path)))


for kind in ("recipe", "rig", "camera", "receiver"):
    schema = json.loads((root / f"recipes/schema/{kind}-1.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    schemas[kind] = Draft202012Validator(schema)

accepted = {
    "recipe": sorted((root / "recipes").glob("*.yaml")),
    "rig": sorted((root / "hardware/rigs").glob("*.yaml")),
    "camera": sorted((root / "hardware/cameras").glob("*.yaml")),
    "receiver": sorted((root / "hardware/receivers").glob("*.yaml")),
}
for kind, paths in accepted.items():
    for path in paths:
        for error in errors(kind, path):
            place = "/".join(map(str, error.absolute_path))
            problems.append(f"{path.name} is refused at {place}: {error.message}")

# The first comment of a golden file says whether a schema can see its mistake.
refused = [
    path
    for path in sorted((root / "Tests/RecipesTests/Golden").glob("*.yaml"))
    if path.read_bytes().startswith(b"# schema: refuses")
]
for path in refused:
    prefix = path.name.split("-")[0]
    if not errors(prefix if prefix in ("rig", "camera", "receiver") else "recipe", path):
        problems.append(f"{path.name} is accepted")

if not accepted["recipe"] or not refused:
    problems.append("there is nothing to judge")
print(
    f"{sum(map(len, accepted.values()))} files to accept, {len(refused)} to refuse,"
    f" {len(problems)} problems"
)
print("\n".join(problems))
sys.exit(1 if problems else 0)
