"""The kernel's side of the CSI bench: subdevices and nodes of a port, their formats, controls and buffers."""
import ctypes
import fcntl
import glob
import mmap
import os
import select
import struct

CODES = {  # media bus code, pixel format, bits a pixel
    'SRGGB8': (0x3014, b'RGGB', 8), 'SGRBG8': (0x3002, b'GRBG', 8), 'SGBRG8': (0x3013, b'GBRG', 8),
    'SBGGR8': (0x3001, b'BA81', 8), 'Y8': (0x2001, b'GREY', 8),
    'SRGGB10': (0x300f, b'pRAA', 10), 'SGRBG10': (0x300a, b'pgAA', 10), 'SGBRG10': (0x300e, b'pGAA', 10),
    'SBGGR10': (0x3007, b'pBAA', 10), 'Y10': (0x200a, b'Y10P', 10),
    'SRGGB12': (0x3012, b'pRCC', 12), 'SGRBG12': (0x3011, b'pgCC', 12), 'SGBRG12': (0x3010, b'pGCC', 12),
    'SBGGR12': (0x3008, b'pBCC', 12), 'Y12': (0x2013, b'Y12P', 12),
}
META = {8: (0x8001, b'MET8'), 10: (0x8002, b'MC1A'), 12: (0x8003, b'MC1C')}
CONTROLS = {
    'exposure': 0x00980911, 'gain': 0x009e0903, 'digital-gain': 0x009f0905, 'vblank': 0x009e0901,
    'hblank': 0x009e0902, 'hflip': 0x00980914, 'vflip': 0x00980915, 'focus': 0x009a090a,
}
VIDEO, METADATA = 1, 13


class Missing(Exception):
    pass


def device(is_wanted, what):
    """The device file of the node that this name and place in sysfs are wanted of."""
    for node in sorted(glob.glob('/sys/class/video4linux/*')):
        with open(node + '/name') as file:
            if is_wanted(file.read().strip(), os.path.realpath(node + '/device')):
                return os.open('/dev/' + os.path.basename(node), os.O_RDWR | os.O_NONBLOCK)
    raise Missing(f'there is no {what}')


def sensor(port):
    place = f'csi-port-{port}/'
    return device(lambda name, path: place in path and not path.endswith('-000c'), f'sensor at port {port}')


def lens(port):
    return device(lambda name, path: f'csi-port-{port}/' in path and path.endswith('-000c'), f'lens at port {port}')


def unicam(port, name='unicam'):
    return device(lambda found, path: found == name and f'1000000{port}000.unicam' in path, f'{name} at port {port}')


def set_pad(subdevice, pad, width, height, code, stream=0):
    """One format, without field, raw colours; refuses another one than was asked for."""
    fmt = bytearray(struct.pack('<7I', 1, pad, width, height, code, 1, 11).ljust(56, b'\0'))
    fmt += struct.pack('<8I', stream, *[0] * 7)
    fcntl.ioctl(subdevice, 0xC0585605, fmt)
    got = struct.unpack_from('<3I', fmt, 8)
    if got != (width, height, code):
        raise Missing(f'pad {pad} took {got[0]}x{got[1]}, code 0x{got[2]:x}')


def set_route(unicam):
    """Leads the embedded lines to their node, beside the picture."""
    fcntl.ioctl(unicam, 0xC0085666, bytearray(struct.pack('<Q', 1)))
    routes = bytearray(b''.join(struct.pack('<10I', 0, stream, stream + 1, 0, 1, *[0] * 5) for stream in (0, 1)))
    buffer = (ctypes.c_char * len(routes)).from_buffer(routes)
    fcntl.ioctl(unicam, 0xC0405627, bytearray(struct.pack('<2IQI', 1, 2, ctypes.addressof(buffer), 2).ljust(64, b'\0')))


def set_control(subdevice, name, value):
    fcntl.ioctl(subdevice, 0xC008561C, bytearray(struct.pack('<2I', CONTROLS[name], value)))


class Node:
    """A capture node with its buffers."""

    def __init__(self, file, kind, fmt, count):
        self.file, self.kind = file, kind
        fmt = bytearray(struct.pack('<Q', kind) + fmt).ljust(208, b'\0')
        fcntl.ioctl(file, 0xC0D05605, fmt)
        self.format = struct.unpack_from('<6I', fmt, 8)
        fcntl.ioctl(file, 0xC0145608, bytearray(struct.pack('<5I', count, kind, 1, 0, 0)))
        self.maps = []
        for index in range(count):
            buffer = self.buffer(index)
            fcntl.ioctl(file, 0xC0585609, buffer)
            offset, length = struct.unpack_from('<Q', buffer, 64)[0], struct.unpack_from('<I', buffer, 72)[0]
            self.maps.append(mmap.mmap(file, length, offset=offset))
            self.queue(index)

    def buffer(self, index=0):
        return bytearray(struct.pack('<2I', index, self.kind).ljust(60, b'\0') + struct.pack('<I', 1)).ljust(88, b'\0')

    def queue(self, index):
        fcntl.ioctl(self.file, 0xC058560F, self.buffer(index))

    def stream(self, on):
        fcntl.ioctl(self.file, 0x40045612 if on else 0x40045613, struct.pack('<I', self.kind))

    def dequeue(self, timeout):
        """Index, sequence, time in ns, flags; nothing if no frame came in so many seconds."""
        if not select.select([self.file], [], [], timeout)[0]:
            return None
        buffer = self.buffer()
        fcntl.ioctl(self.file, 0xC0585611, buffer)
        index, _, _, flags = struct.unpack_from('<4I', buffer)
        seconds, microseconds = struct.unpack_from('<2q', buffer, 24)
        return index, struct.unpack_from('<I', buffer, 56)[0], seconds * 10**9 + microseconds * 1000, flags
