/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of pages that the program holds, made by embed.sh: "page.html", "legend.html",
   "scene.css", and the "style", the "script" and the content security "policy" of the page. */
#ifndef TOOLS_PAGE_FILES_H
#define TOOLS_PAGE_FILES_H

/* The text of a part, NULL when there is none of this name. */
const char *page_file(const char *name);

#endif
