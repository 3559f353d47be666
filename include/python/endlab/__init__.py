# SPDX-License-Identifier: MIT
"""Endgame tables from Python, over libendlab.

    import endlab
    with endlab.Tables("~/.local/share/endlab:/syzygy") as tables:
        value = tables.probe("8/8/8/3kr3/8/8/2Q5/1K6 w - - 0 1", "dtm")
        print(value.outcome, value.plies)                     # win 63
        for move in tables.moves("8/8/8/3kr3/8/8/2Q5/1K6 w - - 0 1"):
            print(move.san, move.outcome, move.value.plies)   # best first
        print(tables.line("8/8/8/3kr3/8/8/2Q5/1K6 w - - 0 1", "dtm", 6))
        values = tables.probe_many(fens, "wdl")               # many at once, in one call of the library
        planes = tables.planes("KQvKR", "dtm")
        symbols = numpy.asarray(planes[0])                    # shares the memory, nothing is copied

Positions and slices are written as on the command line, of any game. Threads may share a Tables object; a
call gives other threads of Python their turn. Nothing but the standard library is needed. The library is
the file that $ENDLAB_LIBRARY names, libendlab.so.1 beside this module or in the lib folder that the module
lies in, or the system's.
"""

import collections.abc
import ctypes
import enum
import os
import warnings
from typing import Any, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

__all__ = ["Tables", "Table", "Planes", "Plane", "Value", "Values", "Move", "Outcome", "Error", "NoTable",
           "BadQuestion", "index", "load_plugins", "position", "version"]

_Texts = Union[str, bytes, "os.PathLike[str]"]


class Outcome(enum.IntEnum):
    """For the side to move. Exact ones compare: Outcome.LOSS < Outcome.DRAW < Outcome.WIN. Each equals its
    name, Outcome.WIN == "win", but not as the key of a dictionary."""

    LOSS = 0
    BLESSED_LOSS = 1
    DRAW = 2
    CURSED_WIN = 3
    WIN = 4
    UNKNOWN = 5
    BROKEN = 6
    AT_MOST_DRAW = 7
    AT_LEAST_DRAW = 8
    AT_LEAST_CURSED_WIN = 9
    AT_MOST_BLESSED_LOSS = 10

    @property
    def exact(self) -> bool:
        """Is it known exactly? Others are bounds, unknown, or of an index without a position."""
        return self <= Outcome.WIN

    def __str__(self) -> str:
        return self.name.lower().replace("_", "-")

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __eq__(self, other: object) -> bool:
        return str(self) == other if isinstance(other, str) else int(self) == other

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = int.__hash__


class Value(NamedTuple):
    """For the side to move. plies: under the metric asked for, 0 where it counts none; phase: of metrics that
    tell it; rounded: the plies may be one more; at_most: they may be less."""

    outcome: Outcome
    plies: int
    phase: int
    rounded: bool
    at_most: bool = False


class Move(NamedTuple):
    """A move and what it is worth to the side that makes it; outcome is that under the rule."""

    san: str
    uci: str
    outcome: Outcome
    value: Value


class Table(NamedTuple):
    """An open table. pieces: stones in awari; partial: some of its values are bounds."""

    slice: str
    metric: str
    kind: str
    path: str
    pieces: int
    bytes: int
    partial: bool


class Error(Exception):
    """What the library says, with its status (status.h)."""

    def __init__(self, status: int, text: str):
        super().__init__(status, text)
        self.status = status
        self.text = text

    def __str__(self) -> str:
        return self.text


class NoTable(Error, LookupError):
    """The question was understood, and no table answers it."""


class BadQuestion(Error, ValueError):
    """No position, no slice, or no move-count rule is written like this. Positions are read strictly:
    none has castling rights or an en passant square that cannot be."""


class Unusable(RuntimeWarning):
    """A file that is damaged or cannot be read: some values are missing for it alone."""


# ---- the library's own shapes: include/endlab/engine.h ----

