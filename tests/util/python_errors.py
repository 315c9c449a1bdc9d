# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wrong is said by the package: of values and names, of built models, of what Python raises
within a call of the library's. Run in a directory of its own: python_errors.py DIRECTORY.
"""
import os
import sys

import halfarrow as ha
import halfarrow._study

circuit = ha.graph("Se{10}>1a>R{2};1a>C{0.5}")
data = {"t": [0.0, 1.0, 2.0], "C.e": [0.0, 5.0, 8.0]}


def raises(kind, text, call, element=None):
    """The call raises this kind of exception, which says the text."""
    try:
        call()
    except kind as error:
        assert text in str(error), str(error)
        if element is not None:
            assert error.element == element, (error.element, element, str(error))
            assert error.file == __file__ and error.line > 0, (error.file, error.line)
        return
    raise AssertionError(f"no {kind.__name__}: {text}")


# values: the argument is named, and the model is left as it was
for wrong in (None, [1], object()):
    for name, call in (
            ("rtol", lambda: circuit.run(t_end=1.0, rtol=wrong)),
            ("rtol", lambda: circuit.sensitivity("R", t_end=1.0, rtol=wrong)),
            ("rtol", lambda: circuit.fit(data, {"R": 1.0}, rtol=wrong)),
            ("t_end", lambda: circuit.sensitivity("R", t_end=wrong or {})),
            ("R", lambda: circuit.set("R", wrong)),
            ("R", lambda: circuit.run(t_end=1.0, set={"R": wrong})),
            ("start of R", lambda: circuit.fit(data, {"R": {"start": wrong}})),
            ("sigma(C.e)", lambda: circuit.fit(data, {"R": 1.0}, sigma={"C.e": wrong})),
            ("step", lambda: circuit.modes(step=wrong))):
        raises(TypeError, f"`{name}` needs a number, not ", call)
raises(TypeError, "`min of R` needs a number, not '1 ohm'; give it in SI units",
       lambda: circuit.fit(data, {"R": {"start": 2.0, "min": "1 ohm"}}))
run = circuit.run(t_end=1.0)
raises(KeyError, "`R.q` is no output; there are ", lambda: run["R.q"])
raises(KeyError, "`R.q` is no output; there are ", lambda: run.peaks["R.q"])
raises(KeyError, "a file with `outputs` gives those alone", lambda: run.peaks["t"])
raises(TypeError, "`set` needs {path: value}", lambda: circuit.run(t_end=1.0, set=3))
raises(TypeError, "`set` needs {path: value}", lambda: circuit.run(t_end=1.0, set={3: 3}))
raises(TypeError, "`set` needs {path: value}", lambda: ha.graph("Se>1a>R", set=3))
raises(TypeError, "`parameters` needs {path: start}", lambda: circuit.fit(data, ["R"]))
raises(TypeError, "`parameters` needs a name or", lambda: circuit.sensitivity([3]))
raises(TypeError, "`u` needs a name or", lambda: circuit.linearise(u=[3]))
raises(TypeError, "`data` needs", lambda: circuit.fit(3, {"R": 1.0}))
raises(TypeError, "the data of `C.e`",
       lambda: circuit.fit({"t": [0, 1], "C.e": [0, "x"]}, {"R": 1}))
raises(TypeError, "", lambda: circuit.set(3, 1.0))
assert circuit.values == {}, circuit.values
assert abs(circuit.run(t_end=1.0)["C.e"][-1] - 6.3212) < 1e-3

# values that do not go together
raises(ha.Error, "`R` is given twice", lambda: circuit.sensitivity(["R", "R"], t_end=1.0))
raises(ha.Error, "not within its bounds",
       lambda: circuit.fit(data, {"R": {"start": 1.0, "min": 2.0}}))
raises(ha.Error, "are crossed",
       lambda: circuit.fit(data, {"R": {"start": 1.0, "min": 2.0, "max": 1.0}}))

# what Python raises in a call of the library's is raised behind it
class Stop(Exception):
    """An exception of the user's."""

def stop(*_):
    raise Stop("now")

