# SPDX-License-Identifier: GPL-3.0-or-later
"""Bond graphs with a causality-assigning solver, and planar mechanisms built on them.

>>> import halfarrow as ha
>>> m = ha.graph("Se{10}>1a>R;1a>C")
>>> r = m.run(t_end=1.0)
>>> round(r["C.e"][-1], 4)
6.3212
>>> m.set("R", 2.0)
>>> round(m.run(t_end=1.0)["C.e"][-1], 4)
3.9347

A model is compiled once; `set` gives it other values without compiling again, and `run` may be
called by several threads at once, each with values of its own.
"""
import json
import os
import subprocess
import tempfile
import threading

import numpy as np

from . import _config
from ._ffi import ffi

__all__ = ["Error", "Model", "Result", "Linear", "Picture", "Page", "load", "graph"]
__version__ = _config.VERSION


def _find(names, configured):
    """The first of the files that is there: beside the package, by the environment, installed."""
    here = os.path.dirname(os.path.abspath(__file__))
    prefix = os.path.normpath(os.path.join(here, "..", "..", "..", ".."))
    environment, file, *relative = names
    places = [os.environ.get(environment, ""), os.path.join(here, file)]
    places += [os.path.join(prefix, place, file) for place in relative]
    places.append(os.path.join(configured, file))
    return next((place for place in places if place and os.path.exists(place)), file)


_lib = ffi.dlopen(_find(("HALFARROW_LIBRARY", _config.LIBRARY, "lib"), _config.LIBDIR))


def _text(value):
    return "" if value == ffi.NULL else ffi.string(value).decode("utf-8", "replace")


def _bytes(text):
    return os.fsencode(text)


class Error(Exception):
    """What a model, a value or a run failed of.

    >>> try:
    ...     ha.graph("Se>1a>R;1a>X")
    ... except ha.Error as error:
    ...     print(error.file, error.line, error.column > 0)
    --graph 1 True
    """

    def __init__(self, text, file=None, line=None, column=None, status=""):
        place = "" if file is None else ":".join(str(x) for x in (file, line, column) if x) + ": "
        super().__init__(place + text)
        self.text, self.file, self.line, self.column = text, file, line, column
        self.status = status


class _Context:
    """A context of the library, with the errors of its calls."""

    def __init__(self):
        self.c = ffi.gc(_lib.ha_ctx_new(), _lib.ha_ctx_free)
        if self.c == ffi.NULL:
            raise MemoryError

    def check(self, status):
        """Raises the first error when a call failed."""
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
        raise found or Error(_text(_lib.ha_status_text(status)),
                             status=_text(_lib.ha_status_name(status)))


class _Prepared:
    """A prepared model with the context and the texts it needs."""

    def __init__(self, context, make, parent=None):
        self.context, self.parent, self.lock = context, parent, threading.Lock()
        out = ffi.new("m2d_prepared **")
        context.check(make(out))
        # the context and what it was copied from live longer
        self.c = ffi.gc(out[0], lambda p, keep=(context, parent): _lib.m2d_prepared_free(p))

    def copy(self):
        """A copy with a context of its own, for another thread."""
        context = _Context()
        return _Prepared(context, lambda out: _lib.m2d_prepared_copy(context.c, self.c, out), self)


