# SPDX-License-Identifier: GPL-3.0-or-later
"""Models built from Python against files, fits and sensitivities against closed forms."""
import os
import subprocess
import sys

import numpy as np
import halfarrow as ha

directory = sys.argv[1]


def fails(call, text, element=None):
    """The line of the call that an error comes from."""
    try:
        call()
    except ha.Error as error:
        assert text in error.text, error.text
        assert error.element == element, (error.element, error.text)
        return error
    raise AssertionError(f"no error: {text}")


def same(built, path, **options):
    """A built model gives the table of its file, to the byte, here and by the program."""
    names = [os.path.join(directory, name) for name in ("built.csv", "file.csv", "program.csv")]
    built.model().run(**options).save(names[0])
    ha.load(path).run(**options).save(names[1])
    subprocess.run([os.environ["HALFARROW_PROGRAM"], "run", "-q", path, "-o", names[2], *(
        x for name, value in options.items() for x in ("--" + name.replace("_", "-"), str(value)))],
        check=True)
    tables = [open(name, "rb").read() for name in names]
    assert tables[0] == tables[1] == tables[2] and tables[0].count(b"\n") > 10, path


def four_bar():
    """The example motor_four_bar.yaml by calls: a mechanism and a bond graph."""
    b = ha.Builder("motor_four_bar")
    for name, value in zip("abcd", ("100 mm", "350 mm", "250 mm", "400 mm")):
        b.parameter(name, value)
    b.ground(O=[0, 0], C=["d", 0])
    b.body("crank", mass="0.5 kg", inertia=2e-3, points={"O": [0, 0], "A": ["a", 0]},
           start={"angle": 0, "omega": 0, "fixed": ["angle", "omega"]})
    for name, mass, size, ends, angle in (("coupler", 0.7, "b", "AB", "40 deg"),
                                          ("rocker", 0.6, "c", "CB", "100 deg")):
        b.body(name, mass=mass, inertia=f"{mass}*{size}^2/12", start={"angle": angle},
               points={ends[0]: [f"-{size}/2", 0], ends[1]: [f"{size}/2", 0]})
    for name, first, second in (("O", "ground", "crank"), ("A", "crank", "coupler"),
                                ("B", "coupler", "rocker"), ("C", "ground", "rocker")):
        b.joint(name, "revolute", f"{first}.{name}", f"{second}.{name}")
    b.force("bearing", "spring-damper", on="C", damping="0.2 N.m.s/rad")
    for name, kind, value in (("V", "Se", "24 V"), ("1i", 1, None), ("R_coil", "R", "0.6 ohm"),
                              ("I_coil", "I", "5 mH"), ("K", "GY", "0.5 N.m/A"), ("1r", 1, None),
                              ("I_rotor", "I", np.float64(3e-3))):
        b.element(name, kind, value)
    b.bond("V > 1i", "1i > R_coil", "1i > I_coil", "1i > K > 1r", "1r > I_rotor")
    b.bond("1r > O.axis")
    b.simulate(t_end="2 s", step="2 ms", rtol=1e-8)
    return b


same(four_bar(), "examples/motor_four_bar.yaml", t_end=0.1)
four_bar().save(os.path.join(directory, "saved.yaml"))
same(four_bar(), os.path.join(directory, "saved.yaml"), t_end=0.1)

# arrays, variants, outputs by expression
assert ha.Builder("x", gravity=np.zeros(2)).tree["gravity"] == [0.0, 0.0]
m = four_bar()
m.output("crank.angle", {"twice": "2*crank.angle"})
m.variant("heavy", bodies={"crank": {"mass": "5 kg"}})
light, heavy = (m.model(variant=v).run(t_end=0.05) for v in (None, "heavy"))
assert np.array_equal(light["twice"], 2 * light["crank.angle"])
assert abs(heavy["crank.angle"][-1] - light["crank.angle"][-1]) < 1e-12  # pivot at the mass centre
assert m.model(set={"parameters.a": "0.11 m"}).check()["mobility"] == 1

# includes beside a directory, for the library and the program; parts of a submodel
gears = ha.Builder("two-stage gearbox", directory="examples", gravity=[0, 0],
                   include=["../library/planetary_stage.yaml"])
gears.part("first", "planetary_stage")
gears.part("second", "planetary_stage",
           parameters={"x": "200 mm", "sun": "40 mm", "ring": "80 mm", "planets": 4})
gears.element("motor", "MSe", "5 - 0.02*first.on_sun.omega")
gears.element("housing1", "Sf", 0)
gears.element("housing2", "Sf", 0)
gears.element("load", "R", "20 N.m.s/rad")
gears.bond("motor > first.sun", "housing1 > first.ring", "first.carrier > second.sun",
           "housing2 > second.ring", "second.carrier > load")
gears.output("first.on_sun.omega", "second.on_carrier.omega", "load.e")
same(gears, "examples/gearbox.yaml", t_end=0.1)
assert gears.model().check()["mobility"] == ha.load("examples/gearbox.yaml").check()["mobility"]

