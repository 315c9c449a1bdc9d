# SPDX-License-Identifier: GPL-3.0-or-later
"""The library, its errors, and tables of results."""
import os
from collections.abc import Mapping

import numpy as np

from . import _config
from ._ffi import ffi


def _find(names, configured):
    """The first of the files that is there: beside the package, by the environment, installed."""
    here = os.path.dirname(os.path.abspath(__file__))
    prefix = os.path.normpath(os.path.join(here, "..", "..", "..", ".."))
    environment, file, *relative = names
    places = [os.environ.get(environment, ""), os.path.join(here, file)]
    places += [os.path.join(prefix, place, file) for place in relative]
    places.append(os.path.join(configured, file))
    found = next((place for place in places if place and os.path.exists(place)), None)
    return file if found is None else os.path.abspath(found)


# the parts that models include, where the package has them; else the library knows where they are
_parts = os.path.join(os.path.dirname(os.path.abspath(__file__)), "library")
_lib = ffi.dlopen(_find(("HALFARROW_LIBRARY", _config.LIBRARY, "lib"), _config.LIBDIR))


def _text(value):
    return "" if value == ffi.NULL else ffi.string(value).decode("utf-8", "replace")


def _bytes(text):
    return os.fsencode(text)


def _number(value, name):
    try:
        return float(value)
    except (TypeError, ValueError):
        remedy = "; give it in SI units" if isinstance(value, str) else ""
        raise TypeError(f"`{name}` needs a number, not {value!r}{remedy}") from None


def _no_output(name, names):
    """The error of a result without an output of this name; names[0] is the time."""
    more = ", ..." if len(names) > 8 else ""
    return KeyError(f"`{name}` is no output; there are {', '.join(names[1:8])}{more}; "
                    "a file with `outputs` gives those alone")


