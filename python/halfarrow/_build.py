# SPDX-License-Identifier: GPL-3.0-or-later
"""Models built from Python. A builder collects what a model file says; the library's own reader
reads it, so that all that a file can say can be built. An error names the call that it comes from.
"""
import json
import os
import sys
from collections.abc import Mapping

from ._base import Error

_HERE = os.path.dirname(os.path.abspath(__file__))


def _caller():
    """File and line of the call into this package."""
    frame = sys._getframe(1)
    while frame.f_back is not None and os.path.dirname(
            os.path.abspath(frame.f_code.co_filename)) == _HERE:
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno


def _plain(value, *path):
    """A value of a model file, at a path: numpy's numbers and arrays, names of files, too."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item, *path, str(key)) for key, item in value.items()}
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, (list, tuple)):
        return [_plain(item, *path, str(i)) for i, item in enumerate(value)]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise Error(f"a model has numbers, texts, lists and dictionaries; this is none: {value!r}",
                *_caller(), element=".".join(path) or None)


def _keys(keys):
    """Keys of an entry; one that is a word of Python's has a `_` behind it: `for_`, `is_`."""
    return {key[:-1] if key.endswith("_") else key: value for key, value in keys.items()}


class Builder:
    """Builds a model: parameters, points of the ground, bodies, joints, forces; elements and bonds.

    Each call adds an entry of a model file; its keys are those of the file. `model()` reads it.

    >>> b = ha.Builder("swing")
    >>> b.parameter("length", "1 m")
    >>> b.ground(O=[0, 0])
    >>> b.body("rod", mass="2 kg", inertia="2*length^2/12", points={"O": ["-length/2", 0]})
    >>> b.joint("O", "revolute", "ground.O", "rod.O")
    >>> b.force("bearing", "spring-damper", on="O", damping=0.3)
    >>> b.simulate(t_end=2.0)
    >>> round(b.model().run()["rod.angle"].min(), 2)
    -2.81
    >>> b.joint("E", "revolut", "ground.O", "rod.O")
    >>> try:
    ...     b.model()
    ... except ha.Error as error:
    ...     print(error.element, error.text[:40].rstrip())
    joints.E.type joint `E` has the type `revolut`, which

    A bond graph is built the same way:

    >>> b = ha.Builder()
    >>> b.element("Se", "Se", "10 V")
    >>> b.element("a", 1)
    >>> b.element("R", "R", "2 ohm")
    >>> b.element("C", "C", "0.5 F")
    >>> b.bond("Se > a", "a > R", "a > C")
    >>> round(b.model().run(t_end=1.0, rtol=1e-9)["C.e"][-1], 6)
    6.321206
    """

    def __init__(self, name=None, directory=".", **sections):
        self._tree, self._calls = {"halfarrow": 1}, {}
        self._directory = os.path.abspath(os.fspath(directory))
        if name is not None:
            self.section("name", name)
        for key, value in sections.items():
            self.section(key, value)

    def _add(self, path, value):
        """Adds an entry at a path, or a list of entries behind those there."""
        if not all(isinstance(name, str) for name in path):
            raise Error(f"a name is a text, not {path[-1]!r}", *_caller(), element=path[0])
        value, tree = _plain(value, *path), self._tree
        for i, key in enumerate(path[:-1], 1):
            tree = tree.setdefault(key, {})
            if not isinstance(tree, dict):
                raise Error(f"`{path[i]}` cannot be added: a dictionary is needed, not {tree!r}",
                            *_caller(), element=".".join(path[:i]))
        if isinstance(tree.get(path[-1]), list) and isinstance(value, list):
            first = len(tree[path[-1]])
            tree[path[-1]] += value
            for i in range(first, first + len(value)):
                self._calls[(*path, str(i))] = _caller()
            return
        if path[-1] in tree:
            file, line = self._calls.get(tuple(path), ("?", 0))
            raise Error(f"it is there already, from {file}:{line}", *_caller(),
                        element=".".join(path))
        tree[path[-1]] = value
        self._calls[tuple(path)] = _caller()

    def section(self, name, value):
        """Any section of a model file: `gravity`, `functions`, `submodels`, `tables`, ..."""
        self._add([name], value)

    def parameter(self, name, value):
        """A parameter; expressions behind it may use it."""
        self._add(["parameters", name], value)

    def ground(self, **points):
        """Points of the ground: [x, y], or {"at": [x, y], "axis": angle}."""
        for name, point in points.items():
            self._add(["ground", "points", name], point)

    def body(self, name, **keys):
        """A body: `mass`, `inertia`, `points`, `start`, ..."""
        self._add(["bodies", name], _keys(keys))

    def joint(self, name, type, first=None, second=None, **keys):
        """A joint of a type between two points, "BODY.POINT"."""
        between = {} if first is None else {"between": [first, second]}
        self._add(["joints", name], {"type": type, **between, **_keys(keys)})

    def force(self, name, type, **keys):
        """A force of a type: `on` or `between`, and its values."""
        self._add(["forces", name], {"type": type, **_keys(keys)})

    def part(self, name, type, **keys):
        """An instance of a submodel: `parameters`, `start`, ..."""
        self._add(["parts", name], {"type": type, **_keys(keys)})

    def element(self, name, type, value=None, **keys):
        """An element of the bond graph; a junction has the type 0 or 1."""
        given = {} if value is None else {"value": value}
        self._add(["bondgraph", "elements", name], {"type": str(type), **given, **_keys(keys)})

    def bond(self, *bonds):
        """Bonds, as "a > b" with the half arrow at b."""
        self._add(["bondgraph", "bonds"], list(bonds))

    def output(self, *outputs):
        """Outputs by name, or {NAME: EXPRESSION}; without any, all."""
        self._add(["outputs"], list(outputs))

    def simulate(self, **keys):
        """Options of runs: `t_end`, `step`, `rtol`, ..."""
        for key, value in _keys(keys).items():
            self._add(["simulate", key], value)

    def variant(self, name, **sections):
        """A variant: sections that replace those of the model."""
        self._add(["variants", name], sections)

    @property
    def tree(self):
        """What a model file has, as a dictionary."""
        return json.loads(json.dumps(self._tree))

    def model(self, variant=None, set=None):
        """The model; errors have `.element`, what was added, and the place of that call."""
        from . import build
        return build(self, self._directory, variant, set)

    def save(self, path):
        """Writes it as a model file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(_Origin(self, self._directory).text)


class _Origin:
    """The text that a model is read from, and what each line of it is made of."""

    def __init__(self, made, directory, name="model.yaml", behind=None):
        self.directory, self.path = directory, os.path.join(directory, name)
        self._behind = behind  # where errors that are not of this text may be from
        self._calls = made._calls if isinstance(made, Builder) else {}
        self._place, self._lines, self._paths = _caller(), [""], [()]
        self._write(made._tree if isinstance(made, Builder) else _plain(made), ())
        self.text = "\n".join(self._lines) + "\n"

    def _write(self, value, path):
        """Adds a value behind the last line, with each entry on a line of its own."""
        pairs = (value.items() if isinstance(value, dict)
                 else enumerate(value) if isinstance(value, list) else None)
        if pairs is None:
            self._lines[-1] += json.dumps(value, ensure_ascii=False)
            return
        is_list = isinstance(value, list)
        self._lines[-1] += "[" if is_list else "{"
        for key, item in pairs:
            self._lines.append("" if is_list else json.dumps(key, ensure_ascii=False) + ": ")
            self._paths.append((*path, str(key)))
            self._write(item, (*path, str(key)))
            self._lines[-1] += ","
        if value:
            self._lines[-1] = self._lines[-1][:-1]
        self._lines[-1] += "]" if is_list else "}"

    def of(self, error):
        """The error of a line of the text as one of the call that the line comes from."""
        if error.file not in (self.path, "-") or (error.line or 0) > len(self._paths):
            return error if self._behind is None else self._behind.of(error)
        path = () if error.line is None else self._paths[error.line - 1]
        call = next((self._calls[path[:n]] for n in range(len(path), 0, -1)
                     if path[:n] in self._calls), self._place)
        return Error(error.text, *call, status=error.status,
                     element=".".join(path) or None)


Builder.__module__ = "halfarrow"
