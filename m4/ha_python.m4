dnl SPDX-License-Identifier: GPL-3.0-or-later
dnl HA_PYTHON: Python 3 with cffi and numpy, for the Python package; the shared library is needed, too.
dnl That of the system goes first: its packages are those of the system.
AC_DEFUN([HA_PYTHON], [
AC_ARG_VAR([PYTHON], [Python 3 with cffi and numpy, for the Python package])
have_python=no
AC_MSG_CHECKING([for Python with cffi and numpy])
AS_IF([test -z "$PYTHON"], [
    for candidate in /usr/bin/python3 python3; do
        AS_IF([$candidate -c 'import cffi, numpy' >/dev/null 2>&1], [PYTHON=$candidate; break])
    done])
AS_IF([test -n "$PYTHON" && $PYTHON -c 'import cffi, numpy' >/dev/null 2>&1], [have_python=yes])
AC_MSG_RESULT([$have_python])
AS_IF([test "x$have_python" = xno],
    [AC_MSG_NOTICE([no Python package: install python3-cffi and python3-numpy for it])],
    [test "x$enable_shared" = xno],
    [have_python=no; AC_MSG_NOTICE([no Python package: it needs the shared library])])
AM_CONDITIONAL([HAVE_PYTHON], [test "x$have_python" = xyes])
])
