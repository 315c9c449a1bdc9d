#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# embed.sh FILE...: prints a C file with the bytes of the files, by their base names, as the program
# holds the parts of its pages (tools/page/page_files.h).
set -eu

echo '/* SPDX-License-Identifier: GPL-3.0-or-later */'
echo '/* Made by tools/page/embed.sh: the parts of pages, byte by byte. */'
echo '#include <config.h>'
echo
echo '#include "tools/page/page_files.h"'
echo
echo '#include <string.h>'
i=0
for file in "$@"; do
    echo
    echo "static const unsigned char part_${i}[] = {"
    od -An -v -tu1 "$file" | sed 's/[0-9][0-9]*/&,/g'
    echo '0 };'
    i=$((i + 1))
done
echo
echo 'const char *page_file(const char *name)'
echo '{'
i=0
for file in "$@"; do
    echo "    if (strcmp(name, \"$(basename "$file")\") == 0) {"
    echo "        return (const char *) part_$i;"
    echo '    }'
    i=$((i + 1))
done
echo '    return NULL;'
echo '}'
