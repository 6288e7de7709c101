"""Measures OpenCV's demosaic on one thread: megapixels per second, one line for each method."""

import sys
import time

import cv2
import numpy

width, height, repeats = (int(word) for word in sys.argv[1:4])
cv2.setNumThreads(1)
frame = numpy.random.default_rng(1).integers(0, 256, (height, width), dtype=numpy.uint8)
methods = {
    "bilinear": cv2.COLOR_BayerBG2RGB,
    "edge-aware": cv2.COLOR_BayerBG2RGB_EA,
    "variable number of gradients": cv2.COLOR_BayerBG2RGB_VNG,
}
for name, code in methods.items():
    output = cv2.cvtColor(frame, code)
    # VNG is an order of magnitude slower than the others.
    count = max(1, repeats // (20 if "number" in name else 1))
    start = time.perf_counter()
    for _ in range(count):
        cv2.cvtColor(frame, code, dst=output)
    elapsed = time.perf_counter() - start
    print(f"{name}\t{count * width * height / elapsed / 1e6:.3f}")
