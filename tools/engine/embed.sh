#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# embed.sh MODULE SCRIPT NOTICE: prints a C file with the engine of pages, byte by byte, as the
# program holds it (tools/engine/engine_files.h). There need be no MODULE. The notice of licences
# stands in front of the script, as a comment.
set -eu
export LC_ALL=C

module=$1
script=$2
notice=$3

bytes() {
    od -An -v -tu1 "$@" | sed 's/[0-9][0-9]*/&,/g'
}

echo '/* SPDX-License-Identifier: GPL-3.0-or-later */'
echo '/* Made by tools/engine/embed.sh: the engine of pages. */'
echo '#include <config.h>'
echo
echo '#include "tools/engine/engine_files.h"'
echo
echo 'const unsigned char *engine_module(size_t *length)'
echo '{'
if [ -e "$module" ]; then
    echo '    static const unsigned char module[] = {'
    bytes "$module"
    echo '    };'
    echo '    *length = sizeof module;'
    echo '    return module;'
else
    echo '    *length = 0;'
    echo '    return NULL;'
fi
echo '}'
echo
echo 'const char *engine_script(void)'
echo '{'
echo '    static const unsigned char script[] = {'
{
    sed 's,^,// ,; s, *$,,' "$notice"
    cat "$script"
} | bytes
echo '0 };'
echo '    return (const char *) script;'
echo '}'
