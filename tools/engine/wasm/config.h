/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What configure would find for WebAssembly; the versions come from the command line. */
#define _GNU_SOURCE 1
#define HA_WIDE
#define HA_WITHOUT_FILES 1
#define HA_WITHOUT_IGRAPH 1
#define SIZEOF_SUNINDEXTYPE 8
