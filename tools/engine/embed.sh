#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# embed.sh MODULE SCRIPT NOTICE MADE SUM: prints a C file with the engine of pages, byte by byte,
# as the program holds it (tools/engine/engine_files.h). There need be no MODULE. The notice of
# licences stands in front of the script, as a comment. The file MADE has the checksum of the
# sources that MODULE was made of; SUM is that of the sources now (sum.sh).
set -eu
export LC_ALL=C

module=$1
script=$2
notice=$3
made=$4
sum=$5

bytes() {
    od -An -v -tu1 "$@" | sed 's/[0-9][0-9]*/&,/g'
}

echo '/* SPDX-License-Identifier: GPL-3.0-or-later */'
echo '/* Made by tools/engine/embed.sh: the engine of pages. */'
echo '#include <config.h>'
echo
echo '#include "tools/engine/engine_files.h"'
echo
echo 'bool engine_is_old(void)'
echo '{'
if [ -e "$module" ] && [ "$(cat "$made" 2>/dev/null)" != "$sum" ]; then
    echo "warning: the engine of live pages is of other sources than these; make wasm" >&2
    echo '    return true;'
else
    echo '    return false;'
fi
echo '}'
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
    # without comments and indents, which are half of it
    sed 's/^ *//; /^\/\/ [^S]/d; /^\/\/$/d; /^$/d' "$script"
} | bytes
echo '0 };'
echo '    return (const char *) script;'
echo '}'
