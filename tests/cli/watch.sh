#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# `--watch`: again at each save of the model and of what it includes, errors in between.
# shellcheck disable=SC2016 # backquotes are part of the messages
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit
cd "$directory" || exit 1

cat >arm.yaml <<'END'
halfarrow: 1
submodels:
  arm:
    ports: {base: rod.A}
    bodies: {rod: {mass: 1, inertia: 0.1, points: {A: [-0.5, 0]}, start: {x: 0.5, angle: 0}}}
END
cat >model.yaml <<'END'
halfarrow: 1
include: [arm.yaml]
ground: {points: {O: [0, 0]}}
parts: {arm: {type: arm}}
joints: {O: {type: revolute, between: [ground.O, arm.base]}}
outputs: [arm.rod.x]
simulate: {t_end: 0}
END

# until COMMAND...: waits for it, at most a minute
until_it() {
    for ((i = 0; i < 600; i++)); do
        "$@" && return
        sleep 0.1
    done
    problem "after a minute not: $*"
    cat out err
}
waits() { [ "$(grep -c 'waiting for .model.yaml' err)" -eq "$1" ]; }

"$HALFARROW" run model.yaml --watch -o result.csv >out 2>err </dev/null &
watcher=$!
called="halfarrow run model.yaml --watch"
until_it waits 1
grep -q '^0,0.5' result.csv || problem "the first result: $(cat result.csv)"
sed -i 's/-0\.5, 0\]/-0.8, 0]/' arm.yaml
until_it waits 2
grep -qF '`arm.yaml` has changed' err || problem "what has changed: $(cat err)"
grep -q '^0,0.8' result.csv || problem "the second result: $(cat result.csv)"
sed -i 's/mass: 1,/mass: 1 m,/' arm.yaml
until_it waits 3
has err 'arm.yaml:5:26: error: `mass` of body `arm.rod`: 1 m is a length'
kill -INT $watcher
wait $watcher
status=$?
[ $status -eq 0 ] || problem "the end of the watch: exit status $status"

call 2 run --graph 'Se>1a>R; 1a>I' --watch
has err '--watch looks at files, and --graph is none'
finish
