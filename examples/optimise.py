# SPDX-License-Identifier: GPL-3.0-or-later
"""Optimisation by SciPy with exact gradients: the spring and damper that calm a mass soonest."""
import numpy as np
import halfarrow as ha
from scipy.optimize import minimize

b = ha.Builder("isolator", gravity=[0, 0])
b.ground(O=[0, 0])
b.body("m", mass=2.0, inertia=1.0, points={"P": [0, 0]},
       start={"x": 0.1, "y": 0, "vx": 0, "fixed": ["x", "y", "vx"]})
b.joint("guide", "translational", "ground.O", "m.P")
b.force("spring", "spring-damper", on="guide", stiffness=50.0, damping=2.0)
b.simulate(t_end=3.0, step=0.01, rtol=1e-8)
b.output("m.x", "m.vx")
model, paths = b.model(), ["forces.spring.stiffness", "forces.spring.damping"]

integral, calls = getattr(np, "trapezoid", None) or np.trapz, 0


def cost(logs):
    """Integral of x^2 + 0.01 v^2 over the run, with its gradient, over the logarithms of both."""
    global calls
    calls += 1
    values = dict(zip(paths, np.exp(logs)))
    r = model.run(set=values)
    s = model.sensitivity(paths, y=["m.x", "m.vx"], set=values)
    dx, dv = ([s.curves[f"d({y})/d({p})"] * values[p] for p in paths] for y in ("m.x", "m.vx"))
    gradient = [integral(2 * r["m.x"] * a + 0.02 * r["m.vx"] * c, r.t) for a, c in zip(dx, dv)]
    return integral(r["m.x"]**2 + 0.01 * r["m.vx"]**2, r.t), np.array(gradient)


found = minimize(cost, np.log([50.0, 2.0]), jac=True, bounds=[(0, np.log(80.0)), (-3, 6)])
stiffness, damping = np.exp(found.x)
print(f"stiffness {stiffness:.4g} N/m, damping {damping:.4g} N.s/m, {calls} evaluations")
# least squares of x^2 + 0.01 v^2 over a long time: x0^2 (c/2k + (m + 0.01 k)/2c), so that
# c = sqrt(k (m + 0.01 k)), and k is as large as it may be
assert abs(stiffness - 80.0) < 1e-6 and abs(damping / np.sqrt(80.0 * 2.8) - 1) < 1e-3, damping
