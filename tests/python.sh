#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The Python package: declarations as the C compiler sees them, stubs, examples in its
# documentation, the page doc/python.md, built models, results against the program, threads,
# errors, memory, the wheel.
set -euo pipefail

: "${top_srcdir:=.}" "${CC:=cc}"
# shellcheck source=tests/util/python.sh
. "$top_srcdir/tests/util/python.sh" || exit
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$top_srcdir"

# sizes and places of what Python reads and writes
"$PYTHON" - "$directory/layout.c" <<'END'
import sys
from halfarrow._ffi import ffi
names = ("ha_diag", "ha_where", "ha_peak", "ha_dae", "ha_dae_options", "ha_dae_stats",
         "bg_run_options", "bg_run_report", "m2d_source", "m2d_variable", "m2d_sensitivity_def",
         "bg_sensitivity", "m2d_fit_def", "m2d_fit_parameter", "m2d_fit_sigma", "m2d_fit",
         "m2d_study_option", "m2d_study_def", "m2d_study")
with open(sys.argv[1], "w", encoding="utf-8") as out:
    print('#include <stddef.h>', file=out)
    print('#include "mech2d/fit.h"\n#include "mech2d/sensitivity.h"\n'
          '#include "mech2d/study.h"\n', file=out)
    for name in names:
        kind = ffi.typeof(name)
        print(f"_Static_assert(sizeof({name}) == {ffi.sizeof(name)}, \"{name}\");", file=out)
        for field, what in kind.fields:
            print(f"_Static_assert(offsetof({name}, {field}) == {what.offset}, "
                  f"\"{name}.{field}\");", file=out)
END
read -ra compiler <<<"$CC"
"${compiler[@]}" -std=c17 -fsyntax-only -I . "$directory/layout.c"

"$PYTHON" -c 'import doctest, halfarrow, numpy, sys
tested = doctest.testmod(halfarrow, extraglobs={"ha": halfarrow, "np": numpy})
sys.exit(tested.failed or tested.attempted < 60)'

# the stubs have the names and arguments of the package
"$PYTHON" - <<'END'
import ast, inspect, re
import halfarrow
with open("python/halfarrow/__init__.pyi", encoding="utf-8") as file:
    stubs = {node.name: node for node in ast.parse(file.read()).body if hasattr(node, "name")}
assert set(stubs) == set(halfarrow.__all__), set(stubs) ^ set(halfarrow.__all__)

def check(name, node, real):
    a = node.args
    got = [x.arg for x in a.args] + [x.arg for x in (a.vararg, a.kwarg) if x is not None]
    assert got == list(inspect.signature(real).parameters), (name, got)

for name, node in stubs.items():
    real = getattr(halfarrow, name)
    assert real.__doc__, name
    if isinstance(node, ast.FunctionDef):
        check(name, node, real)
        continue
    said = real.__doc__ + "".join(base.__doc__ or "" for base in real.__mro__[1:-1])
    for n in node.body:
        if isinstance(n, ast.AnnAssign):
            assert re.search(rf"\b{n.target.id}\b", said), (name, n.target.id, "is not described")
        elif not n.name.startswith("_"):
            assert inspect.getattr_static(real, n.name).__doc__, (name, n.name)
    methods = {n.name: n for n in node.body if isinstance(n, ast.FunctionDef)}
    own = {n for n, v in vars(real).items() if callable(v) or isinstance(v, property)}
    public = {n for n in own if not n.startswith("_")}
    assert public <= set(methods), (name, public - set(methods))
    for method, n in methods.items():
        found = inspect.getattr_static(real, method)
        check(f"{name}.{method}", n, found.fget if isinstance(found, property) else found)
END

# every block of the page, one after the other
"$PYTHON" - doc/python.md "$directory" <<'END'
import os, re, sys
text = open(sys.argv[1], encoding="utf-8").read()
here, names = os.getcwd(), {}
os.chdir(sys.argv[2])
os.symlink(os.path.join(here, "examples"), "examples")
for block in re.findall(r"^```python\n(.*?)^```", text, re.M | re.S):
    exec(compile(block, "doc/python.md", "exec"), names)
END

cd "$top_srcdir"
"$PYTHON" examples/loop.py >"$directory/loop"
grep -q 'friction 0.3[01]' "$directory/loop"
grep -q ' [1-9][0-9]* runs failed' "$directory/loop"
if "$PYTHON" -c 'import scipy.optimize' 2>/dev/null; then
    "$PYTHON" examples/optimise.py >/dev/null
fi
if command -v gnuplot >/dev/null; then
    "$PYTHON" tests/util/notebook.py examples/lecture.ipynb
fi
"$PYTHON" tests/util/python_models.py "$directory"
"$PYTHON" tests/util/python_errors.py "$directory"
"$PYTHON" tests/util/python_study.py "$directory"

"$PYTHON" - <<'END'
import concurrent.futures, gc, json, os, resource, subprocess, sys, time
import numpy as np
import halfarrow as ha

program = os.environ["HALFARROW_PROGRAM"]

