#!/usr/bin/env bash
# Raw pixels through the media graph.
source Tests/BenchTests/Fixtures/stage.sh

record eight vimc-raw.yaml
record ten vimc-raw-10.yaml