class Model:
    """A model; made by `load()` and `graph()`."""

    def __init__(self, path=None, text=None, variant=None, values=None, variables=None):
        self._path, self._graph, self._variant = path, text, variant
        self._sets, self._values = {}, dict(variables or {})
        self._others = {}  # models for paths that were given for single runs, by these
        self._lock, self._local = threading.RLock(), threading.local()
        self._version, self._base = 0, None
        for key, value in (values or {}).items():
            self._sets[key] = _value(value)
        self._prepare()

    def _prepare(self):
        keep = [ffi.new("char[]", _bytes(f"{p}={v}")) for p, v in self._sets.items()]
        sets = ffi.new("char *[]", keep)
        names = [ffi.new("char[]", _bytes(p)) for p in self._values]
        variables = ffi.new("m2d_variable[]", len(names) + 1)
        for i, value in enumerate(self._values.values()):
            variables[i].path, variables[i].value = names[i], value
            variables[i].where.file = names[i]
        strings = [ffi.NULL if s is None else ffi.new("char[]", _bytes(s))
                   for s in (self._path, self._graph, self._variant)]
        source = ffi.new("m2d_source *", {
            "path": strings[0], "graph": strings[1], "variant": strings[2], "sets": sets,
            "n_sets": len(keep)})
        context = _Context()
        self._base = _Prepared(context, lambda out: _lib.m2d_prepare(
            context.c, source, variables, len(names), out))
        self._version += 1
        self._others = {}

    def _with(self, given):
        """The model that can take these values for one run, and all of its values."""
        texts = {p: v for p, v in given.items() if isinstance(v, (str, bool))}
        values = {**self._values, **{p: float(v) for p, v in given.items() if p not in texts}}
        paths = tuple(p for p in values if p not in texts)
        if paths == tuple(self._values) and not texts:
            return self, values
        model = self._others.get(paths) if not texts else None
        if model is None:
            sets = {p: v for p, v in self._sets.items() if p not in given}
            model = Model(self._path, self._graph, self._variant, {**sets, **texts},
                          {p: values[p] for p in paths})
        if not texts:
            self._others[paths] = model
        return model, values

    def _copy(self):
        """The model of this thread."""
        local = self._local
        if getattr(local, "version", None) != self._version:
            local.prepared, local.version = self._base.copy(), self._version
        return local.prepared

    def set(self, path, value):
        """Gives the value at a path another one, for the runs to come.

        A number, in SI units, takes effect without compiling again; a text, such as "30 mm", is
        read as in a model file.

        >>> m = ha.graph("k = 3; Se{k}>1a>R;1a>C")
        >>> m.set("parameters.k", 4.0)
        >>> round(m.run(t_end=0)["Se.e"][0], 12)
        4.0
        """
        with self._lock:
            before = dict(self._sets), dict(self._values)
            if isinstance(value, str) or isinstance(value, bool):
                self._values.pop(path, None)
                self._sets[path] = _value(value)
            elif path in self._values:
                self._values[path] = float(value)
                return
            else:
                self._sets.pop(path, None)
                self._values[path] = float(value)
            try:
                self._prepare()
            except Error:
                self._sets, self._values = before
                raise

    @property
    def values(self):
        """The values set by number, by path."""
        return dict(self._values)

    def run(self, t_end=None, set=None, **options):
        """Runs the model and returns a Result.

        `options` are those of `halfarrow run`: rtol, atol, step, max_step, driver, alpha, ...;
        `set` has values for this run alone. Other threads may run meanwhile.

        >>> m = ha.graph("Se{10}>1a>R;1a>C")
        >>> r = m.run(t_end=1.0, rtol=1e-9, set={"R": 4.0})
        >>> round(r["C.e"][-1], 6)
        2.211992
        >>> round(m.run(t_end=1.0, rtol=1e-9)["C.e"][-1], 6)
        6.321206
        """
        with self._lock:
            model, values = self._with(set or {})
            numbers = [values[path] for path in model._values]
            prepared = model._copy()
        context = prepared.context
        _lib.ha_ctx_clear(context.c)
        for i, value in enumerate(numbers):
            _lib.m2d_prepared_set(prepared.c, i, value)
        context.check(_lib.m2d_prepared_update(prepared.c))
        run_options = ffi.new("bg_run_options *", _lib.m2d_prepared_options(prepared.c)[0])
        if t_end is not None:
            options["t_end"] = t_end
        for name, value in options.items():
            context.check(_lib.bg_run_options_set(
                context.c, run_options, _bytes(name), _bytes(_value(value)),
                {"file": ffi.NULL, "line": 0, "column": 0}))
        if not run_options.solver.t_end >= 0:
            raise Error("the model has no end time; give t_end")
        return Result(model, prepared, run_options, dict(zip(model._values, numbers)))

    def _program(self, command, *arguments, values=None):
        """Runs the program on this model, with other values where there are; its JSON object, or
        nothing where it writes a file."""
        with self._lock:
            values = {**self._values, **(values or {})}
            sets = {**self._sets, **{p: repr(float(v)) for p, v in values.items()}}
        line = [_find(("HALFARROW_PROGRAM", "halfarrow", "bin"), _config.BINDIR), command]
        line += [self._path] if self._path is not None else ["--graph", self._graph]
        line += ["--variant", self._variant] if self._variant is not None else []
        for path, value in sets.items():
            line += ["--set", f"{path}={value}"]
        run = subprocess.run([*line, *arguments], capture_output=True, text=True, check=False)
        if run.returncode != 0 and not (command == "check" and run.stdout):
            raise _error_of(run.stderr)
        return json.loads(run.stdout) if "--json" in arguments else None

    def check(self):
        """The structural report, as `halfarrow check --json` gives it.

        >>> ha.graph("Se>1a>R;1a>C").check()["class"]
        'CAUSAL_ODE'
        """
        return self._program("check", "--json")

    def linearise(self, u=(), y=(), **options):
        """Linearises; a Linear with the matrices A, B, C, D.

        >>> l = ha.graph("Se>1a>R;1a>C").linearise(u=["Se"], y=["C.e"])
        >>> l.A, l.states
        (array([[-1.]]), ['C.q'])
        """
        arguments = [x for names, o in ((u, "--u"), (y, "--y")) if names
                     for x in (o, ",".join([names] if isinstance(names, str) else names))]
        return Linear(self._program("linearise", *arguments, *_options(options), "--json"))

    def modes(self, **options):
        """Modes of vibration, as `halfarrow modes --json` gives them; eigenvalues are complex."""
        found = self._program("modes", *_options(options), "--json")
        for mode in found["modes"]:
            mode["eigenvalue"] = complex(*mode["eigenvalue"])
            mode["shape"] = {b: np.array([complex(*x) for x in v])
                             for b, v in mode.get("shape", {}).items()}
        return found

    def statics(self, **options):
        """An equilibrium, as `halfarrow statics --json` gives it; eigenvalues are an array."""
        found = self._program("statics", *_options(options), "--json")
        found["eigenvalues"] = _complex(found.get("eigenvalues") or [])
        return found

    def diagram(self, level="multibond"):
        """The bond graph as a picture: level "word", "multibond" or "scalar"."""
        return Picture(self._written("draw", ".svg", "--level", level))

    def _written(self, command, suffix, *arguments, values=None):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "out" + suffix)
            self._program(command, *arguments, "-o", path, values=values)
            with open(path, encoding="utf-8") as file:
                return file.read()


