#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# run --compile: the same rows to the last digit, and a warning where there is no compiler.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh"

export HALFARROW_CACHE=$directory/cache
unset CC

# same MODEL OPTION...: both ways
same() {
    local model=$1
    shift
    call 0 run "$examples/$model" "$@" -o "$directory/interpreted.csv" --quiet
    call 0 run "$examples/$model" "$@" --compile --json -o "$directory/compiled.csv"
    has out '"compiled": true'
    cmp "$directory/interpreted.csv" "$directory/compiled.csv" ||
        problem "$model: compiled and interpreted differ"
}

same andrews.yaml
same motor_four_bar.yaml       # electrical states
same slider_crank_driven.yaml  # a prescribed motion
same rlc.bgl --t-end '20 ms'
same inverted_pendulum.yaml    # feedback
found=$(find "$directory/cache" -name '*.so' | wc -l)
[ "$found" -eq 5 ] || problem "$found libraries in the cache, not 5"
same andrews.yaml --t-end '10 ms' # from the cache
[ "$(find "$directory/cache" -name '*.so' | wc -l)" -eq 5 ] || problem "compiled again"

call 0 run "$examples/rlc.bgl" --t-end '1 ms' --compile
has out "as machine code"

# compare --compile: runs with the same numbers
call 0 compare "$examples/rapson.yaml" -q --y tiller.angle -o "$directory/interpreted.csv"
call 0 compare "$examples/rapson.yaml" -q --y tiller.angle --compile -o "$directory/compiled.csv"
cmp "$directory/interpreted.csv" "$directory/compiled.csv" ||
    problem "comparisons differ when compiled"
[ "$(find "$directory/cache" -name '*.so' | wc -l)" -gt 5 ] || problem "compare compiles nothing"

# without a compiler the equations are interpreted
export CC=/nonexistent/cc HALFARROW_CACHE=$directory/other
call 0 run "$examples/rlc.bgl" --t-end '1 ms' --compile --json
has err "warning: the equations are interpreted"
has err "install the package gcc"
has out '"compiled": false'
finish
