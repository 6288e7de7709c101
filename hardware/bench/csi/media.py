"""The media devices of the CSI bench as Python sees them: entities, pads, links, formats, by the kernel's ioctls."""
import ctypes
import errno
import fcntl
import glob
import os
import struct
import sys

CODES = {"SBGGR8": 0x3001, "SGBRG8": 0x3013, "SGRBG8": 0x3002, "SRGGB8": 0x3014, "SBGGR10": 0x3007, "SGBRG10": 0x300E,
         "SGRBG10": 0x300A, "SRGGB10": 0x300F, "SBGGR12": 0x3008, "SGBRG12": 0x3010, "SGRBG12": 0x3011, "SRGGB12": 0x3012,
         "SBGGR16": 0x301D, "SGBRG16": 0x301E, "SGRBG16": 0x301F, "SRGGB16": 0x3020, "SENSOR_DATA": 0x7002,
         "META_8": 0x8001, "META_10": 0x8002, "META_12": 0x8003}
FIELDS = {"any": 0, "none": 1}
IMAGE, META, META_OUTPUT = 1, 13, 14
ENABLED, IMMUTABLE = 1, 2


def request(direction, letter, number, size):
    return direction << 30 | size << 16 | ord(letter) << 8 | number


TOPOLOGY, SETUP_LINK = request(3, "|", 4, 72), request(3, "|", 3, 52)
SUBDEV_G_FMT, SUBDEV_S_FMT = request(3, "V", 4, 88), request(3, "V", 5, 88)
S_ROUTING, S_CLIENT_CAP = request(3, "V", 39, 64), request(3, "V", 102, 8)
G_FMT, S_FMT, REQBUFS = request(3, "V", 4, 208), request(3, "V", 5, 208), request(3, "V", 8, 20)
QUERYBUF, QBUF, DQBUF = request(3, "V", 9, 88), request(3, "V", 15, 88), request(3, "V", 17, 88)
STREAMON, STREAMOFF = request(1, "V", 18, 4), request(1, "V", 19, 4)


def call(file, number, data, what):
    """An ioctl; its failure ends the program with the error's name, as a test wants to read it."""
    try:
        fcntl.ioctl(file, number, data, True)
    except OSError as error:
        sys.exit(f"{what}: {errno.errorcode[error.errno]}")
    return data


class Graph:
    def __init__(self, sensor):
        for path in sorted(glob.glob("/dev/media*")):
            self.file = os.open(path, os.O_RDWR)
            self.read()
            if sensor is None or any(name.startswith(sensor) for name in self.entities):
                return
            os.close(self.file)
        sys.exit(f"no media device has an entity {sensor}…" if sensor else "there is no media device")

    def read(self):
        head = bytearray(72)
        call(self.file, TOPOLOGY, head, "MEDIA_IOC_G_TOPOLOGY")
        tables = []
        for at, size in ((8, 96), (24, 112), (40, 32), (56, 40)):
            count = struct.unpack_from("I", head, at)[0]
            tables.append((ctypes.create_string_buffer(max(count * size, 1)), count, size))
            struct.pack_into("Q", head, at + 8, ctypes.addressof(tables[-1][0]))
        call(self.file, TOPOLOGY, head, "MEDIA_IOC_G_TOPOLOGY")
        entities, interfaces, pads, links = ([table.raw[i * size:(i + 1) * size] for i in range(count)]
                                             for table, count, size in tables)
        self.entities = {e[4:68].split(b"\0")[0].decode(): struct.unpack_from("I", e)[0] for e in entities}
        names = {number: name for name, number in self.entities.items()}
        self.pads = {struct.unpack_from("I", p)[0]: (names[struct.unpack_from("I", p, 4)[0]], *struct.unpack_from("II", p, 8))
                     for p in pads}
        devices = {struct.unpack_from("I", i)[0]: struct.unpack_from("II", i, 48) for i in interfaces}
        self.links, self.nodes = [], {}
        for link in links:
            _, source, sink, flags = struct.unpack_from("IIII", link)
            if source in self.pads:
                self.links.append((self.pads[source], self.pads[sink], flags))
            elif source in devices:
                self.nodes[names[sink]] = "%d:%d" % devices[source]

    def name(self, text):
        """An entity's full name by its beginning."""
        found = [text] if text in self.entities else [name for name in self.entities if name.startswith(text)]
        if len(found) != 1:
            sys.exit(f"{text} is the name of {len(found)} entities of {', '.join(self.entities)}")
        return found[0]

    def open(self, text):
        with open(f"/sys/dev/char/{self.nodes[self.name(text)]}/uevent", encoding="ascii") as lines:
            return os.open("/dev/" + dict(line.strip().split("=") for line in lines)["DEVNAME"], os.O_RDWR)

    def pad(self, text):
        entity, _, pad = text.rpartition(":")
        number, _, stream = pad.partition("/")
        return self.name(entity), int(number), int(stream or 0)

    def set_link(self, source, sink, on):
        for (source_pad, sink_pad, flags) in self.links:
            if (source_pad[0], source_pad[2]) != source or (sink_pad[0], sink_pad[2]) != sink:
                continue
            flags = flags & ~ENABLED | (ENABLED if on else 0)
            data = struct.pack("IHxxIII", self.entities[source[0]], source[1], source_pad[1], 0, 0)
            data += struct.pack("IHxxIII", self.entities[sink[0]], sink[1], sink_pad[1], 0, 0)
            call(self.file, SETUP_LINK, bytearray(data + struct.pack("III", flags, 0, 0)), f"{source} -> {sink}")
            self.read()
            return
        sys.exit(f"there is no link {source[0]}:{source[1]} -> {sink[0]}:{sink[1]}")

    def format(self, where, changes=None, like=None):
        """The format of (entity, pad, stream), after it was set where there is something to set."""
        file = self.open(where[0])
        if where[2]:
            call(file, S_CLIENT_CAP, bytearray(struct.pack("Q", 1)), "SUBDEV_S_CLIENT_CAP")
        data = bytearray(88)
        if changes is not None:
            data[8:56] = self.format(like or where)[8:56]
            for offset, value in changes.items():
                struct.pack_into("I", data, offset, value)
        struct.pack_into("II", data, 0, 1, where[1])
        struct.pack_into("I", data, 56, where[2])
        call(file, SUBDEV_G_FMT if changes is None else SUBDEV_S_FMT, data, f"{where[0]}:{where[1]}/{where[2]}")
        os.close(file)
        return data


def describe(data):
    width, height, code, field, colorspace = struct.unpack_from("IIIII", data, 8)
    names = {number: name for name, number in CODES.items()}
    return f"{names.get(code, hex(code))} {width}x{height} field {field} colorspace {colorspace}"
