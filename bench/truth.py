#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Promises against truth: what --digits promises, and what drivers say of random mechanisms.

    bench/truth.py digits PROGRAM [--random N] [FILE ...]
    bench/truth.py agree PROGRAM [--random N] [--first SEED]

digits: every model is run with 3, 5, 7 and 9 digits. Truth is a run of explicit8 with rtol 1e-12,
a thousandth of the last digit asked for and less. Of each output the end and the extremes are
looked at, and count only as far as a run of ida with 1e-11 agrees about them three times better
than was asked. A line for each model, then the sums.

agree: each random mechanism is run at default settings by ida, explicit8 and auto. Drivers agree
where the end values differ by at most 1 % of what the outputs have reached. One that disagrees
says so where its own digits_estimate allows for that, and is called chaotic where a start that is
off by 1e-12 ends 1e4 times as far off, relative to the outputs. Rows with an energy error over 1 %
of what passed count where nothing was said of it.
"""
import argparse
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import time

ASKED = (3, 5, 7, 9)
ROUND = 1e-12  # of the largest output: less is round-off,
NOTHING = 1e-10  # and so is an output that reaches no more than this
LIMIT = 60.0  # seconds of a run; a run that takes longer is counted apart


def run(program, path, *options):
    """Status, report and messages of a run; status None: it took too long."""
    command = [program, "run", "--json", path, *options]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return None, {}, ""
    try:
        report = json.loads(done.stdout)
    except ValueError:
        report = {}
    return done.returncode, report, done.stderr


# --- random mechanisms ---------------------------------------------------------------------------


def body(rng, length, start):
    mass = rng.uniform(0.2, 3.0)
    return {"mass": mass, "inertia": mass * length**2 / 12.0,
            "points": {"A": [-length / 2, 0], "B": [length / 2, 0]}, "start": start}


def tree(rng):
    """A chain of one to three bars that swings, with dampers and perhaps a spring."""
    n = rng.randint(1, 3)
    model = {"ground": {"points": {"O": [0, 0]}}, "bodies": {}, "joints": {}, "forces": {}}
    last = "ground.O"
    for k in range(n):
        bar = f"b{k}"
        angle = rng.uniform(-1.5, 0.3)
        start = {"angle": angle, "fixed": ["angle"]}
        model["bodies"][bar] = body(rng, rng.uniform(0.2, 1.0), start)
        model["joints"][f"J{k}"] = {"type": "revolute", "between": [last, f"{bar}.A"]}
        model["forces"][f"d{k}"] = {"type": "spring-damper", "on": f"J{k}",
                                    "damping": rng.uniform(0.05, 0.5),
                                    "stiffness": rng.choice([0.0, rng.uniform(1.0, 20.0)])}
        last = f"{bar}.B"
    return model, rng.uniform(0.5, 2.0)


def four_bar(rng):
    """A crank-rocker under a torque, with friction in a joint."""
    crank, ground = rng.uniform(0.05, 0.15), rng.uniform(0.35, 0.45)
    coupler, rocker = rng.uniform(0.35, 0.45), rng.uniform(0.3, 0.4)
    angle = rng.uniform(0.5, 2.5)
    x, y = crank * math.cos(angle), crank * math.sin(angle)
    model = {
        "ground": {"points": {"O": [0, 0], "C": [ground, 0]}},
        "bodies": {
            "crank": body(rng, crank, {"angle": angle, "x": x / 2, "y": y / 2,
                                       "omega": rng.uniform(3.0, 10.0),
                                       "fixed": ["angle", "omega"]}),
            "coupler": body(rng, coupler, {"x": (x + ground) / 2, "y": y / 2 + 0.15,
                                           "angle": 0.5}),
            "rocker": body(rng, rocker, {"x": ground, "y": 0.15, "angle": -1.5}),
        },
        "joints": {
            "O": {"type": "revolute", "between": ["ground.O", "crank.A"]},
            "A": {"type": "revolute", "between": ["crank.B", "coupler.A"]},
            "B": {"type": "revolute", "between": ["coupler.B", "rocker.A"]},
            "C": {"type": "revolute", "between": ["rocker.B", "ground.C"]},
        },
        "forces": {
            "drive": {"type": "torque", "on": "crank",
                      "value": f"{rng.uniform(0.5, 3.0)} - {rng.uniform(0.05, 0.2)}*crank.omega"},
            "rub": {"type": "friction", "on": rng.choice(["O", "A", "B", "C"]),
                    "friction": rng.uniform(0.05, 0.3), "radius": rng.uniform(0.003, 0.01),
                    "friction_law": "coulomb", "friction_speed": 0.01},
        },
    }
    return model, rng.uniform(0.5, 2.0)


def slider_crank(rng):
    """A slider-crank with a stop on the slider, or a clearance in its pin."""
    crank, rod = rng.uniform(0.03, 0.08), rng.uniform(0.15, 0.3)
    angle = rng.uniform(-1.0, 1.0)
    y = crank * math.sin(angle)
    lean = math.asin(-y / rod)
    x = crank * math.cos(angle)
    end = x + rod * math.cos(lean)
    model = {
        "ground": {"points": {"O": [0, 0]}},
        "bodies": {
            "crank": body(rng, crank, {"angle": angle, "x": x / 2, "y": y / 2,
                                       "omega": rng.uniform(5.0, 20.0),
                                       "fixed": ["angle", "omega"]}),
            "rod": body(rng, rod, {"x": (x + end) / 2, "y": y / 2, "angle": lean}),
            "slider": {"mass": rng.uniform(0.2, 1.0), "inertia": 1e-3, "points": {"B": [0, 0]},
                       "start": {"x": end, "y": 0}},
        },
        "joints": {
            "O": {"type": "revolute", "between": ["ground.O", "crank.A"]},
            "A": {"type": "revolute", "between": ["crank.B", "rod.A"]},
            "B": {"type": "revolute", "between": ["rod.B", "slider.B"]},
            "S": {"type": "translational", "between": ["ground.O", "slider.B"]},
        },
        "forces": {"brake": {"type": "spring-damper", "on": "O",
                             "damping": rng.uniform(0.0, 0.02)}},
    }
    if rng.random() < 0.5:
        model["forces"]["end"] = {"type": "stop", "on": "S",
                                  "upper": rod + crank * rng.uniform(0.3, 0.9),
                                  "stiffness": 10.0 ** rng.uniform(4, 6),
                                  "damping": 10.0 ** rng.uniform(1, 2.5)}
        return model, rng.uniform(0.2, 1.0)
    model["joints"]["B"].update(model="clearance", bearing_radius=0.01,
                                clearance=rng.uniform(1e-4, 5e-4), modulus=2e11, poisson=0.3,
                                restitution=rng.uniform(0.5, 0.9))
    return model, rng.uniform(0.02, 0.05)


def balls(rng):
    """One to three balls over a floor, thrown at each other."""
    n = rng.randint(1, 3)
    model = {"ground": {"points": {"F": [0, 0]}}, "bodies": {}, "forces": {}}
    radius = [rng.uniform(0.01, 0.1) for _ in range(n)]
    for k in range(n):
        mass = rng.uniform(0.1, 2.0)
        model["bodies"][f"b{k}"] = {
            "mass": mass, "inertia": 0.4 * mass * radius[k] ** 2, "points": {"C": [0, 0]},
            "start": {"x": 0.4 * k, "y": rng.uniform(0.2, 1.0),
                      "vx": rng.uniform(0.5, 3.0) * (1 - k), "vy": rng.uniform(-2.0, 2.0)}}
        contact = {"type": "contact", "radius": radius[k], "modulus": 10.0 ** rng.uniform(7, 10),
                   "restitution": rng.uniform(0.5, 0.95)}
        model["forces"][f"f{k}"] = dict(contact, between=["ground.F", f"b{k}.C"])
        for i in range(k):
            model["forces"][f"c{i}{k}"] = dict(contact, between=[f"b{i}.C", f"b{k}.C"],
                                               surface="disc", surface_radius=radius[i])
    return model, rng.uniform(0.5, 1.5)


KINDS = (tree, four_bar, slider_crank, balls)


def mechanism(seed):
    """The kind and the model number `seed`, its outputs positions and velocities of the bodies."""
    rng = random.Random(seed)
    kind = KINDS[seed % len(KINDS)]
    model, t_end = kind(rng)
    parts = ("x", "y", "angle", "vx", "vy")
    names = [f"{name}.{part}" for name in model["bodies"] for part in parts]
    model.update(halfarrow=1, simulate={"t_end": t_end}, outputs=names)
    return kind.__name__, model


def write(model, directory):
    path = os.path.join(directory, "model.yaml")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(model, file)
    return path


# --- comparison ----------------------------------------------------------------------------------


def differences(report, truth, with_peaks):
    """By output: the difference of end values, and extremes, beside what the output reaches."""
    reached = {name: max(abs(p["max"]), abs(p["min"])) for name, p in truth["peaks"].items()
               if p["max"] is not None and p["min"] is not None}
    floor = ROUND * max(reached.values(), default=0.0)
    found = {}
    for name, value in truth["final"].items():
        if name not in reached or name not in report["final"] or name == "energy.error":
            continue
        if reached[name] <= NOTHING * max(reached.values()):
            continue
        off = abs(report["final"][name] - value)
        for side in ("max", "min") if with_peaks else ():
            other = report["peaks"][name][side]
            off = max(off, math.inf if other is None else abs(other - truth["peaks"][name][side]))
        found[name] = 0.0 if off <= floor else off / max(reached[name], 1e-300)
    return found


def difference(report, truth):
    """The largest difference of end values beside what the outputs reach."""
    return max(differences(report, truth, False).values(), default=math.inf)


def truth_of(program, path):
    """The best known results, and how far two drivers agree about each output."""
    reports = []
    for driver, rtol in (("explicit8", "1e-12"), ("ida", "1e-11")):
        status, report, _ = run(program, path, "--driver", driver, "--rtol", rtol,
                                "--max-steps", "3000000")
        if status != 0:
            return None, {}
        reports.append(report)
    return reports[0], differences(reports[1], reports[0], True)


def judge(report, truth, doubt, allowed):
    """A word for what was promised, and the outputs that are short of it."""
    if truth is None:
        return "unknown", []
    off = differences(report, truth, True)
    is_known = {name: doubt.get(name, math.inf) <= 0.3 * allowed for name in off}
    short = [name for name in off if off[name] > allowed and is_known[name]
             and name not in report["digits_left_out"]]
    word = "short" if short else "right" if any(is_known.values()) else "unknown"
    return word, [f"{name} {off[name]:.1e}" for name in short]


def show_digits(program, names):
    sums = {"models": 0, "right": 0, "short": 0, "refused": 0, "unknown": 0, "slow": 0}
    for name, path in names:
        line = []
        sums["models"] += 1
        truth, doubt = truth_of(program, path)
        for digits in ASKED:
            allowed = 10.0**-digits
            begin = time.monotonic()
            status, report, error = run(program, path, "--digits", str(digits))
            line.append(f"{digits}:{time.monotonic() - begin:.1f}s")
            if status is None:
                word = "slow"
            elif status != 0:
                word = "refused"
                line.append("[" + error.strip().split("\n")[0][-240:] + "]")
            else:
                word, short = judge(report, truth, doubt, allowed)
                line += [str(short[:4])] if short else []
            sums[word] += 1
            line.append(word)
        print(name, *line, flush=True)
    print(sums)


def is_said(error):
    return "energy book" in error or "stopped" in error


def perturbed(model):
    other = json.loads(json.dumps(model))
    for part in other["bodies"].values():
        for key, value in part["start"].items():
            if isinstance(value, float):
                part["start"][key] = value * (1.0 + 1e-12)
    return other


def is_chaotic(program, model, directory):
    reports = []
    for variant in (model, perturbed(model)):
        path = write(variant, directory)
        status, report, _ = run(program, path, "--driver", "explicit8", "--rtol", "1e-11")
        if status != 0:
            return False
        reports.append(report)
    return difference(reports[1], reports[0]) > 1e-8


def show_agreement(program, first, count):
    sums = {"models": 0, "agree": 0, "failed with a reason": 0, "says so": 0, "chaotic": 0,
            "slow": 0, "disagree": 0, "unsaid energy": 0, "refused": 0}
    with tempfile.TemporaryDirectory() as directory:
        for seed in range(first, first + count):
            kind, model = mechanism(seed)
            path = write(model, directory)
            runs = [run(program, path, "--driver", d) for d in ("explicit8", "ida", "auto")]
            sums["models"] += 1
            done = [r for s, r, _ in runs if s == 0]
            sums["unsaid energy"] += any(
                s == 0 and r["energy_error"] > 0.01 * max(r["energy_passed"], 1e-300)
                and not is_said(e) for s, r, e in runs if "energy_passed" in r)
            if any(s is None for s, _, _ in runs):
                word = "slow"
            elif any(s == 2 for s, _, _ in runs):
                word = "refused"
            elif len(done) < 3:
                word = "failed with a reason"
            else:
                off = max(difference(r, done[0]) for r in done[1:])
                known = min(r["digits_estimate"] or 0.0 for r in done)
                word = ("agree" if off <= 0.01 else
                        "says so" if off <= 2.0 * 10.0 ** -known else
                        "chaotic" if is_chaotic(program, model, directory) else "disagree")
            sums[word] += 1
            if word != "agree":
                reasons = [e.strip().split("\n")[0][:150] for s, _, e in runs if s != 0]
                print(seed, kind, word, *reasons[:1], flush=True)
            if (seed - first + 1) % 100 == 0:
                print(sums, flush=True)
    print(sums)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("what", choices=["digits", "agree", "model"])
    parser.add_argument("program")
    parser.add_argument("--random", type=int, default=60)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("files", nargs="*")
    given = parser.parse_intermixed_args()
    if given.what == "model":
        json.dump(mechanism(given.first)[1], sys.stdout, indent=1)
    elif given.what == "agree":
        show_agreement(given.program, given.first, given.random)
    else:
        with tempfile.TemporaryDirectory() as directory:
            names = [(os.path.basename(path), path) for path in given.files]
            for seed in range(given.first, given.first + given.random):
                kind, model = mechanism(seed)
                path = os.path.join(directory, f"{seed}.yaml")
                with open(path, "w", encoding="utf-8") as file:
                    json.dump(model, file)
                names.append((f"{kind} {seed}", path))
            show_digits(given.program, names)


if __name__ == "__main__":
    main()