_MOVES = 256
_OUTCOMES = tuple(Outcome)
_SOFT, _BY_MOVES = 1, 2
_FAULTS = 3, 4, 7, 8  # of files: enum el_status


class _Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int), ("text", ctypes.c_char * 512)]


class _Value(ctypes.Structure):
    _fields_ = [("outcome", ctypes.c_uint8), ("plies", ctypes.c_uint16), ("phase", ctypes.c_uint16),
                ("rounded", ctypes.c_bool), ("at_most", ctypes.c_bool)]


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


class _Table(ctypes.Structure):
    _fields_ = [("slice", ctypes.c_char * 40), ("kind", ctypes.c_char * 16), ("path", ctypes.c_char_p),
                ("metric", ctypes.c_void_p), ("bytes", ctypes.c_uint64), ("pieces", ctypes.c_uint),
                ("partial", ctypes.c_bool)]


def _open_library() -> ctypes.CDLL:
    """PREFIX/lib/python3.N/dist-packages/endlab is three folders below the library's."""
    name, here = "libendlab.so.1", os.path.dirname(os.path.abspath(__file__))
    places = [os.environ["ENDLAB_LIBRARY"]] if os.environ.get("ENDLAB_LIBRARY") else \
        [os.path.join(here, name), os.path.join(here, "../../..", name), name, "/usr/local/lib/" + name]
    failures = []
    for place in places:
        if os.sep in place and not os.path.exists(place):
            failures.append(place + ": no such file")
            continue
        try:
            return ctypes.CDLL(place, mode=ctypes.RTLD_GLOBAL)  # plug-ins call functions of it
        except OSError as e:
            failures.append(str(e))
    raise ImportError("endlab: no library (`make install-library`, or set ENDLAB_LIBRARY): "
                      + "; ".join(failures))


def _load() -> ctypes.CDLL:
    library = _open_library()
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
            ("el_engine_ask_lines", ctypes.c_int,
             (p, text, ctypes.c_size_t, p, ctypes.c_uint, ctypes.POINTER(_Value), text, error)),
            ("el_engine_tables", ctypes.c_int, (p, ctypes.POINTER(ctypes.POINTER(_Table)), size, error)),
            ("el_engine_tables_free", None, (ctypes.POINTER(_Table),)),
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
        raise _error(status, error)


def _error(status: int, error: _Error) -> Error:
    return {1: NoTable, 2: BadQuestion}.get(status, Error)(status, error.text.decode(errors="replace"))


def _text(text: _Texts) -> bytes:
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
    return Value(_OUTCOMES[v.outcome], v.plies, v.phase, v.rounded, v.at_most)


def _flags(soft: bool, moves: bool) -> int:
    return (_SOFT if soft else 0) | (_BY_MOVES if moves else 0)


def _moves(moves, count):
    return [Move(m.san.decode(), m.uci.decode(), _OUTCOMES[m.outcome], _value(m.value))
            for m in moves[:count]]


# ---- what others use ----

def version() -> str:
    """Of the library: "1.0.0"."""
    return _library.el_version().decode()


__version__ = version()


def load_plugins(places: Optional[_Texts] = None) -> None:
    """Load codecs from shared objects, for tables that they wrote: a colon-separated list of files and
    folders; None: $ENDLAB_PLUGINS and the usual folders. Before the tables are opened."""
    _call("el_codec_load_places", None if places is None else _text(places))


def index(position: _Texts) -> Tuple[str, int, int]:
    """(slice, plane, index): where the value of a position is."""
    name, plane, at = ctypes.create_string_buffer(40), ctypes.c_uint(), ctypes.c_uint64()
    _call("el_engine_index", _text(position), name, ctypes.byref(plane), ctypes.byref(at))
    return name.value.decode(), plane.value, at.value


def position(slice: _Texts, plane: int, index: int) -> Optional[str]:
    """The position at an index; None where no legal position has it."""
    text = ctypes.create_string_buffer(128)
    try:
        _call("el_engine_position", _text(slice), plane, index, text)
    except NoTable:
        return None
    return text.value.decode()


