"""Compares every seventh row of captured frames with what a light in front of the sensor must have done to each of them.

    csi-light.py PIXELS WIDTH HEIGHT BITS LINE_PIXELS RATE ROWS_A_LINE LINES_BEFORE BLACK SCENE LIGHT

PIXELS: the frames one after the other as `capture --keep` writes them, from number 0. LINE_PIXELS / RATE is the time
of a line, RATE a whole number or a fraction. LINES_BEFORE: lines on the bus before the image, `global` where all rows are
exposed at once. Frames and the light's changes are read from port 0; all else is worked out here, in fractions.
Prints rows that saw none of the light, that saw a part, that saw it all the time, and that differ by more than a count.
"""
import csv
import sys
from fractions import Fraction

sys.path.insert(0, 'hardware/bench/csi')
import frames  # noqa: E402

PORT = '/sys/kernel/debug/framelock-csi/port0/'
path, words = sys.argv[1], sys.argv[2:]
width, height, bits, line_pixels = map(int, words[:4])
row_time = Fraction(line_pixels) * 10**9 / Fraction(words[4]) / int(words[5])
before = None if words[6] == 'global' else int(words[6]) * int(words[5])
black, scene, light = map(int, words[7:10])

changes = [(int(row['at_ns']), row['is_on'] == '1') for row in csv.DictReader(open(PORT + 'light'))]
changes.append((10**18, False))
flashes = [(on, off) for (on, is_on), (off, _) in zip(changes, changes[1:]) if is_on]
truths = list(csv.DictReader(open(PORT + 'truth')))
data = open(path, 'rb').read()
count = len(data) // (height * width * bits // 8)
size = len(data) // count
bytes_per_line = -(-width * bits // 8 // 32) * 32

none = part = full = wrong = 0
for number in range(count):
    truth = truths[number]
    exposure, gain = int(truth['exposure_ns']), Fraction(int(truth['gain_q16']), 65536)
    frame = data[number * size:(number + 1) * size]
    for row in range(0, height, 7):
        end = int(truth['start_ns']) + (0 if before is None else (before + row) * row_time)
        lit = sum(max(0, min(off, end) - max(on, end - exposure)) for on, off in flashes)
        none, part, full = none + (lit == 0), part + (0 < lit < exposure), full + (lit == exposure)
        counts = (scene * exposure + light * lit) * gain / 10**9
        wanted = min(black + counts * Fraction(2)**(bits - 10), 2**bits - 1)
        if abs(frames.pixel(frame, bytes_per_line, bits, row, 8) - wanted) > 1:
            wrong += 1
print(none, part, full, wrong)
