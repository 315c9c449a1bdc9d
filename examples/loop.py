# SPDX-License-Identifier: GPL-3.0-or-later
"""The loop of a study: noisy data, a fitted friction with its error, and what the error means."""
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import halfarrow as ha

wiper = ha.load(__file__.replace("loop.py", "motor_four_bar.yaml"))
friction, rng = "forces.bearing.damping", np.random.default_rng(7)
truth = wiper.run(t_end=0.5, step=0.01, set={friction: 0.31})
noisy = truth["rocker.angle"] + rng.normal(0.0, 2e-3, len(truth))
fit = wiper.fit({"t": truth.t, "rocker.angle": noisy}, {friction: {"start": 0.2, "min": 0.0}})
print(f"friction {fit.values[friction]:.4f} +- {fit.errors[friction]:.4f} N.m.s, measured at 0.31")

def top_speed(values):
    try:
        return wiper.run(t_end=0.5, set=values).peaks["crank.omega"]["max"]
    except ha.Error as error:  # a frame that is too long cannot be closed
        return error

draws = [{friction: fit.values[friction] + fit.errors[friction] * rng.normal(),
          "parameters.d": rng.normal(0.6, 0.08)} for _ in range(200)]
with ThreadPoolExecutor() as pool:
    speeds = list(pool.map(top_speed, draws))
good = [speed for speed in speeds if not isinstance(speed, ha.Error)]
print(f"top speed {np.mean(good):.3f} +- {np.std(good):.3f} rad/s; {200 - len(good)} runs failed")