class Result:
    """What came of a run: a table over the time.

    `r["rod.angle"]` is an array that shares the memory of the table; `r.t` the time.

    >>> r = ha.graph("Se{10}>1a>R;1a>C").run(t_end=1.0)
    >>> len(r.t), r.t[0], r.t[-1]
    (501, 0.0, 1.0)
    >>> r["C.e"].base is not None
    True
    >>> r.peaks["C.e"]["t_max"]
    1.0
    >>> sorted(r.report)[:2]
    ['alpha', 'beta']
    """

    def __init__(self, model, prepared, options, values):
        context = _Context()
        table = ffi.gc(_lib.ha_result_new(context.c),
                       lambda p, keep=context: _lib.ha_result_free(p))
        compiled = _lib.m2d_prepared_model(prepared.c)
        n = _lib.bg_model_dae(compiled).n_outputs
        peaks = ffi.new("ha_peak[]", n + 1)
        report = ffi.new("bg_run_report *")
        options.solver.peaks = peaks
        status = _lib.m2d_prepared_run(prepared.c, options, table, report)
        prepared.context.check(status)
        self._model, self._table, self._context, self._values = model, table, context, values
        self._t_end = options.solver.t_end
        columns, rows = _lib.ha_result_n_columns(table), _lib.ha_result_n_rows(table)
        self.names = [_text(_lib.ha_result_name(table, i)) for i in range(columns)]
        self.units = [_text(_lib.ha_result_unit(table, i)) for i in range(columns)]
        self._columns = {name: i for i, name in enumerate(self.names)}
        data = ffi.gc(ffi.cast("double *", _lib.ha_result_data(table)),
                      lambda p, keep=table: None)
        array = np.frombuffer(ffi.buffer(data, 8 * columns * rows), dtype=float)
        self.data = array.reshape(rows, columns)
        self.peaks = {name: {"max": peaks[i].max, "t_max": peaks[i].t_max, "min": peaks[i].min,
                             "t_min": peaks[i].t_min} for i, name in enumerate(self.names[1:])}
        stats = report.solver
        self.report = {
            "status": "done", "t_end": stats.t_reached, "steps": stats.steps,
            "residual_evaluations": stats.residual_evaluations,
            "jacobian_evaluations": stats.jacobian_evaluations,
            "newton_iterations": stats.newton_iterations,
            "error_test_failures": stats.error_test_failures, "events": stats.events,
            "seconds_solve": stats.seconds, "energy_error": report.energy_error,
            "max_constraint_error": report.constraint_error,
            "max_velocity_error": report.velocity_error, "alpha": report.alpha,
            "beta": report.beta, "unknowns": _lib.bg_model_n_unknowns(compiled),
            "states": _lib.bg_model_n_states(compiled),
            "multipliers": _lib.bg_model_n_multipliers(compiled)}

    @property
    def t(self):
        """The time [s]."""
        return self.data[:, 0]

    @property
    def final(self):
        """The values at the end, by name."""
        return dict(zip(self.names[1:], (float(x) for x in self.data[-1, 1:])))

    def __getitem__(self, name):
        try:
            return self.data[:, self._columns[name]]
        except KeyError:
            raise KeyError(f"`{name}` is no output; there are {', '.join(self.names[1:8])}, ..."
                           ) from None

    def __contains__(self, name):
        return name in self._columns

    def __len__(self):
        return len(self.data)

    def __repr__(self):
        return f"<Result: {len(self)} rows of {len(self.names) - 1} outputs, to {self.t[-1]:g} s>"

    def save(self, path):
        """Writes the table as .csv or .mat."""
        write = (_lib.ha_result_write_mat if os.fspath(path).endswith(".mat")
                 else _lib.ha_result_write_csv)
        self._context.check(write(self._table, _bytes(os.fspath(path))))

    def page(self):
        """The page of `halfarrow report` for this model, its values in this run and end time."""
        return Page(self._model._written("report", ".html", "--t-end", repr(self._t_end),
                                         values=self._values))


