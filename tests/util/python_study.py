# SPDX-License-Identifier: GPL-3.0-or-later
"""Studies from Python: the numbers of the command, whatever the number of threads; Ctrl-C."""
import csv
import json
import os
import signal
import subprocess
import sys
import threading

import numpy as np
import halfarrow as ha

path = os.path.join("examples", "motor_four_bar.yaml")
model = ha.load(path)
vary = {"parameters.a": {"normal": [0.1, 0.001]}, "bodies.crank.mass": {"uniform": [0.4, 0.6]},
        "parameters.d": [0.6, 0.61, 0.9]}
measure = {"top": "peak(rocker.angle)", "load": "peak(O.fx) - least(O.fx)"}
plan = {"design": "latin-hypercube", "runs": 30, "seed": 7}
studies = [ha.study(model, vary, measure, jobs=jobs, t_end=0.05, **plan) for jobs in (1, 2, None)]
one = studies[0]
assert one.is_quick and 0 < one.failed < 30 and len(one) == 30
for other in studies[1:]:
    assert other.status == one.status and other.names == one.names
    assert all(np.array_equal(one[name], other[name], equal_nan=True) for name in one.names)
assert np.array_equal(one.is_done, np.isfinite(one["top"]))

# the same table as that of the command, to the last digit
file = os.path.join(sys.argv[1], "study.yaml")
lists = {name: way if isinstance(way, dict) else {"list": way} for name, way in vary.items()}
with open(file, "w", encoding="utf-8") as out:
    json.dump({"vary": lists, "measure": measure, **plan}, out)
subprocess.run([os.environ["HALFARROW_PROGRAM"], "study", path, file, "-q", "--t-end", "0.05",
                "-o", os.path.join(sys.argv[1], "made")], check=True)
with open(os.path.join(sys.argv[1], "made", "results.csv"), encoding="utf-8") as table:
    rows = list(csv.reader(table))
assert rows[0] == ["run", *one.names, "status"], rows[0]
for i, row in enumerate(rows[1:]):
    assert row[-1] == one.status[i], row
    assert np.array_equal([float(x) for x in row[1:-1]], [one[name][i] for name in one.names],
                          equal_nan=True), row

# the values of a model, and those given, hold for its studies
circuit = ha.graph("Se{10}>1a>R{2};1a>C{0.5}")
circuit.set("C", 1.0)
found = ha.study(circuit, {"R": np.array([1.0, 2.0])}, {"u": "end(C.e)"}, t_end=1.0, rtol=1e-9,
                 set={"Se": 1.0})
assert abs(found["u"] - (1 - np.exp(-1.0/found["R"]))).max() < 1e-8


# Ctrl-C ends a study that would take hours, also where the shell that began this one ignores it
signal.signal(signal.SIGINT, signal.default_int_handler)


def interrupt():
    while not any(thread.name == "halfarrow study" for thread in threading.enumerate()):
        pass
    signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)


helper = threading.Thread(target=interrupt)
helper.start()
try:
    ha.study(circuit, {"R": {"uniform": [1.0, 2.0]}}, {"u": "end(C.e)"}, t_end=100.0, rtol=1e-12,
             design="random", runs=1000000)
except KeyboardInterrupt:
    pass
else:
    raise AssertionError("the study went on")
helper.join()
assert ha.study(circuit, {"R": [1.0]}, {"u": "end(C.e)"}, t_end=1.0).failed == 0
