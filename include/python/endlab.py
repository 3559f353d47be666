# SPDX-License-Identifier: GPL-3.0-or-later
"""Endgame tables from Python, over libendlab.

    import endlab
    with endlab.Tables("~/.local/share/endlab:/syzygy") as tables:
        value = tables.probe("8/8/8/3kr3/8/8/2Q5/1K6 w - - 0 1", "dtm")
        print(value.outcome, value.plies)                     # win 63
        for move in tables.moves("8/8/8/3kr3/8/8/2Q5/1K6 w - - 0 1"):
            print(move.san, move.outcome, move.value.plies)   # best first
        print(tables.line("8/8/8/3kr3/8/8/2Q5/1K6 w - - 0 1", "dtm", 6))
        planes = tables.planes("KQvKR", "dtm")
        symbols = numpy.asarray(planes[0])                    # shares the memory, nothing is copied

Positions and slices are written as on the command line, of any game. Threads may share a Tables object; a
call gives other threads of Python their turn. Nothing but the standard library is needed. The library is
the system's libendlab.so.1, or the file that $ENDLAB_LIBRARY names.
"""

import collections
import ctypes
import ctypes.util
import os

__all__ = ["Tables", "Planes", "Value", "Move", "Error", "NoTable", "index", "load_plugins", "position",
           "version"]

Value = collections.namedtuple("Value", "outcome plies phase rounded")
Value.__doc__ = """For the side to move. outcome: "win", "draw", "loss", "cursed-win", "blessed-loss", a bound
("at-most-draw", ...), "unknown" or "broken"; plies: under the metric asked for, 0 where it counts none;
phase: of metrics that tell it; rounded: the plies may be one more."""

Move = collections.namedtuple("Move", "san uci outcome value")
Move.__doc__ = "A move and what it is worth to the side that makes it; outcome is that under the rule."


class Error(Exception):
    """What the library says, with its status (status.h)."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


class NoTable(Error):
    """The question was understood, and no table answers it."""


# ---- the library's own shapes: include/endlab/engine.h ----

_MOVES = 256
_OUTCOMES = ("loss", "blessed-loss", "draw", "cursed-win", "win", "unknown", "broken", "at-most-draw",
             "at-least-draw", "at-least-cursed-win", "at-most-blessed-loss")


class _Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int), ("text", ctypes.c_char * 512)]


class _Value(ctypes.Structure):
    _fields_ = [("outcome", ctypes.c_uint8), ("plies", ctypes.c_uint16), ("phase", ctypes.c_uint16),
                ("rounded", ctypes.c_bool)]


class _Options(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("folders", ctypes.c_char_p), ("cache_bytes", ctypes.c_size_t)]


class _Move(ctypes.Structure):
    _fields_ = [("san", ctypes.c_char * 32), ("uci", ctypes.c_char * 32), ("outcome", ctypes.c_uint8),
                ("value", _Value)]


class _Plane(ctypes.Structure):
    _fields_ = [("symbols", ctypes.POINTER(ctypes.c_uint16)), ("values", ctypes.POINTER(_Value)),
                ("positions", ctypes.c_uint64), ("value_count", ctypes.c_uint32)]


class _Planes(ctypes.Structure):
    _fields_ = [("slice", ctypes.c_char * 40), ("count", ctypes.c_uint), ("plane", _Plane * 2)]


def _load():
    name = os.environ.get("ENDLAB_LIBRARY") or "libendlab.so.1"
    library = ctypes.CDLL(name, mode=ctypes.RTLD_GLOBAL)  # plug-ins call functions of it
    p, text, error = ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(_Error)
    size = ctypes.POINTER(ctypes.c_size_t)
    for function, result, arguments in (
            ("el_version", text, ()),
            ("el_engine_open", ctypes.c_int, (ctypes.POINTER(_Options), ctypes.POINTER(p), error)),
            ("el_engine_close", None, (p,)),
            ("el_engine_rescan", ctypes.c_int, (p, error)),
            ("el_engine_pieces", ctypes.c_uint, (p,)),
            ("el_engine_metric", p, (text,)),
            ("el_engine_metric_name", text, (p,)),
            ("el_engine_ask", ctypes.c_int, (p, text, p, ctypes.c_uint, ctypes.POINTER(_Value), error)),
            ("el_engine_moves", ctypes.c_int,
             (p, text, ctypes.POINTER(p), ctypes.c_uint, ctypes.POINTER(_Move), size, error)),
            ("el_engine_line", ctypes.c_int,
             (p, text, p, ctypes.POINTER(_Move), ctypes.c_size_t, size, error)),
            ("el_engine_planes", ctypes.c_int,
             (p, text, p, ctypes.POINTER(ctypes.POINTER(_Planes)), error)),
            ("el_engine_planes_free", None, (ctypes.POINTER(_Planes),)),
            ("el_codec_load_places", ctypes.c_int, (text, error)),
            ("el_engine_index", ctypes.c_int,
             (text, text, ctypes.POINTER(ctypes.c_uint), ctypes.POINTER(ctypes.c_uint64), error)),
            ("el_engine_position", ctypes.c_int, (text, ctypes.c_uint, ctypes.c_uint64, text, error))):
        f = getattr(library, function)
        f.restype, f.argtypes = result, arguments
    return library


_library = _load()


def _call(function, *arguments):
    """The function's last argument is its error; one that is not EL_OK is raised."""
    error = _Error()
    status = getattr(_library, function)(*arguments, ctypes.byref(error))
    if status:
        raise (NoTable if status == 1 else Error)(status, error.text.decode(errors="replace"))