class Tables:
    """Open tables. folders: a colon-separated text, or a list; cache_bytes: of blocks kept in memory. A copy
    in another process, as multiprocessing makes it, opens the same folders."""

    def __init__(self, folders: Union[_Texts, Iterable[_Texts]], cache_bytes: int = 0):
        self._arguments = folders if isinstance(folders, (str, bytes, os.PathLike)) else list(folders), cache_bytes
        folders = self._arguments[0]
        if not isinstance(folders, (str, bytes, os.PathLike)):
            folders = ":".join(os.fspath(f) for f in folders)
        folders = ":".join(os.path.expanduser(f) for f in os.fsdecode(folders).split(":"))
        self._engine = ctypes.c_void_p()
        options = _Options(ctypes.sizeof(_Options), _text(folders), cache_bytes)
        _call("el_engine_open", ctypes.byref(options), ctypes.byref(self._engine))

    def __reduce__(self) -> Any:
        return Tables, self._arguments

    def close(self) -> None:
        """Planes that were read before stay valid."""
        engine, self._engine = self._engine, ctypes.c_void_p()
        _library.el_engine_close(engine)

    def __enter__(self) -> "Tables":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self):
        if getattr(self, "_engine", None):
            self.close()

    def _open(self):
        if not self._engine:
            raise ValueError("the tables are closed")
        return self._engine

    @property
    def pieces(self) -> int:
        """The most pieces of any chess table that is open."""
        return _library.el_engine_pieces(self._open())

    @property
    def tables(self) -> List[Table]:
        """All that are open, in the order in which they answer."""
        tables, count = ctypes.POINTER(_Table)(), ctypes.c_size_t()
        _call("el_engine_tables", self._open(), ctypes.byref(tables), ctypes.byref(count))
        try:
            return [Table(t.slice.decode(), _library.el_engine_metric_name(t.metric).decode(), t.kind.decode(),
                          os.fsdecode(t.path), t.pieces, t.bytes, t.partial) for t in tables[:count.value]]
        finally:
            _library.el_engine_tables_free(tables)

    def rescan(self) -> None:
        """Look at the folders again."""
        _call("el_engine_rescan", self._open())

    def probe(self, position: _Texts, metric: _Texts = "wdl", soft: bool = False, moves: bool = True) -> Value:
        """The Value of a position for the side to move. soft: from memory alone; moves: without a table of
        its own, a position is valued by its moves. NoTable where none tells; BadQuestion: no position."""
        value = _Value()
        _call("el_engine_ask", self._open(), _text(position), _metric(metric),
              _flags(soft, moves), ctypes.byref(value))
        return _value(value)

    def get(self, position: _Texts, metric: _Texts = "wdl", default: Any = None, soft: bool = False,
            moves: bool = True) -> Any:
        """As probe, but `default` where no table tells."""
        try:
            return self.probe(position, metric, soft, moves)
        except NoTable:
            return default

    def probe_many(self, positions: Iterable[_Texts], metric: _Texts = "wdl", soft: bool = False,
                   moves: bool = True) -> "Values":
        """The Values of a list or an array of positions, in one call: Outcome.UNKNOWN where no table tells, or
        where a file that would cannot be used, which the warning Unusable names. BadQuestion names the line,
        counted from 1, of the first that is no position."""
        texts = [p if isinstance(p, str) else os.fsdecode(p) for p in positions]
        lines = "\n".join(texts)
        if "\0" in lines or lines.count("\n") != max(len(texts) - 1, 0):
            raise ValueError("a position with a zero or a line feed in it")
        values, statuses = (_Value * len(texts))(), ctypes.create_string_buffer(len(texts) + 1)
        error = _Error()
        status = _library.el_engine_ask_lines(self._open(), os.fsencode(lines), len(texts), _metric(metric),
                                              _flags(soft, moves), values, statuses, ctypes.byref(error))
        if status in _FAULTS:
            for line, (text, one) in enumerate(zip(texts, statuses.raw), 1):
                if one == 2:
                    raise BadQuestion(2, "line %d: %r is no position" % (line, text))
            warnings.warn(error.text.decode(errors="replace"), Unusable, stacklevel=2)
        elif status > 1:  # one of 1 is a missing table, and UNKNOWN among the values
            raise _error(status, error)
        return Values(values)

    def moves(self, position: _Texts, metric: Optional[_Texts] = None, rule: int = 50) -> List[Move]:
        """All legal moves as a list of Move, best first. metric: by which moves of the same outcome are
        ranked, by default the finest that is known; rule: the 50-move rule, another one, or 0 for none."""
        moves, count = (_Move * _MOVES)(), ctypes.c_size_t()
        if not 0 <= rule <= 299:
            raise ValueError("a rule of %r moves, expected 0 to 299" % (rule,))
        by = ctypes.c_void_p(_metric(metric) if metric else None)
        _call("el_engine_moves", self._open(), _text(position), ctypes.byref(by), rule, moves,
              ctypes.byref(count))
        return _moves(moves, count.value)

    def line(self, position: _Texts, metric: _Texts = "dtm", max: int = 100) -> List[Move]:
        """The optimal line, as a list of Move."""
        moves, count = (_Move * max)(), ctypes.c_size_t()
        _call("el_engine_line", self._open(), _text(position), _metric(metric), moves, max,
              ctypes.byref(count))
        return _moves(moves, count.value)

    def planes(self, slice: _Texts, metric: _Texts = "wdl") -> "Planes":
        """All values of a slice, as Planes."""
        planes = ctypes.POINTER(_Planes)()
        _call("el_engine_planes", self._open(), _text(slice), _metric(metric), ctypes.byref(planes))
        return Planes(planes)


