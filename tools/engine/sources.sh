#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# sources.sh DIRECTORY: gets what the engine of pages is compiled from into DIRECTORY/sundials,
# DIRECTORY/suitesparse and DIRECTORY/yaml: Debian's source packages of the libraries that the
# program is linked with, from the mirrors that this machine has its packages from, checked by
# apt-get. The machine's own lists of packages stay as they are; no privileges are needed.
set -eu
export LC_ALL=C

directory=${1:?usage: sources.sh DIRECTORY}

fail() {
    echo "error: $1" >&2
    exit 1
}

command -v dpkg-source >/dev/null 2>&1 || fail "dpkg-source is missing (Debian: dpkg-dev)"
mkdir -p "$directory"
directory=$(cd "$directory" && pwd -P)
apt=$directory/apt
mkdir -p "$apt/lists/partial" "$apt/archives/partial"

# deb-src lines for each of Debian's own indices of packages
apt-get indextargets --format '$(CREATED_BY)|$(ORIGIN)|$(SITE)|$(RELEASE)|$(COMPONENT)' |
    awk -F '|' '
        $1 == "Packages" && $2 == "Debian" {
            line = "deb-src " $3 " " $4 " " $5
            if (!said[line]++) { print line }
        }' >"$apt/sources.list"
[ -s "$apt/sources.list" ] ||
    fail "apt-get knows no packages of Debian here; run apt-get update, or unpack the sources of \
SUNDIALS, SuiteSparse and libyaml into $directory/sundials, suitesparse and yaml"

get() {
    apt-get -qq -o Dir::Etc::sourcelist="$apt/sources.list" -o Dir::Etc::sourceparts=/dev/null \
        -o Dir::State::lists="$apt/lists" -o Dir::Cache="$apt" \
        -o APT::Sandbox::User="$(id -un)" "$@"
}

# version_of PACKAGE: of the source package that an installed one was made from
version_of() {
    dpkg-query -W -f '${source:Version}' "$1" 2>/dev/null || fail "$1 is not installed"
}

# unpack NAME SOURCE PACKAGE
unpack() {
    [ ! -e "$directory/$1/done" ] || return 0
    version=$(version_of "$3")
    (cd "$apt/archives" && get --download-only source "$2=$version")
    rm -rf "${directory:?}/$1"
    dpkg-source --no-check -x "$apt/archives/$2_${version#*:}.dsc" "$directory/$1" \
        >"$apt/$1.log" 2>&1 || fail "cannot unpack $2: $(tail -n 1 "$apt/$1.log")"
    echo "$2 $version" >"$directory/$1/done"
}

get update
unpack sundials sundials libsundials-dev
unpack suitesparse suitesparse libsuitesparse-dev
unpack yaml libyaml libyaml-dev
echo "The sources are in $directory; now: make wasm"
