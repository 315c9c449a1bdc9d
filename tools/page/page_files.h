/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of pages that the program holds: the files of tools/page and tools/page/uplot. */
#ifndef TOOLS_PAGE_FILES_H
#define TOOLS_PAGE_FILES_H

/* The text of a file ("page.css"), NULL when there is none of this name. */
const char *page_file(const char *name);

#endif
