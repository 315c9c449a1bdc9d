dnl SPDX-License-Identifier: GPL-3.0-or-later
dnl The compiler's flags. The user's CFLAGS are never touched; ours come before them.

dnl HA_TRY_CFLAG(VARIABLE, FLAG, [PROGRAM]): appends FLAG to VARIABLE when the compiler knows it and
dnl compiles PROGRAM with it silently. -Werror, because clang only warns about a warning it does not
dnl know.
AC_DEFUN([HA_TRY_CFLAG], [
    AS_VAR_PUSHDEF([ha_known], [ha_cv_cflag_$2])
    AC_CACHE_CHECK([whether $CC knows $2], [ha_known], [
        ha_save_CFLAGS=$CFLAGS
        CFLAGS="$CFLAGS -Werror $2"
        AC_COMPILE_IFELSE([m4_default([$3], [AC_LANG_PROGRAM([], [])])],
            [AS_VAR_SET([ha_known], [yes])], [AS_VAR_SET([ha_known], [no])])
        CFLAGS=$ha_save_CFLAGS
    ])
    AS_VAR_IF([ha_known], [yes], [$1="$$1 $2"])
    AS_VAR_POPDEF([ha_known])
])

dnl Fixes the language, so that a compiler with a newer default reads the sources as C17 too, and
dnl forbids fused multiply-add: results should not depend on the processor.
AC_DEFUN([HA_PROG_CC_C17], [
    STD_CFLAGS=
    HA_TRY_CFLAG([STD_CFLAGS], [-std=gnu17])
    AS_IF([test -z "$STD_CFLAGS"], [AC_MSG_ERROR([$CC does not know -std=gnu17; use gcc 8, clang 6 or newer])])
    FLOAT_CFLAGS=
    HA_TRY_CFLAG([FLOAT_CFLAGS], [-ffp-contract=off])
])

dnl Functions that are compiled once for each of several processors, of which the loader chooses. AVX2
dnl has no fused multiply-add: the bits stay those of any processor. The loader chooses before a
dnl sanitizer is ready. Only for static functions: others clang 14 names so that no file finds them.
AC_DEFUN([HA_WIDE_FUNCTIONS], [
    AC_CACHE_CHECK([whether $CC compiles functions for several processors], [ha_cv_wide], [
        ha_save_CFLAGS=$CFLAGS
        CFLAGS="$CFLAGS -Werror"
        AC_LINK_IFELSE([AC_LANG_PROGRAM([[
static __attribute__((target_clones("avx2", "default"))) int twice(int x) { return 2 * x; }
int (*volatile chosen)(int) = twice;
        ]], [[return chosen(0);]])], [ha_cv_wide=yes], [ha_cv_wide=no])
        CFLAGS=$ha_save_CFLAGS
    ])
    AS_IF([test "x$ha_cv_wide$SANITIZER_FLAGS" = xyes], [
        AC_DEFINE([HA_WIDE], [__attribute__((target_clones("avx2", "default")))],
            [Before a static function: it is compiled for processors with wide vector registers, too.])
    ], [AC_DEFINE([HA_WIDE], [])])
])

AC_DEFUN([HA_ARG_WERROR], [
    AC_ARG_ENABLE([werror],
        [AS_HELP_STRING([--enable-werror], [make compiler warnings fatal])],
        [], [enable_werror=no])
])

AC_DEFUN([HA_WARNINGS], [
    WARN_CFLAGS=
    m4_foreach_w([ha_flag], [-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes
            -Wmissing-prototypes -Wold-style-definition -Wpointer-arith -Wcast-qual
            -Wwrite-strings -Wformat=2 -Wundef -Wvla -Wswitch-enum],
        [HA_TRY_CFLAG([WARN_CFLAGS], ha_flag)])
    # clang finds fault with every NAN, which is a float
    HA_TRY_CFLAG([WARN_CFLAGS], [-Wdouble-promotion],
        [AC_LANG_SOURCE([[
#include <math.h>
double nan_of_double(void);
double nan_of_double(void) { return NAN; }
        ]])])
    AS_IF([test "x$enable_werror" = xyes], [WARN_CFLAGS="$WARN_CFLAGS -Werror"])
])

AC_DEFUN([HA_ARG_SANITIZER], [
    AC_ARG_WITH([sanitizer],
        [AS_HELP_STRING([--with-sanitizer=LIST], [instrument with sanitizers (address,undefined)])],
        [], [with_sanitizer=no])
    AS_CASE([$with_sanitizer],
        [yes], [AC_MSG_ERROR([--with-sanitizer needs a list, for example address,undefined])],
        [no], [],
        [: "${CFLAGS=-g -O1}"])
])

dnl Without -fno-sanitize-recover clang's undefined behaviour sanitizer prints a fault and exits 0.
AC_DEFUN([HA_SANITIZER], [
    SANITIZER_FLAGS=
    AS_IF([test "x$with_sanitizer" != xno], [
        SANITIZER_FLAGS="-fsanitize=$with_sanitizer -fno-sanitize-recover=all -fno-omit-frame-pointer"
        AC_MSG_CHECKING([whether $CC links with $SANITIZER_FLAGS])
        ha_save_CFLAGS=$CFLAGS
        CFLAGS="$CFLAGS $SANITIZER_FLAGS"
        AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])], [AC_MSG_RESULT([yes])], [
            AC_MSG_RESULT([no])
            AC_MSG_ERROR([the sanitizer library is missing (Debian: libclang-rt-14-dev for clang)])])
        CFLAGS=$ha_save_CFLAGS
    ])
    AC_SUBST([SANITIZER_FLAGS])
    AM_CONDITIONAL([SANITIZED], [test "x$with_sanitizer" != xno])
])

dnl CFLAGS come after ours, hence their default must change for -O0 to win.
AC_DEFUN([HA_ARG_COVERAGE], [
    AC_ARG_ENABLE([coverage],
        [AS_HELP_STRING([--enable-coverage], [instrument for gcov])],
        [], [enable_coverage=no])
    AS_IF([test "x$enable_coverage" = xyes], [: "${CFLAGS=-g -O0}"])
])

AC_DEFUN([HA_COVERAGE], [
    COVERAGE_FLAGS=
    AS_IF([test "x$enable_coverage" = xyes], [
        HA_TRY_CFLAG([COVERAGE_FLAGS], [--coverage])
        AS_IF([test -z "$COVERAGE_FLAGS"], [AC_MSG_ERROR([$CC does not know --coverage])])
    ])
])

AC_DEFUN([HA_ARG_FUZZING], [
    AC_ARG_WITH([fuzzing],
        [AS_HELP_STRING([--with-fuzzing], [link the fuzz targets with libFuzzer (clang)])],
        [], [with_fuzzing=no])
])

dnl Without libFuzzer the same targets are linked with a driver that replays the corpus.
AC_DEFUN([HA_FUZZING], [
    FUZZING_CFLAGS=
    FUZZING_LDFLAGS=
    AS_IF([test "x$with_fuzzing" = xyes], [
        HA_TRY_CFLAG([FUZZING_CFLAGS], [-fsanitize=fuzzer-no-link])
        AS_IF([test -z "$FUZZING_CFLAGS"],
            [AC_MSG_ERROR([--with-fuzzing needs clang: ./configure CC=clang (Debian: clang, libclang-rt-14-dev)])])
        FUZZING_LDFLAGS=-fsanitize=fuzzer
    ])
    AC_SUBST([FUZZING_LDFLAGS])
    AM_CONDITIONAL([FUZZING], [test "x$with_fuzzing" = xyes])
])
