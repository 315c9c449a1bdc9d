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
import os
import threading
from collections.abc import Mapping

import numpy as np

from . import _config
from ._base import (Error, Table, _bytes, _complex, _Context, _error_of, _lib, _mapping,
                    _names, _new_table, _no_output, _number, _options, _parts, _set_options, _value,
                    ffi)
from ._build import Builder, _Origin
from ._many import Study, study
from ._show import Page, Picture, _run
from ._study import Fit, Sensitivity

__all__ = ["Builder", "Error", "Fit", "Linear", "Model", "Page", "Picture", "Result",
           "Sensitivity", "Study", "Table", "build", "graph", "load", "study"]
__version__ = _config.VERSION


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
        context = _Context(self.context.origin)
        return _Prepared(context, lambda out: _lib.m2d_prepared_copy(context.c, self.c, out), self)


class Model:
    """A model; made by `load()`, `graph()` and `build()`."""

    def __init__(self, path=None, text=None, variant=None, values=None, variables=None,
                 origin=None):
        self._path, self._graph, self._variant, self._origin = path, text, variant, origin
        self._sets, self._values = {}, dict(variables or {})
        self._others = {}  # models for paths that were given for single runs, by these
        self._lock, self._local = threading.RLock(), threading.local()
        self._version, self._base, self._head = 0, None, None
        for key, value in _mapping(values, "set", "{path: value}").items():
            self._sets[key] = _value(value, key)
        self._prepare()

    def _prepare(self):
        source, keep = self._source()
        names = [ffi.new("char[]", _bytes(p)) for p in self._values]
        variables = ffi.new("m2d_variable[]", len(names) + 1)
        for i, value in enumerate(self._values.values()):
            variables[i].path, variables[i].value = names[i], value
            variables[i].where.file = names[i]
        context = _Context(self._origin)
        self._base = _Prepared(context, lambda out: _lib.m2d_prepare(
            context.c, source, variables, len(names), out))
        del keep
        self._version += 1
        self._others, self._head = {}, None

    def __repr__(self):
        name = self._path or self._graph or "built in Python"
        variant = "" if self._variant is None else f", variant {self._variant}"
        return f"<Model: {name}{variant}>"

    def _source(self, values=(), outputs=()):
        """The m2d_source, with further values by path, and what it borrows."""
        sets = {**self._sets, **dict(values)}
        keep = [ffi.new("char[]", _bytes(f"{p}={v}")) for p, v in sets.items()]
        names = [ffi.new("char[]", _bytes(name)) for name in outputs]
        text = None if self._origin is None else self._origin.text
        strings = [ffi.NULL if s is None else ffi.new("char[]", _bytes(s))
                   for s in (self._path, text, self._graph, self._variant)]
        parts = [ffi.new("char[]", _bytes(_parts))] if os.path.isdir(_parts) else []
        lists = [ffi.new("char *[]", some) for some in (keep, names, parts)]
        source = ffi.new("m2d_source *", {
            "path": strings[0], "text": strings[1], "graph": strings[2], "variant": strings[3],
            "sets": lists[0], "n_sets": len(keep), "outputs": lists[1] if names else ffi.NULL,
            "n_outputs": len(names), "libraries": lists[2], "n_libraries": len(parts)})
        return source, (keep, names, parts, strings, lists)

    def _all(self, values=None):
        """All values that are not the file's, as texts by path."""
        with self._lock:
            numbers = {**self._values, **_mapping(values, "set", "{path: value}")}
            return {**self._sets, **{p: _value(v, p) for p, v in numbers.items()}}

    def _with(self, given):
        """The model that can take these values for one run, and all of its values."""
        texts = {p: v for p, v in given.items() if isinstance(v, (str, bool))}
        values = {**self._values,
                  **{p: _number(v, p) for p, v in given.items() if p not in texts}}
        paths = tuple(p for p in values if p not in texts)
        if paths == tuple(self._values) and not texts:
            return self, values
        model = self._others.get(paths) if not texts else None
        if model is None:
            sets = {p: v for p, v in self._sets.items() if p not in given}
            model = Model(self._path, self._graph, self._variant, {**sets, **texts},
                          {p: values[p] for p in paths}, self._origin)
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
            if isinstance(value, (str, bool)):
                self._values.pop(path, None)
                self._sets[path] = _value(value, path)
            elif path in self._values:
                self._values[path] = _number(value, path)
                return
            else:
                number = _number(value, path)
                self._sets.pop(path, None)
                self._values[path] = number
            try:
                self._prepare()
            except BaseException:
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
            model, values = self._with(_mapping(set, "set", "{path: value}"))
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
        _set_options(context, run_options, options)
        if not run_options.solver.t_end >= 0:
            raise Error("the model has no end time; give t_end")
        return Result(model, prepared, run_options, dict(zip(model._values, numbers)))

    def _program(self, command, *arguments, values=None):
        """Runs the program on this model, with other values where there are; its JSON object, or
        nothing where it writes a file."""
        import json
        line = [command]
        text, directory = None, None
        if self._origin is not None:
            text, directory = self._origin.text, self._origin.directory
            line.append("-")
        else:
            line += [self._path] if self._path is not None else ["--graph", self._graph]
        line += ["--variant", self._variant] if self._variant is not None else []
        for path, value in self._all(values).items():
            line += ["--set", f"{path}={value}"]
        run = _run([*line, *arguments], input=text, cwd=directory)
        if run.returncode != 0 and not (command == "check" and run.stdout):
            error = _error_of(run.stderr)
            raise error if self._origin is None else self._origin.of(error)
        return json.loads(run.stdout) if "--json" in arguments else None

    def sensitivity(self, parameters, y=(), t_end=None, set=None, **options):
        """How outputs depend on values of the model; a Sensitivity, with exact derivatives.

        `parameters` are paths, `y` outputs (all where none are given), `options` those of `run`.

        >>> m = ha.graph("Se{10}>1a>R{2};1a>C{0.5}")
        >>> s = m.sensitivity(["R", "C"], y=["C.e"], t_end=1.0, rtol=1e-9)
        >>> round(s["C.e", "R"], 6), s.value.shape
        (-1.839397, (1, 2))
        """
        return Sensitivity(self, parameters, y, t_end, set, options)

    def fit(self, data, parameters, sigma=None, set=None, **options):
        """Fits values of the model to measurements; a Fit, with standard errors.

        `data` is a CSV file or {"t": array, OUTPUT: array}, where beside an output there may be
        "sigma(OUTPUT)" or "weight(OUTPUT)"; `parameters` are {PATH: start} or
        {PATH: {"start": x, "min": a, "max": b}}, in SI units; `sigma` has standard deviations by
        output; `options` are those of `run`.

        >>> m = ha.graph("Se{10}>1a>R;1a>C")
        >>> t = np.linspace(0.0, 2.0, 21)
        >>> data = {"t": t, "C.e": 10*(1 - np.exp(-t/1.5))}
        >>> f = m.fit(data, {"R": {"start": 1.0, "min": 0.1}}, rtol=1e-9)
        >>> f.status, round(f.values["R"], 6)
        ('done', 1.5)
        """
        return Fit(self, data, parameters, sigma, set, options)

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
        arguments = [x for given, name in ((u, "u"), (y, "y")) if (names := _names(given, name))
                     for x in ("--" + name, ",".join(names))]
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
        import tempfile
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "out" + suffix)
            self._program(command, *arguments, "-o", path, values=values)
            with open(path, encoding="utf-8") as file:
                return file.read()


