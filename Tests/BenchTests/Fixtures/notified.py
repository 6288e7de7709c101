"""What a program tells systemd: each message of the notification socket with its time, as comma-separated values.

notified.py SOCKET
"""

import socket
import sys
import time

server = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
server.bind(sys.argv[1])
print("time_ns,message", flush=True)
while True:
    message = server.recv(4096).decode()
    print(f"{time.monotonic_ns()},{message}", flush=True)
