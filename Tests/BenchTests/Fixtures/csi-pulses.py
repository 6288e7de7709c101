"""Pulses on a simulated line and at a sensor's trigger at once, until a process has ended: PULL TRIGGER REST MS PID."""
import os
import sys
import time


def main():
    rest, milliseconds, process = int(sys.argv[3]), float(sys.argv[4]), int(sys.argv[5])
    pull, trigger = (os.open(path, os.O_WRONLY) for path in sys.argv[1:3])

    def put(level):
        os.pwrite(pull, b'pull-up' if level else b'pull-down', 0)
        os.write(trigger, b'1' if level else b'0')

    distance = 0
    while os.path.exists(f'/proc/{process}/fd/0'):
        # 60 to 95 ms apart, no two in a row alike.
        time.sleep(0.060 + distance * 0.005)
        distance = (distance + 3) % 8
        put(1 - rest)
        time.sleep(milliseconds / 1000)
        put(rest)


main()
