# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python module against the program: library.py ENDLAB FOLDER PAGES.SO. Prints 'ok' or 'not ok' lines."""

import gc
import os
import pickle
import random
import subprocess
import sys
import threading
import warnings

import endlab

program, folder, plugin = sys.argv[1:4]
random.seed(1)
failed = False
FEN = "8/8/8/3kr3/8/8/2Q5/1K6 w - - 0 1"


def verdict(name, good):
    global failed
    failed |= not good
    print("ok" if good else "not ok", "library.py:", name)


def raises(kind, call):
    try:
        call()
    except kind as e:
        return str(e)
    return None


def error(call):
    try:
        call()
    except endlab.Error as e:
        return e
    return None


def told(fens):
    """What the program says of them: wdl and dtm."""
    out = subprocess.run([program, "--dir", folder, "probe", "--stdin", "--tsv", "--metric", "dtm"], text=True,
                         input="\n".join(fens) + "\n", capture_output=True, check=True).stdout
    return [line.split("\t")[1:3] for line in out.splitlines()[1:]]


with endlab.Tables(folder) as tables:
    verdict("opens", tables.pieces == 4 and endlab.version().count(".") == 2)
    fens = []
    while len(fens) < 500:
        fen = endlab.position("KQvKR", random.randrange(2), random.randrange(1892352))
        fens += [fen] if fen else []
    values = [(tables.probe(f, "wdl"), tables.probe(f, "dtm")) for f in fens]
    # The program shows no depth of a draw.
    found = [[w.outcome, str(d.plies) if d.outcome != "draw" else "-"] for w, d in values]
    verdict("values are those of the program", found == told(fens))

    planes = tables.planes("KQvKR", "dtm")
    good = len(planes) == 2 and planes.slice == "KQvKR" and len(planes[0]) == 1892352
    for fen, (_, value) in zip(fens, values):
        name, plane, at = endlab.index(fen)
        good &= name == "KQvKR" and planes[plane][at] == value
    verdict("planes have them too", good)
    moves = tables.moves(FEN, "dtm")
    best = tables.probe(FEN, "dtm")
    worth = [("loss", "draw", "win").index(m.outcome) for m in moves]
    verdict("moves are ranked", len(moves) > 20 and moves[0].value == best and min(worth) == 0 and
            worth == sorted(worth, reverse=True))
    line = tables.line(FEN, "dtm")
    verdict("a line ends in checkmate", len(line) == best.plies and line[-1].san.endswith("#"))
    verdict("a short line", [m.uci for m in tables.line(FEN, "dtm", 3)] == [m.uci for m in line[:3]])
    verdict("no table", bool(raises(endlab.NoTable, lambda: tables.probe("8/8/8/3kb3/8/8/2Q5/1K6 w - - 0 1"))))
    verdict("no position", "not a position" in raises(endlab.Error, lambda: tables.probe("rubbish")))
    verdict("no slice", type(error(lambda: tables.planes("KXvK"))) is endlab.BadQuestion and
            type(error(lambda: tables.planes("KRRvKQ"))) is endlab.NoTable)
    verdict("a rule out of range", "expected 0 to 299" in raises(ValueError, lambda: tables.moves(FEN, rule=-1)))
    verdict("a default", tables.get("8/8/8/3kb3/8/8/2Q5/1K6 w - - 0 1", default=3) == 3 and
            tables.get(FEN, "dtm") == best)
    verdict("tables alone", bool(raises(endlab.NoTable, lambda: tables.probe("8/8/8/3k4/8/8/8/1K6 w - - 0 1", moves=False))))
    verdict("outcomes", best.outcome == "win" and best.outcome is endlab.Outcome.WIN and best.outcome.exact and
            str(endlab.Outcome(9)) == "at-least-cursed-win" and endlab.Outcome.LOSS < endlab.Outcome.DRAW and
            "%s" % best.outcome == f"{best.outcome}" == "win" and best.outcome != "draw")

    many = tables.probe_many(fens, "dtm")
    verdict("many at once", list(many) == [d for _, d in values] and many[3:5] == list(many)[3:5])
    lacking = tables.probe_many([FEN, "8/8/8/3kb3/8/8/2Q5/1K6 w - - 0 1"])
    verdict("one without a table", [str(v.outcome) for v in lacking] == ["win", "unknown"])
    verdict("one that is none", "line 2: " in raises(endlab.BadQuestion, lambda: tables.probe_many([FEN, "rubbish"])) and
            "line 3: 'rubbish'" in raises(endlab.BadQuestion, lambda: tables.probe_many(
                [FEN, "8/8/8/3kb3/8/8/2Q5/1K6 w - - 0 1", "rubbish"])))
    damaged = folder + "/../damaged"
    os.makedirs(damaged)
    with open(folder + "/KQvK.dtm.egt", "rb") as file:
        table = bytearray(file.read())
    table[len(table) // 4] ^= 1
    with open(damaged + "/KQvK.dtm.egt", "wb") as file:
        file.write(table)
    queens = [p for p in (endlab.position("KQvK", 0, i) for i in range(0, 29568, 13)) if p]
    with endlab.Tables(damaged) as halves, warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found, whole = halves.probe_many(queens, "dtm"), tables.probe_many(queens, "dtm")
        unknown = [f.outcome == "unknown" for f in found]
        verdict("a damaged block costs its own values", 0 < sum(unknown) < len(queens) and
                all(u or f == w for u, f, w in zip(unknown, found, whole)))
        verdict("with a warning", [w.category for w in told] == [endlab.Unusable] and
                "KQvK.dtm.egt: block " in str(told[0].message))
        verdict("no position among them", "line %d: 'rubbish'" % (len(queens) + 1) in
                raises(endlab.BadQuestion, lambda: halves.probe_many(queens + ["rubbish"], "dtm")))
    verdict("none at all", len(tables.probe_many([])) == 0)
    verdict("a list of tables", {(t.slice, t.metric) for t in tables.tables} >= {("KQvKR", "dtm"), ("KQvK", "dtm")} and
            all(t.kind == "egt" and t.path.endswith(".egt") and t.bytes and not t.partial for t in tables.tables))
    again = pickle.loads(pickle.dumps(tables))
    verdict("pickled", again.probe(FEN, "dtm") == best and pickle.loads(pickle.dumps(many)) == many and
            str(pickle.loads(pickle.dumps(endlab.NoTable(1, "why")))) == "why" and
            pickle.loads(pickle.dumps(best)) == best)
    again.close()
    broken = [i for i in range(2000) if endlab.position("KQvKR", 0, i) is None]
    verdict("no position, no value", broken and all(planes[0][i].outcome == "broken" for i in broken))
    verdict("names for others", endlab.__version__ == endlab.version() and
            "return" in endlab.Tables.probe.__annotations__)

    verdict("no metric", "unknown metric" in raises(ValueError, lambda: tables.probe(FEN, "xyz")))
    verdict("a zero character", bool(raises(ValueError, lambda: tables.probe("a\0b"))))

    other = folder + "/../other"
    subprocess.run([program, "recode", folder + "/KQvK.dtm.egt", "-o", other + "/KQvK.dtm.egt", "--plugin", plugin,
                    "--codec", "pages"], check=True, capture_output=True)
    ending = "8/8/8/3k4/8/8/2Q5/1K6 w - - 0 1"
    with endlab.Tables(other) as others:
        verdict("a table of a codec that is not loaded", bool(raises(endlab.Error, lambda: others.probe(ending))))
    endlab.load_plugins(plugin)
    with endlab.Tables(other) as others:
        verdict("and of one that is", others.probe(ending, "dtm") == tables.probe(ending, "dtm"))

    wrong = []
    def ask():
        wrong.extend(f for f, v in zip(fens, values) if tables.probe(f, "dtm") != v[1])
    threads = [threading.Thread(target=ask) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    verdict("four threads", not wrong)

verdict("closed", "closed" in raises(ValueError, lambda: tables.probe(FEN)))
try:
    import numpy
    array = numpy.asarray(planes[0])
    symbols = planes[0].symbols
    good = array.dtype == numpy.uint16 and not array.flags.writeable and not array.flags.owndata
    good &= array.__array_interface__["data"][0] == __import__("ctypes").addressof(symbols)
    del planes, symbols
    gc.collect()
    verdict("numpy shares the memory, which stays", good and int(array.max()) <= 60)
    verdict("numpy takes many values", numpy.asarray(many)["plies"].tolist() == [v.plies for v in many])
except ImportError:
    print("skip library.py: no numpy")
sys.exit(failed)
