# SPDX-License-Identifier: GPL-3.0-or-later
"""Studies: a model run many times with values that vary, by the threads of the library."""
import os
import threading

import numpy as np

from ._base import Error, _bytes, _Context, _lib, _mapping, _text, _value, ffi
from ._build import _Origin, _plain
from ._study import _array


class Study:
    """What came of a study: arrays over its runs, in SI units; made by `study()`.

    `s[NAME]` is the array of a measure or of a value that varied; `names` has all of them: first
    the `paths` of the values, then the `measures`. `status` says of each run "done", or why it failed;
    `is_done` is an array of these for numpy, and measures of the others are nan. `failed` counts
    them, `seconds` is what all took, and `is_quick` whether the model was compiled once.

    >>> s = ha.study(ha.graph("Se{10}>1a>R;1a>C"), {"R": [0.5, 1.0, 2.0]},
    ...              {"root": "sqrt(end(C.e) - 5)"}, t_end=1.0)
    >>> s.paths, s.measures, len(s)
    (['R'], ['root'], 3)
    >>> s["R"][s.is_done], s.failed, s.status[2]
    (array([0.5, 1. ]), 1, 'the measure `root` is not a finite number')
    """

    def __init__(self, out):
        self.paths = [_text(out.names[i]) for i in range(out.n_values)]
        self.measures = [_text(out.names[out.n_values + i]) for i in range(out.n_measures)]
        runs = range(out.n_runs)
        self.status = [_text(out.status[i]) for i in runs]
        self.is_done = np.array([status == "done" for status in self.status], dtype=bool)
        values = _array(out.values, (out.n_runs, out.n_values))
        measures = _array(out.measures, (out.n_runs, out.n_measures))
        self._columns = dict(zip(self.names, np.hstack((values, measures)).T.copy()))
        self.failed, self.seconds, self.is_quick = out.n_failed, out.seconds, out.is_quick

    @property
    def names(self):
        """Names of all arrays."""
        return self.paths + self.measures

    def __getitem__(self, name):
        try:
            return self._columns[name]
        except KeyError:
            raise KeyError(f"`{name}` is none of {', '.join(self.names)}") from None

    def __len__(self):
        return len(self.status)

    def __repr__(self):
        return f"<Study: {len(self)} runs, {self.failed} failed>"


def _way(way):
    """How a value varies, as the file of a study says it; a list of values too."""
    return way if isinstance(way, dict) else {"list": way}


def _make(context, definition, keep):
    """Makes a study in a thread, so that Ctrl-C ends it. The thread keeps what it needs."""
    out = ffi.gc(ffi.new("m2d_study *"), _lib.m2d_study_clear)
    flag, status = ffi.new("sig_atomic_t *"), []
    _lib.ha_ctx_set_interrupt(context.c, flag)

    def work(_=(keep, flag)):
        status.append(_lib.m2d_study_make(context.c, definition, out))

    thread = threading.Thread(target=work, name="halfarrow study")
    try:
        thread.start()
        thread.join()
    except BaseException:
        flag[0] = 1
        raise
    context.check(status[0])
    return Study(out)


def study(model, vary, measure, design="grid", runs=None, seed=None, jobs=None, set=None,
          **options):
    """Runs a model with values that vary, on all processors; a Study.

    `vary` is {PATH: way}, where a way is a list of values or what the file of a study says:
    {"from": 1, "to": 2, "count": 5}, {"normal": [mean, deviation]}, {"uniform": [least, largest]};
    `measure` is {NAME: expression}, over end(x), at(x, t), peak(x), least(x), rms(x), mean(x) of
    outputs. `design` is grid, zip, random or latin-hypercube, with `runs` and `seed` for the last
    two. `jobs` is the number of threads, `set` has other values, `options` are those of
    `Model.run`.

    >>> m = ha.graph("Se{10}>1a>R;1a>C")
    >>> s = ha.study(m, {"R": [1.0, 2.0], "C": {"from": 1, "to": 4, "count": 3, "scale": "log"}},
    ...              {"u": "end(C.e)"}, t_end=1.0, rtol=1e-9)
    >>> s["C"], s["u"].round(4)
    (array([1., 2., 4., 1., 2., 4.]), array([6.3212, 3.9347, 2.212 , 3.9347, 2.212 , 1.175 ]))
    >>> s = ha.study(m, {"R": {"normal": [1.0, 0.01]}}, {"u": "end(C.e)"}, t_end=1.0,
    ...              design="latin-hypercube", runs=1000, seed=1)
    >>> round(s["u"].std(), 4)
    0.0368
    """
    if not hasattr(model, "_source"):
        raise TypeError(f"`study` needs a model, as load() gives it, not {model!r}")
    if jobs is not None and not (isinstance(jobs, int) and 0 < jobs <= 1024):
        raise Error(f"`jobs` is a number of threads from 1 to 1024, not {jobs!r}")
    vary = _mapping(vary, "vary", "{path: values}")
    said = {"vary": {path: _way(_plain(way, "vary", path)) for path, way in vary.items()},
            "design": design, "measure": _mapping(measure, "measure", "{name: expression}")}
    said.update({name: x for name, x in (("runs", runs), ("seed", seed)) if x is not None})
    origin = _Origin(said, os.getcwd(), "study", model._origin)
    context = _Context(origin)
    source, keep = model._source(model._all(set))
    texts = [ffi.new("char[]", _bytes(text)) for name, value in options.items()
             for text in (name, _value(value, name))]
    given = ffi.new("m2d_study_option[]", len(options) + 1)
    for i in range(len(options)):
        given[i].name, given[i].value = texts[2*i], texts[2*i + 1]
    text, name = ffi.new("char[]", _bytes(origin.text)), ffi.new("char[]", _bytes(origin.path))
    definition = ffi.new("m2d_study_def *", {
        "source": source, "text": text, "name": name, "options": given,
        "n_options": len(options), "jobs": jobs or 0})
    return _make(context, definition, (source, keep, texts, given, text, name))


for _class in (Study, study):
    _class.__module__ = "halfarrow"
