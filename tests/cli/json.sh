#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The JSON objects: their keys, and values that theory gives for the example graphs.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh"

for command in check causality; do
    call 0 $command --json "$examples/motor.bgl"
    empty err
    keys class bonds integral derivative implicit_constraints explicit_constraints \
        redundant_constraints loop_variables mobility mobility_count strokes
    has out '"class": "DEPENDENT_STORAGE"'
    near bonds 11 0
    near dim 1 0
    has out '"I_rotor"'
    has out '"stroke": "head"'
    has out '"stroke": "tail"'
done

call 0 check --json "$examples/pendulum.yaml"
near mobility 1 0
near mobility_count 1 0
has out '"class": "IMPLICIT_CONSTRAINTS"'
has out '"O.x"'
call 0 check --json --graph 'Se>1a>R1;1a>R2;1a>C'
has out '"class": "CAUSAL_LOOPS"'
grep -A1 '"loop_variables"' "$directory/out" | grep -q 'R' || problem "no loop variable"

call 0 causality --json --trace "$examples/rlc.bgl"
keys trace

call 0 assemble --json "$examples/pendulum.yaml"
keys steps mobility mobility_count redundant_constraints bodies constraints

call 0 run --json "$examples/rlc.bgl" --t-end '20 ms' --rtol 1e-10 --atol 1e-12
empty err
keys status t_end unknowns states multipliers steps residual_evaluations jacobian_evaluations \
    newton_iterations error_test_failures seconds_setup seconds_solve energy_error \
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

# JSON is one object that a parser takes
if command -v python3 >/dev/null; then
    python3 -c 'import json, sys; json.load(sys.stdin)' <"$directory/out" || problem "no JSON"
fi
finish
