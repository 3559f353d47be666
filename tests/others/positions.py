# SPDX-License-Identifier: GPL-3.0-or-later
"""Random legal positions, a FEN a line: positions.py COUNT SLICE..."""

import random
import sys

import endlab

random.seed(5)
for i in range(int(sys.argv[1])):
    fen = None
    while not fen:
        try:
            fen = endlab.position(sys.argv[2 + i % (len(sys.argv) - 2)], random.randrange(2), random.randrange(1 << 21))
        except endlab.BadQuestion:
            pass  # past the end of the slice
    print(fen)
