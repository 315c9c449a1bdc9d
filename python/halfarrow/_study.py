# SPDX-License-Identifier: GPL-3.0-or-later
"""Sensitivities of runs, and fits to measurements."""
import os

import numpy as np

from ._base import (Error, Table, _bytes, _Context, _lib, _mapping, _names, _new_table, _number,
                    _option, _text, _value, ffi)


def _adjust(context, given):
    """A function for the library that changes the options of runs. What is wrong with a value is
    raised here; what is raised in a call of it, as by Ctrl-C, when the library is back."""
    texts = {name: _value(value, name) for name, value in given.items()}

    def keep(_, raised, __):
        context.raised = raised

    @ffi.callback("ha_status(void *, bg_run_options *)", error=_lib.HA_ERR_INTERNAL, onerror=keep)
    def adjust(_, options):
        for name, text in texts.items():
            status = _option(context, options, name, text)
            if status != 0:
                return status
        return 0
    return adjust


def _array(pointer, shape):
    """A copy of numbers of the library's."""
    count = int(np.prod(shape))
    if count == 0:
        return np.zeros(shape)
    return np.frombuffer(ffi.buffer(pointer, 8 * count), dtype=float).reshape(shape).copy()


class Sensitivity:
    """Derivatives of outputs at the end of a run, in SI units; made by `Model.sensitivity()`.

    `s[OUTPUT, PARAMETER]` is one of them, `s.curves[f"d({OUTPUT})/d({PARAMETER})"]` is it over the
    run, `t` its end, `final` has the outputs there, `at` the values of the parameters, `events`
    counts the events passed. `value`, `relative` (per cent for one per cent) and `error` (what
    `value` may be off by) are arrays, outputs by parameters; nan is what does not exist, as
    `relative` of 0.

    >>> s = ha.load("examples/pendulum.yaml").sensitivity("parameters.length", y="rod.angle",
    ...                                                   t_end=1.0)
    >>> s.outputs, s.parameters, s.t
    (['rod.angle'], ['parameters.length'], 1.0)
    >>> abs(s.curves["d(rod.angle)/d(parameters.length)"][-1] - s.value[0, 0]) < 1e-12
    True
    """

    def __init__(self, model, parameters, y, t_end, values, options):
        names, outputs = _names(parameters, "parameters"), _names(y, "y")
        given = {**options, **({} if t_end is None else {"t_end": t_end})}
        context = _Context(model._origin)
        source, keep = model._source(model._all(values), outputs)
        texts = [ffi.new("char[]", _bytes(name)) for name in names]
        paths, adjust = ffi.new("char *[]", texts), _adjust(context, given)
        _, curves = _new_table(context)
        definition = ffi.new("m2d_sensitivity_def *", {
            "source": source, "parameters": paths, "n_parameters": len(names), "adjust": adjust,
            "curves": curves})
        numbers = ffi.new("double[]", len(names))
        out = ffi.new("bg_sensitivity *")
        try:
            if not names:
                raise Error("name what to differentiate with respect to")
            context.check(_lib.m2d_sensitivities(context.c, definition, numbers, out))
            shape = (out.n_outputs, out.n_parameters)
            self.parameters = names
            self.outputs = [_text(out.outputs[i]) for i in range(out.n_outputs)]
            self.units = [_text(out.units[i]) for i in range(out.n_outputs)]
            self.at = _array(numbers, len(names))
            self.value, self.error = _array(out.value, shape), _array(out.error, shape)
            self.final = dict(zip(self.outputs, _array(out.end, shape[0]).tolist()))
            self.t, self.events = out.t, out.events
        finally:
            _lib.bg_sensitivity_clear(out)
        del keep, texts
        self.curves = Table(context, curves)

    @property
    def relative(self):
        """By how many per cent outputs grow when parameters grow by one."""
        end = np.array([self.final[name] for name in self.outputs])[:, None]
        at = np.where(self.at == 0.0, np.nan, self.at)[None, :]
        return self.value * at / np.where(end == 0.0, np.nan, end)

    def __getitem__(self, names):
        output, parameter = names
        return float(self.value[self.outputs.index(output), self.parameters.index(parameter)])

    def __repr__(self):
        return (f"<Sensitivity: {len(self.outputs)} outputs by {len(self.parameters)} parameters "
                f"at {self.t:g} s>")


def _column(name, column):
    try:
        return np.asarray(column, dtype=float)
    except (TypeError, ValueError):
        raise TypeError(f"the data of `{name}` must be an array of numbers") from None


def _table_of(data):
    """Measurements as a table of the library's; its context, the table, what they are called."""
    if isinstance(data, (str, os.PathLike)):
        context, out = _Context(), ffi.new("ha_result **")
        context.check(_lib.ha_result_read_csv(context.c, _bytes(os.fspath(data)), out))
        return (context, ffi.gc(out[0], lambda p, keep=context: _lib.ha_result_free(p)),
                os.fspath(data))
    data = _mapping(data, "data", '{"t": ..., OUTPUT: ...} or a file')
    context, table = _new_table()
    columns = [_column(name, column) for name, column in data.items()]
    if not columns or any(c.ndim != 1 or c.shape != columns[0].shape for c in columns):
        raise Error("the data must be arrays of one length, the first with the time: "
                    '{"t": ..., OUTPUT: ...}')
    for name in data:
        plain, _, unit = name.partition(" [")
        context.check(_lib.ha_result_add_column(table, _bytes(plain), _bytes(unit.rstrip("]"))))
    rows = np.ascontiguousarray(np.column_stack(columns))
    for row in rows:
        context.check(_lib.ha_result_add_row(table, ffi.from_buffer("double[]", row)))
    return context, table, None