option, halfarrow._study._option = halfarrow._study._option, stop
raises(Stop, "now", lambda: circuit.sensitivity("R", t_end=1.0, rtol=1e-8))
raises(Stop, "now", lambda: circuit.fit(data, {"R": 1.0}, rtol=1e-8))
halfarrow._study._option = option
assert circuit.sensitivity("R", t_end=1.0, rtol=1e-8).value.shape[1] == 1

# built models: what is wrong names its section and the line of the call
def built(text, element, *calls, **sections):
    def call():
        b = ha.Builder(**sections)
        for each in calls:
            each(b)
        b.model()
    raises(ha.Error, text, call, element)

built("a dictionary is needed, not 5", "parameters", lambda b: b.parameter("a", 1), parameters=5)
built("`a` cannot be added", "bodies", lambda b: b.body("a", mass=1), bodies=[1])
built("a dictionary is needed", "ground.points", lambda b: b.ground(O=[0, 0]),
      ground={"points": 3})
built("this is none: {1}", "name", lambda b: b.section("name", {1}))
built("this is none: 1j", "parameters.a", lambda b: b.parameter("a", 1j))
built("this is none: <", "bodies.a.points.A.1",
      lambda b: b.body("a", points={"A": [0, object()]}))
built("this is none: <", "parameters.a", parameters={"a": print})
built("a name is a text, not 3", "bodies", lambda b: b.body(3))
built("a name is a text, not None", "parameters", lambda b: b.parameter(None, 1))
built("a name is a text, not ['a']", "joints", lambda b: b.joint(["a"], "revolute"))
built("there already", "parameters.a", lambda b: b.parameter("a", 1),
      lambda b: b.parameter("a", 1))
raises(ha.Error, "this is none", lambda: ha.build({"a": object()}), "a")

# studies: what is wrong with one names its part, too
measure = {"u": "end(C.e)"}


def refuses(text, element, vary, what=None, **options):
    """A study of the circuit fails."""
    raises(ha.Error, text, lambda: ha.study(circuit, vary, measure if what is None else what,
                                            **{"t_end": 1.0, **options}), element)


refuses("the design is empty", None, {})
refuses("`list` of `R` is empty", "vary.R.list", {"R": []})
refuses("`measure` is empty", "measure", {"R": [1]}, {})
refuses("takes nothing of a run", "measure.u", {"R": [1]}, {"u": 3})
refuses("`C.x` is not known", "measure.u", {"R": [1]}, {"u": "end(C.x)"})
refuses("`X` is neither", "vary.X", {"X": [1]})
refuses("is a sequence of 1", "vary.R.normal", {"R": {"normal": [1]}})
refuses("the design is grid", "vary.R", {"R": {"normal": [1, 1]}})
refuses("`NaN` is not finite", "vary.R.list.1", {"R": [1, float("nan")]})
refuses("this is none: <", "vary.R.0", {"R": [object()]})
refuses("did you mean `grid`", "design", {"R": [1]}, design="gird")
raises(ha.Error, "no end time", lambda: ha.study(circuit, {"R": [1]}, measure))
raises(ha.Error, "no option `t_ned`", lambda: ha.study(circuit, {"R": [1]}, measure, t_ned=1))
raises(ha.Error, "at least 0 s", lambda: ha.study(circuit, {"R": [1]}, measure, t_end=-1))
for jobs in (0, -1, "all", 1e3):
    raises(ha.Error, "`jobs` is a number",
           lambda: ha.study(circuit, {"R": [1]}, measure, jobs=jobs, t_end=1))
raises(TypeError, "`vary` needs", lambda: ha.study(circuit, 3, measure))
raises(TypeError, "`measure` needs", lambda: ha.study(circuit, {"R": [1]}, ["u"]))
raises(TypeError, "`study` needs a model", lambda: ha.study(3, {"R": [1]}, measure))

# the program is found from everywhere, and so is a file that its place follows from
program = os.path.relpath(os.environ["HALFARROW_PROGRAM"])
os.environ["HALFARROW_PROGRAM"] = program
model = ha.build({"halfarrow": 1, "bondgraph": {
    "elements": {"Se": {"type": "Se"}, "a": {"type": "1"}, "R": {"type": "R"}},
    "bonds": ["Se > a", "a > R"]}}, directory=sys.argv[1])
assert model.check()["class"]
