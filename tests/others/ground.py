# SPDX-License-Identifier: GPL-3.0-or-later
"""A terminal that is asked for its background answers in every way: ground.py ENDLAB exits with 0 if the theme is the one
that fits, no part of an answer is a key, and what was typed before it is not lost."""

import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time

ATTRIBUTES = b"\033[?62;c"
WHITE = b"\033]11;rgb:ffff/ffff/ffff\033\\"
FEN = "8/8/8/8/8/2k5/8/K6Q w - - 0 1"


def run(answer, delay=0.0, **environment):
    """What the program writes in two seconds when the terminal answers like this."""
    pid, terminal = pty.fork()
    if pid == 0:
        # Without a folder for it, no theme is kept from run to run.
        os.environ.update(TERM="xterm-256color", XDG_STATE_HOME="/dev/null", **environment)
        os.execv(sys.argv[1], [sys.argv[1], FEN])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    written, answered, end = b"", False, time.time() + 2 + delay
    while time.time() < end:
        if select.select([terminal], [], [], 0.05)[0]:
            written += os.read(terminal, 1 << 16)
        if not answered and ATTRIBUTES.replace(b"?62;", b"") in written:
            answered = True
            time.sleep(delay)
            os.write(terminal, answer)
    os.kill(pid, 9)
    os.waitpid(pid, 0)
    return written


def is_light(written):
    return b"\033[38;5;236m" in written  # the title's text in the light theme


maps = b"broken"  # a word of the map, which m opens
cases = [
    ("white", run(WHITE + ATTRIBUTES), True, False),
    ("black", run(b"\033]11;rgb:0000/0000/0000\007" + ATTRIBUTES), False, False),
    ("two digits", run(b"\033]11;rgb:fa/f0/e0\007" + ATTRIBUTES), True, False),
    ("no answer", run(b""), False, False),
    ("COLORFGBG", run(ATTRIBUTES, COLORFGBG="0;15"), True, False),
    ("a key before it", run(b"m" + WHITE + ATTRIBUTES), True, True),
    ("late", run(WHITE + ATTRIBUTES, delay=0.7), False, False),
]
bad = [name for name, written, light, shown in cases if is_light(written) != light or (maps in written) != shown]
print("\n".join(bad), end="")
sys.exit(bool(bad))
