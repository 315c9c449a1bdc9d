# SPDX-License-Identifier: GPL-3.0-or-later
"""Packs the package, the library, the program and the parts into a wheel, without a network.

make_wheel.py PACKAGE LIBRARY PROGRAM VERSION DIRECTORY PART...
"""
import base64
import hashlib
import os
import re
import sys
import sysconfig
import zipfile

METADATA = """Metadata-Version: 2.1
Name: halfarrow
Version: {version}
Summary: Bond graphs with a causality-assigning solver, and planar mechanisms
License: GPL-3.0-or-later
Requires-Python: >=3.9
Requires-Dist: cffi
Requires-Dist: numpy
"""
WHEEL = """Wheel-Version: 1.0
Generator: halfarrow
Root-Is-Purelib: false
Tag: {tag}
"""
# what pip puts on the path: the program itself is beside the package, with the parts
SCRIPT = """#!python
import importlib.util
import os
import sys

package = os.path.dirname(importlib.util.find_spec("halfarrow").origin)
program = os.path.join(package, "halfarrow")
os.execv(program, [program, *sys.argv[1:]])
"""


def main():
    """Writes DIRECTORY/halfarrow-VERSION-TAG.whl and prints its path."""
    package, library, program, version, directory, *parts = sys.argv[1:]
    tag = "py3-none-" + re.sub(r"[-.]", "_", sysconfig.get_platform())
    files = {}
    for name in sorted(os.listdir(package)):
        if name.endswith((".py", ".pyi", ".typed")):
            with open(os.path.join(package, name), "rb") as file:
                files[f"halfarrow/{name}"] = file.read()
    for path, name in ((library, "libhalfarrow.so.0"), (program, "halfarrow")):
        with open(path, "rb") as file:
            files[f"halfarrow/{name}"] = file.read()
    for path in parts:
        with open(path, "rb") as file:
            files[f"halfarrow/library/halfarrow/{os.path.basename(path)}"] = file.read()
    files[f"halfarrow-{version}.data/scripts/halfarrow"] = SCRIPT.encode()
    info = f"halfarrow-{version}.dist-info"
    files[f"{info}/METADATA"] = METADATA.format(version=version).encode()
    files[f"{info}/WHEEL"] = WHEEL.format(tag=tag).encode()
    record = ""
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(data)}\n"
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    wheel = os.path.join(directory, f"halfarrow-{version}-{tag}.whl")
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            is_program = os.path.basename(name) in ("halfarrow", "libhalfarrow.so.0")
            entry.external_attr = (0o100755 if is_program else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    print(wheel)


if __name__ == "__main__":
    main()
