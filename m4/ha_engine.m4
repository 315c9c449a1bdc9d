dnl SPDX-License-Identifier: GPL-3.0-or-later
dnl HA_ENGINE: what `make wasm` needs: clang with a linker, libc and built-ins for WebAssembly, a
dnl packer, and the sources of the libraries that are compiled in. The project builds without.
dnl
dnl Sets WASM_CC, ENGINE_PACK, ENGINE_SOURCES, and have_engine to yes or to what is missing.
AC_DEFUN([HA_ENGINE], [
AC_ARG_VAR([WASM_CC], [clang that compiles for WebAssembly, for `make wasm`])
AC_ARG_WITH([engine-sources],
    [AS_HELP_STRING([--with-engine-sources=DIR],
        [where `make engine-sources` puts, and `make wasm` finds, the sources of SUNDIALS, SuiteSparse and libyaml (engine-sources in the build directory)])],
    [ENGINE_SOURCES=$withval], [ENGINE_SOURCES=`pwd`/engine-sources])
have_engine="no (needs clang, lld, wasi-libc, libclang-rt-dev-wasm32)"
AC_MSG_CHECKING([for clang that links programs for WebAssembly])
AC_LANG_CONFTEST([AC_LANG_PROGRAM([[#include <math.h>
#include <stdio.h>]], [[printf("%g", sin(0.5));]])])
for ha_candidate in "$WASM_CC" clang clang-14 clang-15 clang-16 clang-17 clang-18 clang-19; do
    AS_IF([test -n "$ha_candidate" &&
        $ha_candidate --target=wasm32-wasi -o conftest.wasm conftest.c >&AS_MESSAGE_LOG_FD 2>&1],
        [WASM_CC=$ha_candidate; have_engine=yes; break])
done
rm -f conftest.c conftest.wasm
AS_IF([test "x$have_engine" = xyes], [AC_MSG_RESULT([$WASM_CC])], [AC_MSG_RESULT([no])])
AC_PATH_PROG([ZOPFLI], [zopfli])
AS_IF([test -n "$ZOPFLI"], [ENGINE_PACK="$ZOPFLI -c"], [ENGINE_PACK="gzip -9nc"])
AC_PATH_PROG([WASM_OPT], [wasm-opt])
AC_PATH_PROG([NODE], [node])
AC_SUBST([have_engine])
AC_SUBST([ENGINE_PACK])
AC_SUBST([ENGINE_SOURCES])
])
