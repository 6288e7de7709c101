#!/usr/bin/env bash
# A sweep over frame rates behind a raw sensor, as settings.txt in the results folder says: SENSOR PIXELS SIZE. The profile
# is the sensor's, with the latencies that the bench's sensors have.
source Tests/BenchTests/Fixtures/stage.sh
source Tests/BenchTests/Fixtures/exact.sh

mkdir "$results/cameras"
"$framelock" devices --json >"$results/devices.json"
read -r sensor pixels size <"$results/settings.txt"
exact "$sensor"
id=$(camera_of "$sensor")
sed -e "s|CAMERA|$id|" -e "s|PROFILE|$sensor-exact|" -e "s|PIXELS|$pixels|" -e "s|SIZE|$size|" \
    "$fixtures/csi-rates.yaml" >"$results/rates.yaml"
record rates "../../../$(realpath --relative-to=. "$results")/rates.yaml" --profiles "$results/cameras"
