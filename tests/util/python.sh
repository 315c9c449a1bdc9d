# SPDX-License-Identifier: GPL-3.0-or-later
# What tests that import the Python package share; to be sourced. They are skipped where there is
# none; else it is that of the build: builddir, PYTHON, and what Python is told.
# shellcheck shell=bash
: "${top_builddir:=.}" "${PYTHON:=}"
if [ -n "${SANITIZER_FLAGS:-}" ]; then
    echo "skipped: an instrumented library cannot be loaded by Python"
    exit 77
fi
if [ -z "$PYTHON" ] || ! grep -q '^build_libtool_libs=yes' "$top_builddir/libtool"; then
    echo "skipped: no Python with cffi and numpy, or no shared library"
    exit 77
fi
builddir=$(cd "$top_builddir" && pwd)
env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL "${MAKE:-make}" -s -C "$builddir" python-stage
export PYTHONPATH=$builddir/python/stage PYTHONDONTWRITEBYTECODE=1
export HALFARROW_LIBRARY=$builddir/.libs/libhalfarrow.so.0
export HALFARROW_PROGRAM=$builddir/tools/halfarrow