class Fit:
    """What came of a fit: `values` and `errors` by path; made by `Model.fit()`.

    `correlation` and `covariance` are arrays in the order of `values`, with nan of what the data do
    not determine, which `undetermined` names as shares of relative changes; `held` names what is at
    a bound; `table` has the fit, the data and the residuals over the time. `chi2` is the sum of the
    squares of the weighted residuals, `freedom` the `n_data` values less the parameters fitted,
    `rms` the root of the mean square of the residuals as they are, `condition` that of the
    derivatives. It took `runs` runs, `jacobians` with derivatives, of which `failed` made a step
    shorter.

    >>> m = ha.graph("Se{10}>1a>R;1a>C")
    >>> t = np.linspace(0.1, 2.0, 20)
    >>> f = m.fit({"t": t, "C.e": 10*(1 - np.exp(-t/3))}, {"R": 2.0, "C": 2.0})
    >>> f.status, [sorted(u) for u in f.undetermined]
    ('undetermined', [['C', 'R']])
    >>> f.table.names
    ['t', 'C.e', 'data(C.e)', 'residual(C.e)']
    """

    def __init__(self, model, data, parameters, sigma, values, options):
        context = _Context(model._origin)
        of_data, table, name = _table_of(data)
        source, keep = model._source(model._all(values))
        parameters = _mapping(parameters, "parameters", "{path: start}")
        plans, kept = _plans(parameters)
        sigmas = [(ffi.new("char[]", _bytes(output)), _number(deviation, f"sigma({output})"))
                  for output, deviation in _mapping(sigma, "sigma", "{output: number}").items()]
        all_sigmas = ffi.new("m2d_fit_sigma[]", len(sigmas) + 1)
        for i, (output, value) in enumerate(sigmas):
            all_sigmas[i].output, all_sigmas[i].value = output, value
        adjust = _adjust(context, options)
        file = ffi.NULL if name is None else ffi.new("char[]", _bytes(name))
        definition = ffi.new("m2d_fit_def *", {
            "source": source, "parameters": plans, "n_parameters": len(parameters), "data": table,
            "where": {"file": file}, "sigmas": all_sigmas, "n_sigmas": len(sigmas),
            "adjust": adjust})
        out = ffi.new("m2d_fit *")
        try:
            if not parameters:
                raise Error("name what to fit: {PATH: start}")
            context.check(_lib.m2d_fit_find(context.c, definition, out))
            self._take(list(parameters), context, out)
        finally:
            _lib.m2d_fit_clear(out)
        del keep, kept, of_data

    def _take(self, names, context, out):
        n = out.n
        self.status = ("done", "undetermined", "not converged")[out.end]
        self.values = dict(zip(names, _array(out.value, n).tolist()))
        self.errors = dict(zip(names, _array(out.deviation, n).tolist()))
        self.correlation = _array(out.correlation, (n, n))
        deviation = np.array(list(self.errors.values()))
        self.covariance = self.correlation * np.outer(deviation, deviation)
        self.held = [name for i, name in enumerate(names) if out.is_held[i]]
        loose = _array(out.loose, (out.n_loose, n))
        self.undetermined = [{name: float(x) for name, x in zip(names, row) if x != 0.0}
                             for row in loose]
        self.chi2, self.rms, self.condition = out.chi2, out.rms, out.condition
        self.freedom, self.n_data = out.freedom, out.n_data
        self.runs, self.jacobians, self.failed = out.runs, out.jacobians, out.failed
        table, out.table = out.table, ffi.NULL
        self.table = Table(context, ffi.gc(table, lambda p, keep=context: _lib.ha_result_free(p)))

    def __repr__(self):
        found = ", ".join(f"{name} = {value:.6g} +- {self.errors[name]:.2g}"
                          for name, value in self.values.items())
        return f"<Fit: {self.status}, {found}>"


def _plans(parameters):
    """The m2d_fit_parameter array, and what it borrows."""
    kept = [ffi.new("char[]", _bytes(path)) for path in parameters]
    plans = ffi.new("m2d_fit_parameter[]", len(kept) + 1)
    for plan, path, given in zip(plans, kept, parameters.values()):
        given = given if isinstance(given, dict) else {"start": given}
        unknown = set(given) - {"start", "min", "max"}
        name = ffi.string(path).decode()
        if unknown or "start" not in given:
            raise Error(f"the parameter `{name}` needs `start`, and may have `min` and `max`; "
                        f"given are {', '.join(given) or 'none'}")
        plan.least = _number(given.get("min", -np.inf), f"min of {name}")
        plan.most = _number(given.get("max", np.inf), f"max of {name}")
        plan.variable.path = plan.variable.where.file = path
        plan.variable.value = _number(given["start"], f"start of {name}")
    return plans, kept


for _class in (Sensitivity, Fit):
    _class.__module__ = "halfarrow"