def _value(value, name):
    """A value as a model file has it."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    return str(value) if isinstance(value, int) else repr(_number(value, name))


def _mapping(given, name, of):
    """A mapping as a dictionary, empty where there is none."""
    if given is None:
        return {}
    if not isinstance(given, Mapping) or not all(isinstance(key, str) for key in given):
        raise TypeError(f"`{name}` needs {of}, not {given!r}")
    return dict(given)


class Error(Exception):
    """What a model, a value or a run failed of.

    `text` says it; `file`, `line` and `column` say where, None where it stands nowhere; `status` is
    the name of the library's status; `element`, of a model that was built, says of what.

    >>> try:
    ...     ha.graph("Se>1a>R;1a>X")
    ... except ha.Error as error:
    ...     print(error.file, error.line, error.column > 0)
    --graph 1 True
    """

    def __init__(self, text, file=None, line=None, column=None, status="", element=None):
        place = "" if file is None else ":".join(str(x) for x in (file, line, column) if x) + ": "
        super().__init__(place + ("" if element is None else f"{element}: ") + text)
        self.text, self.file, self.line, self.column = text, file, line, column
        self.status, self.element = status, element


Error.__module__ = "halfarrow"


class _Context:
    """A context of the library, with the errors of its calls; `origin` finds what a line of a
    model is made of."""

    def __init__(self, origin=None):
        self.origin, self.raised = origin, None
        self.c = ffi.gc(_lib.ha_ctx_new(), _lib.ha_ctx_free)
        if self.c == ffi.NULL:
            raise MemoryError

    def check(self, status):
        """Raises the first error when a call failed, or what a function of Python raised in it."""
        if self.raised is not None:
            raised, self.raised = self.raised, None
            raise raised
        if status == 0:
            return
        found = None
        for i in range(_lib.ha_ctx_n_diags(self.c)):
            diag = _lib.ha_ctx_diag(self.c, i)
            if diag.severity == _lib.HA_ERROR:
                where = diag.where
                place = (None, None, None)
                if where.file != ffi.NULL:
                    place = (_text(where.file), where.line or None, where.column or None)
                found = Error(_text(diag.text), *place, _text(_lib.ha_status_name(status)))
                break
        _lib.ha_ctx_clear(self.c)
        if found is not None:
            raise found if self.origin is None else self.origin.of(found)
        raise Error(_text(_lib.ha_status_text(status)),
                    status=_text(_lib.ha_status_name(status)))


def _head(table):
    """Names and units of columns, and the columns by name."""
    columns = range(_lib.ha_result_n_columns(table))
    names = [_text(_lib.ha_result_name(table, i)) for i in columns]
    return (names, [_text(_lib.ha_result_unit(table, i)) for i in columns],
            {name: i for i, name in enumerate(names)})


class Table:
    """Columns over the time: `table[name]` is an array that shares the memory of the table, `data`
    all of it, rows by columns.

    >>> r = ha.graph("Se{10}>1a>R;1a>C").run(t_end=1.0)
    >>> len(r), r.names[:2], r["C.e"].base is not None
    (501, ['t', 'Se.e'], True)
    """

    def __init__(self, context, table, head=None):
        self._table, self._context = table, context
        columns, rows = _lib.ha_result_n_columns(table), _lib.ha_result_n_rows(table)
        self._head = _head(table) if head is None else head
        data = ffi.gc(ffi.cast("double *", _lib.ha_result_data(table)),
                      lambda p, keep=table: None)
        array = np.frombuffer(ffi.buffer(data, 8 * columns * rows), dtype=float)
        self.data = array.reshape(rows, columns)

    @property
    def names(self):
        """The names of the columns."""
        return list(self._head[0])

    @property
    def units(self):
        """Their units, "" of a number."""
        return list(self._head[1])

    @property
    def t(self):
        """The time [s]."""
        return self.data[:, 0]

    def __getitem__(self, name):
        try:
            return self.data[:, self._head[2][name]]
        except KeyError:
            raise _no_output(name, self.names) from None

    def __contains__(self, name):
        return name in self._head[2]

    def __len__(self):
        return len(self.data)

    def __repr__(self):
        return (f"<{type(self).__name__}: {len(self)} rows of {len(self.names) - 1} outputs, "
                f"to {self.t[-1]:g} s>")

    def plot(self, *names, **options):
        """A Picture of columns over the time, all without names, as `halfarrow plot` draws it with
        gnuplot; `options` are those of the command: panels, unit, size, ..."""
        from ._show import _plot
        return _plot(self, names, options)

    def save(self, path):
        """Writes the table as .csv or .mat."""
        write = (_lib.ha_result_write_mat if os.fspath(path).endswith(".mat")
                 else _lib.ha_result_write_csv)
        self._context.check(write(self._table, _bytes(os.fspath(path))))


Table.__module__ = "halfarrow"


def _new_table(context=None):
    """An empty table, with its context."""
    context = _Context() if context is None else context
    table = _lib.ha_result_new(context.c)
    if table == ffi.NULL:
        raise MemoryError
    return context, ffi.gc(table, lambda p, keep=context: _lib.ha_result_free(p))


def _set_options(context, options, given):
    """Gives a bg_run_options what `halfarrow run` takes."""
    for name, value in given.items():
        context.check(_option(context, options, name, _value(value, name)))


def _option(context, options, name, text):
    nowhere = {"file": ffi.NULL, "line": 0, "column": 0}
    return _lib.bg_run_options_set(context.c, options, _bytes(name), _bytes(text), nowhere)


def _options(options):
    return [x for name, value in options.items()
            for x in (["--" + name.replace("_", "-")] if value is True
                      else ["--" + name.replace("_", "-"), _value(value, name)])]


def _names(given, name):
    """A list of names, of one too."""
    names = [given] if isinstance(given, str) else list(given or ())
    if not all(isinstance(each, str) for each in names):
        raise TypeError(f"`{name}` needs a name or a list of names, not {given!r}")
    return names


def _complex(pairs):
    return np.array([complex(*pair) for pair in pairs], dtype=complex)


def _error_of(text):
    """The first error that the program printed."""
    for line in text.splitlines():
        head, error, rest = line.partition("error: ")
        if not error:
            continue
        parts = head.strip().rstrip(":").rsplit(":", 2)
        if len(parts) == 3 and parts[1].isdigit() and parts[2].isdigit():
            return Error(rest, parts[0], int(parts[1]), int(parts[2]))
        return Error(rest, None if parts[0] in ("", "halfarrow") else parts[0])
    return Error(text.strip() or "the program failed")
