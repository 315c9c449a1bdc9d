#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The schema for editors knows what the reader knows, and all models of the sources are valid.
# Needs Python with jsonschema and yaml (Debian: python3-jsonschema, python3-yaml).
set -euo pipefail

: "${HALFARROW:?names the program}" "${top_srcdir:=.}"
if ! python3 -W ignore -c 'import jsonschema, yaml' 2>/dev/null; then
    echo "there is no Python with jsonschema and yaml; install python3-jsonschema and python3-yaml"
    exit 77
fi
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
schema=$top_srcdir/doc/halfarrow.schema.json

check() {
    python3 -W ignore "$top_srcdir/tests/util/schema.py" "$HALFARROW" "$1" "${@:2}"
}

# does the check see a fault? Each is put alone into a copy.
faults=(
    's/"t_end"/"t_stop"/'                 # a key that the reader does not have, and one that it has
    's/"radius"/"radii"/'                 # a key of a joint
    's/"internal-gear"/"external-gear"/'  # a type
    's/"Df"/"Dq"/'                        # an element
    '0,/"additionalProperties": false/s//"additionalProperties": true/'
)
for fault in "${faults[@]}"; do
    sed "$fault" "$schema" >"$directory/bad.json"
    if cmp -s "$schema" "$directory/bad.json" ||
        check "$directory/bad.json" "$top_srcdir/examples/andrews.yaml" >/dev/null 2>&1; then
        echo "self-test: not seen: $fault"
        exit 1
    fi
done

# the model files of the documentation, as far as they stand alone
awk -v directory="$directory" '
    /^```yaml [^ ]+$/ { file = directory "/" $2; next }
    /^```/ { file = "" }
    file != "" { print >file }' "$top_srcdir"/doc/*.md
check "$schema" "$top_srcdir"/examples/*.yaml "$top_srcdir"/tests/fuzz/corpus/model/*.yaml \
    "$directory"/*.yaml
