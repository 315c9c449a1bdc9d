/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What --version prints: a report of a fault needs the versions of the libraries as well. */
#include <config.h>

#include "tools/shared/cli.h"

#include "lib/core/versions.h"

#include <jansson.h>

#include <stdio.h>

void cli_print_version(void)
{
    char sundials[32], suitesparse[32], igraph[32], yaml[32];

    ha__sundials_version(sundials, sizeof sundials);
    ha__suitesparse_version(suitesparse, sizeof suitesparse);
    ha__igraph_version(igraph, sizeof igraph);
    ha__yaml_version(yaml, sizeof yaml);
    printf("halfarrow %s\n"
           "Licence GPL-3.0-or-later: free software, without warranty to the extent permitted by "
           "law.\n"
           "SUNDIALS %s, SuiteSparse %s, igraph %s, libyaml %s, jansson %s\n",
           PACKAGE_VERSION, sundials, suitesparse, igraph, yaml, jansson_version_str());
}
