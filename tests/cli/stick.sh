#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# One law of friction from driving through sticking to reverse, whatever the driver: a block, a
# brake and a clutch, of which the joints of the last two hold nothing that could press them.
# shellcheck disable=SC2016 # backquotes are part of the messages
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh"

# final NAME: the value at the end
final() {
    awk -v name="\"$1\":" '$1 == "\"final\":" { on = 1 }
        on && $1 == name { sub(/,$/, "", $2); print $2; exit }' "$directory/out"
}

# agree FILE EVENTS NAME...: all drivers give the same to 4 digits, by the same events
agree() {
    local file=$1 events=$2 driver name
    shift 2
    for driver in explicit8 explicit ida auto; do
        call 0 run "$examples/$file.yaml" --driver $driver --json
        near events "$events" 0
        for name in "$@"; do
            [ $driver = explicit8 ] && final "$name" >"$directory/$name"
            near "$name" "$(cat "$directory/$name")" \
                "$(awk '{ print 5e-5 * ($1 < 0 ? -$1 : $1) }' "$directory/$name")"
        done
        near energy.error 0 1e-3
    done
}
# the first event is at the start, where the spring begins to pull and a comparison leaves its limit
agree pulled_block 13 block.x block.vx energy.dissipated
agree drum_brake 11 disc.angle disc.omega energy.dissipated
agree clutch 7 engine.omega load.omega energy.dissipated

# the block breaks away at 12 sin t = 0.4 m g. Up to 1 mm/s it keeps this friction, from t2 on it
# has 0.3 m g: m v' = 12 sin t - 0.3 m g
speed=$(awk 'function v(t, from, force) {
        return (12 * (cos(from) - cos(t)) - force * (t - from)) / 2
    }
    BEGIN {
        s = 0.4 * 2 * 9.81 / 12; t1 = atan2(s, sqrt(1 - s * s)); low = t1 + 1e-6; high = t1 + 0.1
        for (i = 0; i < 60; i++) {
            t2 = (low + high) / 2
            if (v(t2, t1, 0.4 * 2 * 9.81) > 1e-3) high = t2; else low = t2
        }
        printf "%.15g", 1e-3 + v(2, t2, 0.3 * 2 * 9.81)
    }')
for driver in ida explicit auto; do
    call 0 run "$examples/pulled_block.yaml" --driver $driver --t-end 2 --json
    near block.vx "$speed" 1e-6
    call 0 run "$examples/pulled_block.yaml" --driver $driver --t-end 0.7 --json
    near block.x 0 1e-9
done
# the brake slips with 0.35 r N, N = 400 (t - 1): w = 20 + (3 t - t^2 - 7 (t - 1)^2) / J
call 0 run "$examples/drum_brake.yaml" --t-end 1.5 --json
near disc.omega "$(awk 'BEGIN { t = 1.5
    printf "%.15g", 20 + (3 * t - t * t - 7 * (t - 1) ^ 2) / 0.4 }')" 1e-6
# the locked clutch carries what turns the load: both together, (5 + drag) / 1.6 rad/s2
call 0 run "$examples/clutch.yaml" --t-end 2 --json
near lining.torque "$(awk -v w="$(final load.omega)" 'BEGIN {
    printf "%.15g", 1.2 * (5 - 0.1 * w) / 1.6 + 0.1 * w }')" 1e-6
near engine.omega "$(final load.omega)" 1e-6

# without a load there would be no friction; it must not drive either
call 2 check "$examples/clutch.yaml" --set forces.lining.load=null
call 2 check "$examples/clutch.yaml" --set 'forces.lining.load=-3 N'
has err '`load` of force `lining` is -3'
call 2 check "$examples/clutch.yaml" --set 'forces.lining.load=3 m'
has err 'is a length'
finish
