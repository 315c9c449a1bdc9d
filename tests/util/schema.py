# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks doc/halfarrow.schema.json against the reader of the program.

schema.py PROGRAM SCHEMA FILE...

Every FILE that the program accepts must be valid. At every place of a model that has keys or a type
of its own, the schema must know what the reader knows, which its messages about the unknown key or
type `zzz` list, and must refuse `zzz`.
"""
import json
import re
import subprocess
import sys

import jsonschema
import yaml


class Loader(yaml.SafeLoader):
    """YAML 1.2: `on` and `yes` are words, 1e-8 is a number."""


Loader.yaml_implicit_resolvers = {}
for tag, pattern in (
    ("bool", "true|True|TRUE|false|False|FALSE"),
    ("null", "~|null|Null|NULL|"),
    ("int", "[-+]?[0-9]+"),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?"),
):
    Loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(f"^(?:{pattern})$"), None)

BASE = {
    "halfarrow": 1,
    "ground": {"points": {"O": [0, 0]}},
    "bodies": {"b": {"mass": 1, "inertia": 1, "points": {"P": [0, 0]}}},
}
BETWEEN = ["ground.O", "b.P"]


def joint(kind, **more):
    return {"J": {"type": kind, "between": BETWEEN, **more}}


def element(kind, **more):
    return {"elements": {"E": {"type": kind, **more}}}


problems = []
program, schema_file, *files = sys.argv[1:]
with open(schema_file, encoding="utf-8") as file:
    schema = json.load(file)
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)


def complain(text):
    problems.append(text)
    print(text)


def listed(model, what):
    """The words that a message about `zzz` lists."""
    run = subprocess.run([program, "check", "-"], input=json.dumps(model), capture_output=True,
                         text=True, check=False)
    found = re.search(what, run.stderr)
    if found is None:
        complain(f"no message about `zzz`: {json.dumps(model)}: {run.stderr}")
        return set()
    if validator.is_valid(model):
        complain(f"the schema accepts `zzz`: {json.dumps(model)}")
    return set(re.sub("[`,]", " ", found.group(1)).split())


def compare(place, read, known):
    if read != known:
        complain(f"{schema_file}: {place}: missing {sorted(read - known)}, too many "
                 f"{sorted(known - read)}; the reader knows {sorted(read)}")


def keys(place, model, known):
    compare(place, listed(model, "unknown key `zzz`.*known are (.*)"), set(known))


def types(place, model, known):
    compare(place, listed(model, "type `zzz`(?:, which is not known)?; use one of (.*)"),
            {str(t) for t in known})


def then(name, kind):
    """The keys of a joint or force of this type."""
    for case in schema["definitions"][name]["allOf"]:
        if case["if"]["properties"]["type"]["const"] == kind:
            return case["then"]["propertyNames"]["enum"]
    complain(f"{schema_file}: {name}: no keys for the type {kind}")
    return []


def check_places():
    top, parts = schema["properties"], schema["definitions"]
    body = {"mass": 1, "inertia": 1}
    keys("the file", {**BASE, "zzz": 1}, top)
    keys("ground", {**BASE, "ground": {"zzz": 1}}, top["ground"]["properties"])
    keys("a body", {**BASE, "bodies": {"b": {**body, "zzz": 1}}}, parts["body"]["properties"])
    for part in ("start", "motion"):
        keys(part, {**BASE, "bodies": {"b": {**body, part: {"zzz": 1}}}},
             parts["body"]["properties"][part]["properties"])
    keys("a point", {**BASE, "bodies": {"b": {**body, "points": {"P": {"at": [0, 0], "zzz": 1}}}}},
         parts["point"]["anyOf"][1]["properties"])
    keys("simulate", {**BASE, "simulate": {"zzz": 1}}, top["simulate"]["properties"])
    keys("bondgraph", {**BASE, "bondgraph": {"zzz": 1}}, top["bondgraph"]["properties"])
    keys("an element", {**BASE, "bondgraph": element("R", zzz=1)}, parts["element"]["properties"])
    keys("an instance", {**BASE, "submodels": {"m": {}}, "bondgraph": element("m", zzz=1)},
         parts["instance"]["properties"])
    keys("a part", {**BASE, "submodels": {"m": {}}, "parts": {"p": {"type": "m", "zzz": 1}}},
         parts["part"]["properties"])
    keys("a submodel", {**BASE, "submodels": {"m": {"zzz": 1}}},
         {**parts["submodel"]["anyOf"][0]["properties"],
          **parts["submodel"]["anyOf"][1]["properties"]})
    types("an element", {**BASE, "bondgraph": element("zzz")},
          parts["element"]["properties"]["type"]["enum"])


def check_joints():
    known = schema["definitions"]["joint"]["properties"]["type"]["enum"]
    types("a joint", {**BASE, "joints": joint("zzz")}, known)
    for kind in known:
        keys(f"joint of type {kind}", {**BASE, "joints": joint(kind, zzz=1)}, then("joint", kind))


# What a force of each type acts on; spring-dampers on a joint have other keys.
ENDS = {
    "force": [{"on": "b.P"}],
    "wrench": [{"on": "b.P"}],
    "air-drag": [{"on": "b.P"}],
    "torque": [{"on": "b"}],
    "friction": [{"on": "J"}],
}
ELSEWHERE = [{"between": BETWEEN}, {"on": "J"}]


def check_forces():
    known = schema["definitions"]["force"]["properties"]["type"]["enum"]
    types("a force", {**BASE, "forces": {"F": {"type": "zzz", "on": "b"}}}, known)
    for kind in known:
        read = set()
        for slider in ("revolute", "translational"):
            for ends in ENDS.get(kind, ELSEWHERE):
                model = {**BASE, "joints": joint(slider),
                         "forces": {"F": {"type": kind, **ends, "zzz": 1}}}
                read |= listed(model, "unknown key `zzz`.*known are (.*)")
        compare(f"force of type {kind}", read, set(then("force", kind)))


def check_files():
    n = 0
    for name in files:
        accepted = subprocess.run([program, "check", "-q", name], capture_output=True, check=False)
        if accepted.returncode == 2:
            continue
        with open(name, encoding="utf-8") as text:
            model = yaml.load(text, Loader)
        for error in validator.iter_errors(model):
            place = ".".join(str(part) for part in error.absolute_path)
            complain(f"{name}: {place}: {error.message[:300]}")
        n += 1
    print(f"{n} of {len(files)} files are models, and valid")
    if n == 0:
        complain("no file is a model")


check_files()
check_places()
check_joints()
check_forces()
sys.exit(1 if problems else 0)
