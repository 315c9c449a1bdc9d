#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The JSON objects: their keys, and values that theory gives for the example graphs.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

for command in check causality; do
    call 0 $command --json "$examples/motor.bgl"
    empty err
    keys class bonds order integral derivative implicit_constraints explicit_constraints \
        redundant_constraints loop_variables mobility mobility_count strokes
    has out '"class": "DEPENDENT_STORAGE"'
    near bonds 11 0
    near order 2 0
    near dim 1 0
    has out '"I_rotor"'
    has out '"stroke": "head"'
    has out '"stroke": "tail"'
done

call 0 check --json "$examples/pendulum.yaml"
near mobility 1 0
near mobility_count 1 0
near order 2 0
has out '"class": "IMPLICIT_CONSTRAINTS"'
has out '"O.x"'
call 0 check --json --graph 'Se>1a>R1;1a>R2;1a>C'
empty err
has out '"class": "CAUSAL_LOOPS"'
grep -A1 '"loop_variables"' "$directory/out" | grep -q 'R' || problem "no loop variable"

call 0 causality --json --trace "$examples/rlc.bgl"
keys trace

# the causal paths of the first 20 dependent storages, or of all
graph='Se>1a>I0'
for i in {1..25}; do
    graph="$graph;1a>I$i"
done
for command in check causality; do
    call 0 $command --json --graph "$graph"
    [ "$(grep -c '"path": ' "$directory/out")" -eq 20 ] || problem "$called: not 20 paths"
    call 0 $command --json --graph "$graph" --paths
    [ "$(grep -c '"path": ' "$directory/out")" -eq 25 ] || problem "$called: not 25 paths"
done

call 0 assemble --json "$examples/pendulum.yaml"
keys status steps mobility mobility_count redundant_constraints bodies constraints
has out '"status": "done"'

# what failed: the residual that is left, 1 m between the hinge and the fixed mass centre
fixed='{mass: 1, inertia: 1, points: {O: [0, 0]}, start: {x: 1, y: 0, fixed: [x, y]}}'
cat >"$directory/fixed.yaml" <<END
halfarrow: 1
ground: {points: {O: [0, 0]}}
bodies: {K: $fixed}
joints: {J: {type: revolute, between: [ground.O, K.O]}}
simulate: {t_end: 1}
END
call 1 assemble --json "$directory/fixed.yaml"
has out '"status": "failed"'
has out '"mobility": null'
has out '"velocity_residual": null'
near mobility_count 1 0
awk '$1 == "\"residual\":" { sub(/,$/, "", $2); sum += $2 * $2 } END { exit sum != 1 }' \
    "$directory/out" || problem "not the residual of 1 m"
has err 'cannot be closed'
call 1 check --json "$directory/fixed.yaml"
has out '"mobility": null'
near mobility_count 1 0
call 1 run --json "$directory/fixed.yaml"
has err 'cannot be closed'
keys status t_end unknowns states multipliers steps residual_evaluations jacobian_evaluations \
    newton_iterations error_test_failures seconds_setup seconds_solve energy_error energy_passed \
    max_constraint_error max_velocity_error alpha beta final
has out '"status": "failed"'
has out '"unknowns": null'
has out '"energy_error": null'

# what was not measured is null, what was is there
printf 'halfarrow: 1\nbodies: {L: {mass: 0, inertia: 0}}\nsimulate: {t_end: 1}\n' \
    >"$directory/massless.yaml"
call 1 run --json "$directory/massless.yaml"
has out '"status": "failed"'
has out '"energy_error": null'
has out '"max_constraint_error": null'
has out '"max_velocity_error": null'
has out '"final": {}'
call 1 run --json "$examples/pendulum.yaml" --max-steps 20
has out '"status": "failed"'
grep -q '"energy_error": [0-9]' "$directory/out" || problem "no energy error of the steps that were"
grep -q '"max_constraint_error": [0-9]' "$directory/out" || problem "no constraint error"

# outputs that are asked for are all that there is
call 0 run --json "$examples/pendulum.yaml" --set 'outputs=[O.force, energy]'
found=$(sed -n '/"final"/,$s/^    "\(.*\)": .*/\1/p' "$directory/out" | tr '\n' ' ')
wanted='O.fx O.fy O.torque energy.kinetic energy.potential energy.supplied energy.dissipated '
[ "$found" = "${wanted}energy.error " ] || problem "final holds $found"

# an override of a file, at an end time of 0
call 0 run --json "$examples/andrews.yaml" --set parameters.mom=0.75 --t-end 0
near drive.e 0.75 0
near t_end 0 0

call 0 run --json "$examples/rlc.bgl" --t-end '20 ms' --rtol 1e-10 --atol 1e-12
empty err
keys status t_end unknowns states multipliers steps residual_evaluations jacobian_evaluations \
    newton_iterations error_test_failures seconds_setup seconds_solve energy_error energy_passed \
    max_constraint_error max_velocity_error alpha beta final
has out '"status": "done"'
# the closed form of the example at 20 ms
near C.e 11.919357449406403 1e-7
near I.f 0.0004115635697275356 1e-8
near t_end 0.02 0
near unknowns 2 0
near states 2 0
near multipliers 0 0
grep -q '"C.e": 11.91935[0-9]*,' "$directory/out" || problem "not 17 digits"

# one multibond: its number, its ends, its dimension and a stroke for each component
call 0 causality --json --graph 'Se=3>1a; 1a=3>I{1|2|3}; 1a=3>R'
near bonds 9 0
[ "$(grep -c '"dim": 3' "$directory/out")" -eq 3 ] || problem "$called: not three multibonds"
numbers=$(sed -n 's/^ *"bond": \([0-9]*\),/\1/p' "$directory/out" | sort -n | tr '\n' ' ')
[ "$numbers" = '1 2 3 ' ] ||
    problem "$called: the bonds are not numbered from 1"

# a pendulum in absolute coordinates: three places, three rates, two multipliers
call 0 run --json "$examples/pendulum.yaml" --t-end 0
# the page on model files tells every key
for key in $(sed -n 's/^  "\([a-z_]*\)": .*/\1/p' "$directory/out"); do
    grep -q "^| .*\`$key\`.* |" "$top_srcdir/doc/model-run.md" ||
        problem "$called: the key \`$key\` is not in doc/model-run.md"
done
near unknowns 8 0
near states 6 0
near multipliers 2 0

# JSON is one object that a parser takes
if command -v python3 >/dev/null; then
    python3 -c 'import json, sys; json.load(sys.stdin)' <"$directory/out" || problem "no JSON"
fi
finish
