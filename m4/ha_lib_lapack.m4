dnl SPDX-License-Identifier: GPL-3.0-or-later
dnl HA_LIB_LAPACK: LAPACK, for eigenvalues; sets LAPACK_LIBS.
AC_DEFUN([HA_LIB_LAPACK], [
    ha_save_LIBS=$LIBS
    LIBS=
    AC_SEARCH_LIBS([dggev_], [lapack openblas flexiblas], [LAPACK_LIBS=$LIBS],
        [AC_MSG_ERROR([LAPACK is missing (Debian: liblapack-dev)])], [-lblas -lm])
    LIBS=$ha_save_LIBS
    AC_SUBST([LAPACK_LIBS])
])
