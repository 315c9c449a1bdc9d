/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Versions of the libraries in use; each function is in the one file that wraps its library. Not
   installed. */
#ifndef LIB_VERSIONS_H
#define LIB_VERSIONS_H

#include <stddef.h>

/* Write the version as text, "6.4.1", into `text` of `size` bytes. */
void ha__sundials_version(char *text, size_t size);
void ha__suitesparse_version(char *text, size_t size);
void ha__igraph_version(char *text, size_t size);
void ha__yaml_version(char *text, size_t size);

#endif