class _Peaks(Mapping):
    """Extremes by output; each is read when it is asked for."""

    def __init__(self, head, raw):
        self._head, self._raw = head, raw

    def __getitem__(self, name):
        column = self._head[2].get(name, 0)
        if column == 0:
            raise _no_output(name, self._head[0])
        peak = self._raw[column - 1]
        return {"max": peak.max, "t_max": peak.t_max, "min": peak.min, "t_min": peak.t_min}

    def __iter__(self):
        return iter(self._head[0][1:])

    def __len__(self):
        return len(self._head[0]) - 1


class Result(Table):
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
        context, table = _new_table()
        compiled = _lib.m2d_prepared_model(prepared.c)
        n = _lib.bg_model_dae(compiled).n_outputs
        peaks = ffi.new("ha_peak[]", n + 1)
        report = ffi.new("bg_run_report *")
        options.solver.peaks = peaks
        status = _lib.m2d_prepared_run(prepared.c, options, table, report)
        prepared.context.check(status)
        quick = _lib.m2d_prepared_is_quick(prepared.c)
        super().__init__(context, table, model._head if quick else None)
        if quick:
            model._head = self._head
        self._model, self._values, self._t_end = model, values, options.solver.t_end
        self._raw, self._raw_peaks = report, peaks
        self._sizes = {"unknowns": _lib.bg_model_n_unknowns(compiled),
                       "states": _lib.bg_model_n_states(compiled),
                       "multipliers": _lib.bg_model_n_multipliers(compiled)}

    @property
    def peaks(self):
        """Extremes over the run, between rows, too: {"max", "t_max", "min", "t_min"} by name."""
        return _Peaks(self._head, self._raw_peaks)

    @property
    def report(self):
        """What the run took, a dict."""
        report, stats = self._raw, self._raw.solver
        return {
            "status": "done", "t_end": stats.t_reached, "steps": stats.steps,
            "residual_evaluations": stats.residual_evaluations,
            "jacobian_evaluations": stats.jacobian_evaluations,
            "newton_iterations": stats.newton_iterations,
            "error_test_failures": stats.error_test_failures, "events": stats.events,
            "seconds_solve": stats.seconds, "energy_error": report.energy_error,
            "max_constraint_error": report.constraint_error,
            "max_velocity_error": report.velocity_error, "alpha": report.alpha,
            "beta": report.beta, **self._sizes}

    @property
    def final(self):
        """The values at the end, by name."""
        return dict(zip(self.names[1:], (float(x) for x in self.data[-1, 1:])))

    def page(self):
        """The page of `halfarrow report` for this model, its values in this run and end time."""
        return Page(self._model._written("report", ".html", "--t-end", repr(self._t_end),
                                         values=self._values))


