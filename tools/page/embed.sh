#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# embed.sh DIRECTORY: prints a C file with the parts of pages, byte by byte, as the program holds
# them (tools/page/page_files.h): the pages, their one style and script, and the content security
# policy that allows these two by their digests; the script of pages under `report --watch`, and
# their policy, by which they may also read a script beside them. DIRECTORY gets scratch files.
set -eu
export LC_ALL=C

here=$(dirname "$0")
scratch=$1
style='uplot/uPlot.min.css scene.css page.css stage.css review.css print.css'
script='uplot/uPlot.iife.min.js data.js index.js select.js player.js window.js mechanism.js
    canvas.js diagram.js parts.js graph.js plots.js decisions.js hodograph.js review.js panels.js
    modes.js print.js page.js'
live='live_engine.js live_state.js live_run.js live_form.js live_loads.js live_draw.js
    live_controls.js live_drag.js live_yaml.js live_page.js'

# each file behind a line break
join() {
    for file in "$@"; do
        echo
        cat "$here/$file"
    done
}

# The digest of a file in base64: 12 bits are 3 digits of the one and 2 of the other.
digest() {
    { sha256sum "$1" 2>/dev/null || shasum -a 256 "$1"; } | awk '
        {
            digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
            hex = substr($1, 1, 64) "00"
            for (i = 1; i <= 64; i += 3) {
                word = 0
                for (k = 0; k < 3; k++) {
                    word = 16 * word + index("0123456789abcdef", substr(hex, i + k, 1)) - 1
                }
                text = text substr(digits, int(word / 64) + 1, 1) substr(digits, word % 64 + 1, 1)
            }
            print substr(text, 1, 43) "="
        }'
}

# shellcheck disable=SC2086 # lists
join $style >"$scratch/style"
{
    # the licence of the foreign part in front
    printf '\n/*!\nuPlot\n\n'
    cat "$here/uplot/LICENSE"
    printf '*/'
    # shellcheck disable=SC2086
    join $script
} >"$scratch/script"
style_digest=$(digest "$scratch/style")
script_digest=$(digest "$scratch/script")
join watch.js >"$scratch/watch"
watch_digest=$(digest "$scratch/watch")
{
    printf "default-src 'none'; style-src 'sha256-%s'; " "$style_digest"
    printf "script-src 'sha256-%s'; base-uri 'none'; form-action 'none'" "$script_digest"
} >"$scratch/policy"
sed "s|; base-uri| 'sha256-$watch_digest' file:&|" "$scratch/policy" >"$scratch/watch-policy"
# of a live page: its style and script, and the engine in a worker made of a text
# without comments and indents, which would be a fifth of it
# shellcheck disable=SC2086
join $live | sed 's/^ *//; /^\/\/ [^S]/d; /^\/\/$/d; /^$/d' >"$scratch/live-script"
join live.css >"$scratch/live-style"
live_digest=$(digest "$scratch/live-script")
live_style_digest=$(digest "$scratch/live-style")
for policy in policy watch-policy; do
    sed "s|; script-src| 'sha256-$live_style_digest'&|
         s|; base-uri| 'sha256-$live_digest' 'wasm-unsafe-eval'; worker-src blob:&|" \
        "$scratch/$policy" >"$scratch/live-$policy"
done

echo '/* SPDX-License-Identifier: GPL-3.0-or-later */'
echo '/* Made by tools/page/embed.sh: the parts of pages, byte by byte. */'
echo '#include <config.h>'
echo
echo '#include "tools/page/page_files.h"'
echo
echo '#include <string.h>'
echo
echo 'const char *page_file(const char *name)'
echo '{'
for file in "$scratch/style" "$scratch/script" "$scratch/policy" "$scratch/watch" \
    "$scratch/watch-policy" "$scratch/live-script" "$scratch/live-style" "$scratch/live-policy" \
    "$scratch/live-watch-policy" "$here/head.html" \
    "$here/page.html" "$here/legend.html" "$here/modes.html" "$here/compare.html" \
    "$here/scene.css"; do
    echo "    if (strcmp(name, \"$(basename "$file")\") == 0) {"
    echo '        static const unsigned char part[] = {'
    od -An -v -tu1 "$file" | sed 's/[0-9][0-9]*/&,/g'
    echo '0 };'
    echo '        return (const char *) part;'
    echo '    }'
done
(
    cd "$scratch"
    rm -f style script policy watch watch-policy
    rm -f live-script live-style live-policy live-watch-policy
)
echo '    return NULL;'
echo '}'
