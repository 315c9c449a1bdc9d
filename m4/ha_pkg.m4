dnl SPDX-License-Identifier: GPL-3.0-or-later
dnl Libraries that pkg-config knows.

dnl HA_SYSTEM_INCLUDES(VARIABLE): turns -I into -isystem, so that our warnings stay out of foreign
dnl headers. /usr/include itself is dropped: as -isystem it would come too early for C++.
AC_DEFUN([HA_SYSTEM_INCLUDES], [
    $1=`AS_ECHO([" $$1 "]) | sed -e 's/ -I */ -isystem /g' -e 's, -isystem /usr/include/* , ,g' \
        -e 's/^ *//' -e 's/ *$//'`
])

dnl HA_PKG(VARIABLE, MODULE, DEBIAN-PACKAGE): a module that must be there.
AC_DEFUN([HA_PKG], [
    PKG_CHECK_MODULES([$1], [$2], [],
        [AC_MSG_ERROR([$2 is missing (Debian: $3)
$$1_PKG_ERRORS])])
    HA_SYSTEM_INCLUDES([$1_CFLAGS])
])

dnl HA_PKG_OPTIONAL(VARIABLE, MODULE): sets have_VARIABLE to yes or no.
AC_DEFUN([HA_PKG_OPTIONAL], [
    PKG_CHECK_MODULES([$1], [$2], [have_$1=yes], [have_$1=no])
    HA_SYSTEM_INCLUDES([$1_CFLAGS])
])