def _text(text):
    encoded = os.fsencode(text)
    if b"\0" in encoded:
        raise ValueError("a text with a zero character in it")
    return encoded


def _metric(name):
    metric = _library.el_engine_metric(_text(name))
    if not metric:
        raise ValueError("unknown metric %r" % name)
    return metric


def _value(v):
    return Value(_OUTCOMES[v.outcome], v.plies, v.phase, v.rounded)


def _moves(moves, count):
    return [Move(m.san.decode(), m.uci.decode(), _OUTCOMES[m.outcome], _value(m.value))
            for m in moves[:count]]


# ---- what others use ----

def version():
    """Of the library: "1.0.0"."""
    return _library.el_version().decode()


def load_plugins(places=None):
    """Load codecs from shared objects, for tables that they wrote: a colon-separated list of files and
    folders; None: $ENDLAB_PLUGINS and the usual folders. Before the tables are opened."""
    _call("el_codec_load_places", None if places is None else _text(places))


def index(position):
    """(slice, plane, index): where the value of a position is."""
    name, plane, at = ctypes.create_string_buffer(40), ctypes.c_uint(), ctypes.c_uint64()
    _call("el_engine_index", _text(position), name, ctypes.byref(plane), ctypes.byref(at))
    return name.value.decode(), plane.value, at.value


def position(slice, plane, index):
    """The position at an index; None where no legal position has it."""
    text = ctypes.create_string_buffer(128)
    try:
        _call("el_engine_position", _text(slice), plane, index, text)
    except NoTable:
        return None
    return text.value.decode()