class Linear:
    """A linear model: x' = A x + B u, y = C x + D u."""

    def __init__(self, found):
        n, m, p = (len(found[k]) for k in ("states", "inputs", "outputs"))
        self.states, self.inputs, self.outputs = (found[k] for k in ("states", "inputs", "outputs"))
        self.A = np.array(found["A"], dtype=float).reshape(n, n)
        self.B = np.array(found["B"], dtype=float).reshape(n, m)
        self.C = np.array(found["C"], dtype=float).reshape(p, n)
        self.D = np.array(found["D"], dtype=float).reshape(p, m)
        self.eigenvalues = _complex(found.get("eigenvalues") or [])
        self.report = found


class Picture:
    """A picture, shown by notebooks; `.svg` is its text."""

    def __init__(self, svg):
        self.svg = svg

    def _repr_svg_(self):
        return self.svg

    def save(self, path):
        """Writes it to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)


class Page:
    """A page, shown by notebooks in a frame; `.html` is its text."""

    def __init__(self, html):
        self.html = html

    def _repr_html_(self):
        text = self.html.replace("&", "&amp;").replace('"', "&quot;")
        return f'<iframe srcdoc="{text}" width="100%" height="700" frameborder="0"></iframe>'

    def save(self, path):
        """Writes it to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)


def _value(value):
    """A value as a model file has it."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(float(value)) if not isinstance(value, int) else str(value)


def _options(options):
    return [x for name, value in options.items()
            for x in (["--" + name.replace("_", "-")] if value is True
                      else ["--" + name.replace("_", "-"), _value(value)])]


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


def load(path, variant=None, set=None):
    """Reads a model file; `set` has values by path, as `--set` on the command line.

    >>> m = ha.load("examples/pendulum.yaml", set={"bodies.rod.mass": "2 kg"})
    >>> round(m.run(t_end=0)["energy.potential"][0], 6)
    0.0
    """
    return Model(path=os.fspath(path), variant=variant, values=set)


def graph(text, set=None):
    """A bond graph in the compact notation.

    >>> ha.graph("Se>1a>R;1a>I;1a>C").run(t_end=1).report["states"]
    2
    """
    return Model(text=text, values=set)
