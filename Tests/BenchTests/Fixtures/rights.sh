#!/usr/bin/env bash
# Somebody without rights: what is missing is said before anything is recorded, with what to do about it.
source Tests/BenchTests/Fixtures/stage.sh

gpio-sim create bench-gpio line17=GPIO17 line27=GPIO27 line22=GPIO22 line23=GPIO23 line24=GPIO24 \
    >/dev/null
# shellcheck disable=SC2119 # options of its own, or none
plug_in

# as GROUPS NAME ARGUMENT…: a framelock command of the user nobody, who is in these groups besides.
as() {
    local groups=(--clear-groups) name=$2 status=0
    [[ $1 == none ]] || groups=(--groups "$1")
    shift 2
    setpriv --reuid nobody --regid nogroup "${groups[@]}" "$framelock" "$@" \
        >"$results/$name.stdout" 2>"$results/$name.stderr" || status=$?
    echo "$status" >"$results/$name.exit"
}
# At a path that nobody may write to: a run that is refused would fail there for another reason.
still=(run "$fixtures/usb-still.yaml" --set frames=5 --output)
triggered=(run recipes/triggered-inspection.yaml --rig hardware/rigs/bench.yaml --set parts=1 --output)

chmod 600 /dev/video* /dev/gpiochip*
as none root-only "${still[@]}" /tmp/root-only
as none listing devices

chgrp video /dev/video*
chgrp dialout /dev/gpiochip*
chmod 660 /dev/video* /dev/gpiochip*
as none no-camera "${still[@]}" /tmp/no-camera
as video no-lines "${triggered[@]}" /tmp/no-lines
as video ordinary "${still[@]}" /tmp/ordinary
for name in root-only no-camera no-lines; do
    [[ ! -e /tmp/$name ]] || touch "$results/$name.left"
done
unplug
