#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# One law of friction from driving through sticking to reverse, whatever the driver: a block, a
# brake and a clutch, of which the joints of the last two hold nothing that could press them.
# shellcheck disable=SC2016 # backquotes are part of the messages
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

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
# to break away is two events: the limit is passed, and v_f; to stop is two: it comes into the zone
# of v_f, and to rest
agree pulled_block 10 block.x block.vx energy.dissipated
agree drum_brake 9 disc.angle disc.omega energy.dissipated
agree clutch 6 engine.omega load.omega energy.dissipated

# dry friction that heats what it rubs on: while it sticks nothing moves, and a step may lead over
# the times at which the source is above the limit. By all drivers, at all tolerances, the mass
# slides three times
cat >"$directory/rubbing.yaml" <<'END'
halfarrow: 1
bondgraph:
  elements:
    S: {type: Se, value: 3*sin(2*t)}
    1a: {type: "1"}
    I: {type: I, value: 2, p: 1}
    RS: {type: RS, e: 2*sign(f)}
    0t: {type: "0"}
    H: {type: C, energy: 5*300*exp(q/5)}
  bonds: [S > 1a, 1a > I, 1a > RS, RS > 0t, 0t > H]
simulate: {t_end: 5}
END
# 2 f' = 3 sin 2t - 2 sign(f), piece by piece; the energy 5 T takes the work of friction
rubbed=$(python3 - <<'END'
from math import asin, cos, pi, sin
def speed(f, t0, t, sign):
    return f + (1.5*(cos(2*t0) - cos(2*t)) - 2*sign*(t - t0))/2
work, f, t, end, sign = 0.0, 0.5, 0.0, 5.0, 1
while t < end:
    # to where it stops, by small steps and bisection; the work is the way times 2
    u, h = t, 1e-3
    while u + h < end and speed(f, t, u + h, sign)*sign > 0 or u == t:
        u += h
    low, high = u, min(u + h, end)
    for _ in range(80):
        m = (low + high)/2
        low, high = (m, high) if speed(f, t, m, sign)*sign > 0 else (low, m)
    stop = low if speed(f, t, min(u + h, end), sign)*sign <= 0 else end
    d = stop - t
    way = f*d + (1.5*(cos(2*t)*d - (sin(2*stop) - sin(2*t))/2) - sign*d*d)/2
    work += 2*abs(way)
    if stop >= end:
        break
    # stuck until 3 |sin 2t| = 2 again
    grip = asin(2/3)
    k = 0
    while True:
        s = grip/2 + k*pi/2
        if s > stop:
            t, sign = s, 1 if k % 2 == 0 else -1
            break
        if s <= stop < pi/2*(k + 1) - grip/2:
            t, sign = stop, 1 if k % 2 == 0 else -1
            break
        k += 1
    f = 0.0
    if t >= end:
        break
print(300 + work/5)
END
)
for driver in ida explicit explicit8 auto; do
    for rtol in 1e-6 1e-8 1e-10; do
        call 0 run "$directory/rubbing.yaml" --driver $driver --rtol $rtol --json
        near events 5 0
        near H.e "$rubbed" 1e-5
    done
done

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
# what stands at the start is held, whichever way it is pushed, by as much as the push
for force in 5 -5; do
    call 0 run "$examples/pulled_block.yaml" --t-end 0 --json \
        --set "forces.pull.value=[$force, 0]" --set 'outputs=[block.ax, friction.force]'
    near block.ax 0 1e-7
    near friction.force $((-force)) 1e-7
done
finish