# the same numbers as the program
m = ha.load("examples/motor_four_bar.yaml")
for a in (0.1, 0.101):
    m.set("parameters.a", a)
    r = m.run(t_end=0.1)
    found = json.loads(subprocess.run(
        [program, "run", "examples/motor_four_bar.yaml", "--json", "--t-end", "0.1", "--set",
         f"parameters.a={a}"], capture_output=True, check=True).stdout)
    for name, value in found["final"].items():
        largest = max(1e-9, np.abs(r[name]).max())
        if name != "energy.error":
            assert abs(r.final[name] - value) < 1e-5*largest, (name, r.final[name], value)
            assert abs(r.peaks[name]["max"] - found["peaks"][name]["max"]) < 1e-5*largest, name

# arrays share the memory of the table, and keep it
x = m.run(t_end=0.1)["crank.angle"]
assert not x.flags.owndata and x.strides[0] > 8
gc.collect()
assert x[0] == 0 and np.isfinite(x).all()

# threads: each run has values of its own
values = [0.0995 + 1e-4*i for i in range(12)]
alone = [m.run(t_end=0.05, set={"parameters.a": v})["crank.angle"][-1] for v in values]
with concurrent.futures.ThreadPoolExecutor(4) as pool:
    runs = pool.map(lambda v: m.run(t_end=0.05, set={"parameters.a": v}), values)
    assert [r["crank.angle"][-1] for r in runs] == alone

# errors have their places
def fails(call, text, file=None, line=None):
    try:
        call()
    except ha.Error as error:
        assert text in error.text and error.file == file, (error.text, error.file)
        assert line is None or (error.line == line and error.column > 0), error.line
        assert "Error" not in repr(error.text)
    else:
        raise AssertionError(f"no error: {text}")

fails(lambda: ha.load("none.yaml"), "", "none.yaml")
fails(lambda: ha.graph("Se>1a>R;1a>X9"), "X9", "--graph", 1)
fails(lambda: m.set("bodies.crank.mas", 1.0), "unknown key `mas`", "bodies.crank.mas")
fails(lambda: m.run(t_end=0.1, set={"parameters.a": 0.9}), "cannot be closed",
      "examples/motor_four_bar.yaml")
fails(lambda: m.run(rtol=7), "rtol")
fails(lambda: ha.load("examples/pendulum.yaml", variant="none"), "variant",
      "examples/pendulum.yaml")
fails(lambda: ha.graph("Se>1a>R").run(), "no end time")
try:
    m.run(t_end=0.01)["crank.angel"]
except KeyError as error:
    assert "crank.angel" in str(error)
else:
    raise AssertionError("an unknown output")
assert m.run(t_end=0.05)["crank.angle"][-1] == m.run(t_end=0.05)["crank.angle"][-1]

# nothing stays behind
def load_and_free(n):
    for _ in range(n):
        ha.graph("Se>1a>R;1a>C").run(t_end=0)
    gc.collect()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
load_and_free(200)
before = load_and_free(200)
assert load_and_free(1000) - before < 4096, "kB more after 1000 models"

# pictures and pages
svg = m.diagram(level="word")._repr_svg_()
assert svg.lstrip().startswith("<?xml") or svg.lstrip().startswith("<svg"), svg[:80]
assert m.run(t_end=0.02).page()._repr_html_().startswith("<iframe srcdoc=")
l = ha.load("examples/pendulum.yaml").linearise(y=["rod.angle"])
assert l.A.shape == (2, 2) and l.C.shape == (1, 2) and l.states[0].startswith("rod.")
assert ha.load("examples/andrews.yaml").statics()["stable"] is True
mode = ha.load("examples/pendulum.yaml").modes(at="equilibrium")["modes"][0]
assert abs(mode["frequency"] - np.sqrt(1.5*9.81)/2/np.pi) < 1e-9, mode["frequency"]
assert abs(abs(mode["eigenvalue"]) - np.sqrt(1.5*9.81)) < 1e-8
m.run(t_end=0.02).save(os.path.join(os.environ.get("TMPDIR", "/tmp"), f"ha{os.getpid()}.csv"))
os.remove(os.path.join(os.environ.get("TMPDIR", "/tmp"), f"ha{os.getpid()}.csv"))
END

# the wheel has all that it needs
cd "$builddir"
env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL "${MAKE:-make}" -s wheel >"$directory/log"
"$PYTHON" -m zipfile -e "$(tail -n 1 "$directory/log")" "$directory/wheel"
chmod +x "$directory/wheel/halfarrow/halfarrow"
cat >"$directory/jack.yaml" <<'END'
halfarrow: 1
include: [halfarrow/jack.yaml]
ground: {points: {A: [0, 0]}}
parts: {jack: {type: jack}}
joints: {A: {type: weld, between: [ground.A, jack.base]}}
bondgraph:
  elements: {pump: {type: Sf, value: 0}, tank: {type: Se, value: 0}}
  bonds: [pump > jack.supply, tank > jack.tank]
simulate: {t_end: 1 ms}
END
cd "$directory"
unset HALFARROW_PROGRAM HALFARROW_LIBRARY
export PYTHONPATH=$directory/wheel LD_LIBRARY_PATH=$directory/wheel/halfarrow
"$PYTHON" -c '
import halfarrow as ha
m = ha.graph("Se>1a>R;1a>C")
assert m.check()["class"] and len(m.run(t_end=1)) == 501
jack = ha.load("jack.yaml")
assert len(jack.run()) == 501 and jack.check()["mobility"] == 1'
"$PYTHON" wheel/halfarrow-*.data/scripts/halfarrow check jack.yaml >"$directory/log"
grep -q "mobility  *1 by counting" "$directory/log"
