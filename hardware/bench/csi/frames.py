"""What a frame of the CSI bench says of itself; the README tells the layout."""
import struct

TRUTH = ['number', 'stream', 'exposure_lines', 'exposure_ns', 'gain_code', 'digital_code', 'gain_q16', 'frame_length',
         'line_length', 'start_ns', 'pixel_rate', 'lens', 'sensor']


def pixel(data, bytes_per_line, bits, row, column):
    start = row * bytes_per_line
    if bits == 8:
        return data[start + column]
    if bits == 10:
        start += column // 4 * 5
        return data[start + column % 4] << 2 | data[start + 4] >> 2 * (column % 4) & 3
    start += column // 2 * 3
    return data[start + column % 2] << 4 | data[start + 2] >> 4 * (column % 2) & 15


def checksum(data):
    result = 0xffff
    for byte in data:
        result ^= byte << 8
        for _ in range(8):
            result = (result << 1 ^ 0x1021 if result & 0x8000 else result << 1) & 0xffff
    return result


def truth(data, bytes_per_line, bits):
    """What the frame says of itself, in the order of TRUTH; nothing where there is no pattern."""
    packed = bytearray()
    for byte in range(64):
        value = 0
        for bit in range(8):
            column = (byte % 8 * 8 + bit) * 8 + 4
            value = value << 1 | (pixel(data, bytes_per_line, bits, byte // 8 * 8 + 4, column) >> (bits - 1))
        packed.append(value)
    words = struct.unpack('>16I', packed)
    if words[0] != 0xc51a0110 or checksum(packed[:62]) != words[15] & 0xffff:
        return [''] * len(TRUTH)
    return [words[1], words[2], words[3], words[4] << 32 | words[5], words[6] >> 16, words[6] & 0xffff, words[7],
            words[8], words[9], words[10] << 32 | words[11], words[12], words[13] >> 16, f'{words[15] >> 16:04x}']


def flat_and_contrast(data, bytes_per_line, bits, width):
    """Mean of the flat half, and the difference of bright and dark checks, over sixteen rows of the scene."""
    rows = range(64, 80)
    flat = [pixel(data, bytes_per_line, bits, row, column) for row in rows for column in range(0, 64)]
    checks = [pixel(data, bytes_per_line, bits, row, column) for row in rows for column in range(width - 64, width)]
    return [f'{sum(flat) / len(flat):.3f}', max(checks) - min(checks)]


def embedded(data, bits):
    """The registers that the first embedded line tells, as ADDRESS=VALUE."""
    group = {10: 5, 12: 3}.get(bits, 0)
    plain = [byte for place, byte in enumerate(data[:1024]) if not group or place % group != group - 1]
    registers, address = {}, 0
    for tag, value in zip(plain[1::2], plain[2::2]):
        if tag == 0xaa:
            address = address & 0xff | value << 8
        elif tag == 0xa5:
            address = address & 0xff00 | value
        elif tag == 0x5a:
            registers[address] = value
            address += 1
        else:
            break
    if plain[0] != 0x0a:
        return ''
    return ' '.join(f'{address:04x}={value:02x}' for address, value in sorted(registers.items()))
