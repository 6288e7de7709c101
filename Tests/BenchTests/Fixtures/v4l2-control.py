"""Another program at a camera: sets controls by name, and prints what they are then.

v4l2-control.py DEVICE NAME=VALUE…    names as v4l2-ctl writes them: small letters, underscores; input=N selects one
"""

import fcntl
import re
import struct
import sys

# From linux/videodev2.h.
VIDIOC_G_CTRL, VIDIOC_S_CTRL, VIDIOC_QUERYCTRL = 0xC008561B, 0xC008561C, 0xC0445624
VIDIOC_S_INPUT = 0xC0045627
NEXT_CONTROL, BUTTON = 0x80000000, 4


def controls(device):
    """Every control of a device: name to (id, type)."""
    found, last = {}, 0
    while True:
        query = bytearray(struct.pack("<I64x", last | NEXT_CONTROL))
        try:
            fcntl.ioctl(device, VIDIOC_QUERYCTRL, query)
        except OSError:
            return found
        last, kind, name = struct.unpack_from("<II32s", query)
        name = name.split(b"\0")[0].decode().lower()
        found["_".join(re.findall("[a-z0-9]+", name))] = last, kind


with open(sys.argv[1], "r+b", buffering=0) as device:
    known = controls(device)
    for word in sys.argv[2:]:
        name, _, value = word.partition("=")
        if name == "input":
            fcntl.ioctl(device, VIDIOC_S_INPUT, bytearray(struct.pack("<i", int(value))))
            continue
        if name not in known:
            sys.exit(f"{sys.argv[1]} has no control {name}; it has: {' '.join(known)}")
        number, kind = known[name]
        fcntl.ioctl(device, VIDIOC_S_CTRL, struct.pack("<Ii", number, int(value)))
        if kind != BUTTON:
            answer = bytearray(struct.pack("<Ii", number, 0))
            fcntl.ioctl(device, VIDIOC_G_CTRL, answer)
            print(name, struct.unpack("<Ii", answer)[1])
