#!/usr/bin/env bash
# Raw pixels through the media graph.
source Tests/BenchTests/Fixtures/stage.sh

record eight vimc-raw.yaml
record ten vimc-raw-10.yaml

# The node behind the demosaicer is offered nowhere.
keep devices devices --json
sed 's/platform:vimc"/platform:vimc#2"/' "$fixtures/vimc-raw.yaml" >/tmp/processed.yaml
keep processed run /tmp/processed.yaml --output /tmp/processed
