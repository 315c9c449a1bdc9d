dnl SPDX-License-Identifier: GPL-3.0-or-later
dnl HA_LIB_SUITESPARSE: KLU, BTF and COLAMD from SuiteSparse 5 or newer.
dnl
dnl Sets SUITESPARSE_CFLAGS, SUITESPARSE_LIBS and, for the .pc file, SUITESPARSE_PC. SuiteSparse 7
dnl has .pc files; SuiteSparse 5 has none, and Debian keeps its headers in a directory of their own.

AC_DEFUN([HA_LIB_SUITESPARSE], [
    AC_ARG_WITH([suitesparse],
        [AS_HELP_STRING([--with-suitesparse=DIR], [SuiteSparse is installed under DIR])],
        [], [with_suitesparse=])
    AS_CASE([$with_suitesparse],
        [yes|/usr], [with_suitesparse=],
        [no], [AC_MSG_ERROR([SuiteSparse cannot be left out])])

    SUITESPARSE_PC=
    have_SUITESPARSE=no
    AS_IF([test -z "$with_suitesparse"],
        [PKG_CHECK_MODULES([SUITESPARSE], [KLU BTF COLAMD], [
            have_SUITESPARSE=yes
            SUITESPARSE_PC=", KLU, BTF, COLAMD"
            HA_SYSTEM_INCLUDES([SUITESPARSE_CFLAGS])
        ], [:])])
    AS_IF([test $have_SUITESPARSE = no], [HA_FIND_SUITESPARSE])

    AC_MSG_CHECKING([that KLU, BTF and COLAMD compile and link])
    ha_save_CPPFLAGS=$CPPFLAGS
    ha_save_LIBS=$LIBS
    CPPFLAGS="$CPPFLAGS $SUITESPARSE_CFLAGS"
    LIBS="$SUITESPARSE_LIBS $LIBS"
    AC_LINK_IFELSE([AC_LANG_PROGRAM([[
#include <klu.h>
#include <btf.h>
#include <colamd.h>
#include <SuiteSparse_config.h>
#if SUITESPARSE_MAIN_VERSION < 5
#error SuiteSparse is too old
#endif
        ]], [[
return klu_l_factor == 0 || btf_l_maxtrans == 0 || colamd_l == 0;
        ]])], [AC_MSG_RESULT([yes])], [
            AC_MSG_RESULT([no])
            AC_MSG_ERROR([SuiteSparse 5 or newer with KLU, BTF and COLAMD is missing (Debian: libsuitesparse-dev); if it is elsewhere, use --with-suitesparse=DIR])])
    CPPFLAGS=$ha_save_CPPFLAGS
    LIBS=$ha_save_LIBS

    # the .pc file of halfarrow names the libraries itself where SuiteSparse has no .pc files
    SUITESPARSE_PRIVATE_LIBS=
    AS_IF([test -z "$SUITESPARSE_PC"], [SUITESPARSE_PRIVATE_LIBS=$SUITESPARSE_LIBS])
    AC_SUBST([SUITESPARSE_CFLAGS])
    AC_SUBST([SUITESPARSE_LIBS])
    AC_SUBST([SUITESPARSE_PC])
    AC_SUBST([SUITESPARSE_PRIVATE_LIBS])
])

AC_DEFUN([HA_FIND_SUITESPARSE], [
    AC_MSG_CHECKING([for klu.h])
    SUITESPARSE_LIBS="-lklu -lbtf -lcolamd -lsuitesparseconfig"
    SUITESPARSE_CFLAGS=
    ha_dirs="/usr/include /usr/local/include"
    AS_IF([test -n "$with_suitesparse"], [
        ha_dirs="$with_suitesparse/include"
        HA_PREFIX_LIBS([$with_suitesparse], [SUITESPARSE_LIBS])])
    ha_found=no
    ha_save_CPPFLAGS=$CPPFLAGS
    for ha_dir in $ha_dirs; do
        for ha_flag in "-isystem $ha_dir" "-isystem $ha_dir/suitesparse"; do
            AS_IF([test "x$ha_flag" = "x-isystem /usr/include"], [ha_flag=])
            CPPFLAGS="$ha_save_CPPFLAGS $ha_flag"
            AC_PREPROC_IFELSE([AC_LANG_SOURCE([[#include <klu.h>]])],
                [SUITESPARSE_CFLAGS=$ha_flag; ha_found=yes; break 2])
        done
    done
    CPPFLAGS=$ha_save_CPPFLAGS
    AC_MSG_RESULT([$ha_found])
])

dnl HA_PREFIX_LIBS(PREFIX, LIBS-VARIABLE): puts the library directory of PREFIX in front, also as
dnl run path, because a prefix that had to be named is rarely known to the loader.
AC_DEFUN([HA_PREFIX_LIBS], [
    for ha_lib in lib64 "lib/`$CC -print-multiarch 2>/dev/null`" lib; do
        AS_IF([test -d "$1/$ha_lib"], [$2="-L$1/$ha_lib -Wl,-rpath,$1/$ha_lib $$2"])
    done
])
