/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of a report: a label at the left, names behind it, wrapped. */
#ifndef TOOLS_NAME_LIST_H
#define TOOLS_NAME_LIST_H

enum {
    NAME_LIST_LABEL = 22, /* columns of the labels */
    NAME_LIST_MOST = 40   /* names of one list in the text; JSON has all */
};

/* Names with what is between them. Zero-initialised but for the column is empty. */
typedef struct {
    const char *between; /* NULL: a comma */
    int column, n;
} name_list;

/* Prints the label of a line; the columns that it takes. */
int name_list_label(const char *label);

/* Prints one more name. */
void name_list_add(name_list *list, const char *name);

/* Ends the line of a list of `n` names, of which the first NAME_LIST_MOST were printed. */
void name_list_rest(int n);

#endif
