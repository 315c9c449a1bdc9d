# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the module halfarrow/_ffi.py of the declarations in the installed headers.

build_ffi.py SOURCE CC OUTPUT

The headers that the package needs go through the preprocessor with empty standard headers, so that
what is left is declarations of our own, and through cffi. No list of functions is kept by hand.
"""
import os
import re
import subprocess
import sys
import tempfile

import cffi

HEADERS = ("mech2d/prepared.h", "mech2d/sensitivity.h", "mech2d/fit.h", "mech2d/study.h")
STUBS = {
    "stdbool.h": "typedef _Bool bool;\n",
    "stddef.h": "#define NULL 0\n",
    "stdint.h": "",
    "signal.h": "typedef int sig_atomic_t;\n",
}


def declarations(source, cc):
    """The text of all declarations that the headers have."""
    with tempfile.TemporaryDirectory() as stubs:
        for name, text in STUBS.items():
            with open(os.path.join(stubs, name), "w", encoding="utf-8") as file:
                file.write(f"#ifndef STUB_{name[:-2]}\n#define STUB_{name[:-2]}\n{text}#endif\n")
        text = "".join(f'#include "{header}"\n' for header in HEADERS)
        run = subprocess.run(
            [*cc.split(), "-E", "-P", "-nostdinc", "-I", stubs, "-I", source,
             "-D__attribute__(x)=", "-"],
            input=text, capture_output=True, text=True, check=True)
    text = re.sub(r"\b(bool|_Bool)\b(?=;)", r"\1", run.stdout)
    return re.sub(r"typedef _Bool bool;", "", text)  # cffi has it


def main():
    """Writes the module."""
    source, cc, output = sys.argv[1:]
    ffi = cffi.FFI()
    ffi.cdef(declarations(source, cc))
    ffi.set_source("halfarrow._ffi", None)
    ffi.emit_python_code(output)


if __name__ == "__main__":
    main()
