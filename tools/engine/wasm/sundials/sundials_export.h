/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SUNDIALS' build makes this file; nothing is exported here. */
#ifndef SUNDIALS_EXPORT_H
#define SUNDIALS_EXPORT_H

#define SUNDIALS_EXPORT
#define SUNDIALS_NO_EXPORT
#define SUNDIALS_DEPRECATED
#define SUNDIALS_DEPRECATED_EXPORT
#define SUNDIALS_DEPRECATED_NO_EXPORT

#endif
