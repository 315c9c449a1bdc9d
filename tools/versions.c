/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What --version prints: a report of a fault needs the versions of the libraries as well. */
#include <config.h>

#include "tools/cli.h"

#include <jansson.h>

#include <stdio.h>

/* The headers of these libraries belong to the one file that wraps each. */
extern int SUNDIALSGetVersion(char *version, int length);
extern int igraph_version(const char **version, int *major, int *minor, int *patch);
extern int SuiteSparse_version(int version[3]);
extern const char *yaml_get_version_string(void);

void cli_print_version(void)
{
    char sundials[32] = "?";
    const char *igraph = "?";
    int suitesparse[3] = { 0, 0, 0 };

    (void) SUNDIALSGetVersion(sundials, (int) sizeof sundials);
    (void) igraph_version(&igraph, NULL, NULL, NULL);
    (void) SuiteSparse_version(suitesparse);
    printf("halfarrow %s\n"
           "Licence GPL-3.0-or-later: free software, without warranty to the extent permitted by "
           "law.\n"
           "SUNDIALS %s, SuiteSparse %d.%d.%d, igraph %s, libyaml %s, jansson %s\n",
           PACKAGE_VERSION, sundials, suitesparse[0], suitesparse[1], suitesparse[2], igraph,
           yaml_get_version_string(), jansson_version_str());
}
