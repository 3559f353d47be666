# SPDX-License-Identifier: GPL-3.0-or-later
"""Four megabytes are pasted into a terminal, at a game and at the prompt, with Q on lines of their own: paste.py ENDLAB
exits with the program's status after a last Q; 1 if not all of it came, or it took a minute."""

import os
import pty
import re
import select
import sys
import threading
import time

SIZE = 4 << 20
GAME = b'[Event "x"]\n\n1. e4 e5 2. Nf3 Nc6 {\nQ\n} *\n\n'
ALL = SIZE // len(GAME)

pid, terminal = pty.fork()
if pid == 0:
    os.environ["TERM"] = "xterm-256color"
    os.execv(sys.argv[1], sys.argv[1:])


def shows(pattern, seconds):
    """Does the program write it by then?"""
    shown = b""
    end = time.time() + seconds
    while time.time() < end and not re.search(pattern, shown):
        if select.select([terminal], [], [], 0.05)[0]:
            try:
                shown = shown[-10000:] + os.read(terminal, 1 << 16)
            except OSError:
                return False  # it has ended
    return re.search(pattern, shown)


def write(data):
    while data:
        data = data[os.write(terminal, data) :]


def paste(data):
    threading.Thread(target=write, args=(b"\033[200~" + data + b"\033[201~",), daemon=True).start()


good = shows(b"Explore", 20)
paste(GAME * ALL)
good = good and shows(b"Nf3", 60)  # of the first game, while the others are read
write(b"O")
for _ in range(300):  # ^L draws whole lines
    write(b"\014")
    if shows(f"{ALL:,} games".encode(), 0.2):
        break
else:
    good = False
write(b":")
paste(b"Q\n" * (SIZE // 2))
good = good and shows(b"4,095", 60)
write(b"\033")
time.sleep(1)
write(b"Q")
end = time.time() + 30
while time.time() < end:
    shows(b"$^", 0.05)
    done, status = os.waitpid(pid, os.WNOHANG)
    if done:
        sys.exit(os.waitstatus_to_exitcode(status) if good else 1)
sys.exit("the program did not end")
