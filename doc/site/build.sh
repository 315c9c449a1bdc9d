#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the site: `make site` runs
#   HALFARROW=PROGRAM MKDOCS=PROGRAM top_srcdir=DIR doc/site/build.sh DIRECTORY
# The pages lie in DIRECTORY/pages as they do in the sources, so that their links hold; the pages
# that teach make their pictures by their own commands, with PICTURES=no empty ones. The site is in
# DIRECTORY/site; nothing in it comes from elsewhere.
set -euo pipefail

: "${HALFARROW:?names the program}" "${MKDOCS:?names mkdocs}" "${top_srcdir:=.}" "${PICTURES:=yes}"
mkdir -p "${1:?names the directory}"
out=$(cd "$1" && pwd)
sources=$(cd "$top_srcdir" && pwd)
here=$sources/doc/site
rm -rf "$out/pages" "$out/site"
mkdir -p "$out/pages"

# page FILE: puts a page in its place. Behind ``` only the language stays, and a list that follows a
# line of text gets an empty line before it, as mkdocs wants them.
page() {
    mkdir -p "$(dirname "$out/pages/$1")"
    awk '
        /^```/ { inside = !inside; if (inside) { sub(/ .*/, "") } }
        !inside && /^([-*]|[0-9]+\.) / && before != "" && before !~ /^([-*]|[0-9]+\.|  )/ {
            print ""
        }
        { print; before = $0 }' "$sources/$1" >"$out/pages/$1"
}

# linked: the files, other than pages, to which pages link, from the top of the sources.
linked() {
    local page
    for page in "$@"; do
        (
            cd "$sources/$(dirname "$page")"
            { grep -oE '\]\([^)#: ]+' "$(basename "$page")" || true; } | cut -c 3- |
                xargs -r realpath -m --relative-to="$sources"
        )
    done | sort -u | grep -v '\.md$'
}

# pictures PAGE: the pictures that the commands of a page make, beside it.
pictures() {
    local page=$1 picture
    if [ "$PICTURES" = no ]; then
        for picture in $(sed -n 's/^!\[.*\](\([^/]*\))$/\1/p' "$sources/$page"); do
            echo '<svg xmlns="http://www.w3.org/2000/svg"/>' >"$out/pages/doc/learn/$picture"
        done
        return
    fi
    echo "pictures of $page"
    (
        # shellcheck source=tests/util/pages.sh
        . "$sources/tests/util/pages.sh"
        check_page "$sources/$page" || true # a command that lacks a tool leaves its picture out
        cp "$directory"/page/*.svg "$out/pages/doc/learn"
    )
}

cd "$sources"
mapfile -t all < <(printf '%s\n' README.md CONTRIBUTING.md doc/*.md doc/learn/*.md)
for file in "${all[@]}"; do
    page "$file"
done
while read -r file; do
    if [ -f "$sources/$file" ]; then
        mkdir -p "$(dirname "$out/pages/$file")"
        cp "$sources/$file" "$out/pages/$file"
    fi
done < <(linked "${all[@]}")
for file in tutorial cookbook causality gallery; do
    pictures "doc/learn/$file.md"
done
cp "$here/site.css" "$out/pages"
cp "$here/mkdocs.yml" "$out"
PYTHONPATH=$here PYTHONDONTWRITEBYTECODE=1 "$MKDOCS" build -q --strict -f "$out/mkdocs.yml"
# Debian's package has this script under its old name, and not the one that pages may do without
if [ ! -e "$out/site/js/jquery-3.6.0.min.js" ]; then
    mv "$out/site/js/jquery-2.1.1.min.js" "$out/site/js/jquery-3.6.0.min.js"
    : >>"$out/site/js/theme_extra.js"
fi
# a search that needs no server
search=$out/site/search
{ echo "const search_index =" && cat "$search/search_index.json"; } >"$search/index.js"
cp "$here/search.js" "$search/main.js"
rm "$search/search_index.json" "$search/worker.js"
# each font once, in the form that all browsers read
grep -q 'url("\?fonts/' "$out"/site/css/*.css || rm -rf "$out/site/css/fonts"
for font in "$out"/site/fonts/*.woff2; do
    rm -f "${font%.woff2}".{ttf,woff,eot,svg}
done
echo "the site is $out/site/index.html, $(du -sh "$out/site" | cut -f 1)"