# analyses of a built model, by the program
model = four_bar().model()
assert model.check()["class"] == ha.load("examples/motor_four_bar.yaml").check()["class"]
assert model.linearise(u=["V"], y=["crank.omega"]).B.shape[1] == 1
assert model.diagram(level="word").svg.startswith("<")
assert "<html" in model.run(t_end=0.02).page().html

# an error names the element and the call
b = four_bar()
b.body("lever", mass=-1.0, inertia=1.0)
error = fails(b.model, "mass", "bodies.lever.mass")
assert error.file == __file__ and open(__file__).read().splitlines()[error.line - 1].startswith(
    'b.body("lever"'), (error.file, error.line)
b = four_bar()
b.joint("E", "revolute", "crank.A", "coupler.X")
assert fails(b.model, "X", "joints.E.between.1").file == __file__
b = four_bar()
b.bond("V > nothing")
fails(b.model, "nothing", "bondgraph.bonds.6")
fails(lambda: four_bar().body("crank", mass=1), "is there already", "bodies.crank")
fails(lambda: ha.build({"halfarrow": 1, "bodeis": {}}), "did you mean `bodies`", "bodeis")
fails(lambda: ha.build({"halfarrow": 1}), "has no `bodies`")
nothing = {"mass": float("nan"), "inertia": 1}
fails(lambda: ha.build({"halfarrow": 1, "bodies": {"b": nothing}}), "NaN", "bodies.b.mass")
fails(lambda: four_bar().model(set={"parameters.q": 1}), "q")

# sensitivities in closed form: q = C E (1 - exp(-t/RC)); options and values of one call
m = ha.graph("Se{10}>1a>R{2};1a>C{0.25}")
s = m.sensitivity(["R", "C"], y="C.q", t_end=1.0, set={"C": 0.5}, rtol=1e-9, step=0.25)
assert abs(s["C.q", "R"] + 10 * np.exp(-1) / 4 * 2 * 0.5) < 1e-8, s["C.q", "R"]
assert s.at.tolist() == [2.0, 0.5] and len(s.curves) == 5 and s.events == 0
assert abs(s.relative[0, 0] - s["C.q", "R"] * 2 / s.final["C.q"]) < 1e-15 and s.error.max() < 1e-6
fails(lambda: m.sensitivity([], t_end=1), "name what")
fails(lambda: m.sensitivity("L", t_end=1), "no element or parameter `L`")
fails(lambda: m.sensitivity("R", t_end=1, rtol=7), "rtol")
fails(lambda: m.sensitivity("R"), "need an end time")

# a fit: bounds, standard deviations, a file, what is wrong with data
t = np.linspace(0.0, 2.0, 41)
exact = 10 * (1 - np.exp(-t / 0.9))
f = m.fit({"t": t, "C.e": exact}, {"R": 2.6}, set={"C": 0.5}, rtol=1e-10)
assert abs(f.values["R"] - 1.8) < 1e-7 and f.freedom == 40 and f.rms < 1e-8, f
np.savetxt(os.path.join(directory, "data.csv"), np.column_stack([1e3 * t, exact]), delimiter=",",
           header="t [ms],C.e", comments="")
g = m.fit(os.path.join(directory, "data.csv"), {"R": 2.6}, sigma={"C.e": 0.1}, set={"C": 0.5})
assert abs(g.values["R"] - 1.8) < 2e-6 and g.covariance.shape == (1, 1), g
slope = m.sensitivity("R", "C.e", 2.0, {"C": 0.5, "R": g.values["R"]}, step=0.05).curves.data[:, 1]
assert abs(g.errors["R"] - 0.1 / np.sqrt(slope @ slope)) < 1e-4 * g.errors["R"], g
h = m.fit({"t": t, "C.e": exact}, {"R": {"start": 1.0, "max": 1.5}}, set={"C": 0.5})
assert h.held == ["R"] and h.values["R"] == 1.5 and np.isnan(h.errors["R"]), h
assert np.allclose(h.table["data(C.e)"] - h.table["C.e"], h.table["residual(C.e)"])
fails(lambda: m.fit({"t": t}, {"R": 1.0}), "fewer data")
fails(lambda: m.fit({"t": t, "C.x": t}, {"R": 1.0}), "C.x")
fails(lambda: m.fit({"t": t, "C.e": t[1:]}, {"R": 1.0}), "one length")
fails(lambda: m.fit({"t": -t, "C.e": t}, {"R": 1.0}), "times must ascend")
fails(lambda: m.fit({"t": t, "C.e": t}, {"R": {"min": 1.0}}), "needs `start`")
fails(lambda: m.fit({"t": t, "C.e": t}, {"R": {"start": 2.0, "max": 1.0}}), "within its bounds")
fails(lambda: m.fit("nowhere.csv", {"R": 1.0}), "cannot read the file")