class Tables:
    """Open tables. folders: a colon-separated text, or a list; cache_bytes: of blocks kept in memory."""

    def __init__(self, folders, cache_bytes=0):
        if not isinstance(folders, (str, bytes, os.PathLike)):
            folders = ":".join(os.fspath(f) for f in folders)
        folders = ":".join(os.path.expanduser(f) for f in os.fsdecode(folders).split(":"))
        self._engine = ctypes.c_void_p()
        options = _Options(ctypes.sizeof(_Options), _text(folders), cache_bytes)
        _call("el_engine_open", ctypes.byref(options), ctypes.byref(self._engine))

    def close(self):
        """Planes that were read before stay valid."""
        engine, self._engine = self._engine, ctypes.c_void_p()
        _library.el_engine_close(engine)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, "_engine", None):
            self.close()

    def _open(self):
        if not self._engine:
            raise ValueError("the tables are closed")
        return self._engine

    @property
    def pieces(self):
        """The most pieces of any chess table that is open."""
        return _library.el_engine_pieces(self._open())

    def rescan(self):
        """Look at the folders again."""
        _call("el_engine_rescan", self._open())

    def probe(self, position, metric="wdl", soft=False, moves=True):
        """The Value of a position for the side to move. soft: from memory alone; moves: without a table of
        its own, a position is valued by its moves. NoTable where none tells."""
        value = _Value()
        _call("el_engine_ask", self._open(), _text(position), _metric(metric),
              (1 if soft else 0) | (2 if moves else 0), ctypes.byref(value))
        return _value(value)

    def moves(self, position, metric=None, rule=50):
        """All legal moves as a list of Move, best first. metric: by which moves of the same outcome are
        ranked, by default the finest that is known; rule: the 50-move rule, another one, or 0 for none."""
        moves, count = (_Move * _MOVES)(), ctypes.c_size_t()
        if not 0 <= rule <= 299:
            raise ValueError("a rule of %r moves, expected 0 to 299" % (rule,))
        by = ctypes.c_void_p(_metric(metric) if metric else None)
        _call("el_engine_moves", self._open(), _text(position), ctypes.byref(by), rule, moves,
              ctypes.byref(count))
        return _moves(moves, count.value)

    def line(self, position, metric="dtm", max=100):
        """The optimal line, as a list of Move."""
        moves, count = (_Move * max)(), ctypes.c_size_t()
        _call("el_engine_line", self._open(), _text(position), _metric(metric), moves, max,
              ctypes.byref(count))
        return _moves(moves, count.value)

    def planes(self, slice, metric="wdl"):
        """All values of a slice, as Planes."""
        planes = ctypes.POINTER(_Planes)()
        _call("el_engine_planes", self._open(), _text(slice), _metric(metric), ctypes.byref(planes))
        return Planes(planes)


class Plane:
    """One side to move: plane[i] is the Value at an index. numpy.asarray(plane) is the array of symbols, of
    16 bits, without a copy; plane.values tells what a symbol stands for. Good for as long as it is held."""

    def __init__(self, owner, plane):
        self._owner = owner
        self.values = [_value(plane.values[i]) for i in range(plane.value_count)]
        self.symbols = ctypes.cast(plane.symbols,
                                   ctypes.POINTER(ctypes.c_uint16 * plane.positions)).contents
        self.symbols._owner = owner  # the buffer keeps what it lies in

    def __len__(self):
        return len(self.symbols)

    def __getitem__(self, at):
        return self.values[self.symbols[at]]

    @property
    def buffer(self):
        """A read-only memoryview of the symbols."""
        return memoryview(self.symbols).toreadonly()

    def __array__(self, dtype=None, copy=None):
        import numpy
        array = numpy.frombuffer(self.buffer, dtype="=u2")
        return array if dtype is None and not copy else numpy.array(array, dtype=dtype)


class Planes:
    """The planes of a slice: White (the side named first) to move, then Black; one where both are alike."""

    def __init__(self, planes):
        self._planes = planes
        self.slice = planes.contents.slice.decode()
        self._all = [Plane(_Freed(planes), planes.contents.plane[0])]
        if planes.contents.count == 2:
            self._all.append(Plane(self._all[0]._owner, planes.contents.plane[1]))

    def __len__(self):
        return len(self._all)

    def __getitem__(self, plane):
        return self._all[plane]


class _Freed:
    """Frees the planes with the last of those who hold them."""

    def __init__(self, planes):
        self._planes = planes

    def __del__(self):
        _library.el_engine_planes_free(self._planes)