class Values(collections.abc.Sequence):
    """Many values: values[i] is a Value. numpy.asarray(values) is an array of records with the fields outcome,
    plies, phase, rounded and at_most, without a copy."""

    def __init__(self, values: Any):
        self._values = values

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, at: Any) -> Any:
        return [_value(v) for v in self._values[at]] if isinstance(at, slice) else _value(self._values[at])

    def __iter__(self) -> Iterator[Value]:
        return map(_value, self._values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, collections.abc.Sequence) and list(self) == list(other)

    def __reduce__(self) -> Any:
        return _values_again, (bytes(self._values),)

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> Any:
        import numpy
        array = numpy.frombuffer(self._values, dtype=numpy.dtype(_Value))
        return array if dtype is None and not copy else numpy.array(array, dtype=dtype)


def _values_again(raw: bytes) -> Values:
    return Values((_Value * (len(raw) // ctypes.sizeof(_Value))).from_buffer_copy(raw))


class Plane:
    """One side to move: plane[i] is the Value at an index. numpy.asarray(plane) is the array of symbols, of
    16 bits, without a copy; plane.values tells what a symbol stands for. Good for as long as it is held."""

    def __init__(self, owner, plane):
        self._owner = owner
        self.values = [_value(plane.values[i]) for i in range(plane.value_count)]
        self.symbols = ctypes.cast(plane.symbols,
                                   ctypes.POINTER(ctypes.c_uint16 * plane.positions)).contents
        self.symbols._owner = owner  # the buffer keeps what it lies in

    def __len__(self) -> int:
        return len(self.symbols)

    def __getitem__(self, at: int) -> Value:
        return self.values[self.symbols[at]]

    @property
    def buffer(self) -> memoryview:
        """A read-only memoryview of the symbols."""
        return memoryview(self.symbols).toreadonly()

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> Any:
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

    def __len__(self) -> int:
        return len(self._all)

    def __getitem__(self, plane: int) -> Plane:
        return self._all[plane]


class _Freed:
    """Frees the planes with the last of those who hold them."""

    def __init__(self, planes):
        self._planes = planes

    def __del__(self):
        _library.el_engine_planes_free(self._planes)
