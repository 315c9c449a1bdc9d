/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of a report. */
#include <config.h>

#include "tools/shared/name_list.h"

#include <stdio.h>
#include <string.h>

enum { LINE_WIDTH = 96 };

void name_list_add(name_list *list, const char *name)
{
    int length = (int) strlen(name);

    list->column += printf("%s", list->n == 0 ? "" : list->between == NULL ? "," : list->between);
    if (list->n > 0 && list->column + 2 + length > LINE_WIDTH) {
        printf("\n%*s", NAME_LIST_LABEL + 2, "");
        list->column = NAME_LIST_LABEL + 2;
    } else {
        putchar(' ');
        list->column++;
    }
    fputs(name, stdout);
    list->column += length;
    list->n++;
}

int name_list_label(const char *label)
{
    return printf("  %-*s", NAME_LIST_LABEL - 2, label);
}

void name_list_rest(int n)
{
    if (n > NAME_LIST_MOST) {
        printf(" and %d more", n - NAME_LIST_MOST);
    }
    putchar('\n');
}
