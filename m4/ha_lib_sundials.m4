dnl SPDX-License-Identifier: GPL-3.0-or-later
dnl HA_LIB_SUNDIALS: SUNDIALS IDA 6 or 7 with KLU, double precision. SUNDIALS has no .pc file.
dnl Comes after HA_LIB_SUITESPARSE: the header of its KLU interface includes <klu.h>.
dnl
dnl Sets SUNDIALS_CFLAGS and SUNDIALS_LIBS. A SUNDIALS 7 that was built with MPI includes <mpi.h>
dnl from its basic header even for serial programs; the flags of MPI's headers are added then.

AC_DEFUN([HA_LIB_SUNDIALS], [
    AC_ARG_WITH([sundials],
        [AS_HELP_STRING([--with-sundials=DIR], [SUNDIALS is installed under DIR])],
        [], [with_sundials=])
    AS_CASE([$with_sundials],
        [yes|/usr], [with_sundials=],
        [no], [AC_MSG_ERROR([SUNDIALS cannot be left out])])
    m4_define([ha_sundials_hint], [(Debian: libsundials-dev); if it is elsewhere, use --with-sundials=DIR])

    SUNDIALS_CFLAGS=
    SUNDIALS_LIBS=
    AS_IF([test -n "$with_sundials"], [
        AS_IF([test ! -e "$with_sundials/include/sundials/sundials_config.h"],
            [AC_MSG_ERROR([there is no SUNDIALS under $with_sundials])])
        SUNDIALS_CFLAGS="-isystem $with_sundials/include"
        HA_PREFIX_LIBS([$with_sundials], [SUNDIALS_LIBS])])

    ha_save_CPPFLAGS=$CPPFLAGS
    ha_save_LIBS=$LIBS
    CPPFLAGS="$ha_save_CPPFLAGS $SUNDIALS_CFLAGS $SUITESPARSE_CFLAGS"

    AC_MSG_CHECKING([for SUNDIALS])
    AC_PREPROC_IFELSE([AC_LANG_SOURCE([[#include <sundials/sundials_config.h>]])], [], [
        AC_MSG_RESULT([no])
        AC_MSG_ERROR([SUNDIALS is missing ha_sundials_hint])])
    AC_COMPUTE_INT([ha_sundials_major], [SUNDIALS_VERSION_MAJOR], [[#include <sundials/sundials_config.h>]], [ha_sundials_major=0])
    AC_COMPUTE_INT([ha_sundials_minor], [SUNDIALS_VERSION_MINOR], [[#include <sundials/sundials_config.h>]], [ha_sundials_minor=0])
    ha_sundials_version=$ha_sundials_major.$ha_sundials_minor
    AC_MSG_RESULT([$ha_sundials_version])
    AS_IF([test "$ha_sundials_major" -lt 6], [AC_MSG_ERROR([SUNDIALS 6 or newer is needed ha_sundials_hint])])
    AS_IF([test "$ha_sundials_major" -gt 7], [AC_MSG_WARN([SUNDIALS $ha_sundials_version was never tried])])

    AC_CHECK_DECL([SUNDIALS_SUNLINSOL_KLU], [],
        [AC_MSG_ERROR([this SUNDIALS was built without KLU ha_sundials_hint])],
        [[#include <sundials/sundials_config.h>]])
    AC_CHECK_DECL([SUNDIALS_DOUBLE_PRECISION], [],
        [AC_MSG_ERROR([this SUNDIALS was not built for double precision ha_sundials_hint])],
        [[#include <sundials/sundials_config.h>]])

    HA_SUNDIALS_MPI
    AC_CHECK_SIZEOF([sunindextype], [], [[#include <sundials/sundials_types.h>]])
    AS_CASE([$ac_cv_sizeof_sunindextype], [4|8], [],
        [AC_MSG_ERROR([sunindextype has $ac_cv_sizeof_sunindextype bytes; KLU has integers of 4 and 8])])
    HA_SUNDIALS_LINK

    CPPFLAGS=$ha_save_CPPFLAGS
    LIBS=$ha_save_LIBS
    AC_SUBST([SUNDIALS_CFLAGS])
    AC_SUBST([SUNDIALS_LIBS])
])

AC_DEFUN([HA_SUNDIALS_MPI], [
    AC_MSG_CHECKING([whether the headers of SUNDIALS need those of MPI])
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <sundials/sundials_types.h>]], [])],
        [AC_MSG_RESULT([no])], [
        AC_MSG_RESULT([yes])
        PKG_CHECK_MODULES([MPI], [mpi-c], [],
            [AC_MSG_ERROR([SUNDIALS needs the headers of MPI (Debian: mpi-default-dev)])])
        HA_SYSTEM_INCLUDES([MPI_CFLAGS])
        SUNDIALS_CFLAGS="$SUNDIALS_CFLAGS $MPI_CFLAGS"
        CPPFLAGS="$CPPFLAGS $MPI_CFLAGS"
        AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <sundials/sundials_types.h>]], [])], [],
            [AC_MSG_ERROR([<sundials/sundials_types.h> does not compile, see config.log ha_sundials_hint])])
    ])
])

dnl The context lives in libsundials_core from version 7 on, before in every solver's library.
AC_DEFUN([HA_SUNDIALS_LINK], [
    AC_MSG_CHECKING([for the libraries of IDA with KLU])
    ha_found=no
    ha_sundials_solver="-lsundials_ida -lsundials_nvecserial -lsundials_sunmatrixsparse -lsundials_sunlinsolklu"
    for ha_core in "" -lsundials_core -lsundials_generic; do
        LIBS="$SUNDIALS_LIBS $ha_sundials_solver $ha_core $SUITESPARSE_LIBS $ha_save_LIBS"
        AC_LINK_IFELSE([AC_LANG_PROGRAM([[
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunmatrix/sunmatrix_sparse.h>
#include <sunlinsol/sunlinsol_klu.h>
            ]], [[
return SUNContext_Create == 0 || N_VNew_Serial == 0 || SUNSparseMatrix == 0 || IDACreate == 0
    || SUNLinSol_KLU == 0;
            ]])], [
            SUNDIALS_LIBS="$SUNDIALS_LIBS $ha_sundials_solver $ha_core"
            ha_found=yes
            break])
    done
    AC_MSG_RESULT([$ha_found])
    AS_IF([test $ha_found = no],
        [AC_MSG_ERROR([the libraries of SUNDIALS IDA and its KLU solver do not link, see config.log ha_sundials_hint])])
])
