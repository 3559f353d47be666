# SPDX-License-Identifier: GPL-3.0-or-later
"""A terminal behind a slow line is resized a hundred times while the program draws: resize.py ENDLAB [ARGUMENT...]
exits with the program's status after Q."""

import fcntl
import os
import pty
import struct
import sys
import termios
import threading
import time

BYTES_A_SECOND = 100e3

pid, terminal = pty.fork()
if pid == 0:
    os.environ["TERM"] = "xterm-256color"
    os.execv(sys.argv[1], sys.argv[1:])


def read_slowly():
    try:
        while True:
            time.sleep(len(os.read(terminal, 4096)) / BYTES_A_SECOND)
    except OSError:
        pass  # the program has ended


def resize(rows, cols):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))


resize(24, 80)
threading.Thread(target=read_slowly, daemon=True).start()
time.sleep(1)
for i in range(100):
    resize(24 + i % 30, 80 + 4 * (i % 30))
    time.sleep(0.03)
time.sleep(1)
os.write(terminal, b"Q")
end = time.time() + 30
while time.time() < end:
    done, status = os.waitpid(pid, os.WNOHANG)
    if done:
        sys.exit(os.waitstatus_to_exitcode(status))
    time.sleep(0.05)
sys.exit("the program did not end")
