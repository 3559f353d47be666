# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares what tests/others/read_egt.py reads from a table with what Endlab says of it. Exits with an error
where they differ.

    table.py arrays TABLE DIR            every block, against the arrays of `endlab export --format raw`
    table.py random SLICE COUNT SEED     prints positions at random, some not legal
    table.py answers TABLE TSV           against the lines of `endlab probe --tsv`
    table.py damage TABLE                changes one byte at a time, here and there: the reader must notice
    table.py page PAGE                   the positions on the manual page
"""
import array
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "others"))
import read_egt
from egt_games import GAMES, Morris

CODES = {2: "win", 1: "cursed-win", 0: "draw", -1: "blessed-loss", -2: "loss"}
CODES.update({-100: "at-most-draw", 100: "at-least-draw", 127: "unknown", -128: "broken"})
ORDER = (
    *("loss", "at-most-draw", "blessed-loss", "unknown"),
    *("draw", "at-least-draw", "cursed-win", "win"),
)
# Of more positions as many are compared, at random; with TRUTH all.
MANY = 1 << 62 if os.environ.get("TRUTH") else 4000


def is_worse(metric, a, b):
    if a[0] != b[0]:
        return ORDER.index(a[0]) < ORDER.index(b[0])
    longer_is_better = (a[0] in ("loss", "blessed-loss")) != (metric == "score")
    return a[1:] != b[1:] and (a[1:] < b[1:]) == longer_is_better


def exported(folder, table, plane):
    """By index: outcome, plies, phase."""
    hand = getattr(table.game, "hand", [0, 0])  # men are placed in turn
    side = ("white", "black")[plane if hand[0] == hand[1] else hand[1] > hand[0]]
    stem = f"{folder}/{table.slice.replace(':', '-')}.{table.metric}.{side}"

    def load(part, kind):
        numbers = array.array(kind)
        path = f"{stem}.{part}.raw"
        if not os.path.exists(path):
            return [0] * table.game.positions
        with open(path, "rb") as file:
            numbers.frombytes(file.read())
        return numbers

    plies = load("stones" if table.metric == "score" else "plies", "hH"[table.metric != "score"])
    codes = map(CODES.get, load("outcome", "b"))
    values = list(zip(codes, map(abs, plies), load("phase", "H")))
    assert len(values) == table.game.positions
    return values


def pieces_at(game, digits):
    """The pieces as marks want them."""
    return [pair for (letters, sets), d in zip(game.digits, digits) for pair in zip(letters, sets[d])]


def check_index(table, plane, index, digits, is_broken):
    """Does the page call the index broken where Endlab does?"""
    there = pieces_at(table.game, digits)
    board = {square: letter for letter, square in there}
    broken = table.game.impossible(there, plane)
    if not broken:
        broken = table.game.place({"side": plane, "board": board})[1] != index
    assert broken == is_broken, (plane, index)


def arrays(path, folder):
    table = read_egt.Table(path)
    game, same, free = table.game, 0, 0
    assert len(table.planes) == game.planes
    for plane in table.planes:
        symbols = table.symbols(plane)
        if not symbols:
            assert plane.number == table.left_out
            continue
        expected = exported(folder, table, plane.number)
        indexes = range(game.positions)
        if game.positions > MANY:
            indexes = random.Random(1).sample(indexes, MANY)
        for index in indexes:
            digits = game.take_apart(index) if game.digits else []
            found, value = plane.values[symbols[plane.number_of(index, digits)]], expected[index]
            if table.game_name == "chess" and index % 100 == 0:
                check_index(table, plane.number, index, digits, value[0] == "broken")
            if value[0] == "broken":
                assert found[0] == "broken" or table.fill, (plane.number, index, found)
            elif found[:2] == value[:2] and found[2] in (0, value[2]):
                same += 1
            elif table.derives_outcomes:
                is_free = value[0] == "draw" or ("win" in value[0] and value[1] == 1)
                assert is_free or found[1] == value[1], (plane.number, index, found, value)
                free, same = free + is_free, same + (not is_free)
            else:
                assert table.derives_captures, (plane.number, index, found, value)
                free += 1
                if hasattr(game, "may_capture"):
                    assert game.may_capture(pieces_at(game, digits), plane.number), (index, found, value)
                if table.game_name != "checkers":
                    assert is_worse(table.metric, found, value), (index, found, value)
    assert same
    print(f"{path}: {same} values the same, {free} left to {'outcomes' if table.derives_outcomes else 'captures'}")


def fen(board, side, rights):
    rows = ["".join(board[8 * r : 8 * r + 8]) for r in range(7, -1, -1)]
    for n in range(8, 0, -1):
        rows = [row.replace("." * n, str(n)) for row in rows]
    return f"{'/'.join(rows)} {side} {rights or '-'} - 0 1"


def random_castling(sides, rng):
    board, rights, rest = ["."] * 64, "", []
    if rng.random() < 0.5:
        sides = sides[::-1]
    for letters, rank, case in ((sides[0], 0, str.upper), (sides[1], 56, str.lower)):
        letters = list(letters)
        for right, file in (("K", 7), ("Q", 0)):
            if "R" in letters and rng.random() < 0.6:
                board[rank + 4], board[rank + file] = case("K"), case("R")
                letters.remove("R")
                rights += case(right)
        rest += [case(c) for c in letters if c != "K" or board[rank + 4] != case("K")]
    for letter in rest:
        board[rng.choice([s for s in range(64) if board[s] == "."])] = letter
    return fen(board, rng.choice("wb"), rights) if rights else random_castling(sides, rng)


def random_chess(slice, rng):
    pieces = slice.replace("v", "")[1:]
    split = slice.index("v")
    board = ["."] * 64
    swap = rng.random() < 0.5
    for i, letter in enumerate("K" + pieces):
        letter = letter if (i < split) != swap else letter.lower()
        board[rng.choice([s for s in range(64) if board[s] == "."])] = letter
    return fen(board, rng.choice("wb"), "")


def random_lists(slice, rng, names, letters):
    sides, *hand = slice.split(":")[1].split("+")
    sides = sides.split("v")
    if sides[0].isdigit():
        sides = ["M" * int(n) for n in sides]
    hand = [f"+{n}" for n in hand] or ["", ""]
    if rng.random() < 0.5:
        sides.reverse()
        hand.reverse()
    squares = rng.sample(names, len(sides[0] + sides[1]))
    lists = [[letters.get(kind, "") + squares.pop() for kind in side] for side in sides]
    return f"{rng.choice('WB')}:W{','.join(lists[0])}{hand[0]}:B{','.join(lists[1])}{hand[1]}"


def random_awari(slice, rng):
    stones = int(slice.split(":")[1])
    pits = [0] * 12
    for _ in range(stones):
        pits[rng.randrange(12)] += 1
    prefix = "oware:" * slice.startswith("oware")
    return prefix + "-".join(map(str, [*pits, 0, 0, rng.choice("SN")]))


def random_positions(slice, count, seed):
    rng = random.Random(int(seed))
    points = ["abcdefg"[file] + str(rank + 1) for file, rank in Morris.points()]
    for _ in range(int(count)):
        if slice.startswith("checkers"):
            print(random_lists(slice, rng, [str(n) for n in range(1, 33)], {"K": "K"}))
        elif slice.startswith("morris"):
            print(random_lists(slice, rng, points, {}))
        elif slice.startswith(("awari", "oware")):
            print(random_awari(slice, rng))
        elif slice.endswith("+castling"):
            print(random_castling(slice.removesuffix("+castling").split("v"), rng))
        else:
            print(random_chess(slice, rng))


def answers(path, tsv):
    table = read_egt.Table(path)
    compared = 0
    with open(tsv) as file:
        lines = [line.rstrip("\n").split("\t") for line in file]
    heading = lines.pop(0)
    for line in lines:
        if line[1] == "error":
            continue
        fields = dict(zip(heading, line))
        side, index, number, value = table.probe(line[0])
        told = fields[table.metric].replace("-", "", 1) or "0"  # stones that are lost; nothing, for draws
        assert (fields["wdl"], int(told)) == value[:2], (line, value)
        compared += 1
    assert compared > 20
    print(f"{path}: {compared} positions")


def damage(path):
    with open(path, "rb") as file:
        sound = file.read()
    rng = random.Random(7)
    for _ in range(30):
        at = rng.randrange(8, len(sound))
        damaged = bytearray(sound)
        damaged[at] ^= 1 << rng.randrange(8)
        with open(path, "wb") as file:
            file.write(damaged)
        try:
            table = read_egt.Table(path)
            for plane in table.planes:
                table.symbols(plane)
        except read_egt.Damaged as why:
            if at >= table_begin(sound) and "checksum" not in str(why):
                raise
            continue
        finally:
            with open(path, "wb") as file:
                file.write(sound)
        sys.exit(f"byte {at} was changed, and nobody noticed")


def page(path):
    with open(path) as file:
        lines = file.read().split(".Sh EXAMPLES")[1].split(".Bd -literal\n")[1].split(".Ed")[0].splitlines()
    for line in lines:
        text, slice, plane, index = line.rsplit(maxsplit=3)
        name = slice.split(":")[0] if ":" in slice else "chess"
        game = GAMES[name](slice)
        found = game.place(game.parse(text.strip()))
        assert found[:2] == (int(plane), int(index)), (line, found)
    assert {line.split()[-3].split(":")[0] for line in lines} >= {"KRvK", "checkers", "morris", "awari"}


def table_begin(sound):
    return int.from_bytes(sound[12:16], "little")


if __name__ == "__main__":
    command, *rest = sys.argv[1:]
    commands = {"arrays": arrays, "random": random_positions, "answers": answers}
    commands.update(damage=damage, page=page)
    commands[command](*rest)
