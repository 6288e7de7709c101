#!/usr/bin/env bash
# 5,000 edges on a line: with a camera that runs by itself, and with one that the line exposes.
source Tests/BenchTests/Fixtures/stage.sh

gpio-sim create bench-gpio line17=GPIO17 line27=GPIO27 line22=GPIO22 line23=GPIO23 line24=GPIO24 \
    >/dev/null
level=$(echo /sys/devices/platform/gpio-sim.*/gpiochip*/sim_gpio17/value)

# take_parts NAME RECIPE PARTS FILE: runs the recipe while the pulses of the file are played.
take_parts() {
    begin "$1" "$2" --rig hardware/rigs/bench.yaml --set parts="$3"
    await running "$results/$1/run.json"
    gpio-sim play bench-gpio GPIO17 --log "$results/$1.played" --file "$results/$4"
    finish "$1"
}

take_parts free trigger-vivid.yaml 5000 spaced

# The first two frames of the stream are not used.
plug_in --trigger "$level" --timing burst --truth "$results/exposed.truth"
take_parts exposed trigger-usb.yaml 4998 crowded
unplug
