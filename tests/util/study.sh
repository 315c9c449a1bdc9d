# SPDX-License-Identifier: GPL-3.0-or-later
# What tests of studies share; to be sourced behind tests/cli/util.sh, in its directory.
# shellcheck shell=bash disable=SC2034 # used by those who source it

# a design at random of a mechanism that is solved fast
cat >random.yaml <<'END'
design: latin-hypercube
runs: 40
seed: 7
vary:
  parameters.a: {normal: [100 mm, 1 mm]}
  parameters.b: {uniform: [340 mm, 360 mm]}
  bodies.crank.mass: {from: 0.4, to: 0.6}
measure: {top: peak(rocker.angle), load: peak(O.fx) - least(O.fx)}
END
model=$examples/motor_four_bar.yaml
short=(--t-end 0.05)

# kill_at N FILE ARGUMENT...: runs the program and kills it once FILE has N lines, if it still runs.
kill_at() {
    local wanted=$1 file=$2 rows=() id
    shift 2
    "$HALFARROW" "$@" >/dev/null 2>&1 &
    id=$!
    while [ "${#rows[@]}" -lt "$wanted" ] && kill -0 "$id" 2>/dev/null; do
        [ ! -e "$file" ] || mapfile -t rows <"$file"
    done
    kill -KILL "$id" 2>/dev/null
    wait "$id" 2>/dev/null
}