class Linear:
    """A linear model: x' = A x + B u, y = C x + D u, of `states` x, `inputs` u and `outputs` y by
    name. `eigenvalues` are those of A, `report` is all that `halfarrow linearise --json` says.

    >>> linear = ha.graph("Se>1a>R{2};1a>C{4}").linearise(u=["Se"], y=["C.e"])
    >>> linear.eigenvalues, linear.inputs, linear.D.shape
    (array([-0.125+0.j]), ['Se'], (1, 1))
    """

    def __init__(self, found):
        n, m, p = (len(found[k]) for k in ("states", "inputs", "outputs"))
        self.states, self.inputs, self.outputs = (found[k] for k in ("states", "inputs", "outputs"))
        self.A = np.array(found["A"], dtype=float).reshape(n, n)
        self.B = np.array(found["B"], dtype=float).reshape(n, m)
        self.C = np.array(found["C"], dtype=float).reshape(p, n)
        self.D = np.array(found["D"], dtype=float).reshape(p, m)
        self.eigenvalues = _complex(found.get("eigenvalues") or [])
        self.report = found


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


def build(model, directory=".", variant=None, set=None):
    """A model from a Builder, or from a dictionary as a model file has it.

    What it includes and its tables are looked for from `directory` on.

    >>> m = ha.build({"halfarrow": 1, "bondgraph": {
    ...     "elements": {"Se": {"type": "Se", "value": 10}, "a": {"type": "1"},
    ...                  "R": {"type": "R", "value": "2 ohm"}, "C": {"type": "C"}},
    ...     "bonds": ["Se > a", "a > R", "a > C"]}})
    >>> round(m.run(t_end=2.0, rtol=1e-9)["C.e"][-1], 6)
    6.321206
    """
    origin = _Origin(model, os.path.abspath(os.fspath(directory)))
    return Model(path=origin.path, variant=variant, values=set, origin=origin)
