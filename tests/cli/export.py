# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads exported files with NumPy and what their JSON says, and nothing else. Exits with an error where
they do not agree with each other.

    export.py arrays DIR SLICE METRIC...     the arrays against the lines of the csv
    export.py raw DIR SLICE METRIC           the raw files against those of NumPy
    export.py counts DIR SLICE METRIC WEIGHT STATS  the arrays against `endlab stats --json`
"""
import csv
import json
import math
import sys
import numpy as np

WORDS = {"win": 2, "cursed-win": 1, "draw": 0, "blessed-loss": -1, "loss": -2}


def describe(folder, table, form):
    with open(f"{folder}/{table}.{form}.json") as file:
        return json.load(file)


def load(folder, plane):
    return {part: np.load(f"{folder}/{one['file']}") for part, one in plane["arrays"].items()}


def decode(about, index):
    """The pieces by square, as 'how_to_decode' says; None where two share a square."""
    part = [p for p in about["index"]["parts"] if p["first"] <= index][-1]
    rest, digits, board = index - part["first"], [], {}
    for group in reversed(part["digits"]):
        rest, digit = divmod(rest, group["radix"])
        digits.insert(0, digit)
    assert rest == 0
    for group, digit in zip(part["digits"], digits):
        if "pits" in group:
            board.update(lay(group, digit))
            continue
        if "placements" in group:
            squares = group["placements"][digit]
        else:
            free = [s for s in group["squares"] if not (group["skips_taken"] and s in board)]
            squares = []
            for n in range(len(group["pieces"]), 0, -1):
                number = max(r for r in range(len(free)) if math.comb(r, n) <= digit)
                digit -= math.comb(number, n)
                squares.append(free[number])
        for square, piece in zip(squares, group["pieces"]):
            if square in board:
                return None
            board[square] = piece
    return board


def lay(group, digit):
    """The stones by pit."""
    bars, ends = len(group["pits"]) - 1, []
    for n in range(bars, 0, -1):
        number = max(r for r in range(group["stones"] + bars) if math.comb(r, n) <= digit)
        digit -= math.comb(number, n)
        ends.insert(0, number)
    ends = [-1, *ends, group["stones"] + bars]
    return {pit: b - a - 1 for pit, a, b in zip(group["pits"], ends, ends[1:])}


def board_of(fen):
    """The same from a FEN, and the side to move."""
    board = {}
    if fen.count("-") == 14:
        *stones, side = fen.split("-")
        return dict(zip("ABCDEFabcdef", map(int, stones))), {"S": "white", "N": "black"}[side]
    if ":" in fen:
        side, *sides = fen.split(":")
        for pieces in sides:
            for piece in filter(None, pieces[1:].split(",")):
                letter = "K" if piece[0] == "K" else "M"
                board[piece.lstrip("K")] = letter if pieces[0] == "W" else letter.lower()
        return board, {"W": "white", "B": "black"}[side]
    rows, side = fen.split()[:2]
    for rank, row in zip("87654321", rows.split("/")):
        file = 0
        for c in row:
            if c.isdigit():
                file += int(c)
            else:
                board["abcdefgh"[file] + rank] = c
                file += 1
    return board, {"w": "white", "b": "black"}[side]


def check_plane(about, plane, arrays, lines):
    outcome = arrays["outcome"]
    assert outcome.dtype == np.int8 and outcome.flags.c_contiguous
    assert list(outcome.shape) == about["shape"] and outcome.size == about["positions"]
    flat = {part: a.reshape(-1) for part, a in arrays.items()}
    legal = np.flatnonzero(flat["outcome"] != about["outcome"]["broken"])
    assert len(legal) == plane["legal"] == len(lines)
    for word, count in plane["counts"].items():
        assert np.count_nonzero(flat["outcome"] == about["outcome"][word]) == count, word
    assert sum(plane["counts"].values()) == about["positions"]
    words = np.array([about["outcome"][line[1]] for line in lines])
    assert (flat["outcome"][legal] == words).all()
    for at, part in ((2, "plies"), (3, "phase"), (2, "stones")):
        if part in arrays:
            dtype = np.dtype("<i2" if part == "stones" else "<u2")
            assert arrays[part].dtype == dtype and arrays[part].shape == outcome.shape
            numbers = np.array([int(line[at] or 0) for line in lines])
            assert (flat[part][legal] == numbers).all(), part
            broken = np.delete(flat[part], legal)
            assert (broken == about["broken_" + part]).all()
    step = max(1, len(legal) // 5000)
    for at in range(0, len(legal), step):
        board, side = board_of(lines[at][0])
        assert side == plane["side_to_move"] and decode(about, int(legal[at])) == board, lines[at]


def check_table(folder, slice, metric):
    table = f"{slice.replace(':', '-')}.{metric}"
    about = describe(folder, table, "npy")
    assert about["slice"] == slice and about["metric"] == metric
    assert all(about["outcome"][w] == n for w, n in WORDS.items() if w in about["outcome"])
    with open(f"{folder}/{table}.csv", newline="") as file:
        lines = list(csv.reader(file))[1:]
    for plane in about["planes"]:
        mine, lines = lines[: plane["legal"]], lines[plane["legal"] :]
        check_plane(about, plane, load(folder, plane), mine)
    assert not lines


def arrays(folder, slice, *metrics):
    for metric in metrics:
        check_table(folder, slice, metric)


def raw(folder, slice, metric):
    about, other = (describe(folder, f"{slice}.{metric}", form) for form in ("raw", "npy"))
    for plane, same in zip(about["planes"], other["planes"]):
        for part, one in plane["arrays"].items():
            found = np.fromfile(f"{folder}/{one['file']}", one["dtype"]).reshape(about["shape"])
            assert (found == np.load(f"{folder}/{same['arrays'][part]['file']}")).all()


def images(board):
    """The mirror images of a chess board, itself among them."""
    def turned(square, k):
        file, rank = ord(square[0]) - 97, ord(square[1]) - 49
        file, rank = (7 - file if k & 1 else file), (7 - rank if k & 2 else rank)
        file, rank = (rank, file) if k & 4 else (file, rank)
        return chr(file + 97) + chr(rank + 49)
    return {tuple(sorted((turned(s, k), p) for s, p in board.items())) for k in range(8)}


def counts(folder, slice, metric, weight, stats):
    """Each index counts as often as it has images: WEIGHT, or for 0 as many as there are."""
    about = describe(folder, f"{slice.replace(':', '-')}.{metric}", "npy")
    with open(stats) as file:
        expected = json.load(file)
    for plane in about["planes"]:
        flat = load(folder, plane)["outcome"].reshape(-1)
        side = expected[plane["side_to_move"] + "_to_move"]
        assert side["unique"] == np.count_nonzero(flat != about["outcome"]["broken"])
        times = np.full(flat.size, int(weight))
        if weight == "0":
            for index in np.flatnonzero(flat != about["outcome"]["broken"]):
                times[index] = len(images(decode(about, int(index))))
        limit = about.get("rule_plies", 0) // 2
        of_rule = side[f"wdl{limit}"] if limit else side
        for word in about["outcome"]:
            if word.replace("-", "_") in of_rule:
                found = times[flat == about["outcome"][word]].sum()
                assert of_rule[word.replace("-", "_")] == found, (word, found)


{"arrays": arrays, "raw": raw, "counts": counts}[sys.argv[1]](*sys.argv[2:])
